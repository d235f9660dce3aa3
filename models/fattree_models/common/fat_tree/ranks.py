"""Any graph as a candidate for a fat-tree: its links, its nodes' ranks above the leaves."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int64Array

if TYPE_CHECKING:  # networkx: every process would load it
    import networkx as nx
    from scipy.sparse import csr_array

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
    themselves.  O(leaves' switches * links / 8).
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
    often = Counter(keys.values())
    apart = _apart(graph, np.array([*first.values()]))
    counts = np.array([often[key] for key in first])
    farther = counts[np.argsort(-apart, axis=1)].cumsum(axis=1)  # leaves that are as far or more
    place = (farther > len(leaves) // 8).argmax(axis=1)
    reach = np.take_along_axis(-np.sort(-apart, axis=1), place[:, None], axis=1)[:, 0]
    shared = dict(zip(first, reach.tolist(), strict=True))
    farthest = {leaf: shared[key] for leaf, key in keys.items()}
    usual = Counter(farthest.values()).most_common(1)[0][0]
    misplaced = frozenset(leaf for leaf in leaves if farthest[leaf] != usual)
    rest = [number[leaf] for leaf in leaves if leaf not in misplaced]
    found = dijkstra(graph, indices=rest, unweighted=True, min_only=True)
    found[[number[leaf] for leaf in misplaced]] = 0
    return Ranked(links, leaves, {node: int(found[k]) for node, k in number.items()}, misplaced)


def _apart(graph: "csr_array", nodes: Int64Array) -> npt.NDArray[np.int16]:
    """Return the links between some nodes, int16 [nodes, nodes]; to itself 2, as to its like."""
    inner = np.flatnonzero((np.diff(graph.indptr) > 1) | np.isin(np.arange(graph.shape[0]), nodes))
    near = graph[inner][:, inner].tocsr()
    at = np.searchsorted(inner, nodes)
    met = np.zeros((inner.size, -(-nodes.size // 8)), np.uint8)  # whom each is near, a bit each
    met[at, np.arange(nodes.size) // 8] = 128 >> np.arange(nodes.size) % 8
    found = np.full((nodes.size, nodes.size), np.iinfo(np.int16).max, np.int16)
    some, step = np.diff(near.indptr) > 0, 0
    while True:
        now, step = met.copy(), step + 1
        now[some] |= np.bitwise_or.reduceat(met[near.indices], near.indptr[:-1][some])
        seen = np.unpackbits(now[at], axis=1, count=nodes.size).astype(np.bool_)
        found[seen & (found > step)] = step
        if (now == met).all():
            break
        met = now
    np.fill_diagonal(found, 2)
    return found
