"""Tests of the bufferless fat-tree."""

import itertools
from collections.abc import Callable, Iterator

import numpy as np

from fattree_bench.bench.links.corners import corner_words
from fattree_bench.bench.links.resets import drawn
from fattree_bench.bench.links.slot.frame import SlotFrame
from fattree_bench.bench.links.slot.resets import ResetInside
from fattree_bench.bench.links.slot.traffic import Slots, cut, drain
from fattree_bench.bench.scenario import Given, Registry, Stimulus, crowded
from fattree_bench.bench.sequence import Listed, Sequence
from fattree_bench.families.lbbvn import sequences
from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_bench.families.lbbvn.own import no_frame
from fattree_models import lbbvn
from fattree_models.common.checks import BoolArray, Int32Array

SCENARIOS = Registry()


def scenario(
    agent: str = "FRAME",
    schedule: Callable[[Stimulus], Int32Array] | None = None,
    most: int = 1024,
    alone: bool = False,
    name: str | None = None,
    needs: Callable[[Lbbvn], str | None] = lambda _: None,
) -> Callable[[Given], Given]:
    """Register a test of at most so many leaves; without a schedule not for SCHEDULED networks.

    `needs`: why a network is not for it, besides, or None.
    """

    def unless(network: Lbbvn) -> str | None:
        if (reason := needs(network)) is not None:
            return reason
        if network.control == "SCHEDULED" and schedule is None:
            return "its traffic is not a schedule that is free of conflicts"
        return None if network.leaves <= most else f"it is for {most} leaves at most"

    return SCENARIOS.add(agent, schedule, unless, name, alone=alone)


Traffic = Sequence[Lbbvn, SlotFrame]


def paper_frame(s: Stimulus | Traffic) -> Int32Array:
    """All N shifts of bit reversal in order, eq. (10)."""
    return lbbvn.bit_reverse_shifts(s.network.n)


def fitting_slots(s: Stimulus) -> Int32Array:
    """As many slots as fit: of a random frame whatever finds a lane, the rest is left idle."""
    dst = lbbvn.random_permutations(s.rng, s.network.leaves, s.network.leaves)
    outcome = s.network.predict(dst)
    return np.where(outcome.delivered, dst, -1).astype(np.int32)


def unscheduled(network: Lbbvn, dst: Int32Array) -> str | None:
    """Why these slots cannot be a schedule where one is needed, or None."""
    if network.control == "SELF":
        return None
    if len(dst) > network.leaves:
        return f"{len(dst)} slots; CONTROL=SCHEDULED has room for {network.leaves}"
    try:
        lbbvn.compile_settings(dst, network.lanes, network.static_upper)
    except ValueError as error:
        return f"CONTROL=SCHEDULED: {str(error).partition(': ')[2]}"
    return None


def no_own_frame(network: Lbbvn) -> str | None:
    """Why `own_frame` cannot run, or None."""
    frame = network.own.frame
    return no_frame(network) if frame is None else unscheduled(network, frame)


def no_messages(network: Lbbvn) -> str | None:
    """Why `file` cannot run, or None."""
    rows = network.own.rows
    return "it needs MESSAGES=file" if rows is None else unscheduled(network, rows[0])


@scenario(schedule=lambda s: s.network.own.frame, needs=no_own_frame)
def own_frame(s: Stimulus) -> Iterator[SlotFrame]:
    """The frame of FRAMES=file or SIGMA, twice: what does not fit is lost as predicted."""
    yield from cut(s.network, np.tile(s.network.own.frame, (2, 1)), "a frame of one's own")


@scenario(schedule=lambda s: s.network.own.rows[0], needs=no_messages)
def file(s: Stimulus) -> Iterator[SlotFrame]:
    """The messages of MESSAGES=file, slot by slot."""
    dst, words = s.network.own.rows
    if words is not None:
        words = words.astype(s.network.layout.payload.dtype)
    yield from cut(s.network, dst, "messages of the file", words=words)


@scenario(schedule=paper_frame)
async def frame(s: Traffic) -> None:
    """The paper's frame: all N shifts of bit reversal in order, twice (Corollary 6)."""
    await s.do(sequences.BitReverseFrame(times=2))


@scenario()
async def shuffled_frame(s: Traffic) -> None:
    """The shifts of bit reversal in random order."""
    shifts = s.rng.permutation(paper_frame(s))
    await s.do(sequences.PermutationFrame(dst=shifts, family="shuffled shifts"))


scenario(schedule=lambda s: lbbvn.bit_reverse_xors(s.network.n), name="xor_frame")(
    sequences.BitReverseXorFrame
)
scenario(schedule=lambda s: lbbvn.inverse(paper_frame(s)))(sequences.InverseFrame)
scenario(name="rotators")(sequences.RotatorFrame)
scenario(name="symmetric_tdm")(sequences.SymmetricTdmFrame)
scenario(name="plain_xors")(sequences.XorFrame)


@scenario()
def rotations(s: Stimulus) -> Iterator[SlotFrame]:
    """Rotation by half the address bits, then + i and XOR i."""
    n, rotated = s.network.n, lbbvn.bit_rotation_frame
    yield from cut(s.network, rotated(n, n // 2, "shift"), "bit rotations then shifts")
    yield from cut(s.network, rotated(n, n // 2, "xor"), "bit rotations then XORs")


@scenario()
async def permutations(s: Traffic) -> None:
    """A fresh random permutation in every slot."""
    await s.do(sequences.RandomPermutations(frames=4))


@scenario(most=8)
def all_permutations(s: Stimulus) -> Iterator[SlotFrame]:
    """All N! permutations, one a slot."""
    every = np.array(list(itertools.permutations(range(s.network.leaves))), dtype=np.int32)
    yield from cut(s.network, every, "all permutations")


@scenario()
async def partial(s: Traffic) -> None:
    """Random partial permutations, at loads from 0.1 to 0.9."""
    for load in (0.1, 0.3, 0.5, 0.7, 0.9):
        await s.do(sequences.RandomPermutations(slots=s.rows // 4, load=load))


@scenario()
async def messages(s: Traffic) -> None:
    """Arbitrary message sets: many-to-one, loop-backs, at loads from 0.2 to 1."""
    for load in (0.2, 0.6, 1.0, 1.0):
        await s.do(sequences.RandomMessages(slots=s.rows // 4, load=load))


@scenario()
def crowds(s: Stimulus) -> Iterator[SlotFrame]:
    """Some of the leaves want a few places: channels overloaded, many at a time."""
    for _ in range(4):
        yield SlotFrame(crowded(s.rng, s.rows, s.network.leaves, s.network.leaves), "crowds")


@scenario()
def all_to_one(s: Stimulus) -> Iterator[SlotFrame]:
    """All leaves send to the same leaf, each in its turn: all but one packet a slot are lost."""
    leaves = s.network.leaves
    dst = np.repeat(np.arange(leaves, dtype=np.int32)[:, None], leaves, axis=1)
    yield from cut(s.network, dst, "all to one")


@scenario(alone=True)
def single_packets(s: Stimulus) -> Iterator[SlotFrame]:
    """One packet alone in a slot: every source with every destination, or 4096 random pairs."""
    leaves = s.network.leaves
    pairs = np.arange(leaves * leaves) if leaves <= 64 else s.rng.integers(0, leaves**2, 4096)
    dst = np.full((len(pairs), leaves), -1, np.int32)
    dst[np.arange(len(pairs)), pairs // leaves] = pairs % leaves
    yield from cut(s.network, dst, "single packets")


@scenario(schedule=paper_frame)
def idle_slots(s: Stimulus) -> Iterator[SlotFrame]:
    """The paper's frame with whole slots left idle, at random or in turns, and idle leaves."""
    leaves = s.network.leaves
    frames = np.resize(paper_frame(s), (max(64, leaves), leaves))
    for _ in range(2):
        dst = frames.copy()
        dst[s.rng.random(len(dst)) < 0.5] = -1
        yield from cut(s.network, lbbvn.partial(s.rng, dst, 0.8), "idle slots")
    frames[1::4] = -1
    frames[3::4, int(s.rng.integers(leaves))] = -1
    yield from cut(s.network, frames, "idle slots")


@scenario(schedule=paper_frame)
def back_to_back(s: Stimulus) -> Iterator[SlotFrame]:
    """The same frame again and again without a gap, then once more after the network drained."""
    yield from [SlotFrame(np.resize(paper_frame(s), (s.rows, s.network.leaves)), "frames")] * 4
    yield drain(s.network)
    yield from cut(s.network, paper_frame(s), "bit-reverse shifts")


def loaded_slots(s: Stimulus) -> Int32Array:
    """Slots in which one channel of a level has 1 … all of its lanes in use, both ways: they fit.

    Half the packets of a subtree come from either half of it, and so on down: no channel below has
    more than its share.  The fixed wires of a static upper half want a slot of the paper's frame,
    thinned out around one node.
    """
    network, leaves = s.network, s.network.leaves
    rows = []
    for level in range(max(1, network.top_level), network.n + 1):
        fixed = network.static_upper and level == network.top_level
        order = lbbvn.bit_reverse(network.n)[: leaves >> level] >> level  # halves take turns
        node = int(s.rng.integers(1 << level))
        inside, beside = (order + (k << (network.n - level)) for k in (node, node ^ 1))
        for count in range(1, int(network.lanes[level]) + 1):
            row = np.full(leaves, -1, np.int32)
            if fixed:
                slot = paper_frame(s)[int(s.rng.integers(leaves))]
                home, goal = np.arange(leaves) >> (network.n - level), slot >> (network.n - level)
                for crosses in ((home == node) & (goal != node), (home != node) & (goal == node)):
                    kept = np.flatnonzero(crosses)[:count]
                    row[kept] = slot[kept]
            elif count <= len(order):
                row[inside[:count]] = beside[:count]
                row[beside[:count]] = inside[:count]
            rows.append(row)
    dst = np.stack(rows)
    # Given capacities may be too narrow elsewhere.
    fits: BoolArray = (network.predict(dst).delivered == (dst >= 0)).all(axis=1)
    return dst[fits]


@scenario(schedule=loaded_slots)
def loaded_channels(s: Stimulus) -> Iterator[SlotFrame]:
    """A channel of each level with 1, 2 … all of its lanes in use, up and down."""
    schedule = s.schedule if s.schedule is not None else loaded_slots(s)
    yield from cut(s.network, schedule, "loaded channels")


@scenario()
def overloaded_channels(s: Stimulus) -> Iterator[SlotFrame]:
    """One channel of each level wanted by 0, 1 … all senders: far more than its lanes."""
    network, leaves = s.network, s.network.leaves
    for level in range(max(1, network.top_level), network.n + 1):
        size = leaves >> level
        first = int(s.rng.integers(1 << level)) * size
        inside = np.arange(first, first + size, dtype=np.int32)
        outside = np.setdiff1d(np.arange(leaves, dtype=np.int32), inside)
        for senders, goals in ((inside, outside), (outside, inside)):
            # Each slot one sender more; also towards one neighbour, or all over the other leaves.
            for targets in (s.rng.permutation(goals), goals[:1]):
                order = s.rng.permutation(senders)
                dst = np.full((len(order) + 1, leaves), -1, np.int32)
                for count in range(len(order) + 1):
                    dst[count, order[:count]] = np.resize(targets, count)
                yield from cut(network, dst, "overloaded channels")


@scenario(schedule=paper_frame)
async def payloads(s: Traffic) -> None:
    """Words that no tag is: zero, ones, one bit set or clear, the word before, the neighbour's."""
    network = s.network
    dst = np.resize(paper_frame(s), (max(64, network.leaves), network.leaves))
    for load in (1.0, 0.7):
        words = corner_words(s.rng, network.layout.payload, *dst.shape)
        part = lbbvn.partial(s.rng, dst, load)
        await s.do(Slots(dst=part, family="payloads", words=words))


@scenario(schedule=paper_frame)
async def reset_in_frame(s: Traffic) -> None:
    """Resets in the middle of frames, and of conflicts: what is inside is discarded, uncounted."""
    leaves = s.network.leaves
    dst = np.resize(paper_frame(s), (max(64, leaves), leaves))
    frames = [("bit-reverse shifts", dst, shape) for shape in (1, drawn(s.rng))]
    if s.network.control == "SELF":
        crowd = lbbvn.random_messages(s.rng, len(dst), leaves, 1.0)
        frames += [("messages", crowd, shape) for shape in (1, drawn(s.rng), drawn(s.rng))]
        # Each leaf to itself: at the reset each place of each loop holds a packet.
        frames += [("messages", np.tile(np.arange(leaves, dtype=np.int32), (len(dst), 1)), 1)]
    for family, dst, shape in frames:
        first = int(s.rng.integers(1, len(dst) - 8))
        await s.do(ResetInside(dst=dst, family=family, first=first, shape=shape))


@scenario(schedule=fitting_slots)
def scheduled_slots(s: Stimulus) -> Iterator[SlotFrame]:
    """Random slots, thinned out until they fit: any list of slots without conflict can be sent."""
    schedule = s.schedule if s.schedule is not None else fitting_slots(s)
    yield from cut(s.network, np.tile(schedule, (2, 1)), "fitting slots")


@scenario(agent="CLASSIC")
async def classic(s: Traffic) -> None:
    """Packet by packet, for single-stepping: the paper's frame, rotators, messages, a reset."""
    few = slice(0, min(s.network.leaves, 64))
    await s.do(Slots(dst=paper_frame(s)[few], family="bit-reverse shifts"))
    await s.do(Slots(dst=lbbvn.rotators(s.network.n)[few], family="rotators"))
    dst = lbbvn.random_messages(s.rng, 32, s.network.leaves, 0.7)
    await s.do(Listed(given=[SlotFrame(dst, "messages", np.arange(32) == 20)]))
