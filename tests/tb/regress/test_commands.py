"""Commands that a whole tier runs besides its tests: proofs, mutants, areas."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fattree_bench.errors import UserError
from fattree_bench.formal.catalogue import PROOFS
from fattree_bench.jobs import commands, job
from fattree_bench.jobs.pool import Task
from fattree_bench.regress.expand import Choice, expand
from fattree_bench.testplan import read

SMALL = "concentrator-2-1"


PLAN = replace(read(), configurations={}, testpoints={})  # only what is not of a network


def made(choice: Choice) -> dict[str, Task]:
    return {task.key: task for task in expand(PLAN, choice).tasks}


def test_a_whole_night_runs_all_proofs_some_mutants_and_areas() -> None:
    found = made(Choice("nightly", rtl="rtl"))
    assert list(found) == ["make formal", "make mutate", "make area"]
    assert found["make formal"].payload["words"] == ["formal", "RESUME=1", "JOBS=1"]
    assert "TIER=full" in made(Choice("full", rtl="rtl"))["make formal"].payload["words"]


@pytest.mark.parametrize(
    "given", [{"tier": "smoke"}, {"network": "kary"}, {"test": "uniform"}, {"evidence": False}]
)
def test_a_part_of_it_does_not(given: dict[str, str]) -> None:
    with pytest.raises(UserError, match="the testplan has no such run"):
        made(replace(Choice("nightly", rtl="rtl"), **given))  # type: ignore[arg-type]


def test_what_failed_runs_again() -> None:
    only = frozenset({("make formal", "formal")})
    assert list(made(Choice("nightly", rtl="rtl", only=only))) == ["make formal"]


def played(tmp_path: Path, words: str) -> Any:
    """The test that is left of a command."""
    file = tmp_path / "evidence.toml"
    file.write_text(f'[nightly]\nformal = "{words}"\n')
    (task,) = commands.commands([file], "nightly", str(tmp_path), "rtl")
    (test,) = job.tests_of(task, job.KINDS["command"](task.payload))
    return test


def test_a_command_is_a_test_and_continues_the_next_time(tmp_path: Path) -> None:
    """Proofs that have not changed are not proved again."""
    words = f"TASK={SMALL} RESUME=1"
    first = played(tmp_path, words)
    assert first.passed and first.replay.endswith(f"{words} JOBS=1 BUILD={tmp_path}")
    assert (tmp_path / "evidence" / "formal.json").exists()
    log = tmp_path / "evidence" / "formal.log"
    assert "continuing" not in log.read_text()
    assert played(tmp_path, words).passed
    assert "continuing: 1 proof done" in log.read_text()


def test_a_command_that_fails_fails(tmp_path: Path) -> None:
    assert SMALL in PROOFS
    test = played(tmp_path, "TASK=nothing")
    assert not test.passed
    assert test.message == "error: TASK=nothing: no such proof; DRYRUN=1 lists them"
