"""How long an item lasts: bursts that waste no clocks, and an end without waiting."""

import numpy as np
import pytest

from fattree_bench.bench.links.flit.playing import DRAIN_BURST, HOMEWARD, LAST_BURST, Playing
from fattree_bench.bench.links.flit.resets import shape_of
from fattree_bench.bench.wormhole.traffic import SENDERS
from fattree_bench.families import find
from fattree_models.traffic import Packets, Window
from tests.tb.bench.wormhole.software import item_of, kary, plan_of

ROWS = 1024


def play(packets: Packets, **options: object) -> Playing:
    return Playing(plan_of(kary(), item_of(packets, **options)), np.random.default_rng(1))


def deliver(playing: Playing, flits: int) -> None:
    """The first flits of the item have arrived."""
    playing.seen.arrival[:flits] = 1
    playing.seen.arrived = flits


WINDOW = Window(warm_up=3, periods=4, period=100)
SPARSE = Packets.of([0, 0, 1], [1, 3, 2], [0, 300, 90], 4)


@pytest.mark.parametrize(
    ("now", "options", "clocks"),
    [
        (0, {}, 301),  # the last packet is created in clock 300
        (200, {}, 101),
        (300, {}, LAST_BURST),
        (301, {}, LAST_BURST),
        (0, {"reset": 700}, 700 + shape_of(SPARSE).bit_length()),
        (0, {"cycles": 200}, 200),
        (190, {"cycles": 200}, 10),
        (0, {"window": WINDOW}, 700),  # whenever the last packet is created
        (700, {"window": WINDOW}, DRAIN_BURST),
    ],
    ids=str,
)
def test_a_burst_ends_with_the_lists(now: int, options: dict[str, object], clocks: int) -> None:
    assert play(SPARSE, **options).burst(now, ROWS) == clocks
    assert play(SPARSE, **options).burst(now, 8) == min(8, clocks)


def test_a_receiver_takes_a_flit_a_clock() -> None:
    """Leaf 3 is to get 200 flits and leaf 2 as many more, which a reset has taken away."""
    playing = play(Packets.of([0] * 5 + [1] * 5, [3] * 5 + [2] * 5, 0, 40))
    playing.seen.gone[5:] = True
    assert playing.burst(1, ROWS) == 200
    deliver(playing, 150)
    assert playing.burst(200, ROWS) == 50
    deliver(playing, 199)
    assert playing.burst(300, ROWS) == LAST_BURST


def test_credits_come_home_and_the_item_is_over() -> None:
    """Receivers that stalled for ever give them back."""
    playing = play(SPARSE, stall=np.ones(4))
    stalls = playing.stalls(5)
    assert stalls is not None and stalls.all()
    deliver(playing, 12)
    assert not playing.over(400)
    assert playing.burst(400, ROWS) == playing.link.room + HOMEWARD
    assert playing.stalls(5) is None
    assert not playing.over(400 + 20)
    assert playing.burst(400 + 20, ROWS) == playing.link.room + HOMEWARD - 20
    assert playing.over(400 + playing.link.room + HOMEWARD)


def test_nothing_to_send_is_over() -> None:
    playing = play(Packets.of([], [], []))
    assert playing.burst(0, ROWS) == playing.link.room + HOMEWARD
    assert playing.over(playing.link.room + HOMEWARD)


def test_rates_are_of_the_leaves_that_send() -> None:
    """Of 6 leaves bit reversal of 3 bits has traffic for some only."""
    network = find("xgft").from_variables({"M": "2,3", "W": "1,2"})
    rng = np.random.default_rng(1)
    item = SENDERS.measured(rng, network, "bitrev", 0.3)
    assert item.senders == len(np.unique(item.packets.source)) < network.leaves
    assert SENDERS.measured(rng, network, "uniform", 0.3).senders == network.leaves
