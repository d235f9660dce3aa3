"""Results and numbers about hardware, and what measures must say of them."""

from fattree_bench.bench.claims import CORRECTED, FAILS, HOLDS, UNDECIDED
from fattree_bench.bench.result import Test
from tests.tb.families.leiserson.claim_results import Case, check, cycles

UNIVERSAL_64 = [16, 11, 7, 4, 3, 2, 1]  # w = 16, by hand


def where(upper: float = 200.0, least: float = 0.0, wide: float = 0.56) -> Test:
    return check(upper_by_n=upper, lower_share_least=least, lower_share=wide)


def crossing(off: float, far: float) -> Test:
    return check(levels=20, levels_off=off, levels_far_off=far)


def node(lines: int, gates: float, levels: int = 20) -> Test:
    return check(lines=lines, gates=gates, levels=levels)


def saved(less: float, offline: float) -> Test:
    return check(gates_whole=1000.0, gates_without_acknowledges=less, gates_off_line=offline)


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
    # ---- depth, components, volume
    (
        "constant_depth",
        [check(lg_n=3, stages=2), check(lg_n=20, stages=3)],
        HOLDS,
        "at most 3 stages in a port, n = 2^3 … 2^20",
    ),
    ("constant_depth", [check(lg_n=3, stages=2), check(lg_n=20, stages=4)], FAILS, "at most 4"),
    ("constant_depth", [check(lg_n=3, stages=2)], UNDECIDED, ""),
    ("components_of_a_node", [check(components_a_wire=12.2)], HOLDS, "at most 12.2, 1 size"),
    ("components_of_a_node", [check(components_a_wire=14.0)], FAILS, "at most 14.0"),
    ("components_of_a_node", [cycles()], UNDECIDED, ""),
    (
        "theorem_4",
        [check(lg_n=k, ratio=r) for k, r in ((18, 127.0), (19, 133.0), (20, 134.0))],
        HOLDS,
        "at most 134, 1.06 times as much at n = 2^20 as at 2^18",
    ),
    ("theorem_4", [check(lg_n=k, ratio=20.0 * 2**k) for k in (0, 1, 2)], FAILS, "4.00 times"),
    ("theorem_4", [check(lg_n=k, ratio=200.0) for k in (8, 9, 10)], FAILS, "at most 200"),
    ("theorem_4", [check(lg_n=k, ratio=20.0) for k in (8, 9)], UNDECIDED, ""),
    (
        "where_components_are",
        [where(), where(240.0)],
        CORRECTED,
        "as printed: upper levels at most 240 n, lower ones at least 0% of all; as corrected: "
        "upper levels at most 240 n, lower ones at least 56% of all if w^3",
    ),
    ("where_components_are", [where(least=0.51)], HOLDS, "lower ones at least 51%"),
    ("where_components_are", [where(), where(300.0)], FAILS, "at most 300 n"),
    ("where_components_are", [where(wide=0.4)], FAILS, "at least 40% of all if"),
    ("where_components_are", [cycles()], UNDECIDED, ""),
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
    (
        "volume_of_nodes",
        [check(lg_n=k, volume_of_nodes=40.0) for k in (8, 9, 10)],
        HOLDS,
        "at most 40, 1.00 times as much at n = 2^10 as at 2^8",
    ),
    ("volume_of_nodes", [check(lg_n=k, volume_of_nodes=2.0**k) for k in (1, 2, 3)], FAILS, "4.00"),
    ("volume_of_nodes", [check(lg_n=k, volume_of_nodes=70.0) for k in (1, 2, 3)], FAILS, "70, 1"),
    ("volume_of_nodes", [check(lg_n=1, volume_of_nodes=9.0)], UNDECIDED, ""),
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
    # ---- off-line nodes
    (
        "offline_nodes",
        [node(8, 160.0), node(76, 2280.0), saved(700.0, 200.0)],
        HOLDS,
        "20 … 30 gates a line, 20 levels at most, m = 8 … 76; saved 30% without acknowledges, 80%",
    ),
    ("offline_nodes", [node(8, 160.0), node(76, 9e3), saved(700.0, 200.0)], FAILS, "118 gates"),
    ("offline_nodes", [node(8, 160.0), node(76, 9e2, 31), saved(700.0, 20.0)], FAILS, "31 lev"),
    ("offline_nodes", [node(8, 160.0), node(76, 9e2), saved(1001.0, 200.0)], FAILS, "saved -0%"),
    ("offline_nodes", [node(8, 160.0), node(76, 9e2), saved(700.0, 800.0)], FAILS, "20% off-line"),
    ("offline_nodes", [node(8, 160.0), node(76, 9e2)], UNDECIDED, ""),
)
