"""A whole run in one call: packets in, what became of them, a hash of every link and burst."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fattree_models.common.checks import BoolArray, UInt64Array, check_integer
from fattree_models.traffic import Packets
from fattree_models.wormhole.item import Answer
from fattree_models.wormhole.network import Network
from fattree_models.wormhole.simulation import Simulation
from fattree_models.wormhole.trace import Fates, Trace
from fattree_models.wormhole.words import Words, hashes

RESET = 4
"""Clocks of the burst that begins a run; the first is the reset."""


@dataclass(frozen=True, eq=False)
class Run:
    """What a run left.

    Parameters
    ----------
    fates : Fates
        When each packet began and arrived, in clocks of the item.
    hashes : uint64 array [bursts, hashes]
        Of every burst, after `hashes`; no rows unless asked for.
    traces : tuple of Trace, by burst
        Every link in every clock; none unless asked for.
    switch_clocks : int
        Switches times clocks, the work that RTL would have done.
    worked : int
        Clocks that were not skipped because nothing moved.
    """

    fates: Fates
    hashes: UInt64Array
    traces: tuple[Trace, ...]
    switch_clocks: int
    worked: int


def begun(
    network: Network, packets: Packets, seed: int = 1, answer: Answer | None = None, tables: int = 0
) -> Simulation:
    """Return a network after a reset, before clock 0 of an item; parameters are those of `run`."""
    simulation = Simulation(network, seed, answer)
    simulation.run(RESET, resets=[0], may_send=False, record=False)
    simulation.run(tables, may_send=False, record=False)
    simulation.load(packets)
    return simulation


def run(
    network: Network,
    packets: Packets,
    bursts: Sequence[int],
    *,
    seed: int = 1,
    answer: Answer | None = None,
    stall: BoolArray | None = None,
    tables: int = 0,
    hashed: bool = False,
    traced: bool = False,
) -> Run:
    """Run one item after a reset.

    Parameters
    ----------
    network : Network
    packets : Packets
        Releases are clocks of the item; kinds are 0 (request) or 1 (reply).
    bursts : sequence of int
        Clocks of each burst; nothing happens between bursts.
    seed : int
        32 bits, of the random numbers of the switches.
    answer : Answer, optional
        Leaves answer packets of kind 0.
    stall : bool array [clocks of all bursts, leaves], optional
        Who gives no credits.
    tables : int
        Clocks in which tables are loaded, behind the reset.
    hashed, traced : bool
        What to return besides the fates; each costs time and memory.

    Raises
    ------
    ValueError
        If packets cannot be sent in this network.

    Examples
    --------
    >>> from fattree_models.common.fat_tree import kary
    >>> result = run(Network(tree=kary(2, 2)), Packets.of([0, 1], 3, 0, 2), [50], hashed=True)
    >>> result.fates.tail.tolist(), result.hashes.shape
    ([15, 16], (1, 33))
    """
    simulation = begun(network, packets, seed, answer, tables)
    before = simulation.clock, simulation.worked
    words = Words(network, simulation.wiring, simulation.item) if hashed and traced else None
    found, traces = [], []
    for clocks, part in _parts(bursts, stall):
        if hashed and words is None:
            found.append(simulation.hashed(clocks, stall=part))
            continue
        trace = simulation.run(clocks, stall=part, record=traced)
        if trace is not None:
            traces.append(trace)
        if trace is not None and words is not None:
            found.append(hashes(trace, words))
    return Run(
        simulation.fates,
        np.array(found, np.uint64).reshape(len(found), -1 if found else 0),
        tuple(traces),
        len(simulation.wiring.switches) * (simulation.clock - before[0]),
        simulation.worked - before[1],
    )


def _parts(
    bursts: Sequence[int], stall: BoolArray | None
) -> Iterator[tuple[int, BoolArray | None]]:
    """Return the clocks of each burst, and who is stalled in it."""
    first = 0
    for each in bursts:
        clocks = check_integer("bursts", each, 0)
        yield clocks, None if stall is None else stall[first : first + clocks]
        first += clocks
