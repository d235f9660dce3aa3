"""How long an item lasts: bursts that waste no clocks, and an end that nobody waits for."""

import numpy as np
import pytest

from fattree_bench.families.xgft.plan import DRAIN_BURST, HOMEWARD, LAST_BURST, FlitPlan
from fattree_models.traffic import Packets, Window
from tests.tb.families.xgft.software import item_of, kary

ROWS = 1024


def plan_of(packets: Packets, **options: object) -> FlitPlan:
    return FlitPlan(
        kary(), item_of(packets, **options), np.random.default_rng(1), lambda plan: None
    )


def deliver(plan: FlitPlan, flits: int) -> None:
    """The first flits of the item have arrived."""
    plan.sent.arrival[:flits] = 1
    plan.arrived = flits


WINDOW = Window(warm_up=3, periods=4, period=100)
SPARSE = Packets.of([0, 0, 1], [1, 3, 2], [0, 300, 90], 4)


@pytest.mark.parametrize(
    ("now", "options", "clocks"),
    [
        (0, {}, 301),  # the last packet is created in clock 300
        (200, {}, 101),
        (300, {}, LAST_BURST),
        (301, {}, LAST_BURST),
        (0, {"reset": 700}, 701),
        (0, {"cycles": 200}, 200),
        (190, {"cycles": 200}, 10),
        (0, {"window": WINDOW}, 700),  # whenever the last packet is created
        (700, {"window": WINDOW}, DRAIN_BURST),
    ],
    ids=str,
)
def test_a_burst_ends_with_the_lists(now: int, options: dict[str, object], clocks: int) -> None:
    assert plan_of(SPARSE, **options).burst(now, ROWS) == clocks
    assert plan_of(SPARSE, **options).burst(now, 8) == min(8, clocks)


def test_a_receiver_takes_a_flit_a_clock() -> None:
    """Leaf 3 is to get 200 flits and leaf 2 as many more, which a reset has taken away."""
    plan = plan_of(Packets.of([0] * 5 + [1] * 5, [3] * 5 + [2] * 5, 0, 40))
    plan.gone[5:] = True
    assert plan.burst(1, ROWS) == 200
    deliver(plan, 150)
    assert plan.burst(200, ROWS) == 50
    deliver(plan, 199)
    assert plan.burst(300, ROWS) == LAST_BURST


def test_credits_come_home_and_the_item_is_over() -> None:
    """Receivers that stalled for ever give them back."""
    plan = plan_of(SPARSE, stall=np.ones(4))
    stalls = plan.stalls(5)
    assert stalls is not None and stalls.all()
    deliver(plan, 12)
    assert not plan.over(400)
    assert plan.burst(400, ROWS) == plan.network.depth + HOMEWARD
    assert plan.stalls(5) is None
    assert not plan.over(400 + 20)
    assert plan.burst(400 + 20, ROWS) == plan.network.depth + HOMEWARD - 20
    assert plan.over(400 + plan.network.depth + HOMEWARD)


def test_nothing_to_send_is_over() -> None:
    plan = plan_of(Packets.of([], [], []))
    assert plan.burst(0, ROWS) == plan.network.depth + HOMEWARD
    assert plan.over(plan.network.depth + HOMEWARD)
