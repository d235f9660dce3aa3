"""Tests of packet-switched fat-trees: the same for all families."""

from collections.abc import Iterator

import numpy as np

from fattree_bench.bench.links.flit.packets import Answers, PacketSet
from fattree_bench.bench.links.flit.scenarios import PacketSequence, flit_scenarios
from fattree_bench.bench.links.flit.sequences import Permutation, Uniform
from fattree_bench.bench.scenario import Stimulus
from fattree_bench.bench.wormhole.equal import lonely, no_equal_clocks, streams
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.promises import even_choice, fair_shares, filled_queues
from fattree_bench.bench.wormhole.resets import resets
from fattree_bench.bench.wormhole.switch import REPLY_LIMIT
from fattree_bench.bench.wormhole.traffic import (
    SENDERS,
    all_pairs,
    backlog,
    busiest_link,
    in_classes,
    one_by_one,
    spread,
)
from fattree_models.traffic import Packets, lengths

CHOICES = 64  # of a sender: enough to tell chance from habit
GOLDEN = 0x9E3779B9  # makes the seeds of switches differ, see xgft_switch.v

LENGTHS = "1,2,4,8,16,40"  # one of each bin of the coverage
LONGEST = 40

SCENARIOS = flit_scenarios(SENDERS, "bursts", "saturation", "patterns", "classic")
scenario = SCENARIOS.add


@scenario(alone=True)
def single_packets(s: Stimulus) -> Iterator[PacketSet]:
    """A packet alone in the network: every pair, or 4096; as late as in theory, to the clock."""
    network = s.network
    source, destination = all_pairs(network, s.rng, 2 * s.rows)
    flits = lengths("1-16").draw(s.rng, len(source)).astype(np.int64)
    packets = one_by_one(network, source, destination, flits)
    yield PacketSet(in_classes(s.rng, network, packets), "single packets", alone=True)


@scenario()
async def uniform(s: PacketSequence) -> None:
    """Uniform traffic of mixed lengths, from little to more than the network carries."""
    for load in (0.05, 0.3, 0.6, 1.0):
        sizes = "1-16" if load > 0.1 else LENGTHS
        name = f"uniform, load {load:g}"
        await s.do(Uniform(name, pattern="uniform:self", lengths=sizes, load=load))


@scenario()
async def payloads(s: PacketSequence) -> None:
    """Bodies of words that no tag is: zero, ones, one bit set or clear, the same as before."""
    for load in (0.1, 0.6):
        drawn = Uniform(f"payloads, load {load:g}", pattern="uniform:self", lengths=LENGTHS)
        drawn.load, drawn.corners = load, True
        await s.do(drawn)


@scenario()
def one_flit(s: Stimulus) -> Iterator[PacketSet]:
    """Packets of one flit: head and tail at once, and heads straight behind tails."""
    for load in (0.3, 1.0):
        packets = spread(s.rng, s.network, "uniform", "1", load, s.rows // 2)
        yield PacketSet(packets, f"packets of one flit, load {load:g}")
    packets = spread(s.rng, s.network, "uniform:self", LENGTHS, 0.9, s.rows)
    yield PacketSet(packets, "packets of 1 … 40 flits")
    # One receiver is never idle: every length comes straight behind every other, also short ones.
    source = s.rng.integers(s.network.leaves, size=s.rows)
    flits = lengths(f"1,1,2,2,{LENGTHS}").draw(s.rng, len(source)).astype(np.int64)
    packets = Packets.of(source, int(s.rng.integers(s.network.leaves)), 0, flits)
    yield PacketSet(in_classes(s.rng, s.network, packets), "packets of 1 … 40 flits to one leaf")


@scenario()
async def permutations(s: PacketSequence) -> None:
    """Random permutations and cyclic shifts, all packets at once."""
    leaves = s.network.leaves
    for name in ("random permutation", "shift"):
        for _ in range(3):
            goal = s.rng.permutation(leaves)
            if name == "shift":
                goal = (np.arange(leaves) + int(s.rng.integers(1, leaves))) % leaves
            await s.do(Permutation(name, goal=goal, each=s.rows // 64))


@scenario()
def shifts(s: Stimulus) -> Iterator[PacketSet]:
    """Cyclic shifts, a packet a leaf: none waits where the model says that no link has two."""
    leaves = np.arange(s.network.leaves)
    steps = leaves[1:] if len(leaves) <= 64 else s.rng.permutation(leaves[1:])[:64]
    for step in steps:
        goal = (leaves + step) % len(leaves)
        yield PacketSet(
            Packets.of(leaves, goal, 0, 4),
            "shifts",
            alone=busiest_link(s.network, leaves, goal) == 1,
            busiest=True,
        )


@scenario()
async def link_loads(s: PacketSequence) -> None:
    """The permutations of the literature, a packet a leaf: how many share the busiest link."""
    for name in ("bitcomp", "neighbor", "tornado", "shuffle", "bitrev", "transpose"):
        pattern = s.network.workload.fixed_pattern(name)
        if pattern is not None:
            await s.do(Permutation(name, goal=pattern, flits=1, busiest=True))


@scenario()
def hot_spot(s: Stimulus) -> Iterator[PacketSet]:
    """Everybody sends to one leaf: trees of waiting packets grow, and go away again."""
    leaves = s.network.leaves
    goal = np.full(leaves, int(s.rng.integers(leaves)))
    yield PacketSet(backlog(s.network, goal, max(1, s.rows // (8 * leaves)), 4), "hot spot")
    packets = (
        spread(
            s.rng, s.network, f"hotspot:{int(s.rng.integers(leaves))}:0.2", "1-8", 0.3, s.rows // 2
        )
        if leaves > 2
        else backlog(s.network, goal, 4, 2)
    )
    yield PacketSet(packets, "hot spot among uniform traffic")


@scenario()
async def back_pressure(s: PacketSequence) -> None:
    """Receivers give credits back now and then: all stall sometimes, some nearly always."""
    leaves = s.network.leaves
    for often in (0.3, 0.9):
        stall = np.full(leaves, 0.3)
        stall[s.rng.permutation(leaves)[: max(1, leaves // 4)]] = often
        name = f"receivers stall with {often:g}"
        await s.do(Uniform(name, lengths="1-16", clocks=s.rows // 2, stall=stall))


def no_classes(network: Wormhole) -> str | None:
    """Why `request_reply` cannot run, or None."""
    if not network.ways.answerable:
        return "it needs ADDRESS=NUMBER: the bench addresses replies by number"
    if network.routing.breaks:
        return "it needs a network without FAULTS: what is lost is not answered"
    classes = network.switch.classes
    return None if classes == 2 else "it needs CLASSES=2: with one class it can deadlock"


@scenario(unless=no_classes)
def request_reply(s: Stimulus) -> Iterator[PacketSet]:
    """Every packet is a request that is answered; few replies may wait: CLASSES=2 still moves."""
    for limit, flits in ((1, 5), (REPLY_LIMIT, 1)):
        packets = spread(s.rng, s.network, "uniform:self", "1-4", 0.5, s.rows // 2)
        requests = Packets.of(
            packets.source, packets.destination, packets.release, packets.flits, 0
        )
        yield PacketSet(requests, "requests and replies", answers=Answers(flits, limit))


@scenario()
def reset(s: Stimulus) -> Iterator[PacketSet]:
    """A reset under load: what is inside is gone, what comes later arrives."""
    return resets(s)


def many_paths(network: Wormhole) -> str | None:
    """Why `fairness` and `full_queues` cannot run, or None."""
    if network.ways.slowest > 1:
        return "it needs links that are all as fast"
    return None if network.ways.one_path else "it needs a ROUTING with one path for each pair"


@scenario(unless=many_paths)
async def fairness(s: PacketSequence) -> None:
    """Everybody sends to one leaf all the time: each gets its share of the link, or nearly so."""
    goal = np.full(s.network.leaves, int(s.rng.integers(s.network.leaves)))
    each = max(32, s.rows // 32)
    await s.do(Permutation("all to one", goal=goal, each=each, flits=2, check=fair_shares))


@scenario(unless=many_paths)
def full_queues(s: Stimulus) -> Iterator[PacketSet]:
    """A receiver takes nothing: so many flits leave the sender as fit into the queues between."""
    network = s.network
    stall = np.ones(network.leaves)
    most = (network.ways.max_hops + 1) * network.switch.vcs * network.switch.depth
    for _ in range(2):
        source = int(s.rng.integers(network.leaves))
        goal = np.full(network.leaves, -1)
        goal[source] = (source + network.leaves // 2) % network.leaves
        packets = backlog(network, goal, most + 1, 1)
        cycles = network.clocks.lasting(200 + min(2 * most, most + 1000))
        yield PacketSet(packets, "full queues", cycles=cycles, stall=stall, check=filled_queues)


def no_choice(network: Wormhole) -> str | None:
    """Why `free_choice` cannot run, or None."""
    if network.ways.one_path:
        return "it needs a ROUTING that chooses: RANDOM, ADAPTIVE or TWO"
    return None if max(network.tree.w) > 1 else "it needs switches with several parents"


def zero_number(s: Stimulus) -> int:
    """The seed from which the random numbers of a switch would start at 0, and stay there."""
    tree = s.network.tree
    choosing = s.network.ways.routers - tree.level_size(tree.height)  # the top has no parents
    return (int(s.rng.integers(choosing)) + 1) * GOLDEN % (1 << 32)


@scenario(unless=no_choice, seed=zero_number)
def free_choice(s: Stimulus) -> Iterator[PacketSet]:
    """Parents that are all alike are chosen equally often: all idle, and all filling up."""
    network = s.network
    leaves = np.arange(network.leaves)
    goal = (leaves + network.leaves // 2) % network.leaves
    for alone in (True, False):
        # All now and then, or one sender of each lowest switch all the time.
        wait = (
            1 + network.ways.max_hops * (network.switch.stages + 1) + network.switch.depth
            if alone
            else 1
        )
        senders = leaves if alone else leaves[:: network.tree.down_ports(network.tree.first)]
        count = CHOICES if alone else 4 * CHOICES
        packets = Packets.of(
            np.tile(senders, count),
            np.tile(goal[senders], count),
            wait * np.repeat(np.arange(count), len(senders)),
        )
        yield PacketSet(packets, "free choice", check=even_choice)


@scenario(unless=no_equal_clocks)
def equal_clocks(s: Stimulus) -> Iterator[PacketSet]:
    """Clocks of equal periods, deep queues: a flit a clock, and all that one clock carries."""
    yield lonely(s, LONGEST)
    yield from streams(s)
