"""Levels of a fabric: how far its nodes are from the hosts."""

from collections import Counter
from typing import Any

from fattree_models.common.fat_tree.ranks import Ranked as Ranks
from fattree_models.common.fat_tree.ranks import rank_nodes
from fattree_models.topology.fabric import Fabric


class Ranked:
    """`xgft.ranks.Ranked` of nodes that are numbers.

    Attributes
    ----------
    leaves : tuple of int
    rank : dict, links from each node to the nearest host in its place; 0 for hosts.
    misplaced : frozenset of int, hosts that are not as far from the others as most are.
    """

    def __init__(self, ranks: Ranks) -> None:
        untyped: Any = ranks
        self._ranks = ranks
        self.leaves: tuple[int, ...] = untyped.leaves
        self.rank: dict[int, int] = untyped.rank
        self.misplaced: frozenset[int] = untyped.misplaced

    def above(self, node: int) -> Counter[int]:
        """Return the neighbours one rank up, with the number of links to each."""
        found: Any = self._ranks.above(node)
        return Counter(found)

    def below(self, node: int) -> Counter[int]:
        """Return the neighbours one rank down, likewise, misplaced hosts left out."""
        found: Any = self._ranks.below(node)
        return Counter(found)

    def by_rank(self) -> list[list[int]]:
        """Return the nodes of each rank, misplaced hosts left out."""
        found: Any = self._ranks.by_rank()
        return list(found)


def rank(fabric: Fabric) -> Ranked | None:
    """Return the ranks of a fabric's nodes; None if it is not connected."""
    met, fresh = {0}, [0]
    while fresh:
        fresh = list({x for node in fresh for x in fabric.beside[node]} - met)
        met.update(fresh)
    if len(met) < len(fabric.names):
        return None
    beside: dict[Any, Any] = dict(fabric.beside)
    return Ranked(rank_nodes(beside, tuple(fabric.hosts.tolist())))
