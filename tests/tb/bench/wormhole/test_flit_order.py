"""The scoreboard of the flit link: order, and what virtual channels may do to it."""

import pytest

from fattree_bench.bench import faults as kind
from fattree_bench.bench.levels import ORDER
from tests.tb.bench.wormhole.flit_faults import (
    Fault,
    all_in_the_other,
    nothing,
    other_channel,
    overtake,
    packets,
)
from tests.tb.bench.wormhole.software import Make, Seen, item_of


@pytest.mark.parametrize(
    ("variables", "names"),
    [
        ({}, {kind.REORDERED: 1}),
        ({"VCS": 2, "VC_MODE": "KEEP"}, {kind.REORDERED: 1}),
        ({"VCS": 2}, {}),  # any virtual channel: may overtake
        ({"VCS": 2, "CLASSES": 2}, {kind.REORDERED: 1}),
    ],
    ids=str,
)
def test_order_where_it_is_promised(
    variables: dict[str, object], names: dict[str, int], bench: Make
) -> None:
    """Promised or not, who was overtaken is counted."""
    made = bench(**variables)
    seen = Seen(made.plan(item_of(packets())))
    overtake(seen)
    assert made.names(seen) == names
    assert (ORDER in made.board.supplied.promises) == bool(names)
    assert made.board.tally.overtaken == 1


@pytest.mark.parametrize(
    ("clocks", "count"),
    [
        ((10, 20, 30, 40), 0),
        ((20, 10, 30, 40), 1),
        ((40, 10, 20, 30), 1),  # all come before the first
        ((20, 30, 40, 10), 3),  # the last comes before all
        ((40, 30, 20, 10), 3),
    ],
)
def test_overtaken_packets_are_counted(clocks: tuple[int, ...], count: int, bench: Make) -> None:
    """Four packets of a pair; one of another pair that comes last is none of them."""
    made = bench(VCS=2)
    rows = (*(((0, 2, 0, 1),) * 4), (1, 2, 0, 1))
    seen = Seen(made.plan(item_of(packets(rows))), {i: (c,) for i, c in enumerate(clocks)})
    assert made.names(seen) == {}
    assert made.board.tally.overtaken == count


@pytest.mark.parametrize(
    ("variables", "fault", "names"),
    [
        ({}, other_channel, {kind.CHANNEL: 1}),
        ({}, all_in_the_other, {}),
        ({"CLASSES": 2}, nothing, {}),
        ({"CLASSES": 2}, all_in_the_other, {kind.CHANNEL: 1}),
        ({"VC_MODE": "KEEP"}, nothing, {}),
        ({"VC_MODE": "KEEP"}, all_in_the_other, {kind.CHANNEL: 1}),
    ],
)
def test_virtual_channels(
    variables: dict[str, object], fault: Fault, names: dict[str, int], bench: Make
) -> None:
    made = bench(VCS=2, **variables)
    seen = Seen(made.plan(item_of(packets(((0, 2, 0, 4),)))))
    fault(seen)
    assert made.names(seen) == names


@pytest.mark.parametrize(("vc", "names"), [(2, {}), (1, {kind.INTERLEAVED: 1})])
def test_packets_may_mix_in_different_virtual_channels_only(
    vc: int, names: dict[str, int], bench: Make
) -> None:
    made = bench(VCS=2)
    both = packets(((0, 2, 0, 3), (1, 2, 0, 3)))
    clocks = {0: (20, 22, 24), 1: (21, 23, 25)}
    assert made.names(Seen(made.plan(item_of(both)), clocks, {1: vc})) == names
