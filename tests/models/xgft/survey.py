"""The equations of Biswas and Hussain, "A survey of fat-tree network-on-chip topology".

Each function gives what an equation, read as it must have been meant, says; its Notes give what is
printed and what is wrong with it.  b is the bandwidth of one direction of a link.
"""

import itertools

from fattree_models.common.checks import check_integer


def mesh_switches(k: int, d: int) -> int:
    """Return Eq. (1): switches of a k-ary d-dimensional mesh, k^d.

    Examples
    --------
    >>> mesh_switches(8, 2)
    64
    """
    return _power(k, d)


def mesh_bandwidth(k: int, d: int, b: float) -> float:
    """Return Eq. (2), 2 k^d b.

    Notes
    -----
    That is the links between nodes and switches only, both ways: one node a switch.  The mesh's own
    links are not in it; `mesh_links` counts them.

    Examples
    --------
    >>> mesh_bandwidth(8, 2, 1.0)
    128.0
    """
    return 2 * _power(k, d) * b


def kary_nodes(k: int, d: int) -> int:
    """Return Eq. (3): nodes of a k-ary d-tree, k^d.

    Examples
    --------
    >>> kary_nodes(2, 3)
    8
    """
    return _power(k, d)


def kary_switches(k: int, d: int) -> int:
    """Return Eq. (4): switches of a k-ary d-tree, d k^{d-1}; 12 in the survey's Fig. 2.

    Examples
    --------
    >>> kary_switches(2, 3)
    12
    """
    return check_integer("d", d, 1) * _power(k, d - 1)


def kary_bandwidth(k: int, d: int, b: float) -> float:
    """Return Eq. (5), 2 k^d d b.

    Notes
    -----
    That is all links, the nodes' included, both ways.  "d times the bandwidth of a mesh" follows
    only because (2) leaves out the mesh's own links; like with like see `mesh_ratio`.

    Examples
    --------
    >>> kary_bandwidth(2, 3, 1.0)
    48.0
    """
    return 2 * _power(k, d) * d * b


def kary_height(n: int) -> int:
    """Return Eq. (6): n + 1, the levels of a k-ary n-tree and the level of the nodes.

    Examples
    --------
    >>> kary_height(3)
    4
    """
    return check_integer("n", n, 1) + 1


def ftree_switch_labels(m: int, n: int, level: int) -> list[tuple[int, ...]]:
    """Return Eq. (7): the labels w of the switches <w, level> of FT(m, n), level 0 the root.

    Notes
    -----
    With its fractions, which the print has lost, and with the exponents n - 1 and n - 2: {0 ... m/2
    - 1}^{n-1} at level 0, {0 ... m - 1} x {0 ... m/2 - 1}^{n-2} at the others.  The text's "m is a
    power of 2" is needed for InfiniBand's LMC only; m must be even.

    Raises
    ------
    ValueError
        If m is odd, or the tree lacks this level.

    Examples
    --------
    >>> len(ftree_switch_labels(4, 3, 0)), len(ftree_switch_labels(4, 3, 1))
    (4, 8)
    """
    half = _half(m)
    check_integer("level", level, 0, check_integer("n", n, 1) - 1)
    if n == 1:
        return [()]
    first = range(half if level == 0 else m)
    return list(itertools.product(first, *[range(half)] * (n - 2)))


def ftree_nodes(m: int, n: int) -> int:
    """Return the nodes of FT(m, n), 2 (m/2)^n (Section 2.3, item 3, with its lost fraction).

    Examples
    --------
    >>> ftree_nodes(4, 3)
    16
    """
    return 2 * _power(_half(m), n)


def ftree_switches(m: int, n: int) -> int:
    """Return the switches of FT(m, n), (2n - 1) (m/2)^{n-1} (Section 2.3, item 3, likewise).

    Examples
    --------
    >>> ftree_switches(4, 3)
    20
    """
    return (2 * check_integer("n", n, 1) - 1) * _power(_half(m), n - 1)


def gft_nodes(h: int, m: int) -> int:
    """Return the leaves of GFT(h, m, w), m^h (Section 2.2, printed without the exponent).

    Examples
    --------
    >>> gft_nodes(2, 4)
    16
    """
    return _power(m, h)


def mesh_links(k: int, d: int) -> int:
    """Return the links between switches of a k-ary d-dimensional mesh, d (k - 1) k^{d-1} (ours).

    Examples
    --------
    >>> mesh_links(8, 2)
    112
    """
    return check_integer("d", d, 1) * (check_integer("k", k, 1) - 1) * _power(k, d - 1)


def kary_links(k: int, d: int) -> int:
    """Return the links between switches of a k-ary d-tree, (d - 1) k^d (ours).

    Examples
    --------
    >>> kary_links(8, 2)
    64
    """
    return (check_integer("d", d, 1) - 1) * _power(k, d)


def mesh_ratio(k: int, d: int) -> float:
    """Return the tree's share of the mesh's bandwidth between switches, (d - 1) k / (d (k - 1)).

    Examples
    --------
    >>> round(mesh_ratio(8, 2), 2)
    0.57
    """
    return kary_links(check_integer("k", k, 2), d) / mesh_links(k, d)


def mesh_bisection(k: int, d: int) -> int:
    """Return the links between the halves of a mesh of even k, k^{d-1}; the tree has k^d / 2.

    Examples
    --------
    >>> mesh_bisection(8, 2)
    8
    """
    if check_integer("k", k, 2) % 2:
        raise ValueError(f"k: is {k}; allowed are even numbers")
    return _power(k, d - 1)


def _power(base: int, exponent: int) -> int:
    whole: int = check_integer("base", base, 1) ** check_integer("exponent", exponent, 0)
    return whole


def _half(m: int) -> int:
    if check_integer("m", m, 2) % 2:
        raise ValueError(f"m: is {m}; allowed are even numbers")
    return m // 2
