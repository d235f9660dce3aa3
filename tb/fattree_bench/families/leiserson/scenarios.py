"""Tests of the bit-serial fat-tree."""

from collections.abc import Iterator

import numpy as np

from fattree_bench.bench.links.corners import corner_words
from fattree_bench.bench.links.serial.messages import MessageSet
from fattree_bench.bench.scenario import Registry, Stimulus, crowded
from fattree_bench.bench.sequence import Listed, Sequence
from fattree_bench.families.leiserson.network import Leiserson
from fattree_bench.families.leiserson.offline import CompiledSets, needs_settings, no_choice, ways
from fattree_bench.families.leiserson.sequences import (
    AllToAll,
    AllToOne,
    DeliveryCycles,
    KRelation,
    Local,
    MessageFile,
    Messages,
    OneCycleEach,
    Permutation,
    Uniform,
)
from fattree_bench.families.leiserson.traffic import Pairs, cut
from fattree_models import leiserson
from fattree_models.common.checks import Int32Array

SCENARIOS = Registry()
scenario = SCENARIOS.add

Traffic = Sequence[Leiserson, MessageSet]


def random_row(s: Stimulus | Traffic, load: float) -> Int32Array:
    """A delivery cycle in which each wire, the external ones too, sends with probability `load`."""
    network = s.network
    sender = leiserson.source_processor(network.tree)
    goal = s.rng.integers(0, network.leaves, network.wires)  # of the others: not to oneself
    goal += goal >= sender
    goal[s.rng.random(network.wires) >= load] = -1
    return goal.astype(np.int32)


@scenario(unless=no_choice)
async def permutation(s: Traffic) -> None:
    """Random permutations, on-line: every message is repeated until it is acknowledged."""
    for _ in range(max(2, s.rows // 8)):
        await s.do(Permutation())


@scenario(alone=True)
def single_messages(s: Stimulus) -> Iterator[MessageSet]:
    """A message alone in a delivery cycle: every pair, outside included, or 2048 random ones."""
    network = s.network
    size = network.leaves + 1
    sender = leiserson.source_processor(network.tree)
    pairs = np.argwhere(~np.eye(size, dtype=np.bool_))
    if len(pairs) > 16 * s.rows:
        pairs = s.rng.permutation(pairs)[: 16 * s.rows]
    table = np.full((len(pairs), network.wires), -1, np.int32)
    for row, (source, destination) in enumerate(pairs):
        wires = np.flatnonzero(sender == source)
        table[row, wires[row % len(wires)]] = destination
    yield from cut(network, table, "single messages", lossless=True)


@scenario()
async def one_cycle(s: Traffic) -> None:
    """Random one-cycle message sets, as full as they get: nothing is lost in one delivery cycle."""
    leaves, cap = s.network.leaves, s.network.offline.capacity(s.network.tree)
    sets = [leiserson.one_cycle(leaves, cap, s.rng, outside=True) for _ in range(s.rows)]
    await s.do(OneCycleEach(sets=sets, family="one-cycle sets", lossless=True))


@scenario(unless=no_choice)
def random_sets(s: Stimulus) -> Iterator[MessageSet]:
    """Arbitrary message sets, outside included, at loads 0.1 … 1: each loss is predicted."""
    for load in (0.1, 0.3, 0.6, 1.0):
        rows = [random_row(s, load) for _ in range(max(2, s.rows // 2))]
        yield from cut(s.network, np.stack(rows), "random sets")


@scenario(unless=no_choice)
def crowds(s: Stimulus) -> Iterator[MessageSet]:
    """Some of the wires want a few places, outside too: channels overloaded many at a time."""
    network = s.network
    dst = crowded(s.rng, 4 * s.rows, network.wires, network.leaves + 1)
    dst[dst == leiserson.source_processor(network.tree)] = -1
    yield from cut(network, dst, "crowds")


@scenario(unless=no_choice)
async def bit_permutations(s: Traffic) -> None:
    """Bit reversal, transpose, shuffle, complement: each in its own cycle, losses predicted."""
    leaves = s.network.leaves
    sets = [p(leaves) for p in (leiserson.bit_reversal, leiserson.transpose, leiserson.shuffle)]
    sets.append((np.arange(leaves, dtype=np.int32), np.arange(leaves, dtype=np.int32)[::-1]))
    await s.do(OneCycleEach(sets=sets, family="bit permutations"))


@scenario(unless=no_choice)
async def payloads(s: Traffic) -> None:
    """Data that no tag is: zero, ones, one bit set or clear, those before and of the neighbour."""
    network = s.network
    for load in (0.3, 1.0):
        table = np.stack([random_row(s, load) for _ in range(max(32, s.rows // 2))])
        words = corner_words(s.rng, network.layout.payload, *table.shape).astype(np.uint64)
        await s.do(DeliveryCycles(dst=table, words=words, family="payloads"))
    src, dst = leiserson.k_relation(network.leaves, 4, s.rng)
    words = corner_words(s.rng, network.layout.payload, len(src), 1).astype(np.uint64)
    await s.do(Messages(src=src, dst=dst, words=words[:, 0], family="payloads"))


@scenario(unless=no_choice)
def trailing_bits(s: Stimulus) -> Iterator[MessageSet]:
    """Ones behind messages, against the rule: receivers tell of them, and get their messages."""
    network = s.network
    rows = max(32, s.rows // 2)
    table = np.stack([random_row(s, 0.3) for _ in range(rows)])
    for density in (0.05, 0.5):  # also a single one, the last of all, is acknowledged
        shape = (*table.shape, 8 * (-(-network.tree.frame_bits // 8)))
        bits = np.packbits(s.rng.random(shape) < density, axis=2)
        for first, item in zip(
            range(0, rows, network.layout.rows), cut(network, table, "trailing bits"), strict=True
        ):
            item.trailing = bits[first : first + len(item.dst)]
            yield item


@scenario(unless=no_choice)
async def k_relation(s: Traffic) -> None:
    """Every processor sends and receives four messages, on-line."""
    for _ in range(max(1, s.rows // 32)):
        await s.do(KRelation())


@scenario(unless=no_choice)
async def all_to_one(s: Traffic) -> None:
    """All processors send to the same one, on-line."""
    for goal in {0, s.network.leaves - 1, int(s.rng.integers(s.network.leaves))}:
        await s.do(AllToOne(goal=goal))


@scenario(unless=no_choice)
async def all_to_all(s: Traffic) -> None:
    """Every processor sends to every other, on-line."""
    await s.do(AllToAll())


@scenario(unless=no_choice)
async def local(s: Traffic) -> None:
    """Neighbours talk more: halving at each level of common ancestors, on-line."""
    for _ in range(max(1, s.rows // 32)):
        await s.do(Local())


@scenario(unless=no_choice)
async def channel_load(s: Traffic) -> None:
    """One channel after the other is loaded to capacity, capacity + 1 and twice capacity."""
    network, leaves = s.network, s.network.leaves
    sets: list[Pairs] = []
    for k in range(1, network.n + 1):
        cap, ports = int(network.cap[k]), int(network.cap[-1])
        inside, outside = leaves >> k, leaves - (leaves >> k)
        for way, room in (("up", inside * ports), ("down", outside * ports)):
            for count in (cap, cap + 1, 2 * cap):
                if count <= room:
                    node = (1 << k) + int(s.rng.integers(1 << k))
                    sets.append(leiserson.channel_load(leaves, node, count, s.rng, way == "up"))
    await s.do(OneCycleEach(sets=sets, family="loaded channels"))


@scenario(unless=no_choice)
def overloaded_channels(s: Stimulus) -> Iterator[MessageSet]:
    """One channel of each level wanted by 0, 1 … all senders: far more than its wires."""
    network, leaves = s.network, s.network.leaves
    sender = leiserson.source_processor(network.tree)
    places = np.arange(leaves + 1, dtype=np.int32)  # the last one is the outside
    for k in range(network.n + 1):
        size = leaves >> k
        first = int(s.rng.integers(1 << k)) * size
        inside = (places >= first) & (places < first + size)
        for way in (inside, ~inside):
            wires = s.rng.permutation(np.flatnonzero(way[sender]))
            goals = s.rng.permutation(places[~way])
            # Each cycle one sender more; also all to one place.
            for targets in (goals, goals[:1]):
                dst = np.full((len(wires) + 1, network.wires), -1, np.int32)
                for count in range(len(wires) + 1):
                    dst[count, wires[:count]] = np.resize(targets, count)
                yield from cut(network, dst, "overloaded channels")


@scenario(unless=no_choice)
async def queues(s: Traffic) -> None:
    """Queues: one processor alone with 1 … 12 messages a wire, then all with 8 for the same."""
    leaves, ports = s.network.leaves, int(s.network.cap[-1])
    for count in (1, 1, 1, 2, 2, 2, 3, 6, 12):
        source, other = s.rng.permutation(leaves)[:2].astype(np.int32)
        messages = np.full(count * ports, source)
        goal = np.full_like(messages, other)
        await s.do(Messages(src=messages, dst=goal, family=f"{count} in a queue"))
    target = int(s.rng.integers(leaves))
    senders = np.arange(leaves + 1, dtype=np.int32)
    src = np.repeat(senders[senders != target], 8 * ports)
    await s.do(Messages(src=src, dst=np.full_like(src, target), family="a queue everywhere"))


@scenario(unless=no_choice)
def idle(s: Stimulus) -> Iterator[MessageSet]:
    """Delivery cycles without any message, or with few, between full ones."""
    rows = [random_row(s, load) for load in (0, 1, 0, 0.05, 0, 0, 1, 0.05)]
    yield from cut(s.network, np.stack(rows), "idle cycles")


@scenario(unless=no_choice)
def reset(s: Stimulus) -> Iterator[MessageSet]:
    """A reset in mid-cycle: the messages on their way are gone, the next cycle is whole.

    Also of one clock, in each in which nodes may lose messages: such a loss is not counted.
    """
    network, ticks = s.network, s.network.layout.ticks
    losing = range(min(ticks, 4 + 2 * network.n * (1 + network.pipeline)))
    for clock in sorted({*losing, ticks // 2, ticks - 1}):
        table = np.stack([random_row(s, 1.0) for _ in range(6)])
        for item in cut(network, table, "reset in a cycle"):
            item.reset = (int(s.rng.integers(1, 5)), clock)
            item.held = 1 if clock in losing else item.held
            yield item


@scenario(unless=no_choice)
def reset_online(s: Stimulus) -> Iterator[MessageSet]:
    """A reset while queues are worked off: what the wires hold is gone, guess and draws restart."""
    network = s.network
    for clock in sorted({0, 1, 2, network.layout.ticks // 2, network.layout.ticks - 1}):
        at = int(s.rng.integers(1, 8)), clock
        yield MessageSet(crowd(s, 8), "reset on-line", queue=True, reset=at)


def no_draws(network: Leiserson) -> str | None:
    """Why there are no draws to be seen, or None."""
    return None if network.discipline == "RANDOMISED" else "only DISCIPLINE=RANDOMISED draws"


@scenario(unless=no_choice)
async def sets_in_turn(s: Traffic) -> None:
    """Sets without a restart between them, on-line and off-line: priority and draws go on.

    Off-line all send to one processor at last: each wire loses what it has, now and then.
    """
    for number in range(6):
        await s.do(KRelation(each=2, family="sets in turn", restart=number == 0))
        rows = np.stack([*(random_row(s, 0.5) for _ in range(2)), crowd(s, 1)[0]])
        await s.do(DeliveryCycles(dst=rows, family="sets in turn", restart=False))


def crowd(s: Stimulus | Traffic, rows: int) -> Int32Array:
    """All wires but its own send to one processor: int32 [rows, wires]."""
    own = leiserson.source_processor(s.network.tree)
    target = int(s.rng.integers(s.network.leaves))
    return np.where(own == target, -1, target).astype(np.int32)[None].repeat(rows, axis=0)


@scenario(unless=no_choice)
async def given_up(s: Traffic) -> None:
    """Queues that are stopped while all wires keep messages: off-line, or a restart, forgets them.

    Some wires have nothing to send then.
    """
    for number in range(8):
        stopped = MessageSet(crowd(s, 6), "given up", queue=True, restart=number % 2 == 0)
        stopped.stop = 3
        await s.do(Listed(given=[stopped]))
        if number % 2 == 0:
            rows = np.stack([random_row(s, 0.5), crowd(s, 1)[0]])
            await s.do(DeliveryCycles(dst=rows, family="off-line behind it", restart=False))
    await s.do(KRelation(each=2, family="at last"))


LONG = 3000  # delivery cycles
EARLIER = 3  # delivery cycles before a guess changes in which a set begins


@scenario(unless=no_draws)
async def long_run(s: Traffic) -> None:
    """3-relations whenever the guess changes, and after 3,000 draws; long queues behind them."""
    network = s.network
    guess = leiserson.guess_exponents(network.n, LONG)
    changes = (np.flatnonzero(np.diff(guess)) + 1).tolist()
    await s.do(Permutation(family="a long run"))
    for change in (*changes, LONG + 16):
        pause = MessageSet(np.full((1, network.wires), -1, np.int32), "a pause", restart=False)
        pause.until = change - EARLIER
        await s.do(Listed(given=[pause]))
        # A coin falls by its highest bit, and by one above it with the next guess.
        behind = int(1 << guess[min(change, LONG) - 1]) // 2
        await s.do(KRelation(each=3, family="a long run", restart=False, behind=behind))


@scenario(unless=no_choice)
async def external(s: Traffic) -> None:
    """Messages to and from the world outside, through the channel above the root, on-line."""
    leaves, width = s.network.leaves, int(s.network.cap[0])
    outside = np.full(2 * width, leaves, np.int32)
    inward = s.rng.integers(0, leaves, 2 * width).astype(np.int32)
    outward, out = s.rng.permutation(leaves).astype(np.int32), np.full(leaves, leaves, np.int32)
    src, dst = leiserson.permutation(leaves, s.rng)
    await s.do(Messages(src=outside, dst=inward, family="from outside"))
    await s.do(Messages(src=outward, dst=out, family="to outside"))
    every = np.concatenate([outside, outward, src]), np.concatenate([inward, out, dst])
    await s.do(Messages(src=every[0], dst=every[1], family="both, and inside"))


@scenario(unless=no_choice)
async def online(s: Traffic) -> None:
    """8-relations and random messages, on-line to the last message."""
    for _ in range(max(1, s.rows // 32)):
        await s.do(KRelation(each=8))
        await s.do(Uniform())


@scenario()
async def offline(s: Traffic) -> None:
    """An 8-relation and a permutation, scheduled off-line, or the network EMULATE: no loss."""
    if s.network.offline.emulated:
        await s.do(MessageFile(offline=True))
        return
    await s.do(KRelation(each=8, offline=True))
    await s.do(Permutation(offline=True))


def zero_word(s: Stimulus) -> int:
    """The seed from which the random numbers of one wire would start at 0, and stay there."""
    wire = int(s.rng.integers(s.network.leaves))
    return (wire + 1) * leiserson.GOLDEN % (1 << 32)


@scenario(unless=no_choice, seed=zero_word)
async def zero_seed(s: Traffic) -> None:
    """A crowd with the one seed that some wire must not take as it is: it would always send."""
    await s.do(AllToAll(times=2, family="all to all, twice"))


@scenario()
async def mesh(s: Traffic) -> None:
    """A finite-element mesh, 16 points a processor: off-line, then on-line if nodes can."""
    src, dst = leiserson.mesh(s.network.leaves, 16 * s.network.leaves, s.rng)
    for offline in ways(s.network):
        await s.do(Messages(src=src, dst=dst, family="planar triangulation", offline=offline))


def no_file(network: Leiserson) -> str | None:
    """Why `file` cannot run, or None."""
    return None if network.offline.message_set else "it needs MESSAGES=file or EMULATE"


@scenario(unless=no_file)
async def file(s: Traffic) -> None:
    """The message set of MESSAGES=file: off-line, then on-line if nodes can."""
    for offline in ways(s.network):
        await s.do(MessageFile(offline=offline))


scenario(unless=needs_settings, name="settings")(CompiledSets)


@scenario(agent="CLASSIC")
async def classic(s: Traffic) -> None:
    """Message by message, for single-stepping: a set, random or compiled ones, a reset."""
    await s.do(KRelation(each=2))
    if s.network.tree.offline:
        await s.do(CompiledSets())
        return
    rows = np.stack([random_row(s, load) for load in (0.3, 0.6, 1.0)])
    held = MessageSet(rows, "random sets", reset=(1, s.network.layout.ticks - 1))
    held.held = 3  # beyond the end of the cycle
    await s.do(Listed(given=[MessageSet(rows, "random sets"), held]))
