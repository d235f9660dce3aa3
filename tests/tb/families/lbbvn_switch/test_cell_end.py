"""The scoreboard of the cell link at the end of a stream: what is left, unchecked, or endless."""

from dataclasses import replace

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.faults import Faults
from fattree_bench.bench.limits import Limits, Watch
from fattree_bench.bench.links.slot.delivery import HISTORY
from fattree_bench.bench.links.slot.frame import Captured
from fattree_bench.families.lbbvn_switch.cells import CellFrame
from fattree_bench.families.lbbvn_switch.feedback import Feedback
from fattree_bench.families.lbbvn_switch.scoreboard import NAMED
from fattree_bench.families.lbbvn_switch.traffic import drain
from tests.tb.families.lbbvn_switch.cell_streams import BASIC, FOFF, stream
from tests.tb.families.lbbvn_switch.software import Make, Stream, switch
from tests.tb.faults.test_reading import met


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


def test_unknown_values(bench: Make) -> None:
    made = bench(BASIC)
    made.board.unknown = met()
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


def test_a_switch_that_repeats_a_cell_for_ever_is_drained() -> None:
    """More leaves than was sent: that does not count as progress, and the drain ends."""
    feedback = Feedback(BASIC, lambda run: None)
    watch = Watch(Limits(), Faults())
    count = BASIC.leaves**2  # cells inside
    feedback.inside = count
    busy = np.full((1000, 1), 1, np.uint8)
    slots = 0
    for item in drain(BASIC, feedback, watch):
        data = np.zeros(item.dst.shape, BASIC.layout.payload.dtype)
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
        data = np.zeros(item.dst.shape, BASIC.layout.payload.dtype)
        counters = np.full(9, number, np.uint32)
        none = np.zeros((item.slots, 1), np.uint8)
        feedback.write(Captured(item, none, data, counters))
        slots += item.slots
    assert dict(watch.faults.counts) == {kind.LIMIT: 1}
    assert watch.over()
    assert 1020 <= slots < 1020 + BASIC.layout.slots
