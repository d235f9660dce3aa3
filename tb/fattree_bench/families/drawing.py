"""Figures of papers, drawn from the structures of networks.

A family's drawings.py offers DRAWINGS; `make docs` writes them into docs/drawings and onto a page.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from fattree_bench.report.diagram import (
    BOX,
    FONT,
    Look,
    Rows,
    Sheet,
    Stroke,
    loaded,
    network,
    opposite,
)
from fattree_bench.report.svg import PAD, Key
from fattree_models.common.checks import Int64Array, IntegerArray
from fattree_models.common.structure import Structure

BUSIER = "packets on a link, in its busier direction:"
REACH = Look(760.0, (28.0, 132.0, 132.0), (BOX, 50.0, 50.0))  # room for words at the ports
WAY, IDLE = 2.6, 1.5  # widths of links on a route that is shown, and of others


@dataclass(frozen=True)
class Drawing:
    """One picture.

    Attributes
    ----------
    name : of its file; the page shows the figures of a paper in the order of their names.
    paper : the letter with which the paper's items begin.
    figure : which one it is.
    says : what is drawn, and what its colours are, in a sentence.
    draw : makes the SVG.
    """

    name: str
    paper: str
    figure: str
    says: str
    draw: Callable[[], str]


def ways(structure: Structure, src: Int64Array, ports: IntegerArray) -> Int64Array:
    """Links of packets that take those ports of switches, int64 [packets, hops + 1], -1 behind."""
    first = structure.leaving[structure.senders[src], 0]
    return np.column_stack([first, structure.walk(src, ports).link])


def packets_on(structure: Structure, way: Int64Array) -> npt.NDArray[np.float64]:
    """How many packets each link carries."""
    return np.bincount(way[way >= 0], minlength=len(structure.links)).astype(np.float64)


def numbered(structure: Structure) -> Structure:
    """Nodes are called by their numbers alone."""
    return replace(structure, nodes=tuple(map(str, structure.number.tolist())))


def said(structure: Structure, noun: str = "level", first: int = 1) -> list[list[str]]:
    """Labels of the rows: leaves, then levels, from that number on."""
    rows = range(1, int(structure.level.max()) + 1)
    return [["leaves"], *([f"{noun} {row - 1 + first}"] for row in rows)]


def both(structure: Structure) -> list[tuple[int, int]]:
    """Each link up and the one back; links one way alone, and -1."""
    rises = structure.level[structure.head] > structure.level[structure.tail]
    back = opposite(structure)
    return [(k, other) for k, other in enumerate(back) if other < 0 or rises[k]]


def by_load(
    structure: Structure, loads: npt.NDArray[np.float64], most: int = 0
) -> tuple[list[Stroke], list[Key]]:
    """Links coloured by the busier direction; if `most` is given, for loads up to that."""
    links = both(structure)
    values = [max(loads[k], loads[other]) if other >= 0 else loads[k] for k, other in links]
    classes, keys = loaded([*values, *map(float, range(1, most + 1))], BUSIER)
    width = 1.8 if len(links) <= 100 else 1.3
    strokes = [
        Stroke(k, classes[value], width) for (k, _), value in zip(links, values, strict=True)
    ]
    return strokes, keys


def by_use(structure: Structure, names: Sequence[str]) -> list[Stroke]:
    """Links with arrows in the directions that have a class; "" has none."""
    strokes = []
    for k, other in both(structure):
        used = [link for link in (k, other) if link >= 0 and names[link]]
        aside = -3.0 if len(used) > 1 else 0.0
        strokes += [Stroke(link, names[link], WAY, True, aside) for link in used]
        strokes += [Stroke(k, "idle", IDLE, other < 0)] * (not used)
    return strokes


def on_links(way: Int64Array, ends: Int64Array, links: int) -> list[set[int]]:
    """Which leaves, of `ends`, the packets on each link come from or go to."""
    return [set(ends[(way == k).any(axis=1)].tolist()) for k in range(links)]


def leads_to(
    structure: Structure,
    title: str,
    way: Int64Array,
    dst: Int64Array,
    leaf: int,
    rows: list[list[str]],
    keys: Sequence[Key],
) -> str:
    """Whom each port leads to, and all routes to one leaf: the keys are those of up and of down."""
    ends = structure.level[structure.tail], structure.level[structure.head]
    names, words = [], []
    served = on_links(way, dst, len(structure.links))
    for to, low, high in zip(served, *(end.tolist() for end in ends), strict=True):
        names.append(keys[0 if high > low else -1].name * (leaf in to))
        words.append(",".join(map(str, sorted(to))) * (low > 0))
    told = Key("", "numbers at a port: the leaves it leads to", 0)
    strokes = by_use(structure, names)
    return network(numbered(structure), title, strokes, [*keys, told], rows, REACH, words)


def by_levels(structure: Structure) -> list[list[str]]:
    """Labels of the rows of a tree: levels, how many nodes, and of how many ports."""
    found = [["leaves", f"0 … {structure.leaves - 1}"]]
    level = structure.level
    for row in range(1, int(level.max()) + 1):
        count, heads = (
            int((level == row).sum()),
            level[structure.head[level[structure.tail] == row]],
        )
        down, up = (int(side.sum()) // count for side in (heads < row, heads > row))
        many = "switch" if count == 1 else "switches"
        ports = f"{down} down, {up} up" if up else f"{down} down"
        found.append([f"level {row}", f"{count} {many}", ports])
    return found


def word(title: str, fields: Sequence[tuple[str, int]], said: str) -> str:
    """The bits of fields from left to right, numbered within each; names above, `said` below."""
    sheet = Sheet(title, 640)
    bits = sum(count for _, count in fields)
    rows = Rows([bits], PAD, sheet.top + FONT, 640 - 2 * PAD, [], [60.0], [26.0])
    place = 0
    for name, count in fields:
        for bit in range(count):
            sheet.box(*rows.centre(0, place + bit), rows.size(0), "box", str(bit))
        middle = rows.centre(0, place)[0] + (count - 1) / 2 * rows.pitch(0)
        sheet.text(name, middle, sheet.top, "small middle strong")
        place += count
    return sheet.drawn(rows.bottom, [Key("", said, 0)])
