"""FT(m, n) in InfiniBand's terms (Lin, Chung, Huang 2004): labels, LIDs, MLID and SLID tables.

Switch SW<w_0 ... w_{n-2}, k> has level k = 0 at the root; node P(p_0 ... p_{n-1}).  With h = m/2
and XGFT level l = n - k:

    p_i = a_{n-i};    w_i = a_{n-i} for i < k,    w_{k+i} = a_{2+i} for i < l - 1;

the first k of w say in which subtree the switch is, the others which ups lead to it, in the order
in which they are taken.  Ports are numbered alike: 0 ... h - 1 (m - 1 at the root) down, h ... up.
"""

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int64Array, check_integers
from fattree_models.xgft.families import ftree_mn
from fattree_models.xgft.routing import nca_level
from fattree_models.xgft.tables import Tables, tables_of
from fattree_models.xgft.topology import Xgft


def node_label(ports: int, levels: int, leaf: npt.ArrayLike) -> Int64Array:
    """Return P(p_0 ... p_{n-1}) of leaves, int64 [..., n].

    Examples
    --------
    >>> node_label(4, 3, [0, 13]).tolist()
    [[0, 0, 0], [3, 0, 1]]
    """
    return ftree_mn(ports, levels).digits(0, leaf)[..., ::-1].copy()


def node_number(ports: int, levels: int, label: npt.ArrayLike) -> Int64Array:
    """Return PID(p) = sum p_i h^{n-1-i}, which is the leaf's number in the XGFT.

    Examples
    --------
    >>> node_number(4, 3, [3, 0, 1])
    np.int64(13)
    """
    return ftree_mn(ports, levels).index(0, check_integers("label", label)[..., ::-1])


def switch_label(ports: int, levels: int, level: int, index: npt.ArrayLike) -> Int64Array:
    """Return <w_0 ... w_{n-2}> of the switches of an XGFT level.

    Parameters
    ----------
    ports, levels : int
        m and n of FT(m, n).
    level : int
        XGFT level, 1 ... n; the InfiniBand level is n - level.
    index : int array [...]
        Flat numbers inside the XGFT level.

    Returns
    -------
    int64 array [..., n - 1]

    Examples
    --------
    >>> switch_label(4, 3, 2, [4, 5]).tolist()
    [[2, 0], [2, 1]]
    """
    return ftree_mn(ports, levels).digits(level, index)[..., _digit_of_label(levels, level)]


def switch_number(ports: int, levels: int, level: int, label: npt.ArrayLike) -> Int64Array:
    """Return the flat numbers, inside an XGFT level, of switches <w_0 ... w_{n-2}>.

    Examples
    --------
    >>> switch_number(4, 3, 2, [[2, 0], [2, 1]])
    array([4, 5])
    """
    array = check_integers("label", label)
    if array.ndim == 0 or array.shape[-1] != levels - 1:
        raise ValueError(f"label: has shape {array.shape}; allowed is [..., {levels - 1}]")
    digits = np.zeros((*array.shape[:-1], levels), dtype=np.int64)
    digits[..., _digit_of_label(levels, level)] = array
    return ftree_mn(ports, levels).index(level, digits)


def neighbour(
    ports: int, levels: int, label: tuple[int, ...], ib_level: int, port: int
) -> tuple[tuple[int, ...], int, int]:
    """Return what a port of SW<label, ib_level> leads to, by the paper's own rule.

    Returns
    -------
    (label, InfiniBand level, port)
        The switch at the other end and its port; for a node its label, level n and port 0.

    Examples
    --------
    >>> neighbour(4, 3, (2, 1), 1, 3)
    ((1, 1), 0, 2)
    """
    half = ports // 2
    if not 0 <= port < ports:
        raise ValueError(f"port: is {port}; allowed are 0 … {ports - 1}")
    if port >= half and ib_level > 0:
        before, removed, after = label[: ib_level - 1], label[ib_level - 1], label[ib_level:]
        return (*before, *after, port - half), ib_level - 1, removed
    if ib_level == levels - 1:
        return (*label, port), levels, 0
    return (*label[:ib_level], port, *label[ib_level:-1]), ib_level + 1, label[-1] + half


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
    Rank 0 means up port h at every switch, so one root carries what goes over the top.  The
    reference says "one LID per node (rank 0)" and no more; the paper's abstract has no formula.

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


def _digit_of_label(levels: int, level: int) -> list[int]:
    """Return, for w_0 ... w_{n-2}, the place (a_1 is 0) of the XGFT digit that it is."""
    subtree = [levels - i - 1 for i in range(levels - level)]
    return subtree + [i + 1 for i in range(level - 1)]
