"""The scoreboard of the cell link: every single deviation from a sound switch has its name."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_bench.bench import faults as kind
from fattree_bench.families.lbbvn_switch.cells import CellFrame
from fattree_bench.families.lbbvn_switch.promises import MOST, SKIPPED
from fattree_bench.families.lbbvn_switch.scoreboard import COUNTERS, OVERFLOWS
from tests.tb.families.lbbvn_switch.cell_faults import (
    DEVIATIONS,
    late,
    lose,
    nothing,
    overtake,
    twice,
)
from tests.tb.families.lbbvn_switch.cell_streams import (
    BASIC,
    FOFF,
    SHORT,
    SLOTS,
    flooded,
    lone,
    stream,
)
from tests.tb.families.lbbvn_switch.software import Bench, Make, Stream, random_cells, switch


@pytest.mark.parametrize(("fault", "names"), DEVIATIONS)
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


@pytest.mark.parametrize(
    ("place", "name"), [(i, name) for i, (name, _) in enumerate((*COUNTERS, OVERFLOWS))]
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
    seen.counters[:-1, : len(COUNTERS)] = 0
    assert bench(network).names(seen) == {}


def test_a_resequencer_that_holds_too_much(bench: Make) -> None:
    """In each frame that it gets; N² + 1 are promised as long as nothing was lost."""
    seen = stream(FOFF)
    seen.counters[1, MOST] = FOFF.leaves**2 + 2
    seen.counters[2, MOST] = FOFF.leaves**2 + 1
    made = bench(FOFF)
    assert made.names(seen) == {kind.RESEQUENCER: 1}
    assert made.board.tally.most == FOFF.leaves**2 + 2  # as the switch counts
    seen = stream(FOFF)
    seen.counters[1, MOST] = FOFF.leaves**2 + 2
    seen.counters[1, len(COUNTERS)] = 1  # a flag: a queue has overflowed
    assert bench(FOFF).names(seen) == {}


@settings(max_examples=60)
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
