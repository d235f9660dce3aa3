"""The scoreboard of the cell link: every single deviation from a sound switch has its name."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyuvm import uvm_root

from fattree_bench.bench import faults as kind
from fattree_bench.bench.faults import Faults
from fattree_bench.bench.limits import Limits, Watch
from fattree_bench.bench.links.slot.delivery import HISTORY, Seen
from fattree_bench.bench.links.slot.frame import Captured
from fattree_bench.families.lbbvn_switch.cells import CellFrame
from fattree_bench.families.lbbvn_switch.feedback import Feedback
from fattree_bench.families.lbbvn_switch.network import COUNTERS, LbbvnSwitch
from fattree_bench.families.lbbvn_switch.promises import MOST, SKIPPED
from fattree_bench.families.lbbvn_switch.scoreboard import COUNTER_NAMES, FABRIC, NAMED
from fattree_bench.families.lbbvn_switch.traffic import drain
from tests.tb.families.lbbvn_switch.software import Bench, Stream, frames, random_cells, switch

BASIC = switch(SCHEME="BASIC")
FOFF = switch(SCHEME="FOFF")
Make = Callable[[LbbvnSwitch], Bench]
SLOTS = 100


def stream(
    network: LbbvnSwitch = BASIC, load: float = 0.4, slots: int = SLOTS, first: int = 0
) -> Stream:
    """Traffic of some frames; behind it, a cell alone."""
    dst = random_cells(np.random.default_rng(7), network, slots, load)
    alone = np.full((128, network.leaves), -1, np.int32)
    alone[30, 1] = 2
    return Stream(network, frames(np.concatenate([dst, alone])), first=first)


def lone(seen: Stream) -> tuple[int, int]:
    """Where the cell that is alone leaves: the last one."""
    return seen.at(-1)


def apart(seen: Stream) -> tuple[tuple[int, int], tuple[int, int]]:
    """Two cells of a flow that leave one behind the other, in a frame, and could change places."""
    latest: dict[tuple[int, int], tuple[int, int]] = {}
    for slot, output in np.argwhere(seen.valid).tolist():
        came, source = seen.cell((slot, output))
        before = latest.get((source, output))
        if (
            before is not None
            and before[0] // 64 == slot // 64
            and came <= before[0] - seen.network.latency
        ):
            return before, (slot, output)
        latest[source, output] = (slot, output)
    raise AssertionError("no two cells of a flow")


# ---- single deviations ---------------------------------------------------------------------------


def nothing(seen: Stream) -> None:
    pass


def lose(seen: Stream) -> None:
    seen.take(seen.at(9))


def lose_last(seen: Stream) -> None:
    seen.take(lone(seen))


def late(seen: Stream) -> None:
    slot, output = lone(seen)
    seen.move((slot, output), (slot + 1, output))


def late_by_frames(seen: Stream) -> None:
    slot, output = lone(seen)
    seen.move((slot, output), (slot + 70, output))


def early(seen: Stream) -> None:
    slot, output = lone(seen)
    seen.move((slot, output), (slot - 1, output))


def early_by_a_frame(seen: Stream) -> None:
    """In the frame before the one in which it is due."""
    edges = np.cumsum([item.slots for item in seen.items])
    slot, output = next(
        (s, y)
        for s, y in np.argwhere(seen.valid).tolist()
        if s in edges and not seen.valid[s - 1, y] and seen.cell((s, y))[0] < s - 1
    )
    seen.move((slot, output), (slot - 1, output))


def before_it_came(seen: Stream) -> None:
    """So early that it had not been sent."""
    slot, output = lone(seen)
    word = seen.take((slot, output))
    seen.put((slot - 40, output), word)


def twice(seen: Stream) -> None:
    slot, output = lone(seen)
    seen.put((slot + 5, output), int(seen.data[slot, output]))


def misdeliver(seen: Stream) -> None:
    slot, output = lone(seen)
    seen.move((slot, output), (slot, output ^ 1))


def misdeliver_a_copy(seen: Stream) -> None:
    slot, output = lone(seen)
    seen.put((slot, output ^ 1), int(seen.data[slot, output]))


def corrupt(seen: Stream) -> None:
    seen.data[lone(seen)] ^= np.uint32(8)


def blank(seen: Stream) -> None:
    """Valid, but no payload."""
    seen.data[lone(seen)] = 0


def invent(seen: Stream) -> None:
    slot, output = lone(seen)
    seen.put((slot + 3, output), 0xDEADBEEF)


def bus_stuck(seen: Stream) -> None:
    """Valid where nothing should be, payload 0."""
    slot, output = lone(seen)
    seen.put((slot + 3, output), 0)


def leak(seen: Stream) -> None:
    slot, output = lone(seen)
    seen.data[slot + 3, output] = 1


def overtake(seen: Stream) -> None:
    seen.swap(*apart(seen))


@pytest.mark.parametrize(
    ("fault", "names"),
    [
        (nothing, {}),
        (lose, {kind.LOST: 1}),
        (lose_last, {kind.LOST: 1}),
        (late, {kind.LATE: 1}),
        (late_by_frames, {kind.LATE: 1}),
        (early, {kind.EARLY: 1}),
        (early_by_a_frame, {kind.EARLY: 1}),
        (before_it_came, {kind.SPURIOUS: 1, kind.LOST: 1}),
        (twice, {kind.DUPLICATED: 1}),
        (misdeliver, {kind.MISDELIVERED: 1}),
        (misdeliver_a_copy, {kind.MISDELIVERED: 1}),
        (corrupt, {kind.CORRUPTED: 1}),
        (blank, {kind.CORRUPTED: 1}),
        (invent, {kind.SPURIOUS: 1}),
        (bus_stuck, {kind.SPURIOUS: 1}),
        (leak, {kind.IDLE_NOT_ZERO: 1}),
        (overtake, {kind.LATE: 1, kind.EARLY: 1}),
    ],
)
def test_name_of_a_fault(
    fault: Callable[[Stream], None], names: dict[str, int], bench: Make
) -> None:
    seen = stream()
    fault(seen)
    assert bench(BASIC).names(seen) == names


@pytest.mark.parametrize(
    ("fault", "names"),
    [
        (nothing, {}),
        (overtake, {kind.LATE: 1, kind.EARLY: 1, kind.REORDERED: 1}),
        # By name, and because a cell of the flow left behind itself.
        (twice, {kind.DUPLICATED: 2}),
    ],
)
def test_schemes_that_keep_the_order(
    fault: Callable[[Stream], None], names: dict[str, int], bench: Make
) -> None:
    seen = stream(FOFF)
    fault(seen)
    assert bench(FOFF).names(seen) == names


def test_the_slots_that_are_told_are_right(bench: Make) -> None:
    """Slots count from the start of the traffic, as those of the model do."""
    seen = stream()
    slot, output = lone(seen)
    came, source = seen.cell((slot, output))
    left = slot - BASIC.latency
    seen.move((slot, output), (slot + 2, output))
    made = bench(BASIC)
    made.names(seen)
    assert made.board.faults.examples == {
        kind.LATE: [
            f"slot {came} source {source} destination {output}: at output {output} in slot "
            f"{left + 2}, due in slot {left}"
        ]
    }


@pytest.mark.parametrize("width", [22, 23, 64])
@pytest.mark.parametrize("scheme", ["BASIC", "FOFF"])
def test_numbers_that_wrap(width: int, scheme: str, bench: Make) -> None:
    """However many slots there were, a cell is known by the last bits of its number."""
    network = switch(SCHEME=scheme, WIDTH=width)
    for fault, names in ((nothing, {}), (late, {kind.LATE: 1}), (lose, {kind.LOST: 1})):
        seen = stream(network, first=(1 << 20) - SLOTS // 2)
        fault(seen)
        assert bench(network).names(seen) == names


# ---- queues that overflow ------------------------------------------------------------------------

SHORT = {
    "BASIC": switch(SCHEME="BASIC", MIDDLE=2),
    "UFS": switch(SCHEME="UFS", INGRESS=8, MIDDLE=2),
    "FOFF": switch(SCHEME="FOFF", INGRESS=8, MIDDLE=4, RESEQUENCER=2),
    "PADDED": switch(SCHEME="PADDED", INGRESS=8, MIDDLE=2, THRESHOLD=2),
    "MAILBOX": switch(SCHEME="MAILBOX", INGRESS=2, MIDDLE=2, TRIES=1),
}


def flooded(network: LbbvnSwitch, lossless: bool = False) -> Stream:
    """All inputs want output 3 all the time."""
    dst = np.full((80, network.leaves), 3, np.int32)
    return Stream(network, frames(dst, lossless=lossless))


@pytest.mark.parametrize("scheme", SHORT)
def test_predicted_drops_are_no_faults(scheme: str, bench: Make) -> None:
    made = bench(SHORT[scheme])
    assert made.names(flooded(SHORT[scheme])) == {}
    assert sum(made.board.tally.dropped.values()) > 100


@pytest.mark.parametrize("scheme", SHORT)
def test_drops_where_the_queues_should_do(scheme: str, bench: Make) -> None:
    made = bench(SHORT[scheme])
    found = made.names(flooded(SHORT[scheme], lossless=True))
    assert found == {kind.OVERFLOW: sum(made.board.tally.dropped.values())}


def test_a_cell_that_was_to_be_dropped(bench: Make) -> None:
    network = SHORT["BASIC"]
    seen = flooded(network)
    dropped = seen.items[0].plan.dropped
    word = network.payload.words(dropped.arrival[:1], dropped.source[:1])
    slot, output = seen.at(-1)
    seen.put((slot + 1, output), int(word[0]))
    assert bench(network).names(seen) == {kind.UNPREDICTED: 1}


def test_order_is_promised_only_while_nothing_is_lost(bench: Make) -> None:
    """Behind a drop, the switch's flag says, cells may leave in any order, if the model does so."""
    network = SHORT["UFS"]
    seen = flooded(network)
    seen.swap(*apart(seen))
    made = bench(network)
    assert made.names(seen) == {kind.LATE: 1, kind.EARLY: 1}
    assert made.board.promises.delivery.overtaken > 0


def test_flags_that_a_reset_has_cleared_count_before_it(bench: Make) -> None:
    """The order of cells that left before the reset is not judged by the flags behind it."""
    network = SHORT["UFS"]
    dst = np.full((64, network.leaves), 3, np.int32)
    held = np.zeros(64, np.bool_)
    held[60] = True
    seen = Stream(network, [CellFrame(dst, "flood, then a reset", held)])
    assert not seen.counters[0][COUNTERS:].any()
    seen.swap(*apart(seen))
    assert bench(network).names(seen) == {kind.LATE: 1, kind.EARLY: 1}


@pytest.mark.parametrize("on_its_way", [False, True])
def test_a_cell_that_a_reset_was_to_lose(on_its_way: bool, bench: Make) -> None:
    """It was inside, or between its turn and the output."""
    dst = np.full((64, 4), -1, np.int32)
    dst[20:30, :] = 1
    held = np.zeros(64, np.bool_)
    held[32] = True
    seen = Stream(BASIC, frames(dst, reset=held))
    plan = seen.items[0].plan
    left = {(a, x) for a, x in zip(plan.arrival.flat, plan.source.flat, strict=True) if a >= 0}
    came = [(slot, source) for slot in range(20, 30) for source in range(4)]
    inside = [cell for cell in came if cell not in left]
    due = np.flatnonzero(plan.source[32 - BASIC.latency : 32, 1] >= 0)[0] + 32 - BASIC.latency
    cell = (plan.arrival[due, 1], plan.source[due, 1]) if on_its_way else inside[0]
    assert bench(BASIC).names(seen) == {}
    word = BASIC.payload.words(np.int64([cell[0]]), np.int64([cell[1]]))
    seen.put((33, 1), int(word[0]))
    assert bench(BASIC).names(seen) == {kind.UNPREDICTED: 1}
    # What left before the reset leaves once more behind it.
    seen.put((33, 1), int(seen.data[seen.at(0)]))
    assert bench(BASIC).names(seen) == {kind.DUPLICATED: 1}


# ---- counters ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "name"),
    [
        *(
            (i, kind.CONFLICTS if name == FABRIC else kind.COUNTERS)
            for i, name in enumerate(COUNTER_NAMES)
        ),
        (COUNTERS, kind.COUNTERS),
    ],
)
def test_a_counter_that_is_wrong_at_the_end(place: int, name: str, bench: Make) -> None:
    seen = stream()
    seen.counters[-1, place] ^= 1
    found = bench(BASIC).names(seen)
    # Of cells that are dropped two laws speak: the model's, and that none is lost uncounted.
    assert found.pop(name) == (2 if place < 3 else 1)
    # A skipped gap is also a broken promise.
    assert found == ({kind.RESEQUENCER: 1} if place == SKIPPED else {})


def test_counters_may_lag_while_cells_move(bench: Make) -> None:
    network = SHORT["UFS"]
    seen = flooded(network)
    seen.counters[:-1, :COUNTERS] = 0
    assert bench(network).names(seen) == {}


def test_a_resequencer_that_holds_too_much(bench: Make) -> None:
    """In each frame of which it is told; N² + 1 are promised as long as nothing was lost."""
    seen = stream(FOFF)
    seen.counters[1, MOST] = FOFF.leaves**2 + 2
    seen.counters[2, MOST] = FOFF.leaves**2 + 1
    assert bench(FOFF).names(seen) == {kind.RESEQUENCER: 1}
    seen = stream(FOFF)
    seen.counters[1, MOST] = FOFF.leaves**2 + 2
    seen.counters[1, COUNTERS] = 1  # a flag: a queue has overflowed
    assert bench(FOFF).names(seen) == {}


# ---- the end -------------------------------------------------------------------------------------


def test_cells_that_wait_for_ever(bench: Make) -> None:
    """Only where frames must be full, or be worth it, may cells be left over."""
    for network, names in ((BASIC, {kind.STUCK: 3}), (FOFF, {kind.STUCK: 3})):
        seen = stream(network)
        seen.items[0].plan = replace(seen.items[0].plan, sent=seen.items[0].plan.sent + 3)
        seen.items[-1].plan = replace(seen.items[-1].plan, inside=3)
        assert bench(network).names(seen) == names
    network = switch(SCHEME="UFS")
    made = bench(network)
    assert made.names(stream(network)) == {}
    assert made.board.tally.inside > 0


def test_a_stream_that_is_cut_off(bench: Make) -> None:
    seen = stream()
    del seen.items[-1]
    assert bench(BASIC).names(seen) == {kind.UNCHECKED: 1}


def test_a_stream_of_nothing(bench: Make) -> None:
    idle = CellFrame(np.full((5, 4), -1, np.int32), "idle")
    assert bench(BASIC).names(Stream(BASIC, [idle])) == {kind.UNCHECKED: 1}


def test_a_cell_that_is_not_accounted_for(bench: Make) -> None:
    seen = stream()
    seen.items[0].plan = replace(seen.items[0].plan, sent=seen.items[0].plan.sent + 1)
    assert bench(BASIC).names(seen) == {kind.UNCHECKED: 1}


def test_unknown_values(bench: Make) -> None:
    made = bench(BASIC)
    made.board.unknown = True
    assert made.names(stream()) == {kind.UNKNOWN: 1}


def test_of_very_many_disagreements_only_the_number_is_told(bench: Make) -> None:
    seen = stream(load=0.9, slots=1000)
    cells = int(np.count_nonzero(seen.valid))
    assert cells > NAMED
    seen.valid[:], seen.data[:] = False, 0
    assert bench(BASIC).names(seen) == {kind.LOST: NAMED, kind.UNCHECKED: cells - NAMED}


def test_a_cell_of_long_ago_is_still_known(bench: Make) -> None:
    """Late by nearly as many frames as are kept."""
    dst = np.full((1, 4), -1, np.int32)
    dst[0, 1] = 2
    idle = np.full((1, 4), -1, np.int32)
    few = [CellFrame(dst, "one"), *(CellFrame(idle, "idle") for _ in range(HISTORY - 20))]
    for by, names in ((HISTORY - 40, {kind.LATE: 1}), (HISTORY, {kind.SPURIOUS: 1, kind.LOST: 1})):
        seen = Stream(BASIC, [*few, *(CellFrame(idle, "idle") for _ in range(60))])
        slot, output = seen.at(0)
        seen.move((slot, output), (slot + by, output))
        assert bench(BASIC).names(seen) == names


# ---- promises that the model does not keep -------------------------------------------------------


def shared(seen: Stream, fault: Callable[[Stream], None]) -> None:
    """The model does what the faulty design does: its plans say what is seen."""
    fault(seen)
    late, payload = seen.network.latency, seen.network.payload
    ahead = ((0, late), (0, 0))
    valid, data = np.pad(seen.valid, ahead)[late:], np.pad(seen.data, ahead)[late:]
    number, source = payload.named(data)
    source, number = np.where(valid, source, -1).astype(np.int32), np.where(valid, number, -1)
    for item in seen.items:
        rows = slice(item.sequence, item.sequence + item.slots)
        item.plan = replace(item.plan, source=source[rows], arrival=number[rows], words=data[rows])


def of_nobody(seen: Stream) -> None:
    """A cell of an input that was idle."""
    slot, output = lone(seen)
    word = seen.network.payload.words(np.int64([SLOTS + 30]), np.int64([3]))
    seen.put((slot + 2, output), int(word[0]))


@pytest.mark.parametrize(
    ("fault", "names"),
    [
        (nothing, {}),
        (twice, {kind.DUPLICATED: 1}),
        (lose, {kind.STUCK: 1}),
        (misdeliver, {kind.MISDELIVERED: 1, kind.STUCK: 1}),
        (misdeliver_a_copy, {kind.MISDELIVERED: 1}),
        (of_nobody, {kind.SPURIOUS: 1}),
    ],
)
def test_what_the_model_should_not_have_said(
    fault: Callable[[Stream], None], names: dict[str, int], bench: Make
) -> None:
    seen = stream()
    shared(seen, fault)
    found = bench(BASIC).names(seen)
    found.pop(kind.UNCHECKED, None)  # more than were sent
    assert found == names


@pytest.mark.parametrize("scheme", ["BASIC", "FOFF", "MAILBOX"])
def test_none_is_lost_without_being_counted(scheme: str, bench: Make) -> None:
    """Where queues overflow, too: neither by the design nor by the model."""
    for fault, names in ((nothing, {}), (lose, {kind.COUNTERS: 1})):
        seen = flooded(SHORT[scheme])
        shared(seen, fault)
        found = bench(SHORT[scheme]).names(seen)
        found.pop(kind.UNCHECKED, None)
        assert found == names


@pytest.mark.parametrize(
    ("variables", "cells"),
    [({"SCHEME": "UFS"}, 3), ({"SCHEME": "PADDED", "THRESHOLD": 2}, 1), ({"SCHEME": "BASIC"}, 0)],
)
def test_how_many_cells_may_wait_for_a_frame(
    variables: dict[str, object], cells: int, bench: Make
) -> None:
    """Less than are worth one: N, or the threshold."""
    network = switch(**variables)
    for waiting in (cells, cells + 1):
        dst = np.full((64, 4), -1, np.int32)
        dst[10 : 10 + waiting, 1] = 2
        seen = Stream(network, frames(dst))

        def stop(seen: Stream) -> None:
            seen.valid[:], seen.data[:] = False, 0

        shared(seen, stop)
        found = bench(network).names(seen)
        found.pop(kind.UNCHECKED, None)
        assert found == ({} if waiting == cells else {kind.STUCK: 1})


def test_what_was_offered_in_a_reset_was_not_sent(bench: Make) -> None:
    dst = np.full((64, 4), -1, np.int32)
    dst[20, 1] = dst[22, 1] = 2
    held = np.zeros(64, np.bool_)
    held[20] = True

    def ignore_the_reset(seen: Stream) -> None:
        word = BASIC.payload.words(np.int64([20]), np.int64([1]))
        seen.put((40, 2), int(word[0]))

    for fault, names in ((nothing, {}), (ignore_the_reset, {kind.SPURIOUS: 1})):
        seen = Stream(BASIC, frames(dst, reset=held))
        shared(seen, fault)
        found = bench(BASIC).names(seen)
        found.pop(kind.UNCHECKED, None)
        assert found == names


# ---- order ---------------------------------------------------------------------------------------


def descents(cells: list[tuple[int, int, int]]) -> tuple[int, int]:
    """Cells (number, source, output) that leave behind a later one, or behind themselves."""
    last: dict[tuple[int, int], int] = {}
    behind = again = 0
    for number, source, output in cells:
        before = last.get((source, output), -1)
        behind += number < before
        again += number == before
        last[source, output] = number
    return behind, again


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3), st.integers(0, 3)))))
def test_order_against_brute_force(parts: list[list[tuple[int, int, int]]]) -> None:
    uvm_root().clear_singletons()
    board = Bench(FOFF).board
    for frame in parts:
        number, source, output = np.array(frame, np.int64).reshape(-1, 3).T
        slots = np.arange(len(frame))
        board.promises.delivery.order(Seen(slots, slots, number, source, output), promised=True)
    behind, again = descents([cell for frame in parts for cell in frame])
    found = {kind.REORDERED: behind, kind.DUPLICATED: again}
    assert dict(board.faults.counts) == {name: count for name, count in found.items() if count}
    uvm_root().clear_singletons()


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3), st.integers(0, 3)))))
def test_overtaken_cells_against_brute_force(parts: list[list[tuple[int, int, int]]]) -> None:
    """Where no order is promised they are counted, and no fault."""
    uvm_root().clear_singletons()
    board = Bench(BASIC).board
    for frame in parts:
        number, source, output = np.array(frame, np.int64).reshape(-1, 3).T
        slots = np.arange(len(frame))
        board.promises.delivery.order(Seen(slots, slots, number, source, output), promised=False)
    latest: dict[tuple[int, int], int] = {}
    count = 0
    for number, source, output in (cell for frame in parts for cell in frame):
        before = latest.get((source, output), -1)
        count += number < before
        latest[source, output] = max(number, before)
    assert board.promises.delivery.overtaken == count
    assert not board.faults
    uvm_root().clear_singletons()


# ---- limits --------------------------------------------------------------------------------------


def test_a_switch_that_repeats_a_cell_for_ever_is_drained() -> None:
    """More leaves than was sent: that is no sign of life, and the drain ends."""
    feedback = Feedback(BASIC, lambda run: None)
    watch = Watch(Limits(), Faults())
    count = BASIC.leaves**2  # cells inside
    feedback.inside = count
    busy = np.full((1000, 1), 1, np.uint8)
    slots = 0
    for item in drain(BASIC, feedback, watch):
        data = np.zeros(item.dst.shape, BASIC.payload.dtype)
        feedback.write(Captured(item, busy[: item.slots], data, np.zeros(9, np.uint32)))
        slots += item.slots
    assert not watch.faults
    assert feedback.inside == 0
    assert count < slots < 20 * count


def test_a_drain_without_end_is_ended() -> None:
    """Every now and then a cell comes out, or is counted as dropped."""
    feedback = Feedback(BASIC, lambda run: None)
    watch = Watch(Limits(clocks=1000, each=2), Faults())
    feedback.inside = 10
    slots = 0
    for number, item in enumerate(drain(BASIC, feedback, watch), 1):
        data = np.zeros(item.dst.shape, BASIC.payload.dtype)
        counters = np.full(9, number, np.uint32)
        none = np.zeros((item.slots, 1), np.uint8)
        feedback.write(Captured(item, none, data, counters))
        slots += item.slots
    assert dict(watch.faults.counts) == {kind.LIMIT: 1}
    assert watch.over()
    assert 1020 <= slots < 1020 + BASIC.frame_slots


# ---- accounting ----------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(SHORT)),
    st.integers(0, 2**32 - 1),
    st.sampled_from([0.3, 0.8, 1.0]),
    st.lists(st.tuples(st.integers(1, 40), st.integers(0, 3)), min_size=1, max_size=5),
)
def test_a_sound_switch_has_no_faults(
    scheme: str, seed: int, load: float, cuts: list[tuple[int, int]]
) -> None:
    """Whatever it is sent, however short its queues, whenever it is reset."""
    uvm_root().clear_singletons()
    network, rng = SHORT[scheme], np.random.default_rng(seed)
    items = []
    for slots, resets in cuts:
        held = rng.random(slots) < resets * 0.04
        items.append(CellFrame(random_cells(rng, network, slots, load), "any", held))
    seen = Stream(network, items)
    made = Bench(network)
    found = made.names(seen)
    tally = made.board.tally
    if tally.sent:
        assert found == {}
    assert tally.sent == sum(
        int(np.count_nonzero(f.dst[~f.reset] >= 0 if f.reset is not None else f.dst >= 0))
        for f in items
    )
    assert tally.delivered == np.count_nonzero(seen.valid)
    assert tally.sent == (
        tally.delivered + sum(tally.dropped.values()) + tally.discarded + tally.inside
    )
    uvm_root().clear_singletons()
