"""CLOSE=1: the choice of tests and stimulus by open bins, with stand-ins for simulations."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from fattree_bench.bench import chosen
from fattree_bench.bench.groups import Group, numbered
from fattree_bench.bench.links.flit.directed import Directed
from fattree_bench.bench.result import ScenarioResult, Test
from fattree_bench.bench.scenario import Stimulus, generator
from fattree_bench.bench.sequence import Pulled
from fattree_bench.bench.wormhole.traffic import SENDERS
from fattree_bench.cli import main
from fattree_bench.families import cover_groups, find
from fattree_bench.jobs.pool import Task
from fattree_bench.regress.chooser import Arm, Chooser
from tests.cli import FRAMES
from tests.tb.jobs.quick import QuickPool, installed

# ---- the chooser alone: one test in ten hits anything, each a group of its own -------------------

GROUPS = {name: Group(name, (numbered("bin", 8),)) for name in "abc"}
TESTS = {f"test {number}": set[str]() for number in range(30)} | {"test 5": {"a"}}
HITS = {"test 5": "a", "test 15": "b", "test 25": "c"}
CLOCKS = 100
LUCK = 3  # of 8 bins that a run hits
CLOSELY = 80  # runs: each test once, those that hit something a few times


class Blind(Chooser):
    """Planted: it ignores what is covered."""

    def chances(self, arm: Arm) -> Any:
        return np.ones(len(self.groups))


def closed(kind: type[Chooser], seed: int = 1) -> list[str]:
    """The tests that are chosen until every bin is hit."""
    rng, luck = np.random.default_rng(seed), np.random.default_rng(99)
    bins = {name: group.reachable for name, group in GROUPS.items()}
    made, ran = kind(GROUPS, bins, TESTS, [10], {}, rng), []
    while made.left and not made.dried_up() and len(ran) < 1000:
        for arm in made.choose(4):
            ran.append(arm.test)
            made.learn(arm, hits(arm.test, luck), CLOCKS)
    assert not made.left
    return ran


def hits(test: str, luck: np.random.Generator) -> dict[str, str]:
    if test not in HITS:
        return {}
    group = Group(HITS[test], (numbered("bin", 8),))
    group.hits[luck.permutation(8)[:LUCK]] = 1
    return chosen.packed({HITS[test]: group})


def needs_few(kind: type[Chooser]) -> None:
    assert np.mean([len(closed(kind, seed)) for seed in range(5)]) < CLOSELY


def test_what_hits_is_run_again_and_what_does_not_is_not() -> None:
    needs_few(Chooser)
    assert "test 5" in closed(Chooser)[:4]  # it says that it closes a group


def test_a_chooser_that_ignores_coverage_is_found() -> None:
    with pytest.raises(AssertionError):
        needs_few(Blind)


def test_the_seed_decides() -> None:
    assert closed(Chooser, 7) == closed(Chooser, 7) != closed(Chooser, 8)


# ---- the command -------------------------------------------------------------------------------

PLAN = """
[configurations]
tree-4 = { network = "lbbvn", variables = "N=4", smoke = { sims = ["icarus"] } }
tree-2 = { network = "lbbvn", variables = "N=2 CONTROL=SCHEDULED", smoke = {} }
"""
PLAN += (
    f'{FRAMES}tests = ["frame", "payloads"]\ncoverage = ["frame x slot", "conflict in a slot"]\n'
)
FRAME, CONFLICT = "frame x slot", "conflict in a slot"


class Hitting(QuickPool):
    """Each test hits all bins but `missed` of the frames, and what nothing can hit if `wrong`."""

    missed: ClassVar[int] = 0
    wrong: ClassVar[bool] = False
    failing: ClassVar[Sequence[str]] = ()

    def result(self, task: Task) -> dict[str, Any]:
        if task.payload["kind"] == "build":
            return {"seconds": 1.0}
        assert task.payload["values"]["STIMULUS"]
        tests = [self.test(task.payload, name) for name in task.payload["scenarios"]]
        return {"tests": tests, "hits": [], "code": []}

    def test(self, payload: Mapping[str, Any], name: str) -> dict[str, Any]:
        values, groups = (
            payload["values"],
            cover_groups(find("lbbvn").from_variables(payload["variables"])),
        )
        for group in groups:
            group.hits[...] = group.reachable | self.wrong
            if group.name == FRAME:
                group.hits.reshape(-1)[: self.missed] = 0
        result = ScenarioResult(name, sent=4, delivered=4, steps=10)
        result.bins = chosen.packed({group.name: group for group in groups})
        about = payload["configuration"], payload["variables"], values["SIM"]
        passed = name not in self.failing
        return asdict(Test("lbbvn", *about, int(values["SEED"]), name, passed, result))


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> type[Hitting]:
    return installed(Hitting, monkeypatch)


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    """A regression of this plan in a folder of its own."""
    (tmp_path / "plan.toml").write_text(PLAN)
    own = [f"BUILD={tmp_path / 'build'}", f"TESTPLAN={tmp_path / 'plan.toml'}"]
    return ["regress", "CLOSE=1", "SHRINK=0", *own]


def ran(pool: type[Hitting]) -> list[str]:
    return [task.key for task in pool.ran]


def test_it_ends_when_all_is_hit(
    pool: type[Hitting], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    told = capsys.readouterr().out
    assert "tree-4: every bin that counts was hit in 10 clocks, 1 run" in told
    reason = "settings are made of slots without conflicts, others are refused"
    assert f"unreachable: {CONFLICT}: 1 bin: {reason}" in told
    assert "HIT" not in told and len(pool.ran) == 2


def test_what_is_never_hit_is_not_called_unreachable(
    pool: type[Hitting], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    pool.missed = 1
    assert main([*words, "NETWORK=lbbvn"]) == 0
    told = capsys.readouterr().out
    assert "tree-4: 1 bin not hit in 30 clocks, 3 runs" in told
    assert f"not hit in 30 clocks, 3 runs: {FRAME}: bit-reverse shifts x 0" in told


def test_a_bin_declared_unreachable_that_is_hit_is_named(
    pool: type[Hitting], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    pool.wrong = True
    main(words)
    reason = "settings are made of slots without conflicts, others are refused"
    assert f"HIT, although excluded: {CONFLICT}: yes: {reason}" in capsys.readouterr().out


def test_it_continues_where_it_was_interrupted(pool: type[Hitting], words: list[str]) -> None:
    pool.missed, pool.last = 1, 1
    assert main(words) == 130
    first, pool.last = ran(pool), 1000
    pool.ran.clear()
    assert main(["regress", words[3], "SHRINK=0", "RESUME=1"]) == 0
    assert len(first) == 1 and not {*first} & {*ran(pool)} and len(pool.ran) == 5


def test_earlier_coverage_is_not_closed_again(
    pool: type[Hitting], words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    report = tmp_path / "build/regress/report/coverage.json"
    data = json.loads(report.read_text())
    for group in data["groups"]:
        group["hits"] = [1] * len(group["hits"])
    (tmp_path / "old.json").write_text(json.dumps(data))
    pool.ran.clear()
    capsys.readouterr()
    assert main([*words, f"MERGE={tmp_path / 'old.json'}"]) in (0, 1)
    assert not pool.ran and "was hit in 0 clocks, 0 runs" in capsys.readouterr().out


def test_a_test_that_failed_is_not_chosen_again(
    pool: type[Hitting], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    pool.missed, pool.failing = 1, ("payloads",)
    assert main(words) == 1
    assert sum("payloads" in task.payload["scenarios"] for task in pool.ran) <= 4  # reruns too
    capsys.readouterr()
    assert main([words[0], *words[2:4], "FAILED=1"]) == 2
    assert "the last run was with CLOSE=1" in capsys.readouterr().err


# ---- the test whose variables are chosen ---------------------------------------------------------


def test_directed_traffic_is_as_it_is_asked_for() -> None:
    network = find("kary").from_variables({"K": "2", "LEVELS": "2"})
    stimulus = Stimulus(network, generator(1, "directed"), 100, senders=SENDERS)
    given = {"pairs": "0-3,1-2", "clocks": "200", "reset_in": "7", "corners": "1", "lengths": "5"}
    made = Directed("directed", **chosen.given(Directed, given))
    first, second = Pulled(stimulus).items(made)
    pairs = [*zip(first.packets.source.tolist(), first.packets.destination.tolist(), strict=True)]
    assert 0.4 < np.mean([pair in ((0, 3), (1, 2)) for pair in pairs]) < 0.8
    assert (first.reset, second.reset, first.corners) == (None, 7, True)
    assert {*first.packets.flits.tolist()} == {5}
    one = Directed("directed", goals=1, stalls=0.5)
    (only,) = Pulled(stimulus).items(one)
    assert len({*only.packets.destination.tolist()}) == 1 and only.stall.tolist() == [0.5] * 4


def test_values_are_aimed_at_what_is_left() -> None:
    groups = {group.name: group for group in cover_groups(find("kary").from_variables({}))}
    left = {"source x destination": np.zeros(groups["source x destination"].shape, np.bool_)}
    left["source x destination"][2, 5] = True
    left["reset: packets inside"] = np.array([False, True])
    values = Directed.aims(groups, left)
    assert values["pairs"] == ["", "2-5"] and len(values["reset_in"]) > 1
    assert not {"corners", "lengths", "stalls"} & {*values}
