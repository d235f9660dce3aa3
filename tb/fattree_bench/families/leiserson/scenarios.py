"""Tests of the bit-serial fat-tree."""

from collections.abc import Iterator

import numpy as np

from fattree_bench.bench.links.corners import corner_words
from fattree_bench.bench.links.serial.messages import MessageSet
from fattree_bench.bench.scenario import Registry, Stimulus, crowded
from fattree_bench.families.leiserson.network import Leiserson
from fattree_bench.families.leiserson.traffic import cut, offline, one_cycle_each, online
from fattree_models import leiserson
from fattree_models.common.checks import Int32Array

SCENARIOS = Registry()
scenario = SCENARIOS.add

Pairs = tuple[Int32Array, Int32Array]


def random_row(s: Stimulus, load: float) -> Int32Array:
    """A delivery cycle in which each wire, the external ones too, sends with probability `load`."""
    network = s.network
    sender = leiserson.source_processor(network.tree)
    goal = s.rng.integers(0, network.leaves, network.wires)  # of the others: not to oneself
    goal += goal >= sender
    goal[s.rng.random(network.wires) >= load] = -1
    row: Int32Array = goal.astype(np.int32)
    return row


@scenario()
def permutation(s: Stimulus) -> Iterator[MessageSet]:
    """Random permutations, on-line: every message is repeated until it is acknowledged."""
    for _ in range(max(2, s.rows // 8)):
        yield from online(s.network, *leiserson.permutation(s.network.leaves, s.rng), "permutation")


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
def one_cycle(s: Stimulus) -> Iterator[MessageSet]:
    """Random one-cycle message sets, as full as they get: nothing is lost in one delivery cycle."""
    leaves, cap = s.network.leaves, s.network.offline.capacity(s.network.tree)
    sets = [leiserson.one_cycle(leaves, cap, s.rng, outside=True) for _ in range(s.rows)]
    yield from one_cycle_each(s.network, sets, "one-cycle sets", lossless=True)


@scenario()
def random_sets(s: Stimulus) -> Iterator[MessageSet]:
    """Arbitrary message sets, outside included, at loads 0.1 … 1: each loss is predicted."""
    for load in (0.1, 0.3, 0.6, 1.0):
        rows = [random_row(s, load) for _ in range(max(2, s.rows // 2))]
        yield from cut(s.network, np.stack(rows), "random sets")


@scenario()
def crowds(s: Stimulus) -> Iterator[MessageSet]:
    """Some of the wires want a few places, outside too: channels overloaded many at a time."""
    network = s.network
    dst = crowded(s.rng, 4 * s.rows, network.wires, network.leaves + 1)
    dst[dst == leiserson.source_processor(network.tree)] = -1
    yield from cut(network, dst, "crowds")


@scenario()
def bit_permutations(s: Stimulus) -> Iterator[MessageSet]:
    """Bit reversal, transpose, shuffle, complement: each in its own cycle, losses predicted."""
    leaves = s.network.leaves
    sets = [p(leaves) for p in (leiserson.bit_reversal, leiserson.transpose, leiserson.shuffle)]
    sets.append((np.arange(leaves, dtype=np.int32), np.arange(leaves, dtype=np.int32)[::-1]))
    yield from one_cycle_each(s.network, sets, "bit permutations")


@scenario()
def payloads(s: Stimulus) -> Iterator[MessageSet]:
    """Data that no tag is: zero, ones, one bit set or clear, those before and of the neighbour."""
    network = s.network
    for load in (0.3, 1.0):
        table = np.stack([random_row(s, load) for _ in range(max(32, s.rows // 2))])
        words = corner_words(s.rng, network.layout.payload, *table.shape).astype(np.uint64)
        yield from cut(network, table, "payloads", words=words)
    src, dst = leiserson.k_relation(network.leaves, 4, s.rng)
    words = corner_words(s.rng, network.layout.payload, len(src), 1).astype(np.uint64)
    yield from online(network, src, dst, "payloads", words[:, 0])


@scenario()
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


@scenario()
def k_relation(s: Stimulus) -> Iterator[MessageSet]:
    """Every processor sends and receives four messages, on-line."""
    for _ in range(max(1, s.rows // 32)):
        yield from online(
            s.network, *leiserson.k_relation(s.network.leaves, 4, s.rng), "4-relation"
        )


@scenario()
def all_to_one(s: Stimulus) -> Iterator[MessageSet]:
    """All processors send to the same one, on-line."""
    for target in {0, s.network.leaves - 1, int(s.rng.integers(s.network.leaves))}:
        yield from online(s.network, *leiserson.all_to_one(s.network.leaves, target), "all to one")


@scenario()
def all_to_all(s: Stimulus) -> Iterator[MessageSet]:
    """Every processor sends to every other, on-line."""
    yield from online(s.network, *leiserson.all_to_all(s.network.leaves), "all to all")


@scenario()
def local(s: Stimulus) -> Iterator[MessageSet]:
    """Neighbours talk more: halving at each level of common ancestors, on-line."""
    for _ in range(max(1, s.rows // 32)):
        count = 4 * s.network.leaves
        yield from online(
            s.network, *leiserson.local(s.network.leaves, count, s.rng), "local traffic"
        )


@scenario()
def channel_load(s: Stimulus) -> Iterator[MessageSet]:
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
    yield from one_cycle_each(network, sets, "loaded channels")


@scenario()
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


@scenario()
def queues(s: Stimulus) -> Iterator[MessageSet]:
    """Queues: one processor alone with 1 … 12 messages a wire, then all with 8 for the same."""
    leaves, ports = s.network.leaves, int(s.network.cap[-1])
    for count in (1, 1, 1, 2, 2, 2, 3, 6, 12):
        source, other = s.rng.permutation(leaves)[:2].astype(np.int32)
        messages = np.full(count * ports, source)
        yield from online(s.network, messages, np.full_like(messages, other), f"{count} in a queue")
    target = int(s.rng.integers(leaves))
    senders = np.arange(leaves + 1, dtype=np.int32)
    src = np.repeat(senders[senders != target], 8 * ports)
    yield from online(s.network, src, np.full_like(src, target), "a queue everywhere")


@scenario()
def idle(s: Stimulus) -> Iterator[MessageSet]:
    """Delivery cycles without any message, or with few, between full ones."""
    rows = [random_row(s, load) for load in (0, 1, 0, 0.05, 0, 0, 1, 0.05)]
    yield from cut(s.network, np.stack(rows), "idle cycles")


@scenario()
def reset(s: Stimulus) -> Iterator[MessageSet]:
    """A reset in mid-cycle: the messages on their way are gone, the next cycle is whole.

    Also in each clock in which nodes may lose messages: such a loss is not counted.
    """
    network = s.network
    ticks = network.layout.ticks
    losing = range(min(ticks, 4 + 2 * network.n * (1 + network.pipeline)))
    for clock in sorted({*losing, ticks // 2, ticks - 1}):
        table = np.stack([random_row(s, 1.0) for _ in range(6)])
        for item in cut(network, table, "reset in a cycle"):
            item.reset = (int(s.rng.integers(1, 5)), clock)
            yield item


@scenario()
def reset_online(s: Stimulus) -> Iterator[MessageSet]:
    """A reset while queues are worked off: what the wires hold is gone, guess and draws restart."""
    network = s.network
    for clock in sorted({0, 1, 2, network.layout.ticks // 2, network.layout.ticks - 1}):
        at = int(s.rng.integers(1, 8)), clock
        yield MessageSet(crowd(s, 8), "reset on-line", queue=True, reset=at)


def no_draws(network: Leiserson) -> str | None:
    """Why there are no draws to be seen, or None."""
    return None if network.discipline == "RANDOMISED" else "only DISCIPLINE=RANDOMISED draws"


@scenario()
def sets_in_turn(s: Stimulus) -> Iterator[MessageSet]:
    """Sets without a restart between them, on-line and off-line: priority and draws go on.

    Off-line all send to one processor at last: each wire loses what it has, now and then.
    """
    network = s.network
    for number in range(6):
        sets = leiserson.k_relation(network.leaves, 2, s.rng)
        yield from online(network, *sets, "sets in turn", restart=number == 0)
        rows = np.stack([*(random_row(s, 0.5) for _ in range(2)), crowd(s, 1)[0]])
        yield from cut(network, rows, "sets in turn", restart=False)


def crowd(s: Stimulus, rows: int) -> Int32Array:
    """All wires but its own send to one processor: int32 [rows, wires]."""
    own = leiserson.source_processor(s.network.tree)
    target = int(s.rng.integers(s.network.leaves))
    return np.where(own == target, -1, target).astype(np.int32)[None].repeat(rows, axis=0)


@scenario()
def given_up(s: Stimulus) -> Iterator[MessageSet]:
    """Queues that are stopped while all wires keep messages: off-line, or a restart, forgets them.

    Some wires have nothing to send then.
    """
    for number in range(8):
        stopped = MessageSet(crowd(s, 6), "given up", queue=True, restart=number % 2 == 0)
        stopped.stop = 3
        yield stopped
        if number % 2 == 0:
            rows = np.stack([random_row(s, 0.5), crowd(s, 1)[0]])
            yield from cut(s.network, rows, "off-line behind it", restart=False)
    yield from online(s.network, *leiserson.k_relation(s.network.leaves, 2, s.rng), "at last")


LONG = 3000  # delivery cycles
EARLIER = 3  # delivery cycles before a guess changes in which a set begins


@scenario(unless=no_draws)
def long_run(s: Stimulus) -> Iterator[MessageSet]:
    """3-relations whenever the guess changes, and after 3,000 draws; long queues behind them."""
    network = s.network
    guess = leiserson.guess_exponents(network.n, LONG)
    changes = (np.flatnonzero(np.diff(guess)) + 1).tolist()
    yield from online(network, *leiserson.permutation(network.leaves, s.rng), "a long run")
    for change in (*changes, LONG + 16):
        pause = MessageSet(np.full((1, network.wires), -1, np.int32), "a pause", restart=False)
        pause.until = change - EARLIER
        yield pause
        sets = leiserson.k_relation(network.leaves, 3, s.rng)
        for item in online(network, *sets, "a long run", restart=False):
            # A coin falls by its highest bit, and by one above it with the next guess.
            item.behind = int(1 << guess[min(change, LONG) - 1]) // 2
            yield item


@scenario()
def external(s: Stimulus) -> Iterator[MessageSet]:
    """Messages to and from the world outside, through the channel above the root, on-line."""
    network = s.network
    leaves, width = network.leaves, int(network.cap[0])
    outside = np.full(2 * width, leaves, np.int32)
    inward = s.rng.integers(0, leaves, 2 * width).astype(np.int32)
    outward = s.rng.permutation(leaves).astype(np.int32)
    src, dst = leiserson.permutation(leaves, s.rng)
    yield from online(network, outside, inward, "from outside")
    yield from online(network, outward, np.full(leaves, leaves, np.int32), "to outside")
    yield from online(
        network,
        np.concatenate([outside, outward, src]),
        np.concatenate([inward, np.full(leaves, leaves, np.int32), dst]),
        "both, and inside",
    )


def relation(s: Stimulus) -> Pairs:
    """A set worth scheduling: every processor sends and receives 8 messages."""
    return leiserson.k_relation(s.network.leaves, 8, s.rng)


@scenario(name="online")
def online_relation(s: Stimulus) -> Iterator[MessageSet]:
    """8-relations and random messages, on-line to the last message."""
    leaves = s.network.leaves
    for _ in range(max(1, s.rows // 32)):
        yield from online(s.network, *relation(s), "8-relation")
        messages = leiserson.uniform(leaves, 4 * leaves, s.rng, outside=True)
        yield from online(s.network, *messages, "random messages")


@scenario(name="offline")
def offline_relation(s: Stimulus) -> Iterator[MessageSet]:
    """An 8-relation and a permutation, scheduled off-line, or the network EMULATE: no loss."""
    if s.network.offline.emulated and (found := s.network.offline.message_set):
        yield from offline(s.network, found.src, found.dst, found.name)
        return
    yield from offline(s.network, *relation(s), "8-relation")
    yield from offline(s.network, *leiserson.permutation(s.network.leaves, s.rng), "permutation")


def zero_word(s: Stimulus) -> int:
    """The seed from which the random numbers of one wire would start at 0, and stay there."""
    wire = int(s.rng.integers(s.network.leaves))
    return (wire + 1) * leiserson.GOLDEN % (1 << 32)


@scenario(seed=zero_word)
def zero_seed(s: Stimulus) -> Iterator[MessageSet]:
    """A crowd with the one seed that some wire must not take as it is: it would always send."""
    src, dst = leiserson.all_to_all(s.network.leaves)
    yield from online(s.network, np.tile(src, 2), np.tile(dst, 2), "all to all, twice")


@scenario()
def mesh(s: Stimulus) -> Iterator[MessageSet]:
    """A finite-element mesh, 16 points a processor: off-line, then on-line."""
    src, dst = leiserson.mesh(s.network.leaves, 16 * s.network.leaves, s.rng)
    yield from offline(s.network, src, dst, "planar triangulation")
    yield from online(s.network, src, dst, "planar triangulation")


def no_file(network: Leiserson) -> str | None:
    """Why `file` cannot run, or None."""
    return None if network.offline.message_set else "it needs MESSAGES=file or EMULATE"


@scenario(unless=no_file)
def file(s: Stimulus) -> Iterator[MessageSet]:
    """The message set of MESSAGES=file: off-line, then on-line."""
    found = s.network.offline.message_set
    assert found is not None
    words = found.payload
    for item in offline(s.network, found.src, found.dst, found.name, words):
        item.kept = found.local
        yield item
    yield from online(s.network, found.src, found.dst, found.name, words)


@scenario(agent="CLASSIC")
def classic(s: Stimulus) -> Iterator[MessageSet]:
    """Message by message, for single-stepping: a set on-line, random sets, a reset."""
    yield from online(s.network, *leiserson.k_relation(s.network.leaves, 2, s.rng), "2-relation")
    rows = np.stack([random_row(s, load) for load in (0.3, 0.6, 1.0)])
    yield MessageSet(rows, "random sets")
    yield MessageSet(rows, "random sets", reset=(1, s.network.layout.ticks // 2))
