"""Results and numbers about hardware, and what measures must say of them."""

from fattree_bench.bench.result import Test
from tests.tb.families.claim_case import Cases, corrected, fails, holds, undecided
from tests.tb.families.leiserson.claim_results import check, cycles

UNIVERSAL_64 = [16, 11, 7, 4, 3, 2, 1]  # w = 16, by hand


def crossing(off: float, far: float) -> Test:
    return check(levels=20, levels_off=off, levels_far_off=far)


HARDWARE: Cases = {
    # ---- universal capacities: any test may fill the wires
    "universal_capacities": (
        holds(
            "12 of 12 levels have, and fill, the formula's wires each way in 2 trees, N = 16, 64; "
            "steps of 1.33 … 2.00",
            cycles(UNIVERSAL_64),
            cycles(used=[0, 5, 0, 0, 1]),
            cycles(used=[7, 0, 3, 2, 0]),
        ),
        fails("4 of 5 levels", cycles([7, 5, 4, 2, 1])),
        fails("4 of 5 levels", cycles([7, 4, 3, 2, 1])),
        fails("4 of 5 levels", cycles(used=[7, 5, 3, 2, 0])),
        fails("4 of 5 levels", cycles(down_used=[7, 5, 2, 2, 1])),
        # wires that are there in one direction alone, and none that a meter has seen
        fails("4 of 5 levels", cycles(down=[7, 5, 4, 2, 1])),
        undecided(cycles([0] * 5)),
        undecided(check()),
    ),
    # ---- a delivery cycle: 6 lg 16 + 32 = 56 clocks
    "cycle_of_lg_n": (
        holds(
            "6.0 … 6.0 lg n clocks besides the data, N = 16; by the model to n = 2^20",
            cycles(),
            check(lg_n=20, clocks_besides_data=120),
        ),
        fails("… 6.2", cycles(clocks=57), check(lg_n=4, clocks_besides_data=24)),
        fails("6.0 … 20.0", cycles(), check(lg_n=20, clocks_besides_data=400)),
        undecided(cycles()),
    ),
    "crossing_level": (
        # n = 16: doubling from level 3 lg(16/7) = 3.6 down, and at level 3 by its ceiling
        corrected(
            "as printed: 3 of 25 levels grow otherwise, RTL and models to n = 2^20; as "
            "corrected: 0",
            cycles(),
            crossing(2, 0),
        ),
        holds("0 of 25 levels", cycles([16, 8, 4, 2, 1]), crossing(0, 0)),
        fails("corrected: 1 of 25", cycles([16, 8, 4, 1, 1]), crossing(0, 0)),
        fails("corrected: 3 of 25", cycles([7, 8, 3, 2, 1]), crossing(0, 0)),
        fails("corrected: 1 of 25", cycles(), crossing(2, 1)),
        undecided(cycles()),
    ),
    # ---- the channel above the root
    "root_channel": (
        holds(
            "0 of 2 root channels with a wire idle, 0 messages lost, N = 16",
            cycles(scenario="external"),
        ),
        fails("1 of 2 root", cycles(scenario="external", used=[6, 5, 3, 2, 1])),
        fails("1 messages lost", cycles(scenario="external", lost=1)),
        undecided(),
    ),
}
