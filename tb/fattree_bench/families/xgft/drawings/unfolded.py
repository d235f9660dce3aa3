"""The slides' fat-tree Benes network as they draw it: stages from left to right, spine in between.

Stage s is column s + 1; the nodes of the left and of the right are columns 0 and 2L.
"""

import numpy as np

from fattree_bench.families.xgft.drawings.ports import pairs
from fattree_bench.families.xgft.drawings.trees import BUSIER, busier
from fattree_bench.report.diagram import FONT, Point, Rows, Sheet, loaded
from fattree_bench.report.svg import PAD
from fattree_models.benes import benes_tables
from fattree_models.benes.unfolded import fold, fold_port
from fattree_models.xgft import benes, edges, route_loads, table_routes

PITCH = 44.0  # of nodes
NODE = (24.0, 30.0)  # along its column, and across it
SWITCH = (56.0, 34.0)


def stages(title: str, ports: int, levels: int) -> str:
    """All pairs, by the slides' routing."""
    tree, last = benes(ports, levels), 2 * levels
    src, dst = pairs(tree.leaves)
    loads = route_loads(tree, src, table_routes(benes_tables(ports, levels), src, dst))
    values, half = busier(tree, loads).tolist(), tree.leaves // 2
    gaps = [52.0, *[86.0] * (last - 2), 52.0]
    sheet = Sheet(title, 2 * (PAD + NODE[1]) + (last - 1) * SWITCH[1] + sum(gaps))
    longest, thick = ([NODE[i], *[SWITCH[i]] * (last - 1), NODE[i]] for i in range(2))
    counts = [half, *[tree.leaves // ports] * (last - 1), half]
    top, along = sheet.top + FONT, PITCH * half
    rows = Rows(counts, PAD, top, along, gaps, longest, thick, sideways=True)
    classes, keys = loaded(values, BUSIER)
    for ends, value in zip(links(rows, ports, levels), values, strict=True):
        sheet.line(ends, classes[value], 1.8)
    for column, count in enumerate(counts):
        for index in range(count):
            number = index + half * (column == last)
            sheet.box(*rows.centre(column, index), rows.size(column), "box", str(number))
        x, word = rows.centre(column, 0)[0], f"stage {column - 1}"
        sheet.text("nodes" if column in (0, last) else word, x, sheet.top, "small middle strong")
    sheet.text("spine", rows.centre(levels, 0)[0], sheet.top + 1.2 * FONT, "small middle muted")
    return sheet.drawn(rows.bottom, keys)


def links(rows: Rows, ports: int, levels: int) -> list[tuple[Point, Point]]:
    """Both ends of every link, in the order of `edges` of the folded tree."""
    tree, last = benes(ports, levels), 2 * levels
    side = tree.leaves // 2
    # Where the nodes of the tree are, and which of their ports is which.
    place = {(0, leaf): divmod(leaf, side) for leaf in range(tree.leaves)}
    place = {node: (last * right, index) for node, (right, index) in place.items()}
    port_of: dict[tuple[int, int], int] = {}
    for stage in range(last - 1):
        level, nodes = fold(ports, levels, stage, np.arange(rows.counts[stage + 1]))
        place |= {(level, node): (stage + 1, i) for i, node in enumerate(nodes.tolist())}
        folded = fold_port(ports, levels, stage, np.arange(ports)).tolist()
        port_of |= {(stage + 1, port): i for i, port in enumerate(folded)}

    def end(level: int, node: int, port: int) -> Point:
        column, index = place[level, node]
        if not level:
            return rows.port(column, index, -1 if column else 1, 0, 1)
        left, number = divmod(port_of[column, port], ports // 2)
        return rows.port(column, index, -1 if left else 1, number, ports // 2)

    found = edges(tree)
    columns = (found.level, found.lower, found.up_port, found.upper, found.down_port)
    return [
        (end(level, lower, tree.down_ports(level) + c), end(level + 1, upper, q))
        for level, lower, c, upper, q in zip(*(x.tolist() for x in columns), strict=True)
    ]
