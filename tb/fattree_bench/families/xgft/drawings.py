"""The papers' figures of trees of wormhole switches: the rows of drawings.toml."""

import tomllib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from fattree_bench.families import NETWORKS
from fattree_bench.families.drawing import (
    REACH,
    Drawing,
    by_levels,
    by_load,
    leads_to,
    numbered,
    on_links,
    packets_on,
    said,
    ways,
)
from fattree_bench.report.diagram import BOX, Look, Sheet, Stroke, loaded
from fattree_bench.report.diagram import network as picture
from fattree_bench.report.svg import PAD, Key
from fattree_bench.report.tree_svg import nonblocking, tree_svg
from fattree_models.common.checks import Int64Array
from fattree_models.common.fat_tree.graph import structure as structure_of
from fattree_models.common.fat_tree.routing import Climb
from fattree_models.common.structure import Structure
from fattree_models.traffic import every_pair
from fattree_models.xgft import Xgft, kary, routes

ALL = "colours tell the packets on a link if every leaf sends one to every other by D-mod-k"
SAME = "colours tell the packets on a link if leaf s sends to leaf N - 1 - s by D-mod-k"
REGULAR = kary(2, 3)  # of the survey's Fig. 9: router (r, c) is switch c of level r + 1
LANE = 1.5  # width of a lane
ROWS = Path(__file__).with_suffix(".toml")  # the figures, one a row


def all_pairs(network: str, title: str, along: float = 640) -> str:
    """Every leaf sends a packet to every other."""
    tree = tree_of(network)
    return carried(structure_of(tree), tree, every_pair(tree.leaves), title, along)


def complement(network: str, title: str, along: float, most: int, ring: bool = False) -> str:
    """Leaf s sends a packet to leaf N - 1 - s; with links from each root to the next, and back."""
    tree = tree_of(network)
    beside = {k: np.zeros((tree.level_size(k), 0), np.int64) for k in range(1, tree.height + 1)}
    roots = np.arange(tree.level_size(tree.height))
    if ring:
        beside[tree.height] = np.roll(roots, -1)[:, None]
    leaves = np.arange(tree.leaves)
    structure = structure_of(tree, beside=beside)
    return carried(structure, tree, (leaves, leaves[::-1]), title, along, most)


def carried(
    structure: Structure,
    tree: Xgft,
    ends: tuple[Int64Array, Int64Array],
    title: str,
    along: float,
    most: int = 0,
) -> str:
    """Packets on links by D-mod-k; if `most` is given, colours are for loads up to that."""
    loads = packets_on(structure, ways(structure, ends[0], routes(tree, *ends, "DMODK")))
    strokes, keys = by_load(structure, loads, most)
    rows = by_levels(structure)
    return picture(numbered(structure), title, strokes, keys, rows, Look(along))


def balanced(title: str, leaf: int, climb: Climb) -> str:
    """D-mod-k in the 2-ary 3-tree: whom each port leads to, and the routes to a leaf."""
    tree = kary(2, 3)
    structure, (src, dst) = structure_of(tree), every_pair(tree.leaves)
    way = ways(structure, src, routes(tree, src, dst, "DMODK", climb))
    keys = [Key(side, f"on the way {side} to leaf {leaf}") for side in ("up", "down")]
    return leads_to(structure, title, way, dst, leaf, said(structure), keys)


def lanes(tree: Xgft) -> dict[int, int]:
    """Lanes of each link down, one for each source whose packets take it: the modified fat-tree's.

    Routers turn at the first one above, and climb by the side one came from, which is S-mod-k.
    """
    structure, (src, dst) = structure_of(tree), every_pair(tree.leaves)
    sources = on_links(
        ways(structure, src, routes(tree, src, dst, "SMODK")), src, len(structure.links)
    )
    falls = structure.level[structure.head] < structure.level[structure.tail]
    return {k: len(sources[k]) for k in np.flatnonzero(falls).tolist()}


def routers(title: str, modified: bool) -> str:
    """All pairs in rows of routers: packets on a link, or, if modified, on a lane downwards."""
    made, (src, dst) = structure_of(REGULAR), every_pair(REGULAR.leaves)
    places = zip(made.level.tolist(), made.number.tolist(), strict=True)
    names = (f"R({level - 1}, {c})" if level else f"C{c}" for level, c in places)
    structure, rows = replace(made, nodes=tuple(names)), said(made, "row", 0)
    rows[0] = ["clients"]
    way, down = ways(made, src, routes(REGULAR, src, dst, "SMODK")), lanes(REGULAR)
    loads = packets_on(made, way)
    goals = on_links(way, dst, len(made.links))
    told = {
        k: f"{min(goals[k])} … {max(goals[k])}" if len(goals[k]) > 1 else f"{min(goals[k])}"
        for k in down
    }
    words = [told.get(k, "") for k in range(len(made.links))]
    strokes, keys = by_load(made, loads)
    if modified:
        loads /= [down.get(k, 1) for k in range(len(made.links))]
        classes, keys = loaded(loads.tolist(), "packets on a link up, or on a lane down:")
        strokes = [
            Stroke(k, classes[load], 1.6, aside=3.0) for k, load in enumerate(loads.tolist())
        ]
        for k, count in down.items():
            band = LANE * count
            strokes[k] = Stroke(k, classes[loads[k]], band, aside=1 + band / 2, longer=6.0)
        many = {int(made.level[made.tail[k]]): count for k, count in down.items()}
        for level, count in many.items():
            rows[level].append(f"{count} lane{'s' * (count > 1)} down")
    clients = Key("", "in a router: the clients below its left and its right link", 0)
    return picture(structure, title, strokes, [*keys, clients], rows, REACH, words)


def fat(leaves: int, title: str) -> str:
    """Leiserson's tree: links get fatter on the way up."""
    return tree_svg(nonblocking(leaves.bit_length() - 1), title=title)


def layout(leaves: int, title: str) -> str:
    """The same on a plane: arms to both sides, by turns across and upright, each a link."""
    lanes, side = nonblocking(leaves.bit_length() - 1), 420.0
    sheet = Sheet(title, side + 2 * PAD)
    places = [(side / 2 + PAD, side / 2 + sheet.top)]
    for level, count in enumerate(lanes[1:]):
        arm = side / 4 / (1 << level // 2)
        u, v = ((arm, 0.0), (0.0, arm))[level % 2]
        ends = [((x - u, y - v), (x + u, y + v)) for x, y in places]
        for place, pair in zip(places, ends, strict=True):
            for end in pair:
                sheet.line([place, end], "up", LANE * count)
        size = (12.0 + LANE * 2 * count,) * 2
        for place in places:
            sheet.box(*place, size, "box")
        places = [end for pair in ends for end in pair]
    for number, place in enumerate(places):
        sheet.box(*place, (22.0, BOX), "box", str(number))
    return sheet.drawn(sheet.top + side, [Key("up", "a link, as wide as its lanes are many")])


def tree_of(network: str) -> Xgft:
    """The tree of a network and its variables, as in "kary K=2 LEVELS=3"."""
    name, *variables = network.split()
    made: Any = NETWORKS[name].from_variables(dict(each.split("=") for each in variables))
    tree: Xgft = made.tree
    return tree


def _row(name: str, row: dict[str, Any]) -> Drawing:
    paper, figure, says, draw = (row.pop(key) for key in ("paper", "figure", "says", "draw"))
    return Drawing(name, paper, figure, says.format(all=ALL, same=SAME), partial(DRAW[draw], **row))


DRAW: dict[str, Callable[..., str]] = {
    draw.__name__: draw for draw in (all_pairs, complement, balanced, routers, fat, layout)
}
DRAWINGS = tuple(_row(name, row) for name, row in tomllib.loads(ROWS.read_text("utf-8")).items())
