"""`make optimise`: its table, and the mistakes of its users."""

import pytest

from fattree_bench.cli import main


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """Lines of the table."""
    assert main(["optimise", *words]) == 0
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


def test_the_published_optima(capsys: pytest.CaptureFixture[str]) -> None:
    head, first, second, third = printed(capsys, "P=60", "LEVELS=3", "TOP=3")
    titles = "NETWORK=xgft cost switches ports links ties switches x ports by level"
    assert " ".join(head.split()) == titles
    best = "M=3,2,10 W=1,3,2 1800 56 300 180 2 20 x 6, 30 x 4, 6 x 10"
    assert " ".join(first.split()) == best
    assert second.split()[:3] == ["M=2,3,10", "W=1,2,3", "1800"]
    assert third.split()[2:7] == ["1860", "64", "300", "180", "1"]
    _, only = printed(capsys, "P=36", "LEVELS=2", "TOP=1")
    assert " ".join(only.split()) == "M=3,12 W=1,3 864 15 108 72 1 12 x 6, 3 x 12"


def test_its_variables(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "P=36", "TOP=1")[1].split()[2] == "864"
    assert printed(capsys, "P=36", "LEVELS=2", "CONSTRAINT=printed")[1].split()[2] == "121896"
    assert printed(capsys, "P=60", "LEVELS=3", "CONSTRAINT=NONE")[1].split()[2] == "470"
    assert printed(capsys, "P=60", "MAX_PORTS=6", "TOP=1")[1].split()[2:4] == ["1980", "92"]
