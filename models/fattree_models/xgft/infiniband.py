"""FT(m, n) in InfiniBand's terms (Lin, Chung, Huang 2004): labels, LIDs, MLID and SLID tables.

Switch SW<w_0 ... w_{n-2}, k> has level k = 0 at the root; node P(p_0 ... p_{n-1}).  With h = m/2
and XGFT level l = n - k:

    p_i = a_{n-i};    w_i = a_{n-i} for i < k,    w_{k+i} = a_{2+i} for i < l - 1;

the first k of w say in which subtree the switch is, the others which ups lead to it, in the order
in which they are taken.  Ports are numbered alike: 0 ... h - 1 (m - 1 at the root) down, h ... up.
"""

import numpy as np

from fattree_models.common.checks import Int64Array
from fattree_models.common.fat_tree.routing import nca_level
from fattree_models.common.fat_tree.shapes import ftree_mn
from fattree_models.common.fat_tree.tables import Tables, tables_of
from fattree_models.common.fat_tree.topology import Xgft


def mlid_tables(ports: int, levels: int) -> Tables:
    """Return the MLID forwarding tables: h^{n-1} addresses a node, address = LID - 1.

    Notes
    -----
    At <w, k>: port d_k of the LID's node d if w_0 ... w_{k-1} = d_0 ... d_{k-1}, else
    h + floor((LID - 1) / h^{n-1-k}) mod h.  The source takes rank sum_{i>alpha} src_i h^{n-1-i},
    alpha the length of its common prefix with the destination.

    Examples
    --------
    >>> tables = mlid_tables(4, 2)
    >>> tables.paths, tables.address([0, 1], [7, 7]).tolist()
    (2, [14, 15])
    """
    tree, half, levels = ftree_mn(ports, levels), int(ports) // 2, int(levels)
    return tables_of(
        tree,
        lambda level, address: address // half ** (level - 1) % half,
        half ** (levels - 1),
        mlid_rank,
    )


def slid_tables(ports: int, levels: int) -> Tables:
    """Return the tables of the baseline with one LID a node: MLID's of each node's first LID.

    Notes
    -----
    Rank 0 means up port h at every switch, so one root carries what goes over the top.  That it is
    rank 0 is ours: the paper's abstract has no formula.

    Examples
    --------
    >>> slid_tables(4, 2).ports[1][0].tolist()
    [0, 1, 2, 2, 2, 2, 2, 2]
    """
    tables = mlid_tables(ports, levels)
    return Tables(tables.tree, tuple(array[:, :: tables.paths] for array in tables.ports))


def mlid_rank(tree: Xgft, src: Int64Array, dst: Int64Array) -> Int64Array:
    """Return the source's digits below the first that differs from the destination's."""
    below = np.maximum(nca_level(tree, src, dst) - 1, 0)
    return np.asarray(src % np.int64(tree.m[0]) ** below) if tree.height > 1 else 0 * src
