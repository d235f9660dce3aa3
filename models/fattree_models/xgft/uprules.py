"""Routings with random choices: any up port, and D- or S-mod-k on randomly relabelled endpoints."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from fattree_models.common.checks import Int64Array
from fattree_models.common.fat_tree.topology import Xgft


class RandomUp:
    """Every packet takes any up port at every switch, a new choice each time it is asked.

    Parameters
    ----------
    rng : numpy.random.Generator

    Examples
    --------
    >>> from fattree_models.common.fat_tree.routing import routes
    >>> tree = Xgft((2, 2), (1, 2))
    >>> hops = routes(tree, [0] * 50, [3] * 50, RandomUp(tree, np.random.default_rng(1)))
    >>> sorted(set(hops[:, 0].tolist()))
    [2, 3]
    """

    def __init__(self, tree: Xgft, rng: np.random.Generator) -> None:
        self.tree = tree
        self.rng = rng

    def up_port(self, level: int, src: Int64Array, dst: Int64Array) -> Int64Array:
        """Return uniform up ports."""
        return self.rng.integers(0, self.tree.w[level], dst.shape)


@dataclass(frozen=True)
class Relabelled:
    """r-NCA-d and r-NCA-u (Rodriguez, Minkenberg et al., CLUSTER 2009): fixed after a draw.

    Parameters
    ----------
    by : {"D", "S"}
        Whose digits choose the way up, the destination's (r-NCA-d) or the source's (r-NCA-u).
    maps : tuple of int64 arrays, by level 0 ... h - 1
        `maps[l]` is [subtrees of level l, max(m_l, 1)]: the up port, at level l, of the leaves of
        a subtree whose digit a_l is the column's.

    Notes
    -----
    The construction is ours: in every subtree a random map of the m_l children to the w_{l+1} up
    ports that uses them as evenly as can be.  With w_{l+1} = m_l every down link serves one
    destination (r-NCA-d), as under D-mod-k, but the roots no longer follow a regular pattern.
    """

    tree: Xgft
    by: Literal["D", "S"]
    maps: tuple[Int64Array, ...]

    def up_port(self, level: int, src: Int64Array, dst: Int64Array) -> Int64Array:
        """Return the up ports at switches of `level`."""
        leaf = dst if self.by == "D" else src
        subtree = leaf // self.tree.subtree_leaves(level)
        if level == 0:
            return np.asarray(self.maps[0][subtree, 0])
        digit = leaf // self.tree.subtree_leaves(level - 1) % self.tree.m[level - 1]
        return np.asarray(self.maps[level][subtree, digit])


def relabelled(tree: Xgft, by: Literal["D", "S"], rng: np.random.Generator) -> Relabelled:
    """Draw a relabelling.

    Examples
    --------
    >>> rule = relabelled(Xgft((4, 4), (1, 2)), "D", np.random.default_rng(1))
    >>> sorted(rule.maps[1][0].tolist())
    [0, 0, 1, 1]
    """
    if by not in ("D", "S"):
        raise ValueError(f"by: is {by!r}; allowed are D, S")
    maps = []
    for level in range(tree.height):
        subtrees, children = tree.leaves // tree.subtree_leaves(level), 1
        if level:
            children = tree.m[level - 1]
        ports = tree.w[level]
        order = rng.permuted(np.tile(np.arange(children), (subtrees, 1)), axis=1)
        names = rng.permuted(np.tile(np.arange(ports), (subtrees, 1)), axis=1)
        maps.append(np.take_along_axis(names, order % ports, axis=1))
    return Relabelled(tree, by, tuple(maps))
