"""What an XGFT consists of, in numbers."""

from dataclasses import dataclass

from fattree_models.common.fat_tree.topology import Xgft


@dataclass(frozen=True)
class Counts:
    """Numbers of an XGFT.

    Parameters
    ----------
    leaves, switches : int
        Nodes of level 0, and of levels 1 ... h.
    links : int
        Bidirectional links, those of the leaves included.
    ports : int
        Ports of all switches of levels 1 ... h.
    bisection : int
        Bidirectional links between the halves of the tree: see `bisection`.
    diameter : int
        Links on a longest shortest path between leaves.
    paths : int
        Shortest paths between leaves that far apart.
    """

    leaves: int
    switches: int
    links: int
    ports: int
    bisection: int
    diameter: int
    paths: int


def counts(tree: Xgft) -> Counts:
    """Count.

    Examples
    --------
    >>> counts(Xgft((4, 4, 4), (1, 4, 4)))  # doctest: +NORMALIZE_WHITESPACE
    Counts(leaves=64, switches=48, links=192, ports=320, bisection=32, diameter=6, paths=16)
    """
    top = _last_choice(tree)
    return Counts(
        leaves=tree.leaves,
        switches=tree.switches,
        links=tree.links,
        ports=sum(
            tree.level_size(level) * tree.radix(level) for level in range(1, tree.height + 1)
        ),
        bisection=bisection(tree),
        diameter=2 * top,
        paths=tree.w_span(top),
    )


def bisection(tree: Xgft) -> int:
    """Return the fewest links whose removal parts the tree's leaves in halves of whole subtrees.

    With m the last m_l above 1, floor(m / 2) of the subtrees below level l on one side, the others
    on the other: two halves if m is even.

    Notes
    -----
    What a subtree of level l can send out of it, each way, is f_0 = w_1 for a leaf, and
    f_l = min(m_l f_{l-1}, prod_{i<=l+1} w_i): its children's sum, or its own up links.  By symmetry
    a flow that splits evenly attains it (ours; tests compare with a maximum flow).

    Examples
    --------
    >>> bisection(Xgft((4, 4), (1, 4))), bisection(Xgft((4, 4), (1, 2)))
    (8, 4)
    """
    top = _last_choice(tree)
    flow = tree.w[0]
    for level in range(1, top):
        flow = min(tree.m[level - 1] * flow, tree.w_span(level + 1))
    return tree.m[top - 1] // 2 * flow if top else 0


def _last_choice(tree: Xgft) -> int:
    """Return the highest level whose switches have more than one child, 0 if there is none."""
    return max((level for level, m in enumerate(tree.m, start=1) if m > 1), default=0)
