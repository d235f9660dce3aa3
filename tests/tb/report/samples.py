"""Reports made by hand: a rich one with everything that may go wrong, a green one, an empty one."""

import itertools
import random
from dataclasses import replace

from fattree_bench.bench.claims import CORRECTED, HOLDS, NOTHING, Claim, Figure, Measured, found
from fattree_bench.bench.result import Column, Quantity, ScenarioResult, Test
from fattree_bench.papers.registry import Item, Paper
from fattree_bench.report.regression import (
    Bucket,
    CodeFile,
    CodePoint,
    Evidence,
    Exclusion,
    Group,
    Picture,
    Report,
    Testpoint,
)
from fattree_bench.report.tree_svg import tree_svg
from fattree_models.lbbvn.capacity import lower_bound, nonblocking

MARKUP = "<script>window.broken = 1</script> & \"quotes\" 'too' | `ticks` *stars* <b>bold</b>"
CONTROL = "colour \x1b[31mred\x1b[0m, NUL \x00, half a pair \udc80"
REPLAY = "make sim NETWORK=leiserson N=16 TEST=permutation SIM=icarus SEED=3 MESSAGES='a b.csv'"
CONFIGURATIONS = {
    ("lbbvn", "n16"): {"N": "16"},
    ("lbbvn", "n64-scheduled"): {"N": "64", "CONTROL": "SCHEDULED"},
    ("leiserson", "n16"): {"N": "16", "W": "8"},
    ("leiserson", "partial"): {"N": "64", "CONCENTRATOR": "PARTIAL", "PRIORITY": "ROTATING"},
}
SCENARIOS = {
    "lbbvn": ("frame", "rotators", "permutation", "reset", "überlauf"),
    "leiserson": ("permutation", "offline", "online", "external"),
}
SOURCE = """\
// A node, 1 <= LANES
`default_nettype none
module node #(
  parameter LANES = 4  /* lanes: "each
                          way" <at least one> & no more than 8 */
) (
  input  wire             clk_i,
  input  wire [LANES-1:0] valid_i,
  output reg  [LANES-1:0] valid_o
);
  localparam [3:0] NONE = 4'b0000;

  always @(posedge clk_i)
    if (valid_i == NONE)
      valid_o <= {LANES{1'b0}};
    else if (valid_i[0] && !valid_i[1])
      valid_o <= valid_i;
    else
      $display("%d lanes are not ok", LANES);
endmodule
`default_nettype wire
"""


def make_test(key: tuple[str, str], sim: str, scenario: str, seed: int) -> Test:
    network, configuration = key
    variables = CONFIGURATIONS.get(key, {"N": "16"})
    result = ScenarioResult(
        scenario,
        steps=64,
        sent=16 * 64 + seed,
        delivered=16 * 64 + seed - 48,
        losses={"in conflicts": 48},
        figures={"leaves": Quantity(16, "leaves")},
        tables={
            "levels": {
                "level": Column("level", [1, 2, None], "level", none="leaf"),
                "lanes": Column("lanes per channel", [4, None, 1], "lanes", none="wires"),
            }
        },
        coverage={"source × destination": (255, 256)},
        seconds=0.5,
    )
    words = " ".join(f"{k}={v}" for k, v in variables.items())
    replay = f"make sim NETWORK={network} {words} TEST={scenario} SIM={sim} SEED={seed}"
    seconds = 0.2 + (len(scenario) * seed % 17) * (7.0 if sim == "icarus" else 0.4)
    return Test(
        network,
        configuration,
        variables,
        sim,
        seed,
        scenario,
        True,
        result,
        replay=replay,
        log="README.md",
        seconds=seconds,
    )


def spoil(test: Test, message: str, details: list[str]) -> Test:
    test.passed, test.message, test.details = False, message, details
    if test.result is not None:
        test.result.faults = {"misdelivered": len(details)}
        test.result.examples = {"misdelivered": details[:3]}
    return test


def all_tests(seeds: int) -> list[Test]:
    return [
        make_test(key, sim, scenario, seed)
        for key in CONFIGURATIONS
        for sim in ("verilator", "icarus")
        for scenario in SCENARIOS[key[0]]
        for seed in range(1, seeds + 1)
    ] + [pytest_check()]


def pytest_check() -> Test:
    """A test without a simulator: it has no result, and yet it may pass."""
    name = "tests/rtl/test_concentrator.py"
    replay = f"build/venv/bin/python -m pytest {name}"
    return Test("leiserson", name, {}, "pytest", 0, "all", True, replay=replay, seconds=12.5)


def make_group(
    key: tuple[str, str],
    name: str,
    points: list[tuple[str, list[str]]],
    holes: int = 0,
    excluded: int = 0,
    reason: str = "no packet leaves its own leaf (Lemma 1: "
    "source = destination stays below level n)",
) -> Group:
    """A group of random hits, with so many holes at the end and excluded bins at the start."""
    bins = 1
    for _, labels in points:
        bins *= len(labels)
    dice = random.Random(f"{key} {name}")
    hits = [int(10 ** dice.uniform(0, 6)) for _ in range(bins)]
    hits[bins - holes :] = [0] * holes
    hits[:excluded] = [0] * excluded
    reachable = [index >= excluded for index in range(bins)]
    output = [Exclusion(excluded, reason)] if excluded else []
    return Group(*key, name, points, hits, reachable, output)


def labels(count: int) -> list[str]:
    return [str(i) for i in range(count)]


def groups_of(key: tuple[str, str], holes: int) -> list[Group]:
    occupancy = [*labels(5), "over capacity"]
    return [
        make_group(
            key,
            "source × destination",
            [("source", labels(16)), ("destination", labels(16))],
            holes,
            16,
        ),
        make_group(key, "occupancy", [("level", ["1", "2", "3", "4"]), ("lanes", occupancy)], 2, 1),
        make_group(
            key,
            "level, direction, conflict",
            [("level", labels(4)), ("direction", ["up", "down"]), ("conflict", ["no", "yes"])],
        ),
        make_group(key, "rhythm", [("rhythm", ["idle", "burst", "back-to-back"])]),
    ]


def code(complete: bool = False) -> list[CodeFile]:
    """Two files of one name in two folders: one with holes of every kind, one fully covered."""
    last = 1 if complete else 0
    points = [
        CodePoint("line", 13, 3, "block", 123456),
        CodePoint("branch", 14, 5, "if", 1000),
        CodePoint("branch", 14, 6, "else", 122456),
        CodePoint("line", 15, 7, "block", 1000),
        CodePoint("branch", 16, 10, "if", 122456),
        CodePoint("branch", 16, 11, "else", last),
        CodePoint("expression", 16, 10, "(valid_i[0]==0) => 0", 17),
        CodePoint("expression", 16, 10, "(valid_i[1]==1) => 0", last),
        CodePoint("line", 17, 7, "block", 122456),
        CodePoint("line", 19, 7, "block", 0, "a message that ends the simulation <never> & never"),
        CodePoint("toggle", 7, 23, "clk_i:0->1", 99),
        CodePoint("toggle", 7, 23, "clk_i:1->0", 99),
    ]
    points += [
        CodePoint("toggle", 8, 23, f"valid_i[{bit}]:{edge}", 7 if bit < 2 else last)
        for bit in range(8)
        for edge in ("0->1", "1->0")
    ]
    lines = [*SOURCE.splitlines(), f"// {'a long comment ' * 20}"]
    if not complete:
        points.append(CodePoint("line", 18, 5, "block", 0))
    twin = [CodePoint("line", 13, 3, "block", 5), CodePoint("toggle", 7, 23, "odd name", 5)]
    return [
        CodeFile("rtl/common/node.v", lines, points),
        CodeFile("rtl/leiserson/node.v", SOURCE.splitlines(), twin),
        CodeFile("rtl/leiserson-node.v", ["module empty; endmodule"], []),
    ]


def testpoints() -> list[Testpoint]:
    common = ("Every packet arrives.", "All permutations of a frame.", "Scoreboard: no fault.")
    rows = (
        ("rotators", "lbbvn", "Lemma 1", ["rotators"], 8, 0, 2, 20, 20),
        ("bit reversal", "lbbvn", "Lemma 5", ["frame", "permutation"], 16, 0, 2, 256, 240 + 16),
        ("reset while busy", "lbbvn", "requirement <r-12>", ["reset"], 6, 2, 2, 10, 12),
        ("not run", "lbbvn", "requirement", ["überlauf"], 0, 0, 0, 0, 5),
        ("off-line", "leiserson", "Theorem 1", ["offline"], 4, 0, 2, 0, 0),
    )
    return [
        Testpoint(name, network, source, *common, tests, ["occupancy"], p, f, s, covered, bins)
        for name, network, source, tests, p, f, s, covered, bins in rows
    ]


def claims() -> list[Claim]:
    rows = (
        (
            ("rotators", "Lemma 1", "Rotators need ⌈2^(n-j) - 2^(n-2j)⌉ lanes"),
            (HOLDS, found("4, 3, 2, 1", holds=True)),
        ),
        (
            ("bit reversal", "Lemma 5", "π_t fit in c_j lanes"),
            (HOLDS, found("every slot, N = 2 … 64", holds=True)),
        ),
        (
            ("off-line", "Theorem 1", "d ≤ 2 λ lg n <cycles>"),
            (CORRECTED, Measured(Figure("2 λ lg n + 2", False), Figure("2 & less", True))),
        ),
        (
            ("folded", "Section 4", "Nothing is reordered"),
            (HOLDS, found("17 packets reordered", holds=False)),
        ),
        (("partial", "Pippenger", "Any r/2 inputs pass"), (HOLDS, NOTHING)),
    )
    made = [
        Claim.judged((point, "lbbvn", source, says), *judged)
        for (point, source, says), judged in rows
    ]
    made[0].item, made[1].item = "A1", "A2"
    made[0].logs = ("README.md", "build/no/such/log", "README.md", "README.md")
    made[0].planted = "tests/tb/regress/test_claims.py -k nothing_lost"
    made.insert(1, replace(made[0], item="A2"))
    made[4].item, made[5].item = "A3", "A4"
    return made


def papers() -> list[Paper]:
    """Two papers; one has an item of every kind, with markup."""
    items = [
        Item("A1", "II, <Fig. 2>", "Rotators need lanes & more."),
        Item("A2", "II", "Lanes are lanes."),
        Item("A3", "III", "Order | `is` *kept*."),
        Item("A4", "III", "Inputs pass."),
        Item("A5", "III", "A tree has leaves.", check="rotators"),
        Item("A6", "III", "A tree has nodes.", check="tests/rtl/test_concentrator.py"),
        Item("A7", "III", "A tree has a root.", check="tests/rtl/none.py::test_it"),
        Item("A8", "IV", "It is green.", undecided="No <colour> is measured."),
    ]
    return [
        Paper("On <trees> & lanes", "A. Author 2013", items),
        Paper("Empty", "B. Author", [Item("B1", "I", "Nothing.", undecided="All of it.")]),
    ]


def pictures() -> list[Picture]:
    used = [0, 4, 2, 2, 0]
    return [
        Picture(
            "lbbvn, N = 16",
            "Rotators at the capacities of Lemma 1",
            tree_svg(lower_bound(4), used, "16-leaf fat-tree"),
        ),
        Picture("lbbvn, N = 64", "π_t", tree_svg(lower_bound(6), lower_bound(6), "64 leaves")),
        Picture("leiserson, N = 8", "no load <measured> & none", tree_svg(nonblocking(3))),
    ]


def evidence() -> Evidence:
    """Proofs, one of them failed, with a claim, a picture, and text that is markup."""
    return Evidence(
        kind="formal",
        title="Proofs",
        command="make formal",
        commit="2575736b1f0c",
        summary=["3 of 4 rules proved, <each> for all inputs."],
        columns=["rule", "property", "time"],
        rows=[["C1", MARKUP, "1.0 s"], ["C2", "outputs are filled | without a gap", "2.5 s"]],
        right=["time"],
        trouble=["node-4: rule C2: failed"],
        claims=[
            Claim.judged(
                ("area", "lbbvn", "Lemma 1", "degrees fall"), HOLDS, found("by 25 %", holds=True)
            )
        ],
        svg=tree_svg(lower_bound(2), [0, 1, 1], "4 leaves"),
        when="2026-11-21T15:36:07+00:00",
    )


def rich() -> Report:
    """Failures of every sort, holes, exclusions, a surprise, names that are markup."""
    tests = all_tests(seeds=3)
    spoil(tests[4], "misdelivered 3 packets", ["slot 1: 3 → 4", "slot 2: 3 → 5", MARKUP])
    spoil(tests[7], MARKUP, [f"slot {n}: lost on channel {n}" for n in range(40)])
    tests[7].replay = REPLAY
    tests[7].log, tests[7].waves = "README.md", "build/no/such/waves.vcd"
    spoil(tests[40], CONTROL, [CONTROL])
    vanished = spoil(tests[50], "the simulator left no result (killed by signal 9)", [])
    vanished.result = None
    report = Report(
        "nightly",
        4294967295,
        "make coverage TIER=nightly SEED=4294967295",
        "2026-11-21T15:36:07+00:00",
        4523.4,
        "2575736b1f0c",
        {"Verilator": "5.48.0", "Icarus Verilog": "11.0", "cocotb": "2.1.0", "Python": "3.11.2"},
        {"CPU": "an <ordinary> one & two cores", "Memory": "8 GB", "System": "Linux 6.1"},
        tests,
        testpoints(),
        claims(),
        [g for i, key in enumerate(CONFIGURATIONS) for g in groups_of(key, (0, 3, 14, 230)[i])],
        code(),
        pictures(),
        [
            Bucket("misdelivered # packets", 2, tests[4].replay),
            Bucket(MARKUP, 1, REPLAY),
            Bucket("the simulator left no result (killed by signal #)", 1, tests[50].replay),
        ],
        [
            "functional coverage is 94.1 %, the goal is 100 % <reachable>",
            "exclusion rtl/common/node.v:99 matches nothing",
        ],
        missing=4,
        evidence=[evidence()],
        papers=papers(),
    )
    return report


def green() -> Report:
    """All is well: no failure, no hole."""
    report = rich()
    report.tests = all_tests(seeds=1)
    report.testpoints = [t for t in report.testpoints if not t.failed and t.passed]
    report.claims = [claim for claim in report.claims if claim.verdict in (HOLDS, CORRECTED)]
    for group in report.groups:
        group.hits = [
            (hits or 1) if reachable else 0
            for hits, reachable in zip(group.hits, group.reachable, strict=True)
        ]
    report.code = code(complete=True)
    report.buckets, report.problems, report.missing = [], [], 0
    report.evidence[0].trouble = []
    return report


def empty() -> Report:
    """Nothing was run."""
    return Report("smoke", 0, "make regress", "2026-11-21T15:36:07Z", 0.0, "", {}, {}, [])


def large() -> Report:
    """About a thousand tests, 160 groups of 20 configurations, a file of 1500 lines."""
    report = rich()
    names = [f"n{2**n}-{kind}" for n in range(1, 11) for kind in ("a", "b")]
    keys = list(itertools.product(("lbbvn", "leiserson"), names))
    report.tests = [
        make_test(key, sim, scenario, seed)
        for key in keys
        for sim in ("verilator", "icarus")
        for scenario in SCENARIOS["lbbvn"]
        for seed in range(1, 4)
    ]
    for test in report.tests[::37]:
        spoil(test, "lost 3 packets", ["slot 1: lost"])
    report.testpoints = [
        Testpoint(f"{network} {i}", network, "Lemma", "g", "s", "c", ["frame"], [], 3, 0, 3, 9, 9)
        for i in range(60)
        for network in ("lbbvn", "leiserson")
    ]
    report.groups = [group for key in keys for group in groups_of(key, 0)]
    lines = SOURCE.splitlines() * 70
    points = [CodePoint("line", n, 1, "block", n % 7) for n in range(1, len(lines))]
    report.code.append(CodeFile("rtl/large.v", lines, points))
    return report
