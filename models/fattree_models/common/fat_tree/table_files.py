"""Forwarding tables from files: CSV, an entry a line."""

from pathlib import Path

import numpy as np

from fattree_models.common.checks import Int64Array
from fattree_models.common.columns import Column, Fault, Table, read_table
from fattree_models.common.fat_tree.tables import Tables
from fattree_models.common.fat_tree.topology import Xgft
from fattree_models.common.user_file import read_file

COLUMNS = ["level", "switch", "leaf", "port"]
MOST = 1 << 28  # bytes


def read_tables(path: str | Path, tree: Xgft) -> Tables:
    """Read the forwarding tables of a tree, one address a leaf.

    Parameters
    ----------
    path : str or Path
        The first line is `level,switch,leaf,port`; then an entry a line, in any order: the output
        port of a switch, by its number inside its level, for a leaf.  A switch may have none.

    Raises
    ------
    ValueError
        If the file cannot be read, is malformed, or has two entries for one leaf at a switch: one
        line, `path: line 7: reason`.
    """
    levels = range(tree.height + 1)
    sizes, radices = (np.array([f(x) for x in levels]) for f in (tree.level_size, tree.radix))
    least = (tree.first, 0, 0, 0)
    most = (tree.height, int(sizes.max()) - 1, tree.leaves - 1, int(radices.max()) - 1)
    columns = [Column(*column) for column in zip(COLUMNS, least, most, strict=True)]

    def check(table: Table) -> str:
        level, switch, _, port = table.astype(np.int64)
        for name, number, count in (("switch", switch, sizes), ("port", port, radices)):
            for row in np.flatnonzero(number >= count[level])[:1]:
                limit = count[level[row]] - 1
                return f"{name} is '{number[row]}'; allowed are 0 … {limit} at level {level[row]}"
        return ""

    data = read_file(path, MOST)
    try:
        table = read_table(data, columns, len(COLUMNS), "entries", check)
        return _tables(tree, np.array([*table.values()]).astype(np.int64))
    except Fault as fault:
        raise ValueError(f"{path}: {fault}") from None


def _tables(tree: Xgft, table: Int64Array) -> Tables:
    """Put entries into their places."""
    ports = []
    for each in range(tree.height + 1):
        rows = tree.level_size(each) if each >= tree.first else 0
        ports.append(np.full((rows, tree.leaves), -1, np.int16))
        _, switch, leaf, port = table[:, table[0] == each]
        place = switch * tree.leaves + leaf
        if np.unique(place).size < place.size:
            values, often = np.unique(place, return_counts=True)
            twice = divmod(int(values[often > 1][0]), tree.leaves)
            raise Fault(f"level {each} switch {twice[0]} has two entries for leaf {twice[1]}")
        ports[-1][switch, leaf] = port
    return Tables(tree, tuple(ports))
