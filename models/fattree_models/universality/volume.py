"""Universal fat-trees of a volume (Section IV), constants 1.  The volume is padded, w is not."""

import math


def root_capacity(n: int, volume: float) -> float:
    """Return v^(2/3) / lg(n / v^(2/3)), as it is; lg is at least 1, as in the paper.

    Examples
    --------
    >>> root_capacity(64, 64**1.5), root_capacity(64, 64)
    (64.0, 8.0)
    """
    area: float = math.pow(volume, 2 / 3)
    # The last digits of a power are noise.
    return round(area / max(1.0, math.log2(n / area)), 6)


def least_volume(n: int) -> float:
    """Return the least v whose root capacity is n^(2/3): a smaller tree is not universal.

    Examples
    --------
    >>> root_capacity(4096, least_volume(4096))
    256.0
    """
    low, high = float(n), math.pow(n, 1.5)
    for _ in range(100):
        middle = (low + high) / 2
        if root_capacity(n, middle) < math.pow(n, 2 / 3) - 1e-9:
            low = middle
        else:
            high = middle
    return high


def padded(n: int, volume: float) -> float:
    """Return the volume at which a network and a fat-tree are compared.

    It is the network's, padded to `least_volume`; beyond n^(3/2), where a fat-tree has all wires
    that n processors can use, the fat-tree takes no more than that.

    Examples
    --------
    >>> padded(64, 1e9), padded(64, 10) == least_volume(64)
    (512.0, True)
    """
    return min(max(volume, least_volume(n)), math.pow(n, 1.5))
