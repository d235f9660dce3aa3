"""What measures must say of the equations and optima of the OXGFT paper."""

from fattree_bench.bench.claims import CORRECTED, FAILS, HOLDS, UNDECIDED
from tests.tb.families.xgft.model_claim_cases import Case, cases, left, pairs

COUNTED = {**pairs(42, "routers", "cost"), "router_ports": 9, "ports_counted": 9}
COST = {name: COUNTED[name] for name in ("cost", "cost_counted")}
SIZE = {name: number for name, number in COUNTED.items() if name not in COST}
SEVENTH = {"cost_published": 864, "cost_printed": 121_896}
SEVENTH |= {"cost_repaired": 864, "cost_ratio": 864}
OF_36 = {"processors": 36, "cost_published": 864, "cost_least": 864, "cost_found": 864}
OF_36 |= {"trees_of_least": 1, "cost_next": 900}
OF_60 = {"processors": 60, "cost_published": 1800, "cost_least": 1800, "cost_found": 1800}
OF_60 |= {"trees_of_least": 2, "cost_next": 1860}
PLAIN_36 = {"cost_optimum": 864, "cost_plain_least": 744, "cost_plain_most": 744}
PLAIN_60 = {"cost_optimum": 1800, "cost_plain_least": 890, "cost_plain_most": 1780}
RATE = {"cost_of_optimum": 96, "cost_of_full_rate": 96, "cheaper_trees": 4}

CASES: tuple[Case, ...] = (
    *cases("cost_of_trees", COST, HOLDS, "as counted: cost 2 of 2", square=(FAILS, "cost", 24)),
    *cases(
        "switches_and_ports",
        SIZE,
        HOLDS,
        "as counted: switches 2 of 2, ports 2 of 2",
        switches=(FAILS, "routers", 41),
        ports=(FAILS, "router_ports", 8),
    ),
    *cases(
        "seventh_equation",
        SEVENTH,
        CORRECTED,
        "as printed: least cost 121896 for 864, 121896 for 864; as corrected: 4 of 4 repairs give",
        product=(FAILS, "cost_repaired", 900),
        ratio=(FAILS, "cost_ratio", 744),
    ),
    ("seventh_equation", [left(**{**SEVENTH, "cost_printed": 864})], HOLDS, "864 for 864"),
    *cases(
        "optimum_of_36",
        OF_36,
        HOLDS,
        "cost 864, least of all trees 864, of 1; then 900",
        cheaper=(FAILS, "cost_least", 744),
        missed=(FAILS, "cost_found", 900),
        tie=(FAILS, "trees_of_least", 2),
    ),
    ("optimum_of_36", [left(**OF_60)], UNDECIDED, ""),
    *cases(
        "optimum_of_60",
        OF_60,
        CORRECTED,
        "as printed: cost 1800, least of all trees 1800, of 2; then 1860; as corrected: it is one "
        "of the 2 cheapest",
        cheaper=(FAILS, "cost_least", 1780),
        missed=(FAILS, "cost_found", 1860),
    ),
    ("optimum_of_60", [left(**{**OF_60, "trees_of_least": 1})], HOLDS, "of 1; then 1860"),
    ("optimum_of_60", [left(**OF_36)], UNDECIDED, ""),
    (
        "less_power",
        [left(processors=36, **PLAIN_36), left(processors=60, **PLAIN_60)],
        FAILS,
        "cost by processors: 36: 864 against 744, 60: 1800 against 890 … 1780",
    ),
    (
        "less_power",
        [
            left(processors=36, **PLAIN_36),
            left(processors=60, **{**PLAIN_60, "cost_plain_most": 1801}),
        ],
        HOLDS,
        "890 … 1801",
    ),
    ("less_power", [left(processors=60, **PLAIN_60)], UNDECIDED, ""),
    ("less_power", [left(processors=36, **PLAIN_36)], UNDECIDED, ""),
    *cases(
        "power_and_performance",
        RATE,
        HOLDS,
        "2 of 2 optima; 8 trees cost less, none at full rate",
        slower=(FAILS, "cost_of_full_rate", 88),
    ),
    ("power_and_performance", [left(**{**RATE, "cheaper_trees": 0})], FAILS, "0 trees cost less"),
)
