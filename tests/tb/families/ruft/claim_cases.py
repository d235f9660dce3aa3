"""Results of RUFT and of its tree, and what measures must say of them."""

from fattree_bench.bench.means import SEEDS
from fattree_bench.bench.result import Test
from tests.tb.families.claim_case import Cases, corrected, fails, holds, undecided
from tests.tb.families.xgft.load_claim_cases import full
from tests.tb.families.xgft.model_claim_cases import left
from tests.tb.families.xgft.route_claim_cases import NO_TABLE, level, ran

PAIRS = left(collapsed_pairs=64, collapsed_differences=0)


def linked(flit_hops: int = 300, alone: int = 4, delivered: int = 16) -> Test:
    rows = [level(4, links_down=0)] * 2 + [level(4, links_down_to_one=alone)]
    return ran(rows, flits=100, flit_hops=flit_hops, delivered=delivered)


def stages(configuration: str = "fig-5", *reach: int, load: int = 4, delivered: int = 16) -> Test:
    """Every pair of the 2-ary 3-tree, or of its RUFT; `load` on the links of the last stage."""
    rows = []
    for way, count in zip(("up", "up", "down"), reach or (4, 2, 1), strict=True):
        last = {f"packets_{way}_{end}": load if way == "down" else 4 for end in ("least", "most")}
        found = {f"destinations_{way}_{end}": count for end in ("least", "most")}
        rows.append(level(4, **found, **last))
    return ran(rows, configuration=configuration, delivered=delivered)


TREE = stages("fig-4", 7, 7, 7)


def delayed(tree: float, *own: float) -> list[Test]:
    """Mean latencies: of the tree, of RUFT with LONG = 0, 4, 8."""
    names = ("low-64", "long-0-64", "long-4-64", "long-8-64")
    return [
        ran([level(4)], "traffic", name, measurements=[{"pattern": "x", "latency_mean": x}] * SEEDS)
        for name, x in zip(names, (tree, *own), strict=False)
    ]


def saturated(tree: float, *own: float) -> list[Test]:
    """Accepted rates: of the tree, of the tree by its top, of RUFT."""
    names = ("deterministic-64", "top-64", "reduced-64")
    return [full(name, "uniform", x) for name, x in zip(names, (tree, *own), strict=False)]


CASES: Cases = {
    "long_links": (
        holds(
            "32 of 32 packets; 600 of 600 switches for their flits; 8 of 8 long links for one leaf",
            linked(),
            linked(),
        ),
        fails("599 of 600 switches", linked(), linked(299)),
        fails("3 of 4 long links", linked(alone=3)),
        fails("15 of 16 packets", linked(delivered=15)),
        fails("0 of 300 switches", linked(0)),
        undecided(NO_TABLE),
    ),
    "collapsed": (
        holds(
            "outputs lead to 4, 2, 1 leaves with 4, 4, 4 packets (4, 4, 4 in the tree); 0 "
            "differences",
            PAIRS,
            TREE,
            stages(),
        ),
        fails("lead to 4, 3, 1 leaves", PAIRS, TREE, stages("fig-5", 4, 3, 1)),
        fails("4, 4, 5 packets (4, 4, 4 in", PAIRS, TREE, stages(load=5)),
        fails(
            "1 difference in 64 pairs",
            left(collapsed_pairs=64, collapsed_differences=1),
            TREE,
            stages(),
        ),
        undecided(PAIRS, TREE, stages(delivered=15)),
        undecided(TREE, stages()),
        undecided(PAIRS, stages()),
    ),
    "long_links_delay": (
        corrected(
            "as printed: 22.5 clocks in the tree, 17.0 with LONG=0, 21.0 with LONG=4, 25.0 with "
            "LONG=8, ± 0.0; as corrected: alike at LONG=5.5",
            *delayed(22.5, 17, 21, 25),
        ),
        holds("22.0 with LONG=8", *delayed(22.5, 14, 18, 22)),
        fails("alike at LONG=5.5", *delayed(22.5, 17, 23, 25)),
        holds("", *delayed(22.5, 17, 21, 22)),
        fails("alike at LONG=-1.0", *delayed(16, 17, 21, 25)),
        undecided(*delayed(22.5, 17, 21)),
    ),
    "reduced_throughput": (
        corrected(
            "0.600 for 0.700 flits per leaf and clock, 86%, ± 0.0 points; as corrected: 0.60",
            *saturated(0.7, 0.6, 0.6),
        ),
        holds("0.640 for 0.700 flits", *saturated(0.7, 0.6, 0.64)),
        fails("83%", *saturated(0.7, 0.6, 0.5)),
        fails("117%", *saturated(0.5, 0.6, 0.7)),
        undecided(*saturated(0.7, 0.6)),
    ),
}
