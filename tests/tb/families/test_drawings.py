"""The drawings of networks: legible, and what they are drawings of."""

import re
from collections import Counter
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest

from fattree_bench.drawings import drawings
from fattree_bench.families.benes import drawings as stages
from fattree_bench.families.xgft import drawings as trees
from fattree_bench.report import diagram
from fattree_bench.report.tree_svg import SHADES
from fattree_models import ruft
from fattree_models.benes.unfolded import fold
from fattree_models.common.fat_tree.graph import structure
from fattree_models.ruft.routing import Ruft
from fattree_models.xgft import Xgft, all_pairs_loads, kary, link_loads, routes
from tests.models.benes.printed_benes import benes_shuffle

SVG = "{http://www.w3.org/2000/svg}"
SIZES = {"title": 17.0, "small": 11.0, "tiny": 10.0}
PICTURES = {d.name: d.draw() for d in drawings()}
DIAGRAMS = [name for name, svg in PICTURES.items() if 'class="line' in svg]


def parsed(name):
    return ElementTree.fromstring(PICTURES[name])


def lines(svg):
    """How many links there are of each class."""
    found = ElementTree.fromstring(svg).iter(f"{SVG}path")
    classes = (path.get("class").split() for path in found)
    return Counter(name for kind, name in classes if kind == "line")


def keys(svg):
    """What the colours mean: class by class, the words next to it."""
    root = ElementTree.fromstring(svg)
    texts = list(root.iter(f"{SVG}text"))
    found = {}
    for box in root.iter(f"{SVG}rect"):
        kind, *name = (box.get("class") or "").split()
        if kind == "key":
            end, y = float(box.get("x")) + float(box.get("width")), float(box.get("y"))
            near = [(t, float(t.get("x")) - end, float(t.get("y")) - y) for t in texts]
            beside = [t for t, right, under in near if 0 < right < 12 and 0 < under < 12]
            assert len(beside) == 1
            found[name[0]] = beside[0].text
    return found


def extent(text):
    """Left, top, right and bottom of words, at most."""
    name = (text.get("class") or "").split()
    size = next((size for word, size in SIZES.items() if word in name), 12.5)
    words = "".join(text.itertext())
    wide = (0.6 if len(words) < 12 else 0.52) * size * len(words)
    x, y = float(text.get("x")), float(text.get("y"))
    left = x - wide / 2 if "middle" in name else x
    return left, y - 0.75 * size, left + wide, y + 0.2 * size


def apart(one, other):
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


@pytest.mark.parametrize("name", DIAGRAMS)
def test_no_words_on_words_and_none_outside(name):
    root = parsed(name)
    _, _, width, height = map(float, root.get("viewBox").split())
    places = [(extent(text), "".join(text.itertext())) for text in root.iter(f"{SVG}text")]
    for (one, words), (other, more) in combinations(places, 2):
        assert apart(one, other), (words, more)
    for (left, top, right, bottom), words in places:
        assert left >= 0 and top >= 0 and right <= width and bottom <= height, words
    numbers = re.findall(r'd="(M[^"]+)"', PICTURES[name])
    points = np.array([float(x) for path in numbers for x in re.findall(r"[\d.-]+", path)])
    assert (points.reshape(-1, 2) >= 0).all() and (points.reshape(-1, 2) <= (width, height)).all()


@pytest.mark.parametrize("name", DIAGRAMS)
def test_boxes_do_not_touch_but_in_a_node(name):
    boxes = {"box": [], "node": []}
    for box in parsed(name).iter(f"{SVG}rect"):
        if box.get("class") in boxes:
            x, y, wide, high = (float(box.get(key)) for key in ("x", "y", "width", "height"))
            boxes[box.get("class")].append((x, y, x + wide, y + high))
    for found in boxes.values():
        assert all(apart(one, other) for one, other in combinations(found, 2))


@pytest.mark.parametrize("name", PICTURES)
def test_self_contained_in_both_schemes(name):
    svg = PICTURES[name]
    assert not re.search(r"<script|href|@import|url\((?!#)", svg)
    assert "prefers-color-scheme: dark" in svg
    scale = f"load-{1 + SHADES}" in keys(svg)  # some of its shades stand for all
    known = {*keys(svg), "idle", *(f"load-{k}" for k in range(1, 1 + SHADES) if scale)}
    assert set(lines(svg)) <= known


def colours(values):
    """Classes that links of these loads must have: the least load first."""
    steps = sorted({load for load in values if load})
    return Counter(f"load-{steps.index(load) + 1}" if load else "idle" for load in values)


def both_ways(tree, loads):
    """The greater load of every link's two directions, link by link."""
    return [
        max(loads.up[level][node, c], loads.down[level + 1][upper[0], q[0]])
        for level in range(tree.height)
        for node in range(tree.level_size(level))
        for c in range(tree.up_ports(level))
        for upper, q in [tree.up(level, [node], [c])]
    ]


@pytest.mark.parametrize("network", ["kary K=2 LEVELS=3", "xgft M=4,4,3 W=1,2,2", "xgft M=4 W=1"])
def test_links_have_the_colours_of_their_loads(network):
    svg, tree = trees.all_pairs(network, ""), trees.tree_of(network)
    values = both_ways(tree, all_pairs_loads(tree, "DMODK"))
    assert lines(svg) == colours(values)
    assert keys(svg) == {
        f"load-{step}": str(load) for step, load in enumerate(sorted(set(values)), start=1)
    }


def test_pictures_that_are_compared_have_the_same_colours():
    tree = Xgft((4, 3, 5), (1, 2, 2))
    leaves = np.arange(60)
    values = both_ways(tree, link_loads(tree, leaves, 59 - leaves, "DMODK"))
    assert max(values) == 3 and lines(PICTURES["oxgft-2b"]) == colours(values) + Counter(idle=4)
    for name in ("oxgft-2a", "oxgft-2b", "oxgft-5a", "oxgft-5b"):
        assert keys(PICTURES[name]) == {"load-1": "1", "load-2": "2", "load-3": "3"}
    for name in ("oxgft-5a", "oxgft-5b", "slides-4"):
        assert set(lines(PICTURES[name])) == {"load-1"}


def tiny(svg):
    """Words at ports, the left and the upper ones first."""
    found = ElementTree.fromstring(svg).iter(f"{SVG}text")
    return Counter(text.text for text in found if "tiny" in text.get("class", ""))


def test_ports_are_told_whom_they_lead_to():
    """The survey's Figs. 3 to 5: from level 1 up to three or four leaves, down to one."""
    near, top, single = (PICTURES[f"survey-{number}"] for number in (3, 4, 5))
    assert tiny(near)["1,3,7"] == 1 and tiny(near)["7"] == 4  # three ports down, and one up
    assert tiny(top)["1,3,5,7"] == tiny(single)["1,3,5,7"] == 4
    assert tiny(top)["7"] == 3 and tiny(single)["7"] == 1
    assert sum(tiny(top).values()) == 40 and sum(tiny(single).values()) == 24


def test_routes_to_a_leaf():
    """From 7 leaves; in the tree they come down, in the RUFT a long link brings them."""
    assert lines(PICTURES["survey-3"]) == {"up": 11, "down": 3, "idle": 10}
    assert lines(PICTURES["survey-4"]) == {"up": 13, "down": 3, "idle": 10}
    assert lines(PICTURES["survey-5"]) == {"up": 7 + 4 + 2 + 1, "idle": 1 + 4 + 6 + 7}
    net = Ruft(2, 3)
    assert lines(PICTURES["survey-5"])["up"] == 7 + ruft.reach(net)[..., 7].sum()


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_lanes_and_columns_of_the_modified_fat_tree(n):
    """2^{n-r} - 1 lanes at row r, and router (r, c) joined to (r + 1, c) and (r + 1, c xor 2^r)."""
    tree = kary(2, n)
    made = structure(tree)
    for link, count in trees.lanes(tree).items():
        assert count == 2 ** (n - (made.level[made.tail[link]] - 1)) - 1
    for row in range(n - 1):
        column = np.arange(2 ** (n - 1))
        above = {frozenset(tree.up(row + 1, c, [0, 1])[0].tolist()) for c in column}
        assert above == {frozenset((c, c ^ 1 << row)) for c in column.tolist()}


def test_reach_of_routers():
    assert tiny(PICTURES["survey-9a"]) == {
        **{str(client): 1 for client in range(8)},
        **{f"{2 * i} … {2 * i + 1}": 2 for i in range(4)},
        **{"0 … 3": 4, "4 … 7": 4},
    }


@pytest.mark.parametrize(("ports", "levels"), [(4, 2), (4, 3), (6, 2), (4, 4)])
def test_unfolded_links_are_the_shuffles(ports, levels):
    """Right port p of a stage leads to the left port that the slides' code says."""
    half, last = ports // 2, 2 * levels
    made = stages.unfolded(ports, levels)
    sides = made.leaves  # those in the first column
    columns = made.tail, made.tail_port, made.head, made.head_port
    drawn = set()
    for tail, out, head, into in zip(*(column.tolist() for column in columns), strict=True):
        ends = (
            (made.level[node], made.number[node], port)
            for node, port in ((tail, out), (head, into))
        )
        drawn.add(frozenset(ends))
    wanted = set()  # (column, switch, port): from 0 on its right ports, from half on its left ones
    for port in range(sides):
        switch, number = divmod(port, half)
        for stage in range(last - 2):
            after, left = divmod(benes_shuffle(ports, levels, stage, port), half)
            wanted.add(frozenset(((stage + 1, switch, number), (stage + 2, after, half + left))))
        wanted.add(frozenset(((0, port, 0), (1, switch, half + number))))
        wanted.add(frozenset(((last, port, 0), (last - 1, switch, number))))
    assert drawn == wanted


def test_turn_back_channels():
    """Packets that turn: 8, 16 and 32 of 56 at levels of 4 nodes each; the top's are fullest."""
    found = lines(PICTURES["turnback-1"])
    loads = {name: float(words) for name, words in keys(PICTURES["turnback-1"]).items()}
    totals = Counter()
    for name, count in found.items():
        totals[loads[name]] += count
    # A turn: 2 at level 1, 4 at level 2, 8 at the top; up and down 6 and 4; leaves 7.
    assert totals == {2: 4, 4: 4 + 2 * 8, 8: 4, 6: 2 * 8, 7: 16}


def test_what_a_packet_may_take():
    """From leaf 0 to 1: up to every root, from each to the next, and down again."""
    assert lines(PICTURES["turnback-2"]) == {
        "up": 1 + 2 + 4,
        "lateral": 4,
        "turn": 1 + 2 + 4,
        "down": 1 + 2 + 4,
        "idle": 16 + 4 + 12 + 24 + 8 - 25,
    }
    assert lines(PICTURES["turnback-3"]) == {"lateral": 4, "idle": 16 + 12 + 24 + 8}


# ---- what is planted must be seen ----------------------------------------------------------------


def texts(name):
    return ["".join(text.itertext()) for text in parsed(name).iter(f"{SVG}text")]


def test_pearls_are_halved_on_the_way():
    """Leiserson's Fig. 4: at first too many are black, in the end too few, between them half."""
    counts = [tuple(map(int, re.findall(r"\d+", words))) for words in texts("leiserson-4")]
    begin, half, end = (pair for pair in counts if len(pair) == 2)
    assert texts("leiserson-4").count("●") == 3 * sum(half[:1]) * 2
    assert half[0] == half[1] == (begin[0] + end[0]) / 2 == (begin[1] + end[1]) / 2
    assert begin[0] > half[0] > end[0] and sum(begin) == sum(half) == sum(end)
    assert lines(PICTURES["leiserson-4"])["up"] <= 3 * (sum(half) - 1)  # one string, or two


def test_bits_of_a_head_flit():
    """OXGFT's Fig. 4: the word's bits, of them the address's of 4, 3 and 5 children, the first."""
    fields = {"d1": 2, "d2": 2, "d3": 3, "source": 6, "class": 1, "number of the packet": 18}
    words = texts("oxgft-4")
    assert [word for word in words if word in fields] == list(fields)
    bits = [int(word) for word in words if word.isdecimal()]
    assert bits == [bit for count in fields.values() for bit in range(count)]


def test_layout_of_a_fat_tree():
    """The survey's Fig. 1 (b): two links below each of 15 nodes, each twice as wide as the next."""
    found = parsed("survey-1b").iter(f"{SVG}path")
    widths = [float(path.get("stroke-width")) for path in found if path.get("class") == "line up"]
    assert sorted(Counter(widths).items()) == [(1.5, 16), (3.0, 8), (6.0, 4), (12.0, 2)]
    assert {word for word in texts("survey-1b") if word.isdecimal()} == set(map(str, range(16)))


def test_words_on_words_are_seen(monkeypatch):
    monkeypatch.setattr(diagram, "ROOM", 0)
    drawn = trees.all_pairs("xgft M=4,4,3 W=1,2,2", "", along=480)
    monkeypatch.setitem(PICTURES, "crowded", drawn)
    with pytest.raises(AssertionError):
        test_no_words_on_words_and_none_outside("crowded")


def test_loads_of_another_routing_are_seen(monkeypatch):
    monkeypatch.setattr(trees, "routes", lambda *asked: routes(*asked, "TOP"))
    with pytest.raises(AssertionError):
        test_links_have_the_colours_of_their_loads("kary K=2 LEVELS=3")


def test_a_shuffle_left_out_is_seen(monkeypatch):
    def straight(ports, levels, stage, switch):
        level, _ = fold(ports, levels, stage, switch)
        return level, switch + len(switch) * (stage >= levels)

    monkeypatch.setattr(stages, "fold", straight)
    with pytest.raises(AssertionError):
        test_unfolded_links_are_the_shuffles(4, 3)
