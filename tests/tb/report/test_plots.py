"""What all plots share."""

import xml.etree.ElementTree as ET
from pathlib import Path

from fattree_bench.area.table import drawn as area_drawn
from fattree_bench.report.plots import COLOURS, MARKERS, as_svg, looks, styled

SVG, LINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}"
ALIKE = len(COLOURS) * len(MARKERS)


def test_no_two_series_look_alike() -> None:
    seen = {(one["color"], one["marker"]) for one in map(looks, range(ALIKE))}
    assert len(seen) == ALIKE
    assert looks(ALIKE)["color"] == looks(0)["color"]  # the next would


def drawn(folder: Path) -> str:
    with styled(folder):
        from matplotlib.figure import Figure

        figure = Figure()
        axes = figure.subplots()
        axes.set_xlabel("leaves N")
        axes.set_ylabel("gates [NAND2]")
        axes.plot([8, 16, 32], [10, float("nan"), 30], gid="one", label="LOWER_BOUND", **looks(0))
        return as_svg(figure)


def test_values_are_told_with_their_units(tmp_path: Path) -> None:
    root = ET.fromstring(drawn(tmp_path))
    output = [title.text for title in root.iter(f"{SVG}title")]
    assert output == [
        "LOWER_BOUND: gates [NAND2] 10 at leaves N 8",
        "LOWER_BOUND: gates [NAND2] 30 at leaves N 32",
    ]


def test_it_follows_light_and_dark(tmp_path: Path) -> None:
    """Nothing but the series is of a fixed colour."""
    text = drawn(tmp_path)
    assert "prefers-color-scheme: dark" in text
    assert "currentColor" in text and "var(--grid)" in text
    assert "#000000" not in text and "#ffffff;" in text


def test_the_picture_of_area_has_no_two_series_alike(tmp_path: Path) -> None:
    """It had 14 series in 7 colours."""
    series = {f"kind {k}": [(8, 10.0 + k, 20 + k), (16, 30.0, 40)] for k in range(15)}
    root = ET.fromstring(area_drawn(series, "", tmp_path))
    found: dict[str, tuple[str, str]] = {}
    for group in root.iter(f"{SVG}g"):
        name = group.get("id") or ""
        if name.startswith("crosspoints: "):
            mark = next(group.iter(f"{SVG}use"))
            found[name] = (mark.get(f"{LINK}href", ""), mark.get("style", ""))
    assert len(found) == len(series)
    assert len(set(found.values())) == len(found)
