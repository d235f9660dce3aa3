"""The script that removes checks: what it takes for a check, and what is left without one."""

from pathlib import Path

import pytest
from rich.console import Console

from tests.checks import Check, Checks, changed, checks_in, main

SOURCE = """
class Board:
    def __init__(self, name):
        super().__init__(name, (exactly,))
        checks = (way(name), latency(name))

    def finish(self, plan):
        self.faults.add(kind.LOST, "none")
        self.plans.add(plan)
        if plan.late:
            self.blame(kind.LATE, plan)
        for name, wrong in ((kind.EARLY, 1), (kind.ROUTE, 2)):
            self.faults.add(name, wrong)


def exactly(plan) -> Findings:
    yield kind.SENDING, "some"


def counters(plan) -> Iterator[tuple[str, str]]:
    due = {"up": 1, "down": 2}
    for name, expected in due.items():
        if expected:
            yield name, "some"
"""
FOUND = checks_in("board.py", SOURCE)


def test_what_is_a_check() -> None:
    assert [(check.part, check.says.split("(")[0]) for check in FOUND] == [
        ("made", "exactly"),
        ("made", "way"),
        ("made", "latency"),
        ("", "self.faults.add"),
        ("", "self.blame"),
        ("element", ""),
        ("element", ""),
        ("", "self.faults.add"),
        ("", "yield "),
        ("element", "'up'"),
        ("element", "'down'"),
        ("", "yield "),
    ]


@pytest.mark.parametrize("check", FOUND, ids=lambda check: check.key)
def test_without_it_the_rest_stands(check: Check) -> None:
    text = changed(SOURCE, [check], note=False)
    gone = len(FOUND) - len(checks_in("board.py", text))
    assert text.count("if False:") == (not check.part)
    # A loop over one entry has no conditions to choose from.
    assert gone == {"": 0, "made": 1, "element": 2}[check.part]
    assert ("yield" in check.says) <= ("    if False:\n" in text)


def test_a_check_is_noted_where_it_is_reached() -> None:
    noted = [check for check in FOUND if check.part != "element"]
    text = changed(SOURCE, reversed(noted), note=True)
    assert text.count(".mark(") == sum(not check.part for check in noted)
    assert text.count(".watch(") == sum(check.part == "made" for check in noted)


def test_a_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["OF=nothing"]) == 2
    said = capsys.readouterr().err
    assert said == "error: OF=nothing: no folder of families/, bench/ or bench/links/\n"


def test_a_list_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["OF=spin", "DRYRUN=1"]) == 0
    output = capsys.readouterr().out
    assert "self.blame(kind.ROUTE" in output and output.endswith(" checks; nothing was run\n")


def test_what_was_not_run_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert not Checks(Console(), {"OF": "spin", "BUILD": str(tmp_path)}).report()
    output = capsys.readouterr().out
    assert "    not run\n" in output and "no test" not in output
