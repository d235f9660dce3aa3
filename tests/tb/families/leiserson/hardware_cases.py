"""Results and numbers about hardware, and what measures must say of them."""

from fattree_bench.bench.claims import CORRECTED, FAILS, HOLDS, UNDECIDED
from fattree_bench.bench.result import Test
from tests.tb.families.leiserson.claim_results import Case, check, cycles

UNIVERSAL_64 = [16, 11, 7, 4, 3, 2, 1]  # w = 16, by hand


def crossing(off: float, far: float) -> Test:
    return check(levels=20, levels_off=off, levels_far_off=far)


HARDWARE: tuple[Case, ...] = (
    # ---- universal capacities: any test may fill the wires
    (
        "universal_capacities",
        [cycles(UNIVERSAL_64), cycles(used=[0, 5, 0, 0, 1]), cycles(used=[7, 0, 3, 2, 0])],
        HOLDS,
        "12 of 12 levels have, and fill, the formula's wires in 2 trees, N = 16, 64; "
        "steps of 1.33 … 2.00",
    ),
    ("universal_capacities", [cycles([7, 5, 4, 2, 1])], FAILS, "4 of 5 levels"),
    ("universal_capacities", [cycles([7, 4, 3, 2, 1])], FAILS, "4 of 5 levels"),
    ("universal_capacities", [cycles(used=[7, 5, 3, 2, 0])], FAILS, "4 of 5 levels"),
    ("universal_capacities", [check()], UNDECIDED, ""),
    # ---- a delivery cycle: 6 lg 16 + 32 = 56 clocks
    (
        "cycle_of_lg_n",
        [cycles(), check(lg_n=20, clocks_besides_data=120)],
        HOLDS,
        "6.0 … 6.0 lg n clocks besides the data, N = 16; by the model to n = 2^20",
    ),
    ("cycle_of_lg_n", [cycles(clocks=57), check(lg_n=4, clocks_besides_data=24)], FAILS, "… 6.2"),
    ("cycle_of_lg_n", [cycles(), check(lg_n=20, clocks_besides_data=400)], FAILS, "6.0 … 20.0"),
    ("cycle_of_lg_n", [cycles()], UNDECIDED, ""),
    # n = 16: doubling from level 3 lg(16/7) = 3.6 down, and at level 3 by its ceiling
    (
        "crossing_level",
        [cycles(), crossing(2, 0)],
        CORRECTED,
        "as printed: 3 of 25 levels of the other kind, RTL and models to n = 2^20; as corrected: 0",
    ),
    ("crossing_level", [cycles([16, 8, 4, 2, 1]), crossing(0, 0)], HOLDS, "0 of 25 levels"),
    ("crossing_level", [cycles([16, 8, 4, 1, 1]), crossing(0, 0)], FAILS, "corrected: 1 of 25"),
    ("crossing_level", [cycles([7, 8, 3, 2, 1]), crossing(0, 0)], FAILS, "corrected: 1 of 25"),
    ("crossing_level", [cycles(), crossing(2, 1)], FAILS, "corrected: 1 of 25"),
    ("crossing_level", [cycles()], UNDECIDED, ""),
    # ---- the channel above the root
    (
        "root_channel",
        [cycles(scenario="external")],
        HOLDS,
        "0 of 2 root channels with a wire idle, 0 messages lost, N = 16",
    ),
    ("root_channel", [cycles(scenario="external", used=[6, 5, 3, 2, 1])], FAILS, "1 of 2 root"),
    ("root_channel", [cycles(scenario="external", lost=1)], FAILS, "1 messages lost"),
    ("root_channel", [cycles()], UNDECIDED, ""),
)
