"""The pictures of a sweep: well-formed, the same each time, and with the right points in them."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fattree_bench.explore.plot import draw
from fattree_bench.explore.study.reading import PaperFigure
from fattree_bench.explore.sweep import Curve
from fattree_bench.report.plots import COLOURS
from tests.tb.explore.samples import curve, made, run, switch_curve

SVG = "{http://www.w3.org/2000/svg}"


def drawn(curves: list[Curve], folder: Path) -> dict[str, ET.Element]:
    """The pictures by name."""
    paths = draw(curves, folder, folder / "cache")
    return {path.stem: ET.parse(path).getroot() for path in paths}


def line(picture: ET.Element, name: str) -> ET.Element:
    """The path of a line."""
    (group,) = [g for g in picture.iter(f"{SVG}g") if g.get("id") == name]
    path = group.find(f"{SVG}path")
    assert path is not None
    return path


def corners(path: ET.Element) -> np.ndarray:
    """Corners of a line, [points, 2]."""
    found = re.findall(r"[ML] (\S+) (\S+)", path.get("d", ""))
    return np.array(found, dtype=float)


def texts(picture: ET.Element) -> set[str]:
    return {"".join(text.itertext()) for text in picture.iter(f"{SVG}text")}


def two_by_two() -> list[Curve]:
    varied = ("ROUTING", "TRAFFIC")
    return [
        curve({1: run(shift), 2: run(shift + 1)}, varied, ROUTING=routing, TRAFFIC=traffic)
        for shift, (routing, traffic) in enumerate(
            (r, t) for r in ("DMODK", "TWO") for t in ("uniform", "bitcomp")
        )
    ]


def test_every_curve_is_drawn(tmp_path: Path) -> None:
    found = drawn(two_by_two(), tmp_path)
    assert set(found) == {"latency", "accepted"}
    for one in two_by_two():
        assert len(corners(line(found["latency"], f"latency_mean: {one.label}"))) == 2
        assert len(corners(line(found["accepted"], f"accepted: {one.label}"))) == 4
        assert len(corners(line(found["accepted"], f"accepted_minimum: {one.label}"))) == 4


def test_the_points_are_where_the_figures_are(tmp_path: Path) -> None:
    """In each panel pixels are a straight function of the figures, upwards and to the right."""
    found = drawn([curve({1: run(), 2: run()})], tmp_path)
    mean = corners(line(found["accepted"], "accepted: uniform"))
    least = corners(line(found["accepted"], "accepted_minimum: uniform"))
    offered, accepted = np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.1, 0.2, 0.25, 0.26])
    for pixels, figures in (
        (np.r_[mean[:, 0], least[:, 0]], np.r_[offered, offered]),
        (-np.r_[mean[:, 1], least[:, 1]], np.r_[accepted, 0.9 * accepted]),
    ):
        slope, start = np.polyfit(figures, pixels, 1)
        assert slope > 0
        assert np.allclose(start + slope * figures, pixels, atol=1e-3)


def test_no_latency_of_a_saturated_network(tmp_path: Path) -> None:
    """Not even where one seed of two is saturated: its mean says nothing."""
    calm = {load: made(load, 12 + load) for load in (0.1, 0.2, 0.3, 0.4)}
    late = {**calm, 0.3: made(0.3, 70, why="latency"), 0.4: made(0.4, 90, why="latency")}
    found = drawn([curve({1: calm, 2: late})], tmp_path)
    assert len(corners(line(found["latency"], "latency_mean: uniform"))) == 2
    calm_only = drawn([curve({1: calm, 2: calm})], tmp_path)
    assert len(corners(line(calm_only["latency"], "latency_mean: uniform"))) == 4


def test_curves_have_names_and_colours_of_their_own(tmp_path: Path) -> None:
    """The same variables look the same in every panel."""
    found = drawn(two_by_two(), tmp_path)["latency"]
    assert {"DMODK", "TWO", "uniform", "bitcomp"} <= texts(found)
    styles = {
        one.label: line(found, f"latency_mean: {one.label}").get("style", "")
        for one in two_by_two()
    }
    colours = {name: re.findall("stroke: (#[0-9a-f]+)", style) for name, style in styles.items()}
    assert colours["DMODK uniform"] == colours["DMODK bitcomp"] == [COLOURS[0].lower()]
    assert colours["TWO uniform"] == colours["TWO bitcomp"] == [COLOURS[1].lower()]


def test_more_curves_than_colours(tmp_path: Path) -> None:
    """They differ in their dashes."""
    many = [curve({1: run()}, ("DEPTH",), DEPTH=str(depth)) for depth in range(1, 11)]
    found = drawn(many, tmp_path)["accepted"]
    looks = {line(found, f"accepted: {one.label}").get("style") for one in many}
    assert len(looks) == 10


@pytest.mark.parametrize("picture", ["latency", "accepted"])
def test_the_same_figures_make_the_same_bytes(picture: str, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        draw(two_by_two(), tmp_path / folder, tmp_path)
    first, second = ((tmp_path / f / f"{picture}.svg").read_text() for f in "ab")
    assert first == second
    assert "dc:date" not in first
    assert "font-family" in first or "font:" in first


def test_awkward_sweeps_are_drawn(tmp_path: Path) -> None:
    """One load; one seed; saturated from the start; names that XML would trip over."""
    awkward = [
        curve({1: {0.1: made(0.1, 12)}}),
        curve({1: {0.1: made(0.1, 120, 0.05, "accepted")}}),
        curve({3: run()}, ("TRAFFIC",), TRAFFIC="hotspot:0=3,5:0.1"),
        curve({3: run()}, ("TRAFFIC",), TRAFFIC="<&$x_1$>"),
    ]
    for number, one in enumerate(awkward):
        found = drawn([one], tmp_path / str(number))
        assert len(found) == 2
        assert one.traffic in texts(found["latency"])


def test_nothing_measured_is_nothing_drawn(tmp_path: Path) -> None:
    assert draw([curve({})], tmp_path, tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_switches_are_drawn_beside_the_ideal_one_and_the_law(tmp_path: Path) -> None:
    found = drawn([switch_curve("BASIC", 0.2), switch_curve("FOFF")], tmp_path)
    assert set(found) == {"delay", "accepted", "reordering"}
    for name in ("latency_mean: BASIC", "latency_mean: FOFF", "ideal_mean: BASIC"):
        assert len(corners(line(found["delay"], name))) == 4
    assert len(corners(line(found["delay"], "BASIC in theory"))) == 2
    # A scale of powers of ten: the ideal delay is a tenth everywhere.
    own = corners(line(found["delay"], "latency_mean: BASIC"))
    ideal = corners(line(found["delay"], "ideal_mean: BASIC"))
    assert np.allclose(np.diff(ideal[:, 1] - own[:, 1]), 0, atol=1e-3)
    assert "offered load [cells / line card / slot]" in texts(found["delay"])
    basic = corners(line(found["reordering"], "overtaken: BASIC"))
    foff = corners(line(found["reordering"], "overtaken: FOFF"))
    assert (basic[:, 1] < foff[:, 1]).all()  # higher up


def bar(picture: ET.Element, name: str) -> np.ndarray:
    """Corners of a bar: left, right, bottom, top."""
    x, y = corners(line(picture, name)).T
    return np.array([min(x), max(x), max(y), min(y)])


def two_shapes() -> list[Curve]:
    """The dearer one saturates later."""
    late = {load: made(load, 11 + load) for load in (0.1, 0.2, 0.3, 0.4)}
    varied = ("M", "TRAFFIC")
    return [
        curve({1: own}, varied, cost, M=m, TRAFFIC=traffic)
        for m, cost, own in (("2,2", 72, run()), ("4,1", 100, late))
        for traffic in ("uniform", "bitcomp")
    ]


def test_shapes_are_drawn_by_their_cost(tmp_path: Path) -> None:
    """To the right what costs more, upwards what accepts more."""
    found = drawn(two_shapes(), tmp_path)
    assert set(found) == {"latency", "accepted", "cost"}
    names = [f"cost: M={m} uniform" for m in ("2,2", "4,1")]
    ((less, low),), ((more, high),) = (corners(line(found["cost"], name)) for name in names)
    assert less < more and low > high
    assert any("square of their ports" in text for text in texts(found["cost"]))
    free = curve({1: run()}, ("M", "TRAFFIC"), None, M="9,9", TRAFFIC="uniform")
    assert "M=9,9" not in texts(drawn([*two_shapes(), free], tmp_path)["cost"])


def test_legends_of_many_curves_fit(tmp_path: Path) -> None:
    """Twenty letters and more a name: fewer columns, in a higher picture."""
    own = [curve({1: run()}, ("M",), 72 + n, M=f"{n:02}" + 12 * ",2") for n in range(16)]
    for picture in drawn(own, tmp_path).values():
        wide, high = (float(end) for end in picture.get("viewBox", "").split()[2:])
        for text in picture.iter(f"{SVG}text"):
            label, x, y = "".join(text.itertext()), float(text.get("x", 0)), float(text.get("y", 0))
            if label.startswith("M="):
                assert 0 < x < wide - 5 * len(label) and 0 < y < high


@pytest.mark.parametrize("costs", [(72, 72), (72, None), (None, None)])
def test_no_cost_is_drawn_where_nothing_differs(costs: tuple[int, int], tmp_path: Path) -> None:
    own = [curve({1: run()}, ("M",), cost, M=f"2,{n}") for n, cost in enumerate(costs)]
    assert set(drawn(own, tmp_path)) == {"latency", "accepted"}


def test_patterns_are_drawn_bar_by_bar(tmp_path: Path) -> None:
    """Heights are the figures; what is saturated, or stopped before the load, has no delay."""
    wanted = PaperFigure("b", "", loads=(0.1, 0.3))
    paths = draw(two_shapes(), tmp_path, tmp_path / "cache", [wanted])
    assert [path.stem for path in paths] == ["latency", "accepted", "cost", "figure-b"]
    picture = ET.parse(paths[-1]).getroot()
    slow, fast = (bar(picture, f"latency_mean at 0.1: M={m} bitcomp") for m in ("2,2", "4,1"))
    assert slow[1] <= fast[0]
    assert (fast[2] - fast[3]) / (slow[2] - slow[3]) == pytest.approx(11.1 / 12, rel=1e-3)
    less, more = (bar(picture, f"accepted at 0.3: M={m} uniform") for m in ("2,2", "4,1"))
    assert (less[2] - less[3]) / (more[2] - more[3]) == pytest.approx(0.25 / 0.3, rel=1e-3)
    with pytest.raises(ValueError):  # it is saturated
        bar(picture, "latency_mean at 0.3: M=2,2 bitcomp")


def test_a_network_of_which_nobody_knows_the_latency_without_load(tmp_path: Path) -> None:
    """A design from elsewhere, for example: no line for it, and axes that fit what was measured."""
    known = curve({1: run(0), 2: run(1)}, (), ROUTING="DMODK")
    unknown = replace(known, zero_load=float("nan"))
    for curves in ([unknown], [known, unknown]):
        assert draw(curves, tmp_path, tmp_path / "cache")
