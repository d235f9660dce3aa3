"""Switches that share a clock, in a network with several: exact, driven by recorded links.

When a flit crosses from one clock to another depends on phases, which are unknown.  But switches of
one clock are as exact as a network with one clock: what comes in, flits over links from others and
credits over links to others, decides in every clock what goes out.  So a domain runs on what was
recorded at its inputs, clock by clock of its own, and predicts its outputs.
"""

from dataclasses import fields
from typing import NamedTuple

import numpy as np

from fattree_models.common.checks import BoolArray, Int64Array, UInt64Array, check_integer
from fattree_models.wormhole import kernel
from fattree_models.wormhole.arrays import map_of, rules, scratch, state
from fattree_models.wormhole.generator import Generator
from fattree_models.wormhole.network import Network
from fattree_models.wormhole.showing import Showing
from fattree_models.wormhole.wiring import DOWN, PLAIN, Switches, Wiring, wire

FIELDS = [field.name for field in fields(Switches) if field.init]
NO_LEAVES = kernel.Leaves(np.zeros((0, 13), np.int64), np.zeros((0, 3), np.int64))
NOBODY_STALLS = np.zeros((0, 0), np.bool_)
NO_FATE = np.zeros((1, 3), np.int64)


class Traffic(NamedTuple):
    """What was on links in some clocks.

    Parameters
    ----------
    flits : int64 array [flits, 2]
        Lane and flit, clock by clock; a lane is link * 2^`shift` + VC, a flit as the kernel has it.
    credits : int64 array [credits]
        Lanes, against the direction of the link.
    ends : int64 array [clocks + 1, 2]
        Rows of both until each clock.
    """

    flits: Int64Array
    credits: Int64Array
    ends: Int64Array


class Part(NamedTuple):
    """The switches of a clock.

    Parameters
    ----------
    wiring : Wiring
        Of these alone.  Its links are their output ports, then the links that lead in from others.
    outputs, inputs : int64 arrays
        Places of its output and input ports among those of the whole network, in the order in which
        that tells of them.
    sources : int64 array [links that lead in]
        The output port that each comes from, as a place of the whole network, -1 - x of leaf x.
    sinks : int64 array [outputs]
        Of each output the leaf x that it leads to, as -1 - x; 0 or more: it leads to a switch.
    """

    wiring: Wiring
    outputs: Int64Array
    inputs: Int64Array
    sources: Int64Array
    sinks: Int64Array


def part(network: Network, level: int | None = None) -> Part:
    """Return the switches of a level, counted from the lowest; None: all, without the leaves.

    Examples
    --------
    Four switches of a 2-ary 2-tree; to the lower two lead four links up and four down:

    >>> from fattree_models.common.fat_tree import kary
    >>> [part(Network(tree=kary(2, 2)), level).sources.tolist() for level in (0, 1, None)]
    [[-1, -2, -3, -4, 8, 10, 9, 11], [2, 6, 3, 7], [-1, -2, -3, -4]]
    """
    whole = wire(network)
    parts = whole.switches
    here = np.ones(len(parts), np.bool_)
    if level is not None:
        here = parts.level == np.unique(parts.level)[level]
    of_in, of_out = (np.repeat(np.arange(len(parts)), ports) for ports in (parts.ins, parts.outs))
    new_in, new_out = _numbered(here[of_in]), _numbered(here[of_out])
    outs = np.flatnonzero(here[of_out])
    target = whole.target[outs]
    inside = (target >= 0) & here[of_in[target]]
    border = -np.cumsum(~inside, dtype=np.int64)
    driven = _driven(whole, here, of_in, of_out)
    outputs, inputs = (
        np.flatnonzero(new >= 0) for new in (new_out[whole.told_out], new_in[whole.told_in])
    )
    wiring = Wiring(
        Switches(*(getattr(parts, name)[here] for name in FIELDS)),
        np.concatenate((np.where(inside, new_in[target], border), new_in[driven])),
        new_out[whole.told_out[outputs]],
        new_in[whole.told_in[inputs]],
    )
    place = np.empty_like(whole.told_out)
    place[whole.told_out] = np.arange(place.size)
    link = whole.feeder[driven]
    leaf = of_out.size - 1 - link
    sources = np.where(leaf < 0, leaf, place[np.minimum(link, place.size - 1)])
    return Part(wiring, outputs, inputs, sources, whole.target[whole.told_out[outputs]])


def _numbered(here: BoolArray) -> Int64Array:
    """Return numbers of those that are here, -1 of others."""
    return np.where(here, np.cumsum(here) - 1, -1)


def _driven(whole: Wiring, here: BoolArray, of_in: Int64Array, of_out: Int64Array) -> Int64Array:
    """Return input ports that others lead to: from leaves and children, then from parents."""
    inputs = whole.told_in
    link = whole.feeder[inputs]
    other = (link >= of_out.size) | ~here[of_out[np.minimum(link, of_out.size - 1)]]
    s = of_in[inputs]
    port = inputs - whole.switches.first_in[s]
    role, children = whole.switches.role[s], whole.switches.children[s]
    above = (role == DOWN) | ((role == PLAIN) & (port >= children))
    if here.all():  # by leaf
        return whole.target[of_out.size :]
    found = [inputs[here[s] & other & way] for way in (~above, above)]
    return np.concatenate(found)


class Domain:
    """Switches of one clock that run on what came in.

    Parameters
    ----------
    network : Network
    level : int or None
        See `part`.

    Attributes
    ----------
    part : Part
    links : int64 array [links]
        Those of the wiring as a recorder has them: outputs in the order of the network, then
        those that lead in.
    view : Showing
        Where in a row of states each VC stands.
    packet : int64 array [packets, 8]
        Columns of the kernel; flits name their packets by its rows.
    """

    def __init__(self, network: Network, level: int | None = None) -> None:
        self.network, self.part = network, part(network, level)
        wiring = self.part.wiring
        self.rules = rules(network, wiring, None)._replace(long=0)
        self._map, self._scratch = map_of(network, wiring, self.rules), scratch(wiring, self.rules)
        self.view = Showing(network, wiring)
        self._showing = self.view.empty(self.rules.shift)
        outs = wiring.told_out.size
        self.links = np.concatenate((wiring.told_out, np.arange(outs, wiring.links)))
        self.packet = np.zeros((1, 8), np.int64)
        self.reset(1)

    def reset(self, seed: int) -> None:
        """Set everything that has a reset value; the next clock is the first without reset."""
        wiring, node = self.part.wiring, self.part.wiring.switches.node
        self.clock = 0
        self._state = state(self.network, wiring, self.rules)
        for s in np.flatnonzero(node >= 0):
            self._state.random[s, 0] = Generator(
                check_integer("seed", seed, 0, 2**32 - 1), int(node[s])
            ).word
        border = int((wiring.target < 0).sum())
        self._links = kernel.Links(
            flit=np.zeros((wiring.links, 2), np.int64),
            credit=np.zeros(wiring.links * self.network.vcs, np.int64),
            counts=np.zeros(2, np.int64),
            far=np.full((1, border, 2), -1),
            near=np.zeros((1, border), np.int64),
        )

    @property
    def empty(self) -> bool:
        """Whether no flit is in a queue, or on a link in the clock to come."""
        return not self._state.waiting.any() and not self._links.counts[0]

    def run(self, driven: Traffic) -> tuple[Traffic, UInt64Array]:
        """Run as many clocks as `driven` has.

        Parameters
        ----------
        driven : Traffic
            Flits on the links that lead in, credits on the outputs that lead out.

        Returns
        -------
        traffic, state : Traffic, uint64 array [words]
            What is on all links; the row of states, see `view`, in the last of clocks 0, 32, 64 …
        """
        clocks = len(driven.ends) - 1
        rows = (clocks + 1) * self.part.wiring.links + len(driven.flits)
        log = kernel.Log(
            np.empty((rows, 2), np.int64),
            np.empty(rows * self.network.vcs + len(driven.credits), np.int64),
            np.zeros(2, np.int64),
            np.zeros((clocks + 1, 2), np.int64),
        )
        kernel.run(
            *(self.rules, self._map, self._state, NO_LEAVES, self._links, self.packet, NO_FATE, 0),
            *(log, True, self._showing, self._scratch, self.clock, self.clock, clocks),
            *(NOBODY_STALLS, False),
            kernel.Log(driven.flits, driven.credits, log.used, driven.ends),
        )
        self.clock += clocks
        flits, credits = log.ends[-1]
        return Traffic(log.flits[:flits], log.credits[:credits], log.ends), self._showing.row.copy()
