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


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("P=37 MAX_PORTS=16", "P=37 MAX_PORTS=16: 37 processors need a switch of 37 ports, their"),
        ("P=37 LEVELS=2", "P=37 LEVELS=2: 37 is prime: at most 1 level"),
        ("P=60 LEVELS=5", "P=60 LEVELS=5: 60 = 2 x 2 x 3 x 5: at most 4 levels"),
        ("P=60 LEVELS=2 MAX_PORTS=8", "P=60 LEVELS=2 MAX_PORTS=8: no tree of 60 processors and 2"),
        ("P=10001", "P=10001: must be 2 … 10000"),
        ("P=1", "P=1: must be 2 … 10000"),
        ("P=", "P=: must be 2 … 10000"),
        ("LEVELS=14", "LEVELS=14: must be 1 … 13"),
        ("MAX_PORTS=1", "MAX_PORTS=1: must be a number, 2 … 1024"),
        ("CONSTRAINT=some", "CONSTRAINT=SOME: must be FULL, NONE or PRINTED"),
        ("TOP=0", "TOP=0: must be 1 … 1000"),
        ("N=4", "N: no such variable; there is P, LEVELS, MAX_PORTS, CONSTRAINT, TOP"),
    ],
)
def test_mistakes(words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["optimise", *words.split()]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith(f"error: {message}") and errors.count("\n") == 1
