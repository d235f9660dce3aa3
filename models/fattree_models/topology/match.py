"""Which fat-tree a fabric is: an isomorphism to XGFT(h; m; w), with parallel links to a PGFT.

PGFT(h; m; w; p) (Zahavi 2010): every link of XGFT(h; m; w) between levels i - 1 and i is p_i links.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from fattree_models.common.checks import Int64Array
from fattree_models.common.fat_tree.graph import edges
from fattree_models.common.fat_tree.topology import Xgft
from fattree_models.topology.fabric import Fabric, natural
from fattree_models.topology.ranks import Ranked


@dataclass(frozen=True, eq=False)
class Match:
    """A fabric as a fat-tree.

    Parameters
    ----------
    tree : Xgft
    parallel : tuple of int [h]
        Links where the tree has one, of each level.
    level, index : int64 arrays [nodes]
        Which node of the tree each node is.
    """

    tree: Xgft
    parallel: tuple[int, ...]
    level: Int64Array
    index: Int64Array

    def nodes(self, level: int) -> Int64Array:
        """Return the nodes of a level in the order of the tree."""
        found = np.flatnonzero(self.level == level)
        return found[np.argsort(self.index[found])]


@dataclass
class _Part:
    """A subtree under construction: its nodes by level, and (a_1 ... a_level) of each as a tuple.

    `order` sorts subtrees: the first name of their hosts.
    """

    nodes: list[dict[int, tuple[int, ...]]]
    order: tuple[object, ...]


def match(fabric: Fabric, ranked: Ranked) -> Match | None:
    """Find the fat-tree that a fabric is.

    Returns
    -------
    Match or None
        None if it is no PGFT.  Nodes are numbered in the natural order of names as far as the tree
        leaves a choice.

    Notes
    -----
    Subtrees are joined level by level.  The tops of a subtree are labelled (a_1 ... a_l); labels of
    the subtrees that a parent joins must agree up to an automorphism, which keeps common beginnings
    (ours).  The result is compared, link by link, with the construction by digits of
    `xgft.edges`, so a mistake here cannot make a fat-tree of what is none.  O(links * h).
    """
    shape = _shape(ranked)
    if shape is None:
        return None
    tree, parallel = shape
    names = fabric.names
    parts = [_Part([{leaf: ()}], natural(names[leaf])) for leaf in ranked.leaves]
    digit: dict[int, list[int]] = {node: [0] * tree.height for node in ranked.rank}
    by_rank = ranked.by_rank()
    for level in range(tree.height):
        joined = _join(fabric, ranked, parts, by_rank[level + 1], level, digit)
        if joined is None:
            return None
        parts = joined
    if len(parts) != 1:
        return None
    for place, row in enumerate(parts[0].nodes):
        for node, own in row.items():
            digit[node][:place] = own
    return _verified(fabric, ranked, tree, parallel, digit)


def _shape(ranked: Ranked) -> tuple[Xgft, tuple[int, ...]] | None:
    """Return m, w and p if all nodes of a level are alike."""
    by_rank = ranked.by_rank()
    if ranked.misplaced or not all(by_rank):
        return None
    m, w, p = [], [], []
    for low, high in pairwise(by_rank):
        ups, downs = [ranked.above(x) for x in low], [ranked.below(x) for x in high]
        few = {len(x) for x in ups}, {len(x) for x in downs}, {n for x in ups for n in x.values()}
        if any(len(values) != 1 for values in few):
            return None
        (up,), (down,), (links,) = few
        m.append(down)
        w.append(up)
        p.append(links)
    try:
        tree = Xgft(tuple(m), tuple(w))
    except ValueError:
        return None
    sizes = [tree.level_size(level) for level in range(tree.height + 1)]
    return (tree, tuple(p)) if sizes == [len(row) for row in by_rank] else None


def _join(
    fabric: Fabric, ranked: Ranked, parts: list[_Part], above: Iterable[int], level: int,
    digit: dict[int, list[int]],
) -> list[_Part] | None:  # fmt: skip
    """Join the subtrees of a level under the switches of the next; None if these do not agree."""
    home = {node: k for k, part in enumerate(parts) for node in part.nodes[level]}
    groups: defaultdict[frozenset[int], list[int]] = defaultdict(list)
    for switch in above:
        groups[frozenset(home[x] for x in ranked.below(switch))].append(switch)
    if sum(map(len, groups)) != len(parts):
        return None  # a subtree with two sets of brothers
    joined = []
    for members, switches in groups.items():
        order = sorted(members, key=lambda k: parts[k].order)
        done = _joined(fabric, ranked, [parts[k] for k in order], switches, level, digit)
        if done is None:
            return None
        joined.append(done)
    return joined


def _joined(
    fabric: Fabric, ranked: Ranked, parts: list[_Part], switches: list[int], level: int,
    digit: dict[int, list[int]],
) -> _Part | None:  # fmt: skip
    """Join subtrees; the first one has its labels already."""
    first = parts[0].nodes[level]
    children = {switch: set(ranked.below(switch)) for switch in switches}
    label: dict[int, tuple[int, ...]] = {}
    for switch, below in children.items():
        own = [first[x] for x in below if x in first]
        if len(own) != 1 or len(below) != len(parts):
            return None
        label[switch] = own[0]
    used: Counter[tuple[int, ...]] = Counter()
    tops = {}
    for switch in sorted(switches, key=lambda x: natural(fabric.names[x])):
        tops[switch] = (*label[switch], used[label[switch]])
        used[label[switch]] += 1
    for place, part in enumerate(parts):
        if place and not _relabel(part, level, children, label):
            return None
        for row in part.nodes:
            for node in row:
                digit[node][level] = place
    rows = [{x: t for part in parts for x, t in part.nodes[k].items()} for k in range(level + 1)]
    return _Part([*rows, tops], parts[0].order)


def _relabel(
    part: _Part, level: int, children: dict[int, set[int]], label: dict[int, tuple[int, ...]]
) -> bool:
    """Give a subtree the labels of its first brother; False if none of its symmetries does that."""
    tops = part.nodes[level]
    new: dict[tuple[int, ...], tuple[int, ...]] = {}
    for switch, below in children.items():
        own = [tops[x] for x in below if x in tops]
        if len(own) != 1 or new.setdefault(own[0], label[switch]) != label[switch]:
            return False
    prefix: dict[tuple[int, ...], tuple[int, ...]] = {}
    for old, wanted in new.items():
        for length in range(level + 1):
            if prefix.setdefault(old[:length], wanted[:length]) != wanted[:length]:
                return False
    if len(set(prefix.values())) != len(prefix):
        return False
    for row in part.nodes:
        for node, old in row.items():
            if old not in prefix:
                return False
            row[node] = prefix[old]
    return True


def _verified(
    fabric: Fabric, ranked: Ranked, tree: Xgft, parallel: tuple[int, ...],
    digit: dict[int, list[int]],
) -> Match | None:  # fmt: skip
    """Compare with the construction by digits."""
    level = np.array([ranked.rank[node] for node in range(len(fabric.names))], np.int64)
    index = np.zeros_like(level)
    for each in range(tree.height + 1):
        nodes = np.flatnonzero(level == each)
        try:
            index[nodes] = tree.index(each, [digit[node] for node in nodes.tolist()])
        except ValueError:
            return None
        if len(set(index[nodes].tolist())) != nodes.size:
            return None
    links = edges(tree)
    wanted = Counter(
        {
            (each, low, high): parallel[each]
            for each, low, high in zip(
                links.level.tolist(), links.lower.tolist(), links.upper.tolist(), strict=True
            )
        }
    )
    ends = fabric.links[:, [0, 2]]
    swap = level[ends[:, 0]] > level[ends[:, 1]]
    low, high = np.where(swap, ends[:, 1], ends[:, 0]), np.where(swap, ends[:, 0], ends[:, 1])
    columns = (level[low].tolist(), index[low].tolist(), index[high].tolist())
    if Counter(zip(*columns, strict=True)) != wanted or (level[high] - level[low] != 1).any():
        return None
    return Match(tree, parallel, level, index)
