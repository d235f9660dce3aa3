"""The fat-tree picture: the committed one, what every picture holds, what is refused."""

import itertools
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from fattree_bench.report.tree_svg import tree_svg
from fattree_models.lbbvn.capacity import lower_bound, nonblocking
from tests.conftest import ROOT

SVG = "{http://www.w3.org/2000/svg}"
CAPACITIES = [(n, c) for n in range(1, 7) for c in (lower_bound(n), nonblocking(n))]


def parsed(c, used=None, title=""):
    return ElementTree.fromstring(tree_svg(c, used, title))


def texts(root):
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


def widths(root):
    """Widths of the channels, the nonblocking behind them left out."""
    drawn = [path for path in root.iter(f"{SVG}path") if path.get("class") != "line idle"]
    return [float(path.get("stroke-width")) for path in drawn]


def strokes(svg):
    """Colours of channels, idle to busy, light scheme and dark scheme."""
    found = re.findall(r"\.load-\d+ { --line: (#[0-9a-f]{6}) }", svg)
    return found[: len(found) // 2], found[len(found) // 2 :]


def luminance(colour):
    red, green, blue = bytes.fromhex(colour[1:])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_committed_picture():
    expected = tree_svg(lower_bound(4), title="16-leaf fat-tree, capacities of Lemma 1")
    assert (ROOT / "docs" / "lbbvn-16.svg").read_text(encoding="utf-8") == expected


@pytest.mark.parametrize(("n", "c"), CAPACITIES)
def test_everything_is_drawn(n, c):
    root = parsed(c)
    assert len(widths(root)) == 2 * 2**n - 2
    assert sum(box.get("class") == "box" for box in root.iter(f"{SVG}rect")) == 2 * 2**n - 1
    words = texts(root)
    for level in range(1, n + 1):
        lanes = "1 lane" if c[level] == 1 else f"{c[level]} lanes"
        assert words.index(f"level {level}: {lanes} each way") == (
            words.index(f"(nonblocking {2 ** (n - level)})") - 1
        )
    assert {str(leaf) for leaf in range(0, 2**n, 1 if n < 6 else 5)} <= set(words)
    assert sum(box.get("class") == "box count" for box in root.iter(f"{SVG}rect")) == sum(
        2**level for level in range(1, min(n, 5) + 1)
    )
    assert {str(lanes) for lanes in c[1:6]} <= set(words)


@pytest.mark.parametrize(("n", "c"), CAPACITIES)
def test_width_grows_with_the_lanes(n, c):
    wide = sorted(widths(parsed(c)), reverse=True)
    lanes = np.repeat(c[1:], [2**level for level in range(1, n + 1)])
    assert np.allclose(wide, lanes * wide[0] / c[1], atol=0.06)


@pytest.mark.parametrize(("n", "c"), CAPACITIES)
def test_nothing_leaves_the_frame(n, c):
    root = parsed(c, used=c, title="a long title " * 12)
    _, _, width, height = map(float, root.get("viewBox").split())
    for box in root.iter(f"{SVG}rect"):
        x, y = (float(box.get(key, 0)) for key in "xy")
        assert 0 <= x <= x + float(box.get("width")) <= width + 0.5
        assert 0 <= y <= y + float(box.get("height")) <= height
    for text in root.iter(f"{SVG}text"):
        assert 0 < float(text.get("x")) < width
        assert 0 < float(text.get("y")) < height


def test_used_colours_the_levels():
    """Every scheme orders the shares by lightness: dark = busy on white, light on black."""
    c = [0, 8, 4, 2, 1]
    svg = tree_svg(c, used=[99, 8, 3, 1, 0])
    light, dark = (list(map(luminance, scheme)) for scheme in strokes(svg))
    assert all(a > b for a, b in itertools.pairwise(light)) and len(light) == 21
    assert all(a < b for a, b in itertools.pairwise(dark))
    assert any("busiest: 3 of 4 (75 %)" in words for words in texts(parsed(c, [0, 8, 3, 1, 0])))
    assert strokes(tree_svg(c)) == ([], [])


def test_means_are_called_means():
    words = texts(parsed([0, 8, 4, 2, 1], [0.0, 7.25, 3, 1, 0.5]))
    assert any("mean: 7.25 of 8 (91 %)" in w for w in words)
    assert any("mean of the lanes in use" in w for w in words)
    assert not any("busiest" in w for w in words)


def test_title_is_escaped_and_shown():
    root = parsed([0, 1], title='a <b> & "c"\x00\n d')
    assert root.find(f"{SVG}title").text == 'a <b> & "c" d'
    assert 'a <b> & "c" d' in texts(root)
    assert parsed([0, 1]).find(f"{SVG}title").text == "2-leaf fat-tree"


def test_self_contained_and_apart():
    first, second = tree_svg([0, 2, 1], used=[0, 1, 1]), tree_svg([0, 2, 1], used=[0, 2, 1])
    assert first == tree_svg(np.array([0, 2, 1]), used=(0, 1, 1))
    for svg in (first, second):
        assert "<script" not in svg
        assert not re.search(r"href|@import|url\((?!#)", svg)
        assert "prefers-color-scheme: dark" in svg
    ids = [set(re.findall(r' id="([^"]+)"', svg)) for svg in (first, second)]
    assert ids[0].isdisjoint(ids[1])
