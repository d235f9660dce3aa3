"""Tests of modified fat-trees."""

from collections.abc import Iterator

import numpy as np

from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.scenarios import PacketSequence, flit_scenarios
from fattree_bench.bench.links.flit.sequences import Permutation, Uniform
from fattree_bench.bench.scenario import Stimulus
from fattree_bench.families.mft.network import MftNetwork
from fattree_bench.families.mft.traffic import (
    SENDERS,
    filling,
    in_step,
    losing,
    together,
    up_to_room,
)
from fattree_models.mft import counter_example
from fattree_models.traffic import Packets, concatenate, every_pair, lengths

SEARCHED = 3  # rows up to which the smallest set of packets that loses one is looked for
PAIRS = 4096  # packets that go alone, at most

STANDARD = ("uniform", "payloads", "bursts", "saturation", "patterns", "classic")

SCENARIOS = flit_scenarios(SENDERS, *STANDARD)
scenario = SCENARIOS.add


@scenario(alone=True)
def single_packets(s: Stimulus) -> Iterator[PacketSet]:
    """A packet alone in the network: every pair, or some; as late as in theory, to the clock."""
    network = s.network
    source, destination = every_pair(network.leaves)
    if len(source) > min(PAIRS, 2 * s.rows):
        chosen = s.rng.permutation(len(source))[: min(PAIRS, 2 * s.rows)]
        source, destination = source[chosen], destination[chosen]
    flits = lengths(up_to_room(network)).draw(s.rng, len(source)).astype(np.int64)
    apart = network.longest_way + 2 * network.room + 2
    packets = Packets.of(source, destination, apart * np.arange(len(source)), flits)
    yield PacketSet(packets, "single packets", alone=True)


@scenario()
async def one_flit(s: PacketSequence) -> None:
    """Packets of one flit: head and tail at once, and heads straight behind tails."""
    for load in (0.3, 1.0):
        await s.do(Uniform(f"packets of one flit, load {load:g}", lengths="1", load=load))


@scenario()
async def permutations(s: PacketSequence) -> None:
    """Complement and cyclic shifts, all packets at once: none waits anywhere."""
    leaves, flits = np.arange(s.network.leaves), min(4, s.network.room)
    steps = s.rng.permutation(leaves[1:])[:8]
    goals = {"complement": len(leaves) - 1 - leaves}
    goals |= {f"shift by {step}": (leaves + step) % len(leaves) for step in sorted(steps)}
    for name, goal in goals.items():
        await s.do(Permutation(name, goal=goal, each=max(2, s.rows // 64), flits=flits))


@scenario()
def crowds(s: Stimulus) -> Iterator[PacketSet]:
    """All clients send in step, to ever other ones: packets meet in many places at a time."""
    yield PacketSet(in_step(s.rng, s.network, s.rows), "all in step")


@scenario()
def hot_spot(s: Stimulus) -> Iterator[PacketSet]:
    """All others send to one client without an end: FIFOs fill up, run over, and empty again."""
    network = s.network
    goal = int(s.rng.integers(network.leaves))
    source = np.delete(np.arange(network.leaves), goal)
    for flits in dict.fromkeys((1, network.room)):
        each = 2 * network.fifo // flits + 2
        yield PacketSet(together(network, source, goal, each, flits), f"to one, {flits} flits")
    packets = network.workload.to_others(s.rng, "uniform", up_to_room(network), 0.3, s.rows)
    some = together(network, source, goal, 2, network.room)
    yield PacketSet(concatenate([packets, some]), "hot spot among uniform traffic")


def one_lane(network: MftNetwork) -> str | None:
    """Why `full_fifo` cannot run, or None."""
    return None if network.leaves > 2 else "it needs clients with several lanes: N=4 or more"


@scenario(unless=one_lane)
def full_fifo(s: Stimulus) -> Iterator[PacketSet]:
    """The least FIFO: so much goes to one client that FIFO flits just do; then a packet more."""
    for goal in dict.fromkeys((0, int(s.rng.integers(s.network.leaves)))):
        just, more = filling(s.network, goal)
        yield PacketSet(just, "a FIFO just full")
        yield PacketSet(more, "a packet too many")


@scenario()
def needed_lanes(s: Stimulus) -> Iterator[PacketSet]:
    """Sets of packets that doubled lanes cannot carry: the smallest one, and all to one client."""
    network = s.network
    if network.n <= SEARCHED and (found := counter_example(network.n)) is not None:
        release = found.release * network.pipeline
        yield PacketSet(
            Packets.of(found.source, found.destination, release), "the smallest that loses a packet"
        )
    yield PacketSet(losing(network), "all to one client at once")


def at_full_rate(s: PacketSequence, pattern: str) -> Uniform:
    """Each client sends a flit a clock, packets of one flit."""
    name = f"{pattern} at full rate"
    return Uniform(name, pattern=pattern, lengths="1", load=1.0, clocks=4 * s.rows)


@scenario()
async def full_rate(s: PacketSequence) -> None:
    """Use of links: each client sends one flit a clock, to all others alike."""
    await s.do(at_full_rate(s, "uniform"))


@scenario()
async def full_complement(s: PacketSequence) -> None:
    """Use of links: each client sends one flit a clock to the complement address."""
    await s.do(at_full_rate(s, "bitcomp"))


@scenario()
def reset(s: Stimulus) -> Iterator[PacketSet]:
    """Resets under load, so many that each client is in the middle of packets in one of them."""
    for clock in (0, 50, *s.rng.integers(10, 100, 8)):
        what = "uniform", up_to_room(s.network), 0.9, 2 * int(clock) + 50
        packets = s.network.workload.to_others(s.rng, *what)
        yield PacketSet(packets, "reset under load", reset=int(clock))
