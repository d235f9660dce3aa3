"""The search, with a function in the place of the simulator, and with brute force."""

import itertools
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fattree_bench.bench.failure import Failure, Place, Sighting
from fattree_bench.bench.links.flit.pauses import Pauses, runs
from fattree_bench.bench.result import ScenarioResult
from fattree_bench.shrink.case import Case, joined
from fattree_bench.shrink.ddmin import ddmin, least
from fattree_bench.shrink.search import Search, Spent, moved, smaller
from fattree_bench.shrink.tries import Way, way_of
from fattree_bench.sim.outcome import Outcome
from fattree_models.traffic import read_packets

FLITS = ("source", "destination", "release", "flits", "kind")
LOST = Way("lost", "", "leaf 2")


@given(st.sets(st.frozensets(st.integers(0, 11), min_size=1), min_size=1, max_size=4))
def test_ddmin_leaves_nothing_that_can_be_left_out(causes: set[frozenset[int]]) -> None:
    def fails(parts: list[int]) -> bool:
        assert 0 < len(parts) < 12
        assert parts == sorted(parts)
        return any(cause <= set(parts) for cause in causes)

    left = ddmin(range(12), fails)
    assert any(cause <= set(left) for cause in causes)
    if len(left) > 1:
        assert not any(fails([x for x in left if x != y]) for y in left)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40))
def test_least_of_what_fails_from_a_number_on(high: int, low: int, limit: int) -> None:
    high, low = max(high, low), min(high, low)
    limit = min(limit, high)
    assert least(high, low, lambda x: x >= limit) == max(low, limit)


def test_least_stops_where_one_less_passes() -> None:
    bad = {20, 19, 18, 5}
    assert least(20, 0, bad.__contains__) in {18, 5}


def outcome(kind: str, place: int, time: int | None = None, example: str = "x") -> Outcome:
    first = Sighting(kind, example, time=time, place=Place("leaf", place))
    result = ScenarioResult("file", {kind: 1}, sent=1, failure=Failure(first=first))
    return Outcome(results=[result])


class Fake(Search):
    """Fails as a function of the case says."""

    def play(self, case: Case) -> tuple[Way | None, Outcome]:
        self.simulators.tries += 1
        found = self.given["fails"](case)  # type: ignore[operator]
        return (None, Outcome()) if found is None else (way_of(found), found)


def search(fails: Any, way: Way = LOST, budget: float = 1.0) -> Fake:
    simulators: Any = SimpleNamespace(spent=0.0, tries=0, folder=Path())
    return Fake(simulators, {"fails": fails}, way, budget, 4)


def shrink(one: Search, case: Case) -> Case:
    """All but smaller networks."""
    assert one.fails(case)
    one._guess()
    one._rounds()
    return one.best


MANY = Case(
    FLITS,
    tuple(
        (s, d, 7 * k, 3 + k % 4, 0)
        for k, (s, d) in enumerate(itertools.product(range(4), range(4)))
    ),
)


def test_two_messages_that_meet() -> None:
    def fails(case: Case) -> Outcome | None:
        pairs = [m[:2] for m in case.messages]
        long = [m for m in case.messages if m[3] >= 2]
        if (0, 2) in pairs and (1, 2) in pairs and long:
            return outcome("lost", 2, max(case.column("release")))
        return None

    one = search(fails)
    found = shrink(one, MANY)
    assert sorted(m[:3] for m in found.messages) == [(0, 2, 0), (1, 2, 0)]
    assert sorted(found.column("flits")) == [1, 2]
    assert (one.unproved, one.otherwise) == (0, 0)


def test_a_fault_of_another_kind_rule_or_place_is_not_the_same() -> None:
    """A lone message makes another fault, one at another leaf, or breaks another rule."""

    def fails(case: Case) -> Outcome | None:
        pairs = {m[:2] for m in case.messages}
        if {(0, 2), (1, 2), (3, 3)} <= pairs:
            return outcome("lost", 2)
        if {(0, 2), (1, 2)} <= pairs:
            return outcome("corrupted", 2)
        return outcome("lost", 1) if (0, 2) in pairs else None

    one = search(fails)
    assert {m[:2] for m in shrink(one, MANY).messages} == {(0, 2), (1, 2), (3, 3)}
    assert one.unproved == 0
    assert one.otherwise == 2
    held, gone = (way_of(outcome("protocol", 1, 3, f"clock 3: leaf 1: {x}")) for x in ("a 7", "b"))
    assert held == Way("protocol", "a #", "leaf 1")
    assert held != gone


def test_at_the_start_another_place_will_do_but_not_another_rule() -> None:
    one = search(lambda case: outcome("lost", 1) if len(case.messages) > 3 else None)
    assert one.begin([MANY.only(MANY.messages[:3]), MANY])
    assert one.way == Way("lost", "", "leaf 1")
    assert one.best == MANY
    other = search(lambda case: outcome("corrupted", 2))
    assert not other.begin([MANY])
    assert other.way == LOST
    assert other.outcome is None


def test_pauses_and_settings_go_if_they_can() -> None:
    def fails(case: Case) -> Outcome | None:
        blocked = {a + i for leaf, a, n in case.pauses for i in range(n) if leaf == 2}
        answered = ("corners", "True") in case.settings
        return outcome("lost", 2, 40) if {8, 9, 10} <= blocked and answered else None

    many = tuple((leaf, at, 4) for leaf in range(4) for at in range(0, 40, 5))
    case = MANY.put("pauses", many).put("settings", [("alone", "True"), ("corners", "True")])
    assert search(fails).fails(case) is False
    case = case.put("pauses", [(2, 6, 9), *many])
    found = shrink(search(fails), case)
    assert found.pauses == ((2, 8, 3),)
    assert found.settings == (("corners", "True"),)
    assert len(found.messages) == 1


def test_the_budget_ends_it_and_the_best_stays() -> None:
    def fails(case: Case) -> Outcome | None:
        one.simulators.spent += 0.3  # type: ignore[misc]
        return outcome("lost", 2)

    one = search(fails)
    with pytest.raises(Spent):
        shrink(one, MANY)
    assert one.best != MANY
    assert one.best.messages
    assert one.unproved > 0


def test_what_was_sent_is_one_item_or_all() -> None:
    def item(at: int, *rows: list[int]) -> dict[str, Any]:
        return {"columns": FLITS, "messages": [*rows], "settings": {"alone": "True"}, "at": at}

    lines = [item(0, [0, 1, 2, 1, 0]), {"pauses": [[3, 4, 2]]}, item(30, [1, 0, 5, 2, 0])]
    last, every = joined(lines, "uniform")
    assert last.messages == ((1, 0, 5, 2, 0),)
    assert every.messages == ((0, 1, 2, 1, 0), (1, 0, 35, 2, 0))
    assert every.pauses == ((3, 4, 2),)
    assert joined([item(0)], "uniform") == []


def test_files_are_read_back(tmp_path: Path) -> None:
    case = MANY.put("pauses", [(2, 5, 3)]).put(
        "settings", [("answers", "Answers(flits=2, limit=4)")]
    )
    case.write(tmp_path)
    packets = read_packets(tmp_path / "packets.csv", 4)
    assert packets.release.tolist() == sorted(MANY.column("release"))
    text = (tmp_path / "shrunk.py").read_text()
    compile(text, "shrunk.py", "exec")
    assert "import Answers, PacketSet" in text
    case.bare.write(tmp_path)
    assert not (tmp_path / "shrunk.py").exists()


def test_pauses_by_clock() -> None:
    waits = {2: [7, 3, 4], 0: [9]}
    assert runs(waits) == [(0, 9, 1), (2, 3, 2), (2, 7, 1)]
    rows = Pauses(tuple(runs(waits))).rows(4, 4, 3)
    assert np.argwhere(rows).tolist() == [[0, 2], [3, 2]]


def test_smaller_networks() -> None:
    assert list(smaller("8")) == ["1", "2", "4"]
    assert list(smaller("4,2")) == ["1,2", "2,2", "4,1"]
    assert list(smaller("NCA")) == []
    case = Case(FLITS, ((1, 6, 0, 1, 0),), ((6, 2, 1),))
    ends = [(c.messages[0][:2], c.pauses[0][0]) for c in moved(case, 4)]
    assert ends == [((0, 1), 1), ((1, 2), 2), ((0, 3), 3)]
