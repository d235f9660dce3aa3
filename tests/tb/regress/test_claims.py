"""What claims make of results: each measure on figures that agree, that contradict, on none."""

import ast
import importlib
import json
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fattree_bench import families
from fattree_bench.bench import claims
from fattree_bench.bench.claims import (
    CORRECTED,
    DECIDED,
    FAILS,
    HOLDS,
    NOTHING,
    READING,
    UNMEASURED,
    Claim,
    Control,
    Figure,
    Measured,
    nothing_lost,
)
from fattree_bench.bench.expressions import Comparison, Expression
from fattree_bench.bench.result import Column, Quantity, ScenarioResult, Test
from fattree_bench.bench.revive import revived
from fattree_bench.claims import judge
from fattree_bench.errors import UserError
from fattree_bench.testplan import MEASURES, ClaimEntry, ControlEntry, TestpointEntry, claim_entry
from tests.tb.families.claim_case import Cases, fails, holds, undecided


def ran(lost: int = 0, leaves: int = 16, sent: int = 256, passed: bool = True) -> Test:
    result = ScenarioResult(
        "frame",
        steps=25,
        sent=sent,
        delivered=sent - lost,
        figures={"leaves": Quantity(leaves, "leaves")},
    )
    return Test("lbbvn", "tree", {}, "icarus", 1, "frame", passed, result)


def check(case: str = "test_all[0]", file: str = "tests/rtl/test_graph.py", passed: bool = True):
    return Test("lbbvn", file, {}, "pytest", 0, case, passed)


def planned() -> Iterator[ClaimEntry]:
    """The claims of all testplans; their configurations would take seconds to read."""
    given = dict(families.offered("claims", "CONSTANTS"))
    shared = families.FOLDER.parent.glob("bench/**/testplan.toml")
    for file in (*families.FOLDER.glob("*/testplan*.toml"), *shared):
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        constants = given.get(file.parent.name, {}) | data.get("constants", {})
        for name, point in data["testpoint"].items():
            stated = point.get("claim", [])
            for entry in [stated] if isinstance(stated, dict) else stated:
                yield claim_entry(entry, name, constants)


CLAIMS = [*planned()]
STATED = {c.measure: c.figures for c in CLAIMS if isinstance(c.figures, Comparison)}
COMPARISONS = {name: one for name, one in STATED.items() if not one.of}
OF_RESULTS = MEASURES | {name: one for name, one in STATED.items() if one.of}

# Those of a family lie in its folder.
SHARED_CASES: Cases = {
    "nothing_lost": (
        holds("0 of 512 packets lost in 50 slots, N = 4, 16", ran(), ran(leaves=4)),
        fails("3 of 512 packets lost", ran(), ran(3, 4)),
        holds(
            "0 of 1\N{NO-BREAK SPACE}712 packets lost in 75 slots, N = 4 … 16",
            *(ran(leaves=4, sent=1200), ran(leaves=8), ran(leaves=16)),
        ),
        undecided(check()),
    ),
    "proofs": (
        holds("1 of 1 check passed (graph)", check()),
        holds(
            "3 of 3 checks passed (graph, lemma_4)",
            *(check(), check("b"), check(file="tests/models/test_frame.py::test_lemma_4")),
        ),
        fails("1 of 2 checks passed (graph)", check(), check("b", passed=False)),
        undecided(ran()),
    ),
}
CASES: list[tuple[str, list[Test], str, str]] = [
    (measure, [*case.tests], case.verdict, case.text)
    for cases in (
        SHARED_CASES,
        *(
            importlib.import_module(f"tests.tb.families.{family}.claim_cases").CASES
            for family in families.FAMILIES
            if families.has(family, "claims")
        ),
    )
    for measure, of_measure in cases.items()
    for case in of_measure
]


@pytest.mark.parametrize(("measure", "tests", "verdict", "text"), CASES)
def test_measures(measure: str, tests: list[Test], verdict: str, text: str) -> None:
    measured = OF_RESULTS[measure](tests)
    assert measured.verdict == verdict
    assert text in measured.text
    assert bool(measured.text) == (verdict != UNMEASURED)
    for figure in (measured.printed, *measured.others, measured.corrected or Figure("")):
        assert len(figure.text) <= 130


@pytest.mark.parametrize("measure", OF_RESULTS)
def test_every_figure_has_turned_both_ways(measure: str) -> None:
    made = [OF_RESULTS[measure](case[1]) for case in CASES if case[0] == measure]
    assert {m.printed.holds for m in made} == {True, False, None}
    corrected = {m.corrected.holds for m in made if m.corrected is not None}
    assert corrected in (set(), {True, False})
    assert OF_RESULTS[measure]([]) == NOTHING


# ---- measures of testplans -----------------------------------------------------------------------

FAMILIES = Path(__file__).parents[1] / "families"
Rows = list[dict[str, float]]
SAMPLES: dict[str, Any] = {
    name: sample
    for file in FAMILIES.glob("*/recorded*.toml")
    for name, sample in tomllib.loads(file.read_text(encoding="utf-8")).items()
}


def left(rows: Rows) -> list[Test]:
    """A check by pytest for each row, and the numbers that it has left."""
    return [Test("x", "a.py", {}, "pytest", 0, "case", True, recorded=row) for row in rows]


def others(rows: Rows, name: str) -> Iterator[Rows]:
    """The same with other values of one number: in one row, or in all."""
    values = {value for row in rows for value in row.values()}
    for at, row in enumerate(rows):
        if name in row:
            old = row[name]
            near = {old + 1, old - 1, -old, *(old * by for by in (0.1, 0.5, 0.9, 1.2, 2, 9))}
            for value in sorted(values | near):
                yield [*rows[:at], {**row, name: value}, *rows[at + 1 :]]
                yield [{**one, name: value} if name in one else one for one in rows]


@pytest.mark.parametrize("name", COMPARISONS)
def test_what_it_says(name: str) -> None:
    """Of numbers by which it is what we hold it to be; and nothing if one of them is missing."""
    sample, measure = SAMPLES[name], COMPARISONS[name]
    held = next(claim.verdict for claim in CLAIMS if claim.measure == name)
    found = measure(left(sample["rows"]))
    assert (found.text, found.verdict) == (sample["says"], held)
    for figure in filter(None, (found.printed, found.corrected)):
        assert len(figure.text) <= 130
    for number in measure.names:
        rest = [{k: v for k, v in row.items() if k != number} for row in sample["rows"]]
        assert measure(left(rest)) == NOTHING
    assert measure([]) == NOTHING


def conditions() -> Iterator[Any]:
    for name, measure in COMPARISONS.items():
        for statement in measure.statements:
            for condition in statement.holds:
                for number in sorted(condition.names & measure.names):
                    yield pytest.param(name, condition, number, id=f"{name}-{number}")


@pytest.mark.parametrize(("name", "condition", "number"), [*conditions()])
def test_every_number_can_turn_it(name: str, condition: Expression, number: str) -> None:
    """Each condition that names a number comes out otherwise for another value of it."""
    rows, measure = SAMPLES[name]["rows"], COMPARISONS[name]
    truths = set()
    for each in (rows, *others(rows, number)):
        columns = measure.columns(left(each))
        if columns is not None:
            truths.add(_truth(condition, columns))
    assert {True, False} <= truths


def _truth(condition: Expression, columns: Any) -> bool | None:
    """None: these numbers make no sense, which the measure reports."""
    try:
        return condition.truth(columns)
    except UserError:
        return None


@pytest.mark.parametrize("name", COMPARISONS)
def test_every_figure_turns_both_ways(name: str) -> None:
    rows, measure = SAMPLES[name]["rows"], COMPARISONS[name]
    for statement in measure.statements:
        fewer = [[*rows[:at], *rows[at + 1 :]] for at in range(len(rows))]
        changed = [each for number in measure.names for each in others(rows, number)]
        truths = set()
        for each in (rows, *fewer, *changed):
            columns = measure.columns(left(each))
            if columns is not None:
                truths.add(all(_truth(one, columns) for one in statement.holds))
        assert truths == {True, False}


def test_every_sample_is_of_a_measure() -> None:
    assert set(SAMPLES) == set(COMPARISONS)


# ---- all measures -------------------------------------------------------------------------------


def test_names_of_measures_are_their_own() -> None:
    modules = (claims, *families.parts("claims"))
    assert len(MEASURES) == sum(len(claims.measures(module)) for module in modules)


def test_a_measure_is_a_function_of_tests_that_its_module_shows() -> None:
    module = ModuleType("module")
    lines = [
        "from fattree_bench.bench.claims import NOTHING, Measured, nothing_lost",
        "def shown(tests) -> Measured: return NOTHING",
        "def _hidden(tests) -> Measured: return NOTHING",
        "def part(tests, of) -> Measured: return NOTHING",
        "def other(tests) -> int: return 0",
    ]
    exec("\n".join(lines), vars(module))
    assert [*claims.measures(module)] == ["shown"]


@pytest.mark.parametrize("measure", MEASURES | STATED)
def test_a_result_without_a_table_says_nothing(measure: str) -> None:
    test = ran()
    test.result.figures.clear()
    assert (MEASURES | STATED)[measure]([test]) == NOTHING


@pytest.mark.parametrize("family", families.FAMILIES)
def test_measures_know_numbers_alone(family: str) -> None:
    """They take nothing from engines, and no part of a text: results have numbers for all."""
    folder = families.FOLDER / family
    for path in (*folder.glob("claims*.py"), *folder.glob("claims/*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        nodes = list(ast.walk(tree))
        modules = [n.module or "" for n in nodes if isinstance(n, ast.ImportFrom)]
        own = {name.split(".")[1] for name in modules if name.startswith("fattree_bench.")}
        assert own <= {"bench", "families", "words"}, path
        reads = {"isdigit", "startswith", "endswith", "split", "find", "search", "match"}
        called = {n.attr for n in nodes if isinstance(n, ast.Attribute)}
        assert not called & reads, path


@pytest.mark.parametrize("text", ["3 … 5", "wires", "1"])
def test_results_hold_no_text_where_numbers_belong(text: str) -> None:
    with pytest.raises(TypeError, match=f"'{text}' is not a number"):
        Column("lanes", [1, text])
    with pytest.raises(TypeError, match=f"'{text}' is not a number"):
        Quantity(text, "lanes")


YES, NO, OPEN = Figure("a", True), Figure("b", False), Figure("")
VERDICTS = [
    (Measured(YES), HOLDS),
    (Measured(NO), FAILS),
    (Measured(OPEN), UNMEASURED),
    (Measured(YES, YES), HOLDS),
    (Measured(YES, NO), HOLDS),
    (Measured(NO, YES), CORRECTED),
    (Measured(NO, NO), FAILS),
    (Measured(NO, OPEN), UNMEASURED),
    (Measured(OPEN, YES), UNMEASURED),
    (Measured(NO, others=(YES,)), READING),
    (Measured(YES, others=(YES, NO)), READING),
    (Measured(YES, others=(YES,)), HOLDS),
    (Measured(NO, others=(NO,)), FAILS),
    (Measured(NO, others=(OPEN, YES)), UNMEASURED),
]
assert Measured(NO, others=(YES,)).text == "no: b; yes: a"
ABOUT = "point", "lbbvn", "Lemma 5", "it fits"


@pytest.mark.parametrize("expected", DECIDED)
@pytest.mark.parametrize(("measured", "verdict"), VERDICTS)
def test_a_contradiction_is_trouble(measured: Measured, verdict: str, expected: str) -> None:
    """In any direction: what holds as printed is not corrected, and the other way round."""
    claim = Claim.judged(ABOUT, expected, measured)
    same = verdict in (expected, UNMEASURED)
    trouble = "" if same else f"{verdict}; expected: {expected}"
    assert claim == Claim(*ABOUT, measured, verdict, trouble, expected)
    claim.item, claim.logs, claim.controls = "B33", ("build/a.log",), (Control("c", measured),)
    assert revived(Claim, json.loads(json.dumps(asdict(claim)))) == claim


def entry(expected: str = HOLDS, **has: Any) -> ClaimEntry:
    return ClaimEntry("it fits", "nothing_lost", nothing_lost, expected, **has)


def judged(tests: list[Test], expected: str = HOLDS, **controls: list[Test]) -> Claim:
    claims = [Claim.judged(ABOUT, expected, NOTHING, "B33")]
    made = entry(expected, controls={name: ControlEntry(POINT, {}) for name in controls})
    (claim,) = judge(claims, made, tests, controls)
    return claim


POINT = TestpointEntry("point", "lbbvn", *"sgfc", ("frame",), ("nightly",))


def test_a_claim_is_judged_by_its_measure() -> None:
    assert judged([ran(1)], FAILS).measured.text.startswith("1 of 256 packets lost")
    assert [judged([ran(lost)]).verdict for lost in (0, 1)] == [HOLDS, FAILS]
    assert [judged([ran(lost)]).trouble for lost in (0, 1)] == ["", "fails; expected: holds"]
    logged = replace(ran(), log="build/runs/a/log")
    claim = judged([logged, logged, ran()])
    assert (claim.item, claim.logs) == ("B33", ("build/runs/a/log",))


@pytest.mark.parametrize(
    ("expected", "lost", "control", "trouble"),
    [
        (HOLDS, 0, [ran(1)], ""),
        (HOLDS, 0, [ran(1, passed=False)], ""),
        (HOLDS, 0, [ran(0)], "control lane: holds; must be: fails"),
        (HOLDS, 0, [], "control lane: not measured; must be: fails"),
        (HOLDS, 1, [ran(0)], "fails; expected: holds; control lane: holds; must be: fails"),
        (FAILS, 1, [ran(0)], ""),
        (FAILS, 1, [ran(1)], "control lane: fails; must be: holds"),
    ],
)
def test_a_control_must_come_out_otherwise(
    expected: str, lost: int, control: list[Test], trouble: str
) -> None:
    claim = judged([ran(lost)], expected, lane=control)
    assert claim.trouble == trouble
    assert (claim.verdict == UNMEASURED) == ("control" in trouble)
    assert [one.name for one in claim.controls] == ["lane"]


def test_a_control_may_be_other_numbers_of_the_same_check() -> None:
    stated = {"figure": "{max(steps):g} steps", "holds": ["max(steps) < 9"]}
    measure = Comparison(stated, "claim", {})
    tests = [replace(check(), recorded={"steps": 3, "steps_of_array": 30})]
    swap = ControlEntry(POINT, {"steps": "steps_of_array"})
    made = replace(entry(), figures=measure, controls={"array": swap})
    (claim,) = judge([Claim.judged(ABOUT, HOLDS, NOTHING)], made, tests, {"array": tests})
    assert (claim.trouble, claim.verdict) == ("", HOLDS)
    assert claim.controls == (Control("array", Measured(Figure("30 steps", False))),)
    assert tests[0].recorded["steps"] == 3


@pytest.mark.parametrize("expected", DECIDED)
def test_a_failed_test_measures_nothing(expected: str) -> None:
    """A broken design refutes no lemma; the run fails by its test all the same."""
    claim = judged([ran(), ran(), ran(9, passed=False)], expected)
    assert claim.measured.text == "1 of 3 tests failed"
    for one in (claim, judged([])):
        assert (one.verdict, one.trouble) == (UNMEASURED, "")


def test_passed_tests_that_leave_no_numbers_are_trouble() -> None:
    claim = judged([check()])
    assert claim.verdict == UNMEASURED
    assert claim.trouble == "its tests passed and left nothing to measure it by"
    measure = Comparison({"figure": "{max(pairs) + max(loops)}", "holds": ["True"]}, "claim", {})
    tests = [replace(check(), recorded={"pairs": 3})]
    made = replace(entry(), figures=measure)
    (claim,) = judge([Claim.judged(ABOUT, HOLDS, NOTHING)], made, tests, {})
    assert claim.trouble == "no test recorded loops"
