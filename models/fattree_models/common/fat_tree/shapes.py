"""The families that are XGFTs: k-ary n-trees, GFT(h, m, w), FT(m, n), fat-tree Benes networks."""

from fattree_models.common.checks import check_integer
from fattree_models.common.fat_tree.topology import MAX_HEIGHT, Xgft


def kary(k: int, n: int) -> Xgft:
    """Return the k-ary n-tree, XGFT(n; k..k; 1, k..k), k^n leaves (Petrini and Vanneschi).

    Examples
    --------
    >>> kary(4, 3)
    Xgft(m=(4, 4, 4), w=(1, 4, 4))
    """
    k, n = check_integer("k", k, 1), check_integer("n", n, 1, MAX_HEIGHT)
    return Xgft((k,) * n, (1, *(k,) * (n - 1)))


def gft(h: int, m: int, w: int) -> Xgft:
    """Return GFT(h, m, w): every m_i is m and every w_i is w, m^h leaves.

    Examples
    --------
    >>> gft(2, 4, 2)
    Xgft(m=(4, 4), w=(2, 2))
    """
    h = check_integer("h", h, 1, MAX_HEIGHT)
    return Xgft((check_integer("m", m, 1),) * h, (check_integer("w", w, 1),) * h)


def ftree_mn(ports: int, levels: int) -> Xgft:
    """Return FT(m, n) of m-port switches in n levels, 2 (m/2)^n leaves (Lin, Chung, Huang 2004).

    Raises
    ------
    ValueError
        If `ports` is odd or below 2, or `levels` below 1.

    Examples
    --------
    >>> ftree_mn(4, 3)
    Xgft(m=(2, 2, 4), w=(1, 2, 2))
    """
    ports = check_integer("ports", ports, 2)
    levels = check_integer("levels", levels, 1, MAX_HEIGHT)
    if ports % 2:
        raise ValueError(f"ports: is {ports}; allowed are even numbers")
    half = ports // 2
    return Xgft((*(half,) * (levels - 1), ports), (1, *(half,) * (levels - 1)))


def benes(ports: int, levels: int) -> Xgft:
    """Return the network of IBM Zurich's slides "Fat tree Benes", folded: FT(ports, levels).

    `unfolded` holds the unfolded drawing and the isomorphism, which tests check.

    Examples
    --------
    >>> benes(4, 2)
    Xgft(m=(2, 4), w=(1, 2))
    """
    return ftree_mn(ports, levels)
