"""The scoreboard of the cell link where queues overflow, or a reset empties them."""

import numpy as np
import pytest

from fattree_bench.bench import faults as kind
from fattree_bench.families.lbbvn_switch.cells import CellFrame
from fattree_bench.families.lbbvn_switch.settings import COUNTERS
from tests.tb.families.lbbvn_switch.cell_streams import BASIC, SHORT, apart, flooded
from tests.tb.families.lbbvn_switch.software import Make, Stream, frames


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
    word = network.layout.payload.words(dropped.arrival[:1], dropped.source[:1])
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
    word = BASIC.layout.payload.words(np.int64([cell[0]]), np.int64([cell[1]]))
    seen.put((33, 1), int(word[0]))
    assert bench(BASIC).names(seen) == {kind.UNPREDICTED: 1}
    # What left before the reset leaves once more behind it.
    seen.put((33, 1), int(seen.data[seen.at(0)]))
    assert bench(BASIC).names(seen) == {kind.DUPLICATED: 1}
