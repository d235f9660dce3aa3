"""FT(m, n) in InfiniBand's terms (Lin, Chung, Huang 2004): labels of nodes and switches.

Switch SW<w_0 ... w_{n-2}, k> has level k = 0 at the root; node P(p_0 ... p_{n-1}).  With h = m/2
and XGFT level l = n - k:

    p_i = a_{n-i};    w_i = a_{n-i} for i < k,    w_{k+i} = a_{2+i} for i < l - 1;

the first k of w say in which subtree the switch is, the others which ups lead to it.
"""

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int64Array, check_integers
from fattree_models.common.fat_tree.shapes import ftree_mn


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


def _digit_of_label(levels: int, level: int) -> list[int]:
    """Return, for w_0 ... w_{n-2}, the place (a_1 is 0) of the XGFT digit that it is."""
    subtree = [levels - i - 1 for i in range(levels - level)]
    return subtree + [i + 1 for i in range(level - 1)]
