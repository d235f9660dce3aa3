"""The registry of what the papers say: complete, and every item decided by what there is."""

import re
from dataclasses import replace

import pytest

from fattree_bench.bench.claims import CORRECTED
from fattree_bench.claims import planned
from fattree_bench.papers.registry import Item, items, papers
from fattree_bench.paths import ROOT
from fattree_bench.testplan import read

COUNTS = {"L": 104, "B": 45, "S": 68, "O": 37, "F": 19}  # items by paper


@pytest.fixture(scope="module")
def plan():
    return read()


@pytest.fixture(scope="module")
def claimed(plan) -> set[str]:
    """Numbers that a claim decides."""
    return {claim.item for claim in planned(plan)}


def deciders(item: Item, claimed: set[str]) -> list[str]:
    """What decides an item, by kind."""
    kinds = {"claim": item.number in claimed, "check": item.check}
    kinds |= {"undecided": item.undecided}
    return [name for name, there in kinds.items() if there]


def exists(check: str, testpoints: set[str]) -> bool:
    """Whether a testpoint, a pytest file or a test of one has this name."""
    file, _, name = check.partition("::")
    if not check.startswith("tests/"):
        return check in testpoints
    path = ROOT / file
    words = rf"^def {name}\(" if name else "^def test_"
    return path.is_file() and bool(re.search(words, path.read_text(encoding="utf-8"), re.M))


def test_every_number_is_there_once() -> None:
    numbers = [item.number for paper in papers() for item in paper.items]
    assert sorted(numbers) == sorted(f"{x}{n + 1}" for x in COUNTS for n in range(COUNTS[x]))
    for paper in papers():
        assert len({item.number[0] for item in paper.items}) == 1, paper.title
        places = [int(item.number[1:]) for item in paper.items]
        assert places == sorted(places), paper.title


def test_every_item_is_told_in_a_sentence() -> None:
    for item in items().values():
        for text in filter(None, (item.says, item.undecided)):
            assert text.endswith(".") and "\n" not in text, item.number
        assert item.section, item.number


def test_every_item_is_decided_in_one_way(claimed) -> None:
    wrong = {i.number: d for i in items().values() if len(d := deciders(i, claimed)) != 1}
    assert wrong == {}


def test_claims_of_one_item_expect_one_verdict(plan) -> None:
    """Those of engines, too; a correction has its sentence."""
    verdicts: dict[str, set[str]] = {}
    for claim in planned(plan):
        verdicts.setdefault(claim.item, set()).add(claim.expected)
        assert bool(claim.corrected) == (claim.expected == CORRECTED), claim.testpoint
    verdicts.pop("")
    assert {item for item, found in verdicts.items() if len(found) > 1} == set()


def test_what_is_to_decide_is_there(plan) -> None:
    checks = {i.number: i.check for i in items().values() if i.check}
    wrong = {n: check for n, check in checks.items() if not exists(check, set(plan.testpoints))}
    assert wrong == {}


def test_every_night_runs_what_is_to_decide(plan) -> None:
    nightly = [p for p in plan.testpoints.values() if "nightly" in p.tiers]
    run = {check for p in nightly for check in p.checks} | {p.name for p in nightly}
    checks = {item.check for item in items().values() if item.check}
    assert {c for c in checks if not {c, c.partition("::")[0]} & run} == set()


def test_errors_are_planted_in_every_measure(plan) -> None:
    """By cases of its own, which tests/tb/regress/test_claims.py holds to turn its figures."""
    measures = {claim.measure for _, claim, _ in plan.expected()}
    for claim in planned(plan):
        file, _, measure = claim.planted.partition(" -k ")
        assert exists(file, set()) and (measure in measures or not measure), claim.testpoint


def test_what_is_wrong_is_seen(plan, claimed) -> None:
    item = items()["L8"]
    assert deciders(item, claimed) == ["check"]
    assert deciders(item, {"L8"}) == ["claim", "check"]
    assert deciders(replace(item, check=""), claimed) == []
    assert deciders(replace(item, undecided="No."), claimed) == ["check", "undecided"]
    points = set(plan.testpoints)
    assert exists("lemma 1", points) and exists("tests/tb/papers/test_registry.py", points)
    here = "tests/tb/papers/test_registry.py::test_every_number_is_there_once"
    assert exists(here, points) and not exists(f"{here}_more", points)
    assert not exists("lemma 11", points) and not exists("tests/tb/papers/none.py", points)
