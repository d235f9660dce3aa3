"""The slides' figure of the fat-tree Benes network."""

from dataclasses import replace
from functools import partial

import numpy as np

from fattree_bench.families.drawing import Drawing, by_load, packets_on, ways
from fattree_bench.report.diagram import Look, network
from fattree_models.benes import benes_tables
from fattree_models.benes.unfolded import fold, fold_port
from fattree_models.common.fat_tree.graph import structure as structure_of
from fattree_models.common.structure import Structure
from fattree_models.traffic import every_pair
from fattree_models.xgft import benes, table_routes

PITCH = 44.0  # of nodes


def unfolded(ports: int, levels: int) -> Structure:
    """As the slides draw it: columns of switches from left to right, nodes on both sides.

    Stage s is row s + 1; ports of a switch are numbered from above, on its right and on its left.
    """
    made, last = structure_of(benes(ports, levels)), 2 * levels
    row, index = np.divmod(made.number, made.leaves // 2)
    row *= last
    port_of = np.zeros((len(made.nodes), ports), np.int64)
    for stage in range(last - 1):
        level, nodes = fold(ports, levels, stage, np.arange(made.leaves // ports))
        at = np.flatnonzero(made.level == level)[nodes]
        row[at], index[at] = stage + 1, np.arange(len(nodes))
        port_of[at] = np.argsort(fold_port(ports, levels, stage, np.arange(ports)))
    tail_port, head_port = port_of[made.tail, made.tail_port], port_of[made.head, made.head_port]
    return replace(made, level=row, number=index, tail_port=tail_port, head_port=head_port)


def stages(title: str, ports: int, levels: int) -> str:
    """All pairs, by the slides' routing."""
    folded, drawn = structure_of(benes(ports, levels)), unfolded(ports, levels)
    src, dst = every_pair(folded.leaves)
    way = ways(folded, src, table_routes(benes_tables(ports, levels), src, dst))
    strokes, keys = by_load(drawn, packets_on(folded, way))
    rows = [["nodes"], *([f"stage {k}"] for k in range(2 * levels - 1)), ["nodes"]]
    rows[levels].append("spine")
    names = np.where(folded.level > 0, drawn.number, folded.number).astype(str).tolist()
    look = Look(PITCH * folded.leaves / 2, (24, 56, 24), (30, 34, 30), (52, 86), sideways=True)
    return network(replace(drawn, nodes=tuple(names)), title, strokes, keys, rows, look)


DRAWINGS = (
    Drawing(
        "slides-3",
        "F",
        "Fat tree Benes network",
        "N = 4 ports and L = 3 levels, unfolded, with its shuffles; colours tell the packets on a "
        "link if every node sends one to every other by the slides' routing.",
        partial(stages, "Fat tree Benes network, N = 4, L = 3", 4, 3),
    ),
)
