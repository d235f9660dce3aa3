"""Files of COMPARE: networks, what they share, figures of a paper with differences by seed."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from fattree_bench.bench.scenario import Stimulus, generator
from fattree_bench.errors import UserError
from fattree_bench.explore.command import Explore
from fattree_bench.explore.console import print_sweep
from fattree_bench.explore.plot import draw
from fattree_bench.explore.study.figures import apart, signed, tables
from fattree_bench.explore.study.hardware import Hardware
from fattree_bench.explore.study.reading import PaperFigure, study
from fattree_bench.explore.study.scaling import grows
from fattree_bench.explore.sweep import Curve
from fattree_bench.families import scenarios
from fattree_bench.paths import ROOT
from fattree_models.traffic import Estimate, Packets
from tests.tb.explore.samples import LOADS, curve, made

NAMES = ("network", "the same in all", "measured")
FACTS = dict.fromkeys(NAMES, "x " * 60)
STATED = """
networks = ["xgft M=2,2 W=1,2", "oxgft P=4 LEVELS=2"]
[variables]
FLITS = 4
[[figures]]
name = "7"
title = "by load"
leaves = 4
traffic = "uniform"
says = ["b is faster"]
"""


def two(shift: float = -1.0, why: str = "") -> list[Curve]:
    """Two networks: the second is faster by `shift` and the seed; it may saturate at 0.2."""
    found = []
    for name, faster in (("xgft", 0.0), ("oxgft", shift)):
        runs = {
            seed: {
                load: made(load, 20 + faster * seed, why=why if faster and load == 0.2 else "")
                for load in LOADS
            }
            for seed in (1, 2, 3)
        }
        found.append(curve(runs, ("NETWORK",), NETWORK=name))
        object.__setattr__(found[-1], "leaves", 4)
    return found


def test_what_a_file_says(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text(STATED)
    assert all(study(str(example)).shapes for example in (ROOT / "examples").glob("*.toml"))
    found = study(str(path))
    assert [shape.kind.name for shape in found.shapes] == ["xgft", "oxgft"]
    assert found.shapes[0].variables == {"M": "2,2", "W": "1,2"}
    assert found.variables == {"FLITS": "4"}
    assert found.figures == (PaperFigure("7", "by load", ("b is faster",), 4, "uniform"),)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (STATED, "networks = [", "Invalid value"),
        ("networks =", "nets =", "nets: no such key; there is networks"),
        ("networks =", "other = 1 #", "no such key"),
        ('networks = ["xgft M=2,2 W=1,2", "oxgft P=4 LEVELS=2"]', "", "networks is missing"),
        ('"xgft M=2,2 W=1,2", ', "", "networks: must be two or more"),
        ('"oxgft P=4 LEVELS=2"', '""', "must be two networks or more"),
        ('"oxgft P=4 LEVELS=2"', "3", "must be texts like"),
        ('"oxgft P=4 LEVELS=2"', '"lbbvn_switch"', "must be measured in the same units"),
        ("M=2,2", "Q=2", "Q: no such variable of xgft"),
        ("[variables]", "colour = 1\n[variables]", "colour: no such key"),
        ('title = "by load"', "", "title is missing"),
        ("leaves = 4", 'leaves = "4"', "leaves = '4': must be a number"),
        ("leaves = 4", 'loads = ["a"]', "loads = ['a']: must be numbers"),
        ("leaves = 4", "loads = [0.1]", "needs traffic (its curves) or loads (all patterns)"),
        ('traffic = "uniform"', "", "needs traffic (its curves) or loads (all patterns)"),
        ('name = "7"', 'name = "../7"', "must be letters, digits and hyphens"),
        ("[[figures]]", '[[figures]]\nname = "7"\ntitle = "a"\nloads = [1]\n[[figures]]', "twice"),
        (STATED, 'networks = ["xgft", "kary"]\nfigures = [3]', "figures = [3]: must be tables"),
    ],
)
def test_a_bad_file_gets_one_line(old: str, new: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text(STATED.replace(old, new))
    with pytest.raises(UserError) as caught:
        study(str(path))
    assert said in str(caught.value) and "\n" not in str(caught.value)
    with pytest.raises(UserError, match=r"b\.toml: No such file"):
        study(str(tmp_path / "b.toml"))


def test_differences_are_of_runs_with_the_same_packets() -> None:
    """1, 2 and 3 clocks: a mean of 2, with the interval of the differences."""
    one, other = two()
    found = apart(one, other, 0.1, "latency_mean")
    assert found.mean == -2.0 and found.seeds == 3
    assert found.half_width == pytest.approx(4.302653 / math.sqrt(3))
    assert signed(found, 2) == "-2.00 ± 2.48"
    assert signed(Estimate(1.0, math.nan, 1), 2) == "–"


def test_a_saturated_run_has_no_delay() -> None:
    one, other = two(why="accepted")
    assert apart(one, other, 0.2, "latency_mean").seeds == 0
    assert apart(one, other, 0.2, "accepted").seeds == 3
    _, row, *_ = tables(PaperFigure("7", "t", (), 4, "uniform"), [one, other])["mean delay"]
    assert (row["oxgft"], row["difference"]) == ("saturated", "–")
    assert tables(PaperFigure("8", "t", (), 16, "uniform"), [one, other])["mean delay"] == []
    object.__setattr__(other, "leaves", 16)  # other sizes have other packets
    assert apart(one, other, 0.1, "accepted").seeds == 0
    object.__setattr__(other, "variables", {**other.variables, "TRAFFIC": "bitcomp"})
    first, last = tables(PaperFigure("8", "t", loads=(0.1,)), [one, other])["throughput"]
    assert (first["oxgft"], last["xgft"], last["oxgft"]) == ("–", "–", "0.100 ± 0.000")


def test_terminals_have_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    """Also with long names; each row is there as often as its columns need."""
    curves = [
        curve(
            None, ("NETWORK", "M", "TRAFFIC"), NETWORK="kary", M=m, TRAFFIC="hotspot:0:0.5,1:0.25"
        )
        for m in ("16,16,16,16,16,16", "2")
    ]
    print_sweep(Console(width=200), curves, FACTS)
    print_sweep(
        Console(width=200), two(), FACTS, [PaperFigure("7", "t " * 50, ("b " * 60,), 4, "uniform")]
    )
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("kary M=2 hotspot") >= 2
    assert "least node" in text and "figure 7" in text and "the paper: b b" in text
    wanted = [PaperFigure("7", "t", (), 4, "uniform")]
    for has in (None, Hardware(1, 2, 3, 4)):
        print_sweep(Console(), [replace(one, hardware=has) for one in two()], FACTS, wanted)
        assert ("queue bits" in capsys.readouterr().out) == (has is not None)


@pytest.mark.parametrize("traffic", ["uniform", ""])
def test_figures_are_drawn(traffic: str, tmp_path: Path) -> None:
    wanted = PaperFigure("7", "t", (), 4, traffic, () if traffic else (0.1, 0.2))
    *_, path = draw(two(why="latency"), tmp_path, tmp_path / "cache", figures=[wanted])
    text = path.read_text()
    assert path.name == "figure-7.svg" and text.startswith("<svg")
    assert "oxgft" in text and "mean delay" in text
    assert ("saturated<" in text.replace(" ", "")) == (not traffic)


def test_what_was_not_measured_is_not_saturated(tmp_path: Path) -> None:
    """A figure has the loads that the sweep had; a run that ended early left some out."""
    wanted = PaperFigure("8", "t", loads=(0.2, 0.7))
    one, other = two()
    for run in other.runs.values():
        del run[0.2], run[0.3], run[0.4]
    *_, path = draw([one, other], tmp_path, tmp_path / "cache", figures=[wanted])
    text = path.read_text()
    assert "not measured<" in text and "saturated<" not in text
    assert "load 0.2" in text and "load 0.7" not in text
    (row,) = tables(wanted, [one, other])["throughput"]
    assert (row["load"], row["oxgft"]) == ("0.2 uniform", "–")


def sized(name: str, leaves: int, gates: int = 0) -> Curve:
    made = Hardware(gates, 0, 0, 0) if gates else None
    return replace(
        two()[0], variables={**two()[0].variables, "NETWORK": name}, leaves=leaves, hardware=made
    )


def test_sizes_are_drawn(tmp_path: Path) -> None:
    """A network is a line; one whose synthesis failed has no gates there."""
    curves = [sized("kary", 4, 400), sized("kary", 16, 3200), sized("ruft", 4, 100)]
    paths = [path.name for path in draw(curves, tmp_path, tmp_path / "cache")]
    assert paths == ["latency.svg", "accepted.svg", "scaling.svg"]
    text = (tmp_path / "scaling.svg").read_text()
    assert "latency without load: kary" in text and "gates of a leaf: ruft" in text
    draw([sized("kary", 4), sized("kary", 16)], tmp_path, tmp_path / "cache")
    assert "gates of a leaf" not in (tmp_path / "scaling.svg").read_text()


@pytest.mark.parametrize("leaves", [(4, 4), (4,)])
def test_one_size_does_not_grow(leaves: tuple[int, ...]) -> None:
    """Nor can a line be drawn of a network that has a size twice."""
    assert not grows([sized("kary", count) for count in leaves] + [sized("ruft", 16)])
    assert grows([sized("kary", 4), sized("kary", 16), sized("ruft", 16)])


def test_networks_of_a_study_get_the_same_packets(tmp_path: Path) -> None:
    """So differences seed by seed are those of the networks, not of their traffic."""
    given = {"COMPARE": str(ROOT / "examples/oxgft.toml"), "BUILD": str(tmp_path), "PERIOD": "20"}
    found: dict[tuple[str, int], list[Packets]] = {}
    for network in Explore(Console(quiet=True), given).grid:
        sweep = scenarios(network)["sweep"].body(Stimulus(network, generator(1, "sweep"), 0))
        place = network.workload.pattern_text, network.leaves
        found.setdefault(place, []).append(next(iter(sweep)).packets)
    assert len(found) == 2 * 6
    for xgft, optimum in found.values():
        assert len(xgft) > 10
        for name, one in vars(xgft).items():
            assert np.array_equal(one, getattr(optimum, name)), name
