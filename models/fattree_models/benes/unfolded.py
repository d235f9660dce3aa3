"""The Benes network of IBM Zurich's slides "Fat tree Benes": its drawing, its routing code.

N ports per switch, L levels, S = 2L - 1 stages of d = (N/2)^{L-1} switches, M = N d end nodes:
nodes 0 ... M/2 - 1 on the left of stage 0, M/2 ... M - 1 on the right of stage S - 1.  Ports
0 ... N/2 - 1 of a switch are its right side, N/2 ... N - 1 its left side.

Folded at the spine, stage L - 1, it is XGFT(L; N/2..N/2, N; 1, N/2..N/2), end node m being leaf m:
stage s of the left half and stage S - 1 - s of the right half make level s + 1.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int64Array, check_integer, check_integers
from fattree_models.common.fat_tree.shapes import benes
from fattree_models.common.fat_tree.tables import Tables

Lookup = Callable[[int, int, int, Int64Array, Int64Array], Int64Array]


def routing_lookup(
    ports: int, levels: int, stage: int, switch: Int64Array, node: Int64Array
) -> Int64Array:
    """Return the output port of switches (stage, switch) for end nodes: the code, corrected.

    Parameters
    ----------
    ports, levels : int
        N and L.
    stage : int
        0 ... S - 1.
    switch, node : int64 arrays, broadcast against each other

    Returns
    -------
    int64 array
        0 ... N/2 - 1 on the right side, N/2 ... N - 1 on the left side.

    Notes
    -----
    As printed but for the term (m % d) (N / (2 d)), which is dropped, and `S >= S/2`, which is read
    as `s >= S/2`.  Every pair is delivered, minimally (tests).

    Examples
    --------
    >>> routing_lookup(4, 2, 0, np.array([0, 0, 0]), np.array([1, 2, 7])).tolist()
    [3, 0, 1]
    """
    d = benes(ports, levels).leaves // int(ports)
    half, spine = int(ports) // 2, int(levels) - 1
    reach = half ** _level(levels, stage)
    left = node < half * d
    side = np.where(left, 0, half * d)
    start = side + switch % (d // reach) * (reach * half)
    here = np.where(left, stage <= spine, stage >= spine)
    here = here & (start <= node) & (node < start + reach * half)
    down = np.where(left, half, 0) + (node - start) // reach % half
    # The slides add 0, not the switch, if last_hop(); but an edge switch reaches its own nodes, so
    # that never holds here.
    up = (0 if stage < spine else half) + ((node - side) // reach + switch) % half
    return np.asarray(np.where(here, down, up))


def fold(ports: int, levels: int, stage: int, switch: npt.ArrayLike) -> tuple[int, Int64Array]:
    """Return which XGFT nodes the switches of a stage are: (level, flat numbers inside it).

    Notes
    -----
    In base N/2 the number of a switch of stage s is, most significant first, the s ups taken to
    get there in the order of taking, and then what is left of the number of the edge switch below:
    a_2 ... a_{s+1}, a_L ... a_{s+2}.  On the right a_L is greater by N/2; the spine has no a_L.

    Examples
    --------
    >>> fold(4, 3, 1, [0, 1, 2, 3]), fold(4, 3, 3, [0, 1, 2, 3])
    ((2, array([0, 2, 1, 3])), (2, array([4, 6, 5, 7])))
    """
    tree, half, levels = benes(ports, levels), int(ports) // 2, int(levels)
    array = check_integers("switch", switch, 0, half ** (levels - 1) - 1).astype(np.int64)
    level = _level(levels, stage)
    labels = np.zeros((*array.shape, levels), dtype=np.int64)
    rest = array
    for place in (*range(level + 1, levels), *range(level, 0, -1)):
        labels[..., place] = rest % half
        rest = rest // half
    if stage > levels - 1:
        labels[..., levels - 1] += half
    return level + 1, tree.index(level + 1, labels)


def fold_port(ports: int, levels: int, stage: int, port: npt.ArrayLike) -> Int64Array:
    """Return the XGFT port that a port of a switch of a stage is.

    Notes
    -----
    Left half: the left side is down, the right side up; right half: the other way round, which is
    the XGFT's own numbering; spine: the left side leads to the first half of its children.  A port
    that does not exist (N or more) stays one.

    Examples
    --------
    >>> [fold_port(4, 2, stage, [0, 1, 2, 3, 4]).tolist() for stage in range(3)]
    [[2, 3, 0, 1, 4], [2, 3, 0, 1, 4], [0, 1, 2, 3, 4]]
    """
    benes(ports, levels)
    ports, levels = int(ports), int(levels)
    array = check_integers("port", port).astype(np.int64)
    if check_integer("stage", stage, 0, 2 * levels - 2) > levels - 1:
        return array
    return np.where(array < ports, (array + ports // 2) % ports, array)


def benes_tables(ports: int, levels: int, lookup: Lookup = routing_lookup) -> Tables:
    """Return the slides' destination routing as tables of the folded network.

    Parameters
    ----------
    ports, levels : int
        N and L.
    lookup : function
        `routing_lookup`, or another one, to see what that does.

    Examples
    --------
    >>> benes_tables(4, 2).ports[1][:2].tolist()
    [[0, 1, 2, 3, 2, 3, 2, 3], [3, 2, 0, 1, 3, 2, 3, 2]]
    """
    tree, node = benes(ports, levels), np.arange(benes(ports, levels).leaves)
    ports, levels = int(ports), int(levels)
    switch = np.arange((ports // 2) ** (levels - 1))
    tables = [np.full((tree.level_size(i), tree.leaves), -1, np.int16) for i in range(levels + 1)]
    tables[0] = tables[0][:0]
    for stage in range(2 * levels - 1):
        level, index = fold(ports, levels, stage, switch)
        found = lookup(ports, levels, stage, switch[:, None], node)
        tables[level][index] = fold_port(ports, levels, stage, found)
    return Tables(tree, tuple(tables))


def _level(levels: int, stage: int) -> int:
    """Return l of the slides, the distance of a stage from its edge, 0 ... L - 1."""
    return min(check_integer("stage", stage, 0, 2 * levels - 2), 2 * levels - 2 - stage)
