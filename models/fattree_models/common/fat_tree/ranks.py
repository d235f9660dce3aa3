"""Any graph as a candidate for a fat-tree: its links, its nodes' ranks above the leaves."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:  # networkx: every process would load it
    import networkx as nx

Node: TypeAlias = Hashable
Adjacency: TypeAlias = "Mapping[Node, Iterable[Node]] | Sequence[Iterable[Node]] | nx.Graph"


@dataclass(frozen=True)
class Ranked:
    """A graph with ranks.

    Parameters
    ----------
    links : dict of dict
        `links[a][b]`: how many links join a and b, listed under both.
    leaves : tuple of nodes
    rank : dict
        Links from a node to the nearest leaf that is in its place; 0 for leaves.
    misplaced : frozenset of nodes
        Leaves that are not as far from the others as most are.
    """

    links: dict[Node, Counter[Node]]
    leaves: tuple[Node, ...]
    rank: dict[Node, int]
    misplaced: frozenset[Node]

    def above(self, node: Node) -> Counter[Node]:
        """Return the neighbours one rank up, with the number of links to each."""
        return self._beside(node, 1)

    def below(self, node: Node) -> Counter[Node]:
        """Return the neighbours one rank down that are no misplaced leaves, likewise."""
        return self._beside(node, -1)

    def by_rank(self) -> list[list[Node]]:
        """Return the nodes of each rank, misplaced leaves left out."""
        nodes: list[list[Node]] = [[] for _ in range(max(self.rank.values()) + 1)]
        for node, rank in self.rank.items():
            if node not in self.misplaced:
                nodes[rank].append(node)
        return nodes

    def _beside(self, node: Node, step: int) -> Counter[Node]:
        wanted = self.rank[node] + step
        return Counter(
            {
                other: count
                for other, count in self.links[node].items()
                if self.rank[other] == wanted and other not in self.misplaced
            }
        )


def read_links(adjacency: Adjacency) -> dict[Node, Counter[Node]]:
    """Return the links of an adjacency list or of a networkx graph, as listed under each node.

    Parameters
    ----------
    adjacency : mapping or sequence of iterables, or networkx graph
        The neighbours of each node (of a sequence: of node 0, 1, ...); parallel links are listed
        as often as there are.
    """
    import networkx as nx

    if isinstance(adjacency, nx.Graph):
        return {
            node: Counter(
                {other: adjacency.number_of_edges(node, other) for other in adjacency.adj[node]}
            )
            for node in adjacency
        }
    if isinstance(adjacency, Mapping):
        return {node: Counter(list(others)) for node, others in adjacency.items()}
    return {node: Counter(list(others)) for node, others in enumerate(adjacency)}


def rank_nodes(links: dict[Node, Counter[Node]], leaves: tuple[Node, ...]) -> Ranked:
    """Rank a connected graph from its leaves.

    Notes
    -----
    In a fat-tree all leaves are equally far from those farthest from them, half of all or more,
    twice the height; a leaf that hangs on a switch further up is nearer.  Such leaves are set
    aside, or their switch would be taken for one of the lowest rank and all above it be ranked
    wrong (ours).  An eighth of the leaves, the farthest, is passed over: they may be such leaves
    themselves.  O(leaves' switches * links).
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    number = {node: k for k, node in enumerate(links)}
    ends = np.array([(number[x], number[y]) for x, others in links.items() for y in others])
    ones, size = np.ones(len(ends)), len(number)
    graph = csr_array((ones, (*ends.reshape(-1, 2).T,)), shape=(size, size))
    # Leaves with the same neighbours are as far from everything but each other.
    keys = {leaf: frozenset(links[leaf]) for leaf in leaves}
    first = {key: number[leaf] for leaf, key in reversed(keys.items())}
    lengths = dijkstra(graph, indices=[*first.values()], unweighted=True)
    apart = np.sort(lengths[:, [number[leaf] for leaf in leaves]], axis=1)
    reach = apart[:, -1 - len(leaves) // 8]
    shared = dict(zip(first, reach, strict=True))
    farthest = {leaf: shared[key] for leaf, key in keys.items()}
    usual = Counter(farthest.values()).most_common(1)[0][0]
    misplaced = frozenset(leaf for leaf in leaves if farthest[leaf] != usual)
    rest = [number[leaf] for leaf in leaves if leaf not in misplaced]
    found = dijkstra(graph, indices=rest, unweighted=True, min_only=True)
    found[[number[leaf] for leaf in misplaced]] = 0
    return Ranked(links, leaves, {node: int(found[k]) for node, k in number.items()}, misplaced)
