"""What measures of virtual channels, routings and roots must say of measured runs."""

from typing import Any

from fattree_bench.bench.claims import CORRECTED, FAILS, HOLDS, UNDECIDED
from fattree_bench.bench.result import Test
from tests.tb.families.xgft.model_claim_cases import Case
from tests.tb.families.xgft.route_claim_cases import level, ran


def run(scenario: str, configuration: str, *measured: dict[str, Any], **has: Any) -> Test:
    """Measured runs of a configuration."""
    rows = [level(count) for count in has.pop("switches", (12, 3))]
    return ran(rows, scenario, configuration, measurements=list(measured), **has)


def full(configuration: str, pattern: str, *accepted: float) -> Test:
    """More than the network carries: what it accepted of a pattern."""
    measured = [{"pattern": pattern, "accepted": rate} for rate in accepted]
    return run("saturation", configuration, *measured)


TWO_VCS = [full("one-vc-256", "uniform", 0.34), full("two-vcs-256", "uniform", 0.5, 0.54)]
COMPLEMENT = [full("one-vc-256", "bitcomp", 0.95), full("two-vcs-256", "bitcomp", 0.9)]


# ---- deterministic and adaptive ------------------------------------------------------------------


def carried(configuration: str, overtaken: int = 0, **accepted: float) -> Test:
    measured = [{"pattern": pattern, "accepted": rate} for pattern, rate in accepted.items()]
    return run("saturation", configuration, *measured, overtaken=overtaken, delivered=1000)


EVENLY = {"uniform": 0.7, "bitrev": 0.7, "transpose": 0.7, "bitcomp": 0.7}
FIXED = {"uniform": 0.7, "bitrev": 0.3, "transpose": 0.2, "bitcomp": 0.9}
FREE = carried("adaptive-64", 80, **EVENLY)
AS_IT_IS = carried("deterministic-64", 50, **FIXED)
QUEUED = carried("in-order-64", **FIXED)
BOTH = [FREE, carried("adaptive-one-vc-64", 30, **EVENLY)]


def root(accepted: float, pattern: str = "bitcomp") -> Test:
    """Traffic of 64 leaves through a root with four ports."""
    rows = [level(16, links_down=64), level(4, links_down=16), level(1, links_down=4)]
    measured = [{"pattern": pattern, "accepted": accepted}]
    return ran(rows, "saturation", "spanning-64", measurements=measured)


CASES: tuple[Case, ...] = (
    # ---- virtual channels
    (
        "virtual_channels_help",
        [*TWO_VCS, full("four-vcs-256", "uniform", 0.61)],
        CORRECTED,
        "as printed: accepted by virtual channels 1: 34 %, 2: 52 %, 4: 61 %; published 1: 40 %, "
        "2: 60 %, 4: 75 %; as corrected: more with more channels",
    ),
    ("virtual_channels_help", [*TWO_VCS, full("four-vcs-256", "uniform", 0.7)], HOLDS, "4: 70 %"),
    (
        "virtual_channels_help",
        [*TWO_VCS, full("four-vcs-256", "uniform", 0.5)],
        FAILS,
        "not more with more",
    ),
    (
        "virtual_channels_help",
        [full("one-vc-256", "uniform", 0.2), TWO_VCS[1], full("four-vcs-256", "uniform", 0.7)],
        CORRECTED,
        "1: 20 %",
    ),
    ("virtual_channels_help", TWO_VCS, UNDECIDED, ""),
    (
        "complement_full",
        [*COMPLEMENT, full("four-vcs-256", "bitcomp", 0.72)],
        FAILS,
        "accepted by virtual channels 1: 95 %, 2: 90 %, 4: 72 %",
    ),
    ("complement_full", [*COMPLEMENT, full("four-vcs-256", "bitcomp", 0.88)], HOLDS, "4: 88 %"),
    (
        "complement_full",
        [*COMPLEMENT, full("deterministic-256", "bitcomp", 0.95)],
        UNDECIDED,
        "",
    ),
    ("complement_apart", [full("deterministic-256", "bitcomp", 0.95)], HOLDS, "accepted: 95 %"),
    ("complement_apart", [full("deterministic-256", "bitcomp", 0.8)], FAILS, "accepted: 80 %"),
    ("complement_apart", [full("deterministic-256", "uniform", 0.8)], UNDECIDED, ""),
    # ---- deterministic and adaptive
    (
        "routings_alike",
        [AS_IT_IS, QUEUED, *BOTH],
        CORRECTED,
        "as printed: uniform 70/70 %, bitrev 30/70 %, transpose 20/70 %, bitcomp 90/70 %; 50 of "
        "1\N{NO-BREAK SPACE}000 overtaken; as corrected: uniform 70/70 %, bitcomp 90/70 %; 0",
    ),
    ("routings_alike", [carried("deterministic-64", **EVENLY), QUEUED, *BOTH], HOLDS, "0 of 1"),
    (
        "routings_alike",
        [carried("deterministic-64", 1, **EVENLY), QUEUED, *BOTH],
        CORRECTED,
        "1 of",
    ),
    ("routings_alike", [AS_IT_IS, carried("in-order-64", 1, **FIXED), *BOTH], FAILS, "; 1 over"),
    (
        "routings_alike",
        [AS_IT_IS, carried("in-order-64", **{**FIXED, "uniform": 0.59}), *BOTH],
        FAILS,
        "uniform 59/70 %, bitcomp",
    ),
    ("routings_alike", [AS_IT_IS, *BOTH], UNDECIDED, ""),
    (
        "uniform_says_little",
        [AS_IT_IS, FREE],
        HOLDS,
        "D-mod-k/adaptive: uniform 70/70 %, transpose 20/70 %",
    ),
    (
        "uniform_says_little",
        [carried("deterministic-64", **{**FIXED, "transpose": 0.5, "bitrev": 0.5}), FREE],
        FAILS,
        "bitrev 50/70 %",
    ),
    (
        "uniform_says_little",
        [carried("deterministic-64", **{**FIXED, "uniform": 0.5}), FREE],
        FAILS,
        "uniform 50/70 %",
    ),
    ("uniform_says_little", [AS_IT_IS, QUEUED], UNDECIDED, ""),
    (
        "oversubscribed",
        [ran([level(4)], "link_loads", permutations=[("bitcomp", 1), ("bitrev", 4)])],
        HOLDS,
        "one packet from and to each leaf: 4 on a link under bitrev",
    ),
    (
        "oversubscribed",
        [ran([level(4)], "link_loads", permutations=[("bitcomp", 1), ("shift", 1)])],
        FAILS,
        "1 on a link under bitcomp",
    ),
    ("oversubscribed", [AS_IT_IS], UNDECIDED, ""),
    ("adaptive_helps", [AS_IT_IS, FREE], HOLDS, "bitrev 30 to 70 %, transpose 20 to 70 %"),
    (
        "adaptive_helps",
        [carried("deterministic-64", **{**FIXED, "bitrev": 0.5}), FREE],
        FAILS,
        "bitrev 50 to 70 %",
    ),
    ("adaptive_helps", [FREE], UNDECIDED, ""),
    *(
        ("spanning_tree", [full("deterministic-64", "bitcomp", fat), *spanning], verdict, text)
        for fat, spanning, verdict, text in (
            (
                0.98,
                [root(0.061)],
                HOLDS,
                "3.9 links' worth through 4 ports of the root, 62.7 of 64 in the fat-tree",
            ),
            (0.98, [root(0.05)], FAILS, "3.2 links' worth through 4 ports"),
            (0.98, [root(0.12)], FAILS, "7.7 links' worth through 4 ports"),
            (0.7, [root(0.061)], FAILS, "44.8 of 64 in the fat-tree"),
            (0.98, [], UNDECIDED, ""),
        )
    ),
    # A port of the root carries what 16 leaves get from 48 of 63 others: 0.082 flits a leaf.
    *(
        ("root_is_the_bottleneck", [full("deterministic-64", "uniform", fat), *tree], verdict, text)
        for fat, tree, verdict, text in (
            (
                0.41,
                [root(0.0615, "uniform")],
                HOLDS,
                "0.75 of what 4 ports of the root can carry, 5.0 times as much in the fat-tree",
            ),
            (0.41, [root(0.0451, "uniform")], FAILS, "0.55 of what 4 ports"),
            (0.41, [root(0.0833, "uniform")], FAILS, "1.02 of what 4 ports"),
            (0.08, [root(0.0615, "uniform")], FAILS, "1.0 times as much in the fat-tree"),
            (0.41, [root(0.0615)], UNDECIDED, ""),
            (0.41, [], UNDECIDED, ""),
        )
    ),
)
