"""The survey's Fig. 9: the regular fat-tree of routers and clients, and the modified one.

The regular one is a 2-ary tree: router (r, c) is switch c of level r + 1, and clients 2c and 2c + 1
are its leaves.  Its routing, turn at the first router above and up by the side one came from, is
S-mod-k.  In the modified one every source that uses a link down has a lane of its own there.
"""

from collections import defaultdict

import numpy as np

from fattree_bench.families.xgft.drawings.ports import ALONG, THICK, WIDE, Port, at_port, passed
from fattree_bench.families.xgft.drawings.trees import (
    BUSIER,
    MARGIN,
    busier,
    directions,
    ends_of,
    rows_of,
)
from fattree_bench.report.diagram import FONT, Rows, Sheet, loaded, parallel
from fattree_bench.report.svg import PAD, Key
from fattree_models.xgft import Xgft, all_pairs_loads, edges, kary

TREE = kary(2, 3)
LANE = 1.5  # width of a lane
INTERVALS = Key("", "in a router: the clients below its left and its right link", 0)


def regular(title: str) -> str:
    """All pairs: packets on a link."""
    sheet = Sheet(title, MARGIN + ALONG + PAD)
    rows = rows_of(TREE, sheet, ALONG, WIDE, THICK)
    values = busier(TREE, all_pairs_loads(TREE, "SMODK")).tolist()
    classes, keys = loaded(values, BUSIER)
    for ends, value in zip(ends_of(TREE, rows), values, strict=True):
        sheet.line(ends, classes[value], 2.0)
    routers(sheet, rows, {})
    return sheet.drawn(rows.bottom, [*keys, INTERVALS])


def modified(title: str) -> str:
    """All pairs: packets on a link up, and on each lane of a link down."""
    sheet = Sheet(title, MARGIN + ALONG + PAD)
    rows = rows_of(TREE, sheet, ALONG, WIDE, THICK)
    own, links = lanes(TREE), edges(TREE)
    columns = (links.level + 1, links.upper, links.down_port)
    many = np.array([own[port] for port in zip(*(c.tolist() for c in columns), strict=True)])
    up, down = directions(TREE, all_pairs_loads(TREE, "SMODK"))
    classes, keys = loaded([*up, *(down / many)], "packets on a link up, or on a lane down:")
    figures = zip(up.tolist(), (down / many).tolist(), many.tolist(), strict=True)
    for (low, high), (climb, lane, count) in zip(ends_of(TREE, rows), figures, strict=True):
        sheet.line(parallel(low, high, 3), classes[climb], 1.6)
        band = LANE * count
        sheet.line(parallel(high, low, 1 + band / 2, 6), classes[lane], band)
    routers(sheet, rows, {level: count for (level, _, _), count in own.items()})
    return sheet.drawn(rows.bottom, keys)


def lanes(tree: Xgft) -> dict[Port, int]:
    """Lanes of each link down, one for each source whose packets take it."""
    found: dict[Port, set[int]] = defaultdict(set)
    for src, _, port in passed(tree, "SMODK"):
        if port[2] < tree.down_ports(port[0]):
            found[port].add(src)
    return {port: len(sources) for port, sources in found.items()}


def routers(sheet: Sheet, rows: Rows, down: dict[int, int]) -> None:
    """Clients, and routers with their intervals; `down` are the lanes of each level."""
    for client in range(TREE.leaves):
        sheet.box(*rows.centre(0, client), rows.size(0), "box", f"C{client}")
    sheet.beside(rows.centre(0, 0)[1], ["clients"])
    for level in range(1, TREE.height + 1):
        size = TREE.subtree_leaves(level - 1)
        for node in range(rows.counts[level]):
            x, y = rows.centre(level, node)
            sheet.box(x, y, rows.size(level), "box")
            sheet.text(f"R({level - 1}, {node})", x, y - 0.5 * FONT, "small middle")
            for q in range(2):
                low = (node // TREE.w_span(level) * 2 + q) * size
                words = f"{low} … {low + size - 1}" if size > 1 else str(low)
                at_port(sheet, rows.port(level, node, -1, q, 2), -1, words)
        many = down.get(level, 0)
        words = f"{many} lane{'s' * (many > 1)} down"
        sheet.beside(rows.centre(level, 0)[1], [f"row {level - 1}", *[words] * bool(down)])
