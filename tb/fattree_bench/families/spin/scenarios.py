"""Tests of SPIN."""

from collections.abc import Callable, Iterator

import numpy as np

from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.scenarios import PacketSequence, flit_scenarios
from fattree_bench.bench.links.flit.sequences import Uniform
from fattree_bench.bench.scenario import Stimulus
from fattree_bench.families.spin.corners import corners, uneven
from fattree_bench.families.spin.network import MEMORY_W, ROUTER, SpinNetwork
from fattree_bench.families.spin.plan import FLIPS, Flip, SpinSet, damage
from fattree_bench.families.spin.requests import Commands, RequestSet
from fattree_bench.families.spin.traffic import (
    ALL_WORDS,
    FAMILIAR,
    SENDERS,
    backlog,
    every_word,
    random_commands,
    roles,
)
from fattree_models.common.fat_tree import zero_load_latency
from fattree_models.spin import BEGIN, END, ERROR, MOST_BURST, MOST_WORDS, PARITY, WORD_BITS
from fattree_models.traffic import Packets, every_pair, lengths

SINGLE, DOUBLE = 12, 12  # packets of a terminal with one flipped bit, or several

# A damaged word has one more, or less; parity shows it, or does not.
WRONG_MARKS = (BEGIN, END, ERROR, PARITY, BEGIN | PARITY, END | PARITY, ERROR | PARITY)


def alone_after(network: SpinNetwork) -> int:
    """Clocks between packets that are to be alone: by then credits are home as well."""
    routers = 2 * network.tree.height - 1
    return int(zero_load_latency(routers, MOST_WORDS, ROUTER)) + 8


SCENARIOS = flit_scenarios(SENDERS, "uniform", "bursts", "saturation", "patterns", "classic")
scenario = SCENARIOS.add


@scenario(alone=True)
def single_packets(s: Stimulus) -> Iterator[PacketSet]:
    """A packet alone in the network: every pair, or some; as late as in theory, to the clock."""
    source, destination = every_pair(s.network.leaves)
    chosen = s.rng.permutation(len(source))[: s.rows // 2]  # in no order: parents take turns
    source, destination = source[chosen], destination[chosen]
    flits = lengths(ALL_WORDS).draw(s.rng, len(source)).astype(np.int64)
    release = alone_after(s.network) * np.arange(len(source))
    packets = Packets.of(source, destination, release, flits)
    yield PacketSet(packets, "single packets", alone=True)


@scenario()
async def short_packets(s: PacketSequence) -> None:
    """Headers and trailers alone, and mixed with the longest."""
    for sizes in ("2", FAMILIAR):
        name = f"packets of {sizes} words"
        await s.do(Uniform(name, lengths=sizes, load=0.8, clocks=s.rows // 2))


@scenario()
def permutations(s: Stimulus) -> Iterator[PacketSet]:
    """Random permutations and cyclic shifts, all packets at once."""
    leaves = s.network.leaves
    for name in ("random permutation", "shift"):
        goal = s.rng.permutation(leaves)
        if name == "shift":
            goal = (np.arange(leaves) + int(s.rng.integers(1, leaves))) % leaves
        yield PacketSet(backlog(goal, max(2, s.rows // 128), MOST_WORDS), name)


@scenario()
def hot_spot(s: Stimulus) -> Iterator[PacketSet]:
    """All others send to one terminal, and go on to others: buffers fill up, and empty again."""
    leaves = s.network.leaves
    goal = int(s.rng.integers(leaves))
    source = np.delete(np.arange(leaves), goal)
    some = Packets.of(np.repeat(source, 4), goal, 0, MOST_WORDS)
    yield PacketSet(some, "to one")
    mixed = s.network.workload.to_others(s.rng, f"hotspot:{goal}", ALL_WORDS, 0.3, s.rows)
    yield PacketSet(mixed, "hot spot among uniform traffic")


@scenario()
async def stalls(s: PacketSequence) -> None:
    """Receivers that give no credit back now and then, some of them nearly never."""
    for often in (0.3, 0.9):
        stall = np.where(s.rng.random(s.network.leaves) < 0.5, often, 0.0)
        await s.do(Uniform(f"receivers stall, {often:g}", clocks=s.rows // 2, stall=stall))


@scenario()
def gaps(s: Stimulus) -> Iterator[PacketSet]:
    """Senders stop within packets: so what holds a packet, or sends it, runs dry."""
    goal = int(s.rng.integers(s.network.leaves))
    for pattern in ("uniform", f"hotspot:{goal}"):
        packets = s.network.workload.to_others(s.rng, pattern, ALL_WORDS, 0.3, s.rows)
        yield SpinSet(packets, f"gaps, {pattern.split(':')[0]}", gaps=True)


@scenario()
async def reset(s: PacketSequence) -> None:
    """A reset under load: what is inside is gone, what comes later arrives."""
    for clock in (0, 50, int(s.rng.integers(51, max(52, s.rows // 2)))):
        await s.do(Uniform("reset under load", load=0.6, clocks=s.rows // 2, reset=clock))


# ---- damage --------------------------------------------------------------------------------------


Hit = Callable[[int, int, int, int], tuple[int, int]]


def _damaged(
    s: Stimulus, name: str, each: int, sizes: str, hit: Hit, apart: int | None = None
) -> SpinSet:
    """Each terminal sends packets; in every second one bits of one word change.

    `hit(k, source, goal, words)` says which word of a terminal's k-th damaged packet, and the bits.
    `apart` are the clocks between two packets; None: one has arrived before the next begins.
    """
    terminals = s.network.terminals
    source = np.repeat(np.arange(terminals), each)
    goal = (source + s.rng.integers(1, terminals, len(source))) % terminals
    flits = lengths(sizes).draw(s.rng, len(source)).astype(np.int64)
    step = 2 * alone_after(s.network) if apart is None else apart
    due = step * np.tile(np.arange(each), terminals)
    first = np.cumsum(flits.reshape(terminals, each), axis=1) - flits.reshape(terminals, each)
    flips = []
    for packet in range(0, len(source), 2):
        terminal, k = divmod(packet, each)
        word, mask = hit(k // 2, terminal, int(goal[packet]), int(flits[packet]))
        flips.append(Flip(terminal, int(first[terminal, k]) + word, mask))
    return SpinSet(Packets.of(source, goal, due, flits), name, tuple(flips))


def _anywhere(rng: np.random.Generator, bits: tuple[int, ...]) -> Hit:
    """So many bits of any word; the ends of a packet are hit as often as all else."""

    def hit(_: int, source: int, goal: int, words: int) -> tuple[int, int]:
        word = int(rng.choice([0, words - 1, int(rng.integers(words))]))
        return word, damage(rng, int(rng.choice(bits)))

    return hit


def _one_word(rng: np.random.Generator) -> Hit:
    """Marks of any word, or a bit of its data; the header is hit as often as all else."""

    def hit(_: int, source: int, goal: int, words: int) -> tuple[int, int]:
        word = int(rng.choice([0, int(rng.integers(words))]))
        return word, int(rng.choice([1 << int(rng.integers(32)), *WRONG_MARKS]))

    return hit


def _early_end(rng: np.random.Generator) -> Hit:
    """A long packet ends at once: its rest has no header, and router by router other pieces."""

    def hit(_: int, source: int, goal: int, words: int) -> tuple[int, int]:
        return 1, int(rng.choice([END, END | PARITY]))

    return hit


def _marks(place: int, odd: bool) -> Hit:
    """Marks of a word; then a header comes to name its sender, by an odd number of bits or not."""

    def hit(k: int, source: int, goal: int, words: int) -> tuple[int, int]:
        if k < len(WRONG_MARKS):
            return place % words, WRONG_MARKS[k]
        wrong = source ^ goal
        return 0, wrong if wrong.bit_count() % 2 == odd else wrong | PARITY

    return hit


@scenario()
def damaged_bit(s: Stimulus) -> Iterator[PacketSet]:
    """One bit of a packet changes on its way into the network: parity tells, wherever it goes."""
    for _ in range(1 + s.rows // 400):
        yield _damaged(s, "one bit damaged", SINGLE, ALL_WORDS, _anywhere(s.rng, (1,)))


@scenario()
def damaged_bits(s: Stimulus) -> Iterator[PacketSet]:
    """Two or three bits of a word change: trailer, framing or parity tell."""
    for _ in range(1 + s.rows // 400):
        yield _damaged(s, "bits of a word damaged", DOUBLE, ALL_WORDS, _anywhere(s.rng, (2, 3)))


@scenario()
def damaged_marks(s: Stimulus) -> Iterator[PacketSet]:
    """At all terminals, marks of a first, a middle and a last word; headers to their senders."""
    for place, odd in ((0, True), (1, False), (-1, False)):
        each, sizes = 2 * (len(WRONG_MARKS) + 1), f"3-{MOST_WORDS}"
        yield _damaged(s, "marks damaged", each, sizes, _marks(place, odd))


@scenario()
def damaged_traffic(s: Stimulus) -> Iterator[PacketSet]:
    """A word of every second packet changes under load: routers repair what meets others."""
    each = 2 * min(FLIPS, s.rows // 10)
    for apart in (40, 20):
        yield _damaged(s, "damage under load", each, ALL_WORDS, _one_word(s.rng), apart)
    yield _damaged(s, "packets that fall to pieces", each, str(MOST_WORDS), _early_end(s.rng), 40)


def everybody(s: Stimulus) -> RequestSet:
    """All terminals ask all others, whether requests and responses share a network or not."""
    commands = random_commands(s.rng, s.network, max(16, s.rows // 50), 0, everyone=True)
    return RequestSet(commands, "everybody asks everybody")


# ---- reads and writes ----------------------------------------------------------------------------


@scenario()
def single_requests(s: Stimulus) -> Iterator[RequestSet]:
    """A write and a read of it, alone in the network: of every pair, or some."""
    initiators, targets = roles(s.network)
    source, goal = (each.ravel() for each in np.meshgrid(initiators, targets, indexing="ij"))
    source, goal = source[source != goal], goal[source != goal]
    chosen = s.rng.permutation(len(source))[: s.rows // 8]
    words = s.rng.integers(1, MOST_BURST + 1, len(chosen))
    address = s.rng.integers(0, (1 << MEMORY_W) - words + 1)
    due = 4 * alone_after(s.network) * np.arange(len(chosen))
    who, where, when, count, place = (
        np.tile(column, 2) for column in (source[chosen], goal[chosen], due, words, address)
    )
    when[len(chosen) :] += 2 * alone_after(s.network)
    write = np.repeat([True, False], len(chosen))
    commands = Commands.of(who, where, when, count, place, write)
    item = RequestSet(commands, "single requests")
    item.alone = True
    yield item


@scenario()
def all_memories(s: Stimulus) -> Iterator[RequestSet]:
    """Every word of every memory is written, then read."""
    for write in (True, False):
        name = "every word written" if write else "every word read"
        yield RequestSet(every_word(s.network, write), name)


@scenario()
def requests(s: Stimulus) -> Iterator[RequestSet]:
    """Reads and writes of any length: few, and as many as initiators may have open."""
    count = max(len(roles(s.network)[1]), s.rows // 50)
    for spread in (count * 200, 0):
        name = "requests now and then" if spread else "requests at once"
        yield RequestSet(random_commands(s.rng, s.network, count, spread), name)


@scenario()
def busy_target(s: Stimulus) -> Iterator[RequestSet]:
    """All read and write two memories; then each asks few targets, the same again and again."""
    _, targets = roles(s.network)
    some = np.sort(s.rng.choice(targets, 2, replace=False))
    count = max(4, s.rows // 100)
    yield RequestSet(random_commands(s.rng, s.network, count, 0, some), "two targets")
    yield from uneven(s.rng, s.network, 2 * count)


@scenario()
def beyond(s: Stimulus) -> Iterator[RequestSet]:
    """Requests over the end of a memory: refused, nothing is written; corners of all fields."""
    count = max(4, s.rows // 100)
    yield RequestSet(corners(s.rng, s.network), "corners")
    yield RequestSet(random_commands(s.rng, s.network, count, 0, beyond=0.4), "beyond the end")


def one_network(network: SpinNetwork) -> str | None:
    """Why `crossfire` cannot run, or None."""
    return "on one network it stands still" if network.planes == 1 else None


@scenario(unless=one_network)
def crossfire(s: Stimulus) -> Iterator[RequestSet]:
    """Everybody asks, and is asked, as fast as can be."""
    yield everybody(s)


@scenario()
def damaged_requests(s: Stimulus) -> Iterator[RequestSet]:
    """A bit of a request, or of a response, changes: dropped, or marked as damaged."""
    network = s.network
    initiators, targets = roles(network)
    for plane in range(network.planes):
        for which in range(4 + s.rows // 400):
            asker = int(s.rng.choice(initiators))
            goal = int(s.rng.choice(targets[targets != asker]))
            words = int(s.rng.integers(1, MOST_BURST + 1))
            write = plane == 0
            commands = Commands.of(asker, goal, [0], words, 0, write)
            last = words + 2
            word = int(s.rng.integers(0, last + 1)) if plane == 0 else int(s.rng.integers(0, last))
            # A bit of a word, which parity tells, or two of its data, which the trailer does.
            lone = 1 << int(s.rng.integers(WORD_BITS))
            mask = lone if which % 2 else 3 << int(s.rng.integers(31))
            where = goal if plane else asker
            name = "damaged response" if plane else "damaged request"
            yield RequestSet(commands, name, (Flip(where, word, mask, plane),))
