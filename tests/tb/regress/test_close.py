"""CLOSE=1 with stand-ins for simulations: it ends, says what was hit, and continues."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from fattree_bench.bench import chosen
from fattree_bench.bench.result import ScenarioResult, Test
from fattree_bench.cli import main
from fattree_bench.families import cover_groups, find
from fattree_bench.jobs.pool import Task
from tests.cli import FRAMES
from tests.tb.jobs.quick import QuickPool, installed

FRAME, CONFLICT = "frame x slot", "conflict in a slot"
REASON = "settings are made of slots without conflicts, others are refused"
PLAN = f"""{FRAMES}tests = ["frame", "payloads"]
coverage = ["{FRAME}", "{CONFLICT}"]
[configurations]
tree-2 = {{ network = "lbbvn", variables = "N=2 CONTROL=SCHEDULED", smoke = {{}} }}
"""


class Hitting(QuickPool):
    """Each test hits all bins but `missed` of the frames, and what nothing can hit if `wrong`."""

    missed, wrong, failing = 0, False, ""

    def result(self, task: Task) -> dict[str, Any]:
        if task.payload["kind"] == "build":
            return {"seconds": 1.0}
        tests = [asdict(self.test(task.payload, name)) for name in task.payload["scenarios"]]
        return {"tests": tests, "hits": [], "code": []}

    def test(self, payload: dict[str, Any], name: str) -> Test:
        values, network = payload["values"], find("lbbvn").from_variables(payload["variables"])
        groups = {group.name: group for group in cover_groups(network)}
        for group in groups.values():
            group.hits[...] = group.reachable | self.wrong
        groups[FRAME].hits.reshape(-1)[: self.missed] = 0
        assert values["STIMULUS"].startswith("rows=")
        result = ScenarioResult(name, sent=4, steps=10, bins=chosen.packed(groups))
        about = payload["configuration"], payload["variables"], values["SIM"], int(values["SEED"])
        return Test("lbbvn", *about, name, name != self.failing, result)


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> type[Hitting]:
    return installed(Hitting, monkeypatch)


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    (tmp_path / "plan.toml").write_text(PLAN)
    own = [f"BUILD={tmp_path / 'build'}", f"TESTPLAN={tmp_path / 'plan.toml'}"]
    return ["regress", "CLOSE=1", "SHRINK=0", *own]


@pytest.mark.parametrize(
    ("missed", "wrong", "said"),
    [
        (0, False, "tree-2: every bin that counts was hit in 10 clocks, 1 run"),
        (0, False, f"unreachable: {CONFLICT}: 1 bin: {REASON}"),
        (1, False, f"not hit in 30 clocks, 3 runs: {FRAME}: bit-reverse shifts x 0"),
        (0, True, f"HIT, although excluded: {CONFLICT}: yes: {REASON}"),
    ],
)
def test_it_says_what_was_hit(
    missed: int, wrong: bool, said: str, pool: Any, words: list[str], capfd: Any
) -> None:
    pool.missed, pool.wrong = missed, wrong
    assert main(words) == 0
    told = capfd.readouterr().out
    assert said in told and ("HIT" in told) == wrong


def test_it_continues_where_it_was_interrupted(pool: Any, words: list[str], capfd: Any) -> None:
    """What failed is not chosen again."""
    pool.missed, pool.failing = 1, "payloads"
    assert main([*words, "FAILFAST=1"]) in (0, 1)
    first = [task.key for task in pool.ran]
    pool.ran.clear()
    main(["regress", words[3], "SHRINK=0", "RESUME=1"])
    ran = [task for task in pool.ran if "with waves" not in task.key]
    assert not {*first} & {task.key for task in ran}
    assert sum("payloads" in key for key in (*first, *(t.key for t in ran))) <= 2
    capfd.readouterr()
    assert main([words[0], *words[2:4], "FAILED=1"]) == 2
    assert "the last run was with CLOSE=1" in capfd.readouterr().err
