"""Exponents of N in the table of a study."""

from dataclasses import replace

import pytest
from rich.console import Console

from fattree_bench.explore.console import print_sweep
from fattree_bench.explore.study.growth import growth
from fattree_bench.explore.sweep import Curve
from tests.tb.explore.test_study import FACTS, sized

ROWS = [
    {"": "kary", "leaves": "4, 16", "most accepted": "1.00", "no load": "0.50", "gates": "1.50"},
    {"": "ruft", "leaves": "4, 16", "most accepted": "1.00", "no load": "0.00", "gates": ""},
]


def networks() -> list[Curve]:
    """As much a leaf in all; twice the latency and eight times the gates in four times kary."""
    small, large = sized("kary", 4, 400), sized("kary", 16, 3200)
    large = replace(large, zero_load=2 * small.zero_load)
    return [small, large, sized("ruft", 4, 100), sized("ruft", 16), sized("spin", 16, 100)]


def test_exponents_of_each_network() -> None:
    """A network of one size has none, nor has one whose synthesis failed."""
    assert growth(networks()) == ROWS
    assert growth([networks()[0], networks()[2]]) == []


def test_they_follow_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    print_sweep(Console(width=200), networks(), FACTS)
    table, _, grown = capsys.readouterr().out.partition("growth with the leaves")
    assert "least node" in table
    assert grown.count("1.00") == 2 and max(map(len, grown.splitlines())) <= 80
