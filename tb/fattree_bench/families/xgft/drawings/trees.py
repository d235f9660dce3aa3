"""Trees in rows, leaves at the bottom, each link coloured by what it carries."""

import numpy as np
import numpy.typing as npt

from fattree_bench.report.diagram import Point, Rows, Sheet, loaded
from fattree_bench.report.svg import PAD
from fattree_models.turnback.routing import Turnback
from fattree_models.xgft import Loads, Xgft, all_pairs_loads, edges, link_loads

MARGIN = 112.0  # for what is said of a level
BOX = 20.0  # height of a node
ROOM = 17.0  # along a row, for a leaf's number; if there is less, each fifth stands below
RING = 12.0  # between root links
BUSIER = "packets on a link, in its busier direction:"

Values = npt.NDArray[np.float64]  # of the links of `edges`


def all_pairs(tree: Xgft, title: str, along: float = 640) -> str:
    """Every leaf sends a packet to every other by D-mod-k."""
    return layered(tree, title, busier(tree, all_pairs_loads(tree, "DMODK")), along)


def complement(tree: Xgft, title: str, along: float, most: int, root_links: int = 0) -> str:
    """Leaf s sends a packet to leaf N - 1 - s by D-mod-k; colours are for loads up to `most`."""
    leaves = np.arange(tree.leaves)
    values = busier(tree, link_loads(tree, leaves, leaves[::-1], "DMODK"))
    return layered(tree, title, values, along, most, root_links)


def busier(tree: Xgft, loads: Loads) -> Values:
    """The load of each link of `edges` in its busier direction."""
    return np.maximum(*directions(tree, loads))


def directions(tree: Xgft, loads: Loads) -> tuple[Values, Values]:
    """The load of each link of `edges`, up and down."""
    up, down, links = [], [], edges(tree)
    for level in range(tree.height):
        here = links.level == level
        up.append(loads.up[level][links.lower[here], links.up_port[here]])
        down.append(loads.down[level + 1][links.upper[here], links.down_port[here]])
    return np.concatenate(up).astype(float), np.concatenate(down).astype(float)


def layered(
    tree: Xgft,
    title: str,
    values: Values,
    along: float,
    most: int = 0,
    root_links: int = 0,
) -> str:
    """A tree with a load for each link; if `most` is given, colours are for loads up to that."""
    sheet = Sheet(title, MARGIN + along + PAD)
    if root_links:
        sheet.top += 2 * RING
    rows = rows_of(tree, sheet, along)
    classes, keys = loaded([*values.tolist(), *map(float, range(1, most + 1))], BUSIER)
    for ends, value in zip(ends_of(tree, rows), values.tolist(), strict=True):
        sheet.line(ends, classes[value], 1.8 if values.size <= 100 else 1.3)
    if root_links:
        ring(Turnback(tree, root_links=root_links), sheet, rows)
    for level in range(tree.height + 1):
        nodes(tree, sheet, rows, level)
        sheet.beside(rows.centre(level, 0)[1], said(tree, level))
    below = BOX * 0.7 if rows.pitch(0) < ROOM else 0.0
    return sheet.drawn(rows.bottom + below, keys)


def rows_of(
    tree: Xgft, sheet: Sheet, along: float, longest: float = 44, thick: float = BOX
) -> Rows:
    """Where the nodes of a tree stand on a sheet."""
    return Rows(
        counts=[tree.level_size(level) for level in range(tree.height + 1)],
        left=MARGIN,
        top=sheet.top,
        along=along,
        # The more links cross, the more room they need.
        gaps=[46 + 0.05 * along * (level > 0) for level in range(tree.height)],
        longest=[min(longest, 28), *[longest] * tree.height],
        thick=[BOX, *[thick] * tree.height],
    )


def ends_of(tree: Xgft, rows: Rows) -> list[tuple[Point, Point]]:
    """Both ends of every link, the lower first, in the order of `edges`."""
    links = edges(tree)
    columns = (links.level, links.lower, links.upper, links.up_port, links.down_port)
    return [
        (
            rows.port(level, lower, 1, up, tree.up_ports(level)),
            rows.port(level + 1, upper, -1, down, tree.down_ports(level + 1)),
        )
        for level, lower, upper, up, down in zip(*(c.tolist() for c in columns), strict=True)
    ]


def nodes(tree: Xgft, sheet: Sheet, rows: Rows, level: int) -> None:
    """Boxes of a level, with their numbers."""
    for node in range(rows.counts[level]):
        x, y = rows.centre(level, node)
        narrow = rows.pitch(level) < ROOM
        sheet.box(x, y, rows.size(level), "box", "" if narrow else str(node))
        if narrow and node % 5 == 0:
            sheet.text(str(node), x, y + BOX, "small middle")


def said(tree: Xgft, level: int) -> list[str]:
    """What a level is, how many nodes it has, and of how many ports."""
    count, up, down = tree.level_size(level), tree.up_ports(level), tree.down_ports(level)
    if not level:
        return ["leaves", f"0 … {count - 1}"]
    many = "switch" if count == 1 else "switches"
    return [f"level {level}", f"{count} {many}", f"{down} down, {up} up" if up else f"{down} down"]


def ring(net: Turnback, sheet: Sheet, rows: Rows) -> None:
    """The links between roots, two of opposite directions as one; those round the end above."""
    height, last = net.tree.height, net.roots - 1
    for root in range(net.roots):
        for number in range(net.root_links):
            to = net.neighbour(root, number)
            if number % 2 == 0 or net.neighbour(to, number - 1) != root:
                start = rows.port(height, root, 1, 1, 2)
                end = rows.port(height, to, 1, 0, 2)
                over = start[1] - RING * (1 if root < last else 2)
                points = [start, (start[0], over), (end[0], over), end]
                sheet.line(points, "idle", 1.8)
