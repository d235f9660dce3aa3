"""What measures of virtual channels, routings and roots must say of measured runs."""

from typing import Any

from fattree_bench.bench.means import SEEDS
from fattree_bench.bench.result import Test
from tests.tb.families.claim_case import Cases, corrected, fails, holds, undecided
from tests.tb.families.xgft.route_claim_cases import level, ran


def run(scenario: str, configuration: str, *measured: dict[str, Any], **has: Any) -> Test:
    """Measured runs of a configuration."""
    rows = [level(count) for count in has.pop("switches", (12, 3))]
    return ran(rows, scenario, configuration, measurements=list(measured), **has)


def full(configuration: str, pattern: str, *accepted: float) -> Test:
    """More than the network carries: what it accepted of a pattern."""
    measured = [{"pattern": pattern, "accepted": rate} for rate in accepted]
    return run("saturation", configuration, *measured * SEEDS)


TWO_VCS = [full("one-vc-256", "uniform", 0.34), full("two-vcs-256", "uniform", 0.5, 0.54)]
COMPLEMENT = [full("one-vc-256", "bitcomp", 0.95), full("two-vcs-256", "bitcomp", 0.9)]


# ---- deterministic and adaptive ------------------------------------------------------------------


def carried(configuration: str, overtaken: int = 0, **accepted: float) -> Test:
    measured = [{"pattern": pattern, "accepted": rate} for pattern, rate in accepted.items()]
    return run("saturation", configuration, *measured * SEEDS, overtaken=overtaken, delivered=1000)


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
    return ran(rows, "saturation", "spanning-64", measurements=measured * SEEDS)


def against_root(accepted: float, pattern: str = "bitcomp") -> Test:
    """The same through a fat-tree."""
    return full("deterministic-64", pattern, accepted)


CASES: Cases = {
    # ---- virtual channels
    "virtual_channels_help": (
        corrected(
            "1: 34 %, 2: 52 %, 4: 61 %, ± 1.5 points; published 1: 40 %, 2: 60 %, 4: 75 %; as co",
            *TWO_VCS,
            full("four-vcs-256", "uniform", 0.61),
        ),
        holds("4: 70 %", *TWO_VCS, full("four-vcs-256", "uniform", 0.7)),
        fails("not more with more", *TWO_VCS, full("four-vcs-256", "uniform", 0.5)),
        corrected(
            "1: 20 %",
            full("one-vc-256", "uniform", 0.2),
            TWO_VCS[1],
            full("four-vcs-256", "uniform", 0.7),
        ),
        undecided(*TWO_VCS),
    ),
    "complement_full": (
        fails(
            "accepted by virtual channels 1: 95 %, 2: 90 %, 4: 72 %",
            *COMPLEMENT,
            full("four-vcs-256", "bitcomp", 0.72),
        ),
        holds("4: 88 %", *COMPLEMENT, full("four-vcs-256", "bitcomp", 0.88)),
        undecided(*COMPLEMENT, full("deterministic-256", "bitcomp", 0.95)),
    ),
    "complement_apart": (
        holds("accepted: 95 %", full("deterministic-256", "bitcomp", 0.95)),
        fails("accepted: 80 %", full("deterministic-256", "bitcomp", 0.8)),
        undecided(full("deterministic-256", "uniform", 0.8)),
    ),
    # ---- deterministic and adaptive
    "routings_alike": (
        corrected(
            "as printed: uniform 70/70 %, bitrev 30/70 %, transpose 20/70 %, bitcomp 90/70 %; 50 "
            "of 1\N{NO-BREAK SPACE}000 overtaken; as corrected: uniform 70/70 %, bitcomp 90/70 %, "
            "± 0.0 points; 0",
            AS_IT_IS,
            QUEUED,
            *BOTH,
        ),
        holds("0 of 1", carried("deterministic-64", **EVENLY), QUEUED, *BOTH),
        corrected("1 of", carried("deterministic-64", 1, **EVENLY), QUEUED, *BOTH),
        fails("; 1 over", AS_IT_IS, carried("in-order-64", 1, **FIXED), *BOTH),
        fails(
            "uniform 59/70 %, bitcomp",
            AS_IT_IS,
            carried("in-order-64", **{**FIXED, "uniform": 0.59}),
            *BOTH,
        ),
        undecided(AS_IT_IS, *BOTH),
    ),
    "uniform_says_little": (
        holds("D-mod-k/adaptive: uniform 70/70 %, transpose 20/70 %", AS_IT_IS, FREE),
        fails(
            "bitrev 50/70 %",
            carried("deterministic-64", **{**FIXED, "transpose": 0.5, "bitrev": 0.5}),
            FREE,
        ),
        fails("uniform 50/70 %", carried("deterministic-64", **{**FIXED, "uniform": 0.5}), FREE),
        undecided(AS_IT_IS, QUEUED),
    ),
    "oversubscribed": (
        holds(
            "one packet from and to each leaf: 4 on a link under bitrev",
            ran([level(4)], "link_loads", permutations=[("bitcomp", 1), ("bitrev", 4)]),
        ),
        fails(
            "1 on a link under bitcomp",
            ran([level(4)], "link_loads", permutations=[("bitcomp", 1), ("shift", 1)]),
        ),
        undecided(AS_IT_IS),
    ),
    "adaptive_helps": (
        holds("bitrev 30 to 70 %, transpose 20 to 70 %", AS_IT_IS, FREE),
        fails("bitrev 50 to 70 %", carried("deterministic-64", **{**FIXED, "bitrev": 0.5}), FREE),
        undecided(FREE),
    ),
    "spanning_tree": (
        holds(
            "3.9 links' worth through 4 ports of the root, 62.7 of 64 in the fat-tree",
            against_root(0.98),
            root(0.061),
        ),
        fails("3.2 links' worth through 4 ports", against_root(0.98), root(0.05)),
        fails("7.7 links' worth through 4 ports", against_root(0.98), root(0.12)),
        fails("44.8 of 64 in the fat-tree", against_root(0.7), root(0.061)),
        undecided(against_root(0.98)),
    ),
    "root_is_the_bottleneck": (
        # A port of the root carries what 16 leaves get from 48 of 63 others: 0.082 flits a leaf.
        holds(
            "0.75 of what 4 ports of the root can carry, 5.0 times as much in the fat-tree",
            against_root(0.41, "uniform"),
            root(0.0615, "uniform"),
        ),
        fails("0.55 of what 4 ports", against_root(0.41, "uniform"), root(0.0451, "uniform")),
        fails("1.02 of what 4 ports", against_root(0.41, "uniform"), root(0.0833, "uniform")),
        fails(
            "1.0 times as much in the fat-tree",
            against_root(0.08, "uniform"),
            root(0.0615, "uniform"),
        ),
        undecided(against_root(0.41, "uniform"), root(0.0615)),
        undecided(against_root(0.41, "uniform")),
    ),
}
