"""The survey's Figs. 3 to 5: whom each port leads to, and all routes to one leaf."""

from collections import defaultdict

import numpy as np

from fattree_bench.families.xgft.drawings.ports import (
    ALONG,
    DOWN,
    THICK,
    UP,
    WAY,
    WIDE,
    at_port,
    names,
    passed,
    way,
)
from fattree_bench.families.xgft.drawings.trees import BOX, MARGIN, ends_of, rows_of
from fattree_bench.report.diagram import Point, Rows, Sheet
from fattree_bench.report.svg import PAD, Key
from fattree_models import ruft
from fattree_models.common.fat_tree import edges, kary
from fattree_models.common.fat_tree.routing import Climb
from fattree_models.ruft.routing import Ruft

TRACK = 7.0  # between long links
FIRST = 6.0  # from the switches to the first of them, beside that
WORDS = Key("", "numbers at a port: the leaves it leads to", 0)


def balanced(title: str, leaf: int, climb: Climb) -> str:
    """Figs. 3 and 4: the 2-ary 3-tree."""
    tree = kary(2, 3)
    sheet, served = Sheet(title, MARGIN + ALONG + PAD), defaultdict(set)
    for _, dst, port in passed(tree, "DMODK", climb):
        served[port].add(dst)
    rows, links = rows_of(tree, sheet, ALONG, WIDE, THICK), edges(tree)
    columns = (links.level, links.lower, links.up_port, links.upper, links.down_port)
    for ends, link in zip(ends_of(tree, rows), np.stack(columns, axis=1).tolist(), strict=True):
        level, lower, c, upper, q = link
        climbs = (
            leaf in served[level, lower, tree.down_ports(level) + c] if level else lower != leaf
        )
        way(sheet, *ends, climbs, leaf in served[level + 1, upper, q])
    for level in range(tree.height + 1):
        sheet.beside(rows.centre(level, 0)[1], [f"level {level}" if level else "leaves"])
        for node in range(rows.counts[level]):
            sheet.box(*rows.centre(level, node), rows.size(level), "box", str(node))
        downs = tree.down_ports(level)
        for node, port in np.ndindex(rows.counts[level], tree.radix(level) if level else 0):
            side, number = (-1, port) if port < downs else (1, port - downs)
            of = downs if side < 0 else tree.up_ports(level)
            where = rows.port(level, node, side, number, of)
            at_port(sheet, where, side, names(served[level, node, port]))
    ways = [Key(UP, f"on the way up to leaf {leaf}"), Key(DOWN, f"on the way down to leaf {leaf}")]
    return sheet.drawn(rows.bottom, [*ways, WORDS])


def reduced(title: str, leaf: int) -> str:
    """Fig. 5: the RUFT of the 2-ary 3-tree; its long links go round the switches."""
    net = Ruft(2, 3)
    span = FIRST + TRACK * (net.leaves + 1)
    sheet = Sheet(title, MARGIN + ALONG + span + PAD)
    rows = Rows(
        counts=[net.leaves, *[net.width] * net.n],
        left=MARGIN,
        top=sheet.top + span,
        along=ALONG,
        gaps=[46.0, *[84.0] * (net.n - 1)],
        longest=[28.0, *[WIDE] * net.n],
        thick=[BOX, *[THICK] * net.n],
    )
    for each in range(net.leaves):
        switch, number = (int(x) for x in net.enter(each))
        low, high = rows.port(0, each, 1, 0, 1), rows.port(1, switch, -1, number, net.k)
        way(sheet, low, high, each != leaf, False)
        sheet.box(*rows.centre(0, each), rows.size(0), "box", str(each))
    for stage, switch in np.ndindex(net.n, net.width):
        sheet.box(*rows.centre(stage + 1, switch), rows.size(stage + 1), "box", str(switch))
    for stage, switch, output in np.ndindex(net.n, net.width, net.k):
        served = np.flatnonzero(ruft.reach(net)[stage, switch, output]).tolist()
        at = rows.port(stage + 1, switch, 1, output, net.k)
        at_port(sheet, at, 1, names(served))
        if stage < net.n - 1:
            after, number = (int(x) for x in net.onward(stage, switch, output))
            way(sheet, at, rows.port(stage + 2, after, -1, number, net.k), leaf in served, False)
        else:
            round_about(sheet, rows, at, int(net.leave(switch, output)), leaf in served)
    for row in range(net.n + 1):
        sheet.beside(rows.centre(row, 0)[1], [f"stage {row - 1}" if row else "leaves"])
    return sheet.drawn(rows.bottom + span, [Key(UP, f"on the way to leaf {leaf}"), WORDS])


def round_about(sheet: Sheet, rows: Rows, at: Point, leaf: int, shown: bool) -> None:
    """A long link: up, over the switches, down beside them, and to its leaf from below.

    The farther to the left it begins, the farther outside it goes.
    """
    x, y = at
    end, bottom = rows.port(0, leaf, -1, 0, 1)
    last = len(rows.counts) - 1
    begins = [rows.port(last, s, 1, u, 2)[0] for s in range(rows.counts[last]) for u in range(2)]
    far = FIRST + TRACK * (1 + sum(other > x + 1 for other in begins))
    over, aside, under = y - far, MARGIN + ALONG + far, bottom + far
    points = [at, (x, over), (aside, over), (aside, under), (end, under), (end, bottom)]
    sheet.line(points, UP if shown else "idle", WAY if shown else 1.5, arrow=True)
