"""Why a given graph is not a fat-tree: named rules, checked on an adjacency list.

A fat-tree, here: nodes have ranks, leaves rank 0; links join neighbouring ranks; all nodes of a
rank have as many groups of links up, and as many down, of as many links each (a group is all links
to one neighbour); the leaves below two switches of a rank are the same or have none in common; and
from a switch there is one way down to each leaf below.  Every XGFT is one (tests).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from fattree_models.common.checks import check_word
from fattree_models.common.fat_tree.ranks import Adjacency, Node, Ranked, rank_nodes, read_links

NAMED = 6  # nodes that a text names before it says how many more there are

Beside: TypeAlias = Callable[[Node], Counter[Node]]


@dataclass(frozen=True)
class Violation:
    """A rule that a graph breaks.

    Parameters
    ----------
    rule : str
        BOTH_WAYS, CONNECTED, LEAF_RANK, SAME_RANK, UP_PORTS, DOWN_PORTS, GROUP_SIZE, SUBTREES,
        ONE_WAY_DOWN or RANKS.
    text : str
        What is wrong, in one line.
    nodes : tuple
        The nodes that break it.
    """

    rule: str
    text: str
    nodes: tuple[Node, ...]


def violations(
    adjacency: Adjacency,
    leaves: Iterable[Node],
    demands: Literal["FAT_TREE", "OPENSM"] = "FAT_TREE",
) -> list[Violation]:
    """Return the rules that a graph breaks, none if it is a fat-tree.

    Parameters
    ----------
    adjacency : mapping or sequence of iterables, or networkx graph
        The neighbours of each node (of a sequence: of node 0, 1, ...); parallel links are listed
        as often as there are, and every link under both of its ends.
    leaves : iterable of nodes
        The endpoints.
    demands : {"FAT_TREE", "OPENSM"}
        The rules above, or those by which OpenSM's fat-tree routing takes a fabric for a pure
        fat-tree: as many groups of links in a rank, but for the down links of leaf switches; 2 to
        8 ranks of switches; SUBTREES and ONE_WAY_DOWN are not asked for.

    Returns
    -------
    list of Violation
        One a rule and rank.  If the graph is not connected, or lists a link under one end only,
        nothing else is looked at: there are no ranks then.

    Raises
    ------
    ValueError
        If there is no leaf, a leaf is not a node, or `demands` is neither.

    Examples
    --------
    A tree of two switches and a root, and the same with a link between the switches:

    >>> tree = {"r": "ab", "a": "r01", "b": "r23", "0": "a", "1": "a", "2": "b", "3": "b"}
    >>> violations(tree, "0123")
    []
    >>> [found.rule for found in violations(tree | {"a": "r01b", "b": "r23a"}, "0123")]
    ['SAME_RANK']
    """
    check_word("demands", demands, "FAT_TREE", "OPENSM")
    links, ends = read_links(adjacency), tuple(dict.fromkeys(leaves))
    unknown = [leaf for leaf in ends if leaf not in links]
    if unknown or not ends:
        what = f"holds {unknown[0]!r}" if unknown else "is empty"
        raise ValueError(f"leaves: {what}; allowed are nodes of the graph, at least one")
    found = [*_both_ways(links), *_connected(links)]
    if found:
        return found
    graph = rank_nodes(links, ends)
    found = [*_leaf_rank(graph), *_same_rank(graph)]
    # OpenSM does not count the ports of hosts, nor the hosts of leaf switches.
    lowest = 0 if demands == "FAT_TREE" else 1
    ways = (("UP_PORTS", graph.above, lowest), ("DOWN_PORTS", graph.below, lowest + 1))
    for rule, beside, first in ways:
        found += _groups(graph, rule, beside, first)
    for rule, beside, first in ways:
        found += _group_sizes(graph, rule, beside, first)
    return found + (_ranks(graph) if demands == "OPENSM" else _subtrees(graph))


def _both_ways(links: dict[Node, Counter[Node]]) -> list[Violation]:
    """Every link is listed under both ends, as often."""
    wrong = [
        (one, other)
        for one, others in links.items()
        for other, count in others.items()
        if links.get(other, Counter())[one] != count
    ]
    return _violation("BOTH_WAYS", "links not listed alike under both ends: {}", wrong)


def _connected(links: dict[Node, Counter[Node]]) -> list[Violation]:
    """There is one component; what is not in the largest breaks the rule."""
    import networkx as nx  # here: every process would load it

    graph = nx.Graph((one, other) for one, others in links.items() for other in others)
    graph.add_nodes_from(links)
    components = sorted(nx.connected_components(graph), key=len, reverse=True)
    apart = [node for component in components[1:] for node in component]
    return _violation("CONNECTED", f"{len(components)} parts; apart from the largest: {{}}", apart)


def _leaf_rank(graph: Ranked) -> list[Violation]:
    """All leaves are as far from the farthest of the others."""
    wrong = [leaf for leaf in graph.leaves if leaf in graph.misplaced]
    return _violation("LEAF_RANK", "leaves not at the rank of the others: {}", wrong)


def _same_rank(graph: Ranked) -> list[Violation]:
    """Links join neighbouring ranks; by the way ranks are made, else equal ones."""
    wrong: dict[frozenset[Node], tuple[Node, Node]] = {}
    for one, others in graph.links.items():
        for other in others:
            if graph.rank[one] == graph.rank[other] and not {one, other} & graph.misplaced:
                wrong.setdefault(frozenset((one, other)), (one, other))
    return _violation("SAME_RANK", "links inside a rank: {}", list(wrong.values()))


def _groups(graph: Ranked, rule: str, beside: Beside, first: int) -> list[Violation]:
    """All nodes of a rank have as many groups of links in a direction."""
    found = []
    for rank, nodes in enumerate(graph.by_rank()[first:], start=first):
        numbers = {node: len(beside(node)) for node in nodes}
        found += _unlike(rule, f"rank {rank}: {{}} neighbours {_way(rule)} are usual", numbers)
    return found


def _group_sizes(graph: Ranked, rule: str, beside: Beside, first: int) -> list[Violation]:
    """All groups of a rank in a direction are of as many links."""
    found, way = [], _way(rule)
    for rank, nodes in enumerate(graph.by_rank()[first:], start=first):
        sizes = {node: set(beside(node).values()) for node in nodes}
        mixed = [node for node in nodes if len(sizes[node]) > 1]
        text = f"rank {rank}: not as many links {way} to each neighbour from {{}}"
        found += _violation("GROUP_SIZE", text, mixed)
        alike = {node: next(iter(size)) for node, size in sizes.items() if len(size) == 1}
        text = f"rank {rank}: {{}} links {way} to a neighbour are usual"
        found += _unlike("GROUP_SIZE", text, alike)
    return found


def _ranks(graph: Ranked) -> list[Violation]:
    """There are 2 to 8 ranks of switches."""
    ranks = max(graph.rank.values())
    if 2 <= ranks <= 8:
        return []
    return [Violation("RANKS", f"{ranks} ranks of switches; OpenSM takes 2 … 8", ())]


def _subtrees(graph: Ranked) -> list[Violation]:
    """Leaves below: the same or none in common in a rank, and by one way from each switch."""
    below = {leaf: 1 << place for place, leaf in enumerate(graph.leaves)}
    found = []
    for rank, nodes in enumerate(graph.by_rank()[1:], start=1):
        twice = []
        for node in nodes:
            met = 0
            for child in graph.below(node):
                if met & below[child] and node not in twice:
                    twice.append(node)
                met |= below[child]
            below[node] = met
        text = f"rank {rank}: two ways down to a leaf from {{}}"
        found += _violation("ONE_WAY_DOWN", text, twice)
        shared = _overlap({below[node] for node in nodes})
        wrong = [node for node in nodes if below[node] & shared]
        text = f"rank {rank}: some, not all, leaves below are also below another switch, for {{}}"
        found += _violation("SUBTREES", text, wrong)
    return found


def _overlap(sets: set[int]) -> int:
    """Return the elements, as bits, that are in more than one of different sets."""
    once = twice = 0
    for each in sets:
        twice |= once & each
        once |= each
    return twice


def _way(rule: str) -> str:
    return "up" if rule.startswith("UP") else "down"


def _unlike(rule: str, text: str, numbers: dict[Node, int]) -> list[Violation]:
    """Return a violation of the nodes whose number is not the usual one.

    That is the most common, and of those as common the greatest: a link is sooner missing.
    """
    how_often = Counter(numbers.values())
    if len(how_often) < 2:
        return []
    usual = max(how_often, key=lambda number: (how_often[number], number))
    by_number: defaultdict[int, list[Node]] = defaultdict(list)
    for node, number in numbers.items():
        if number != usual:
            by_number[number].append(node)
    wrong = [node for nodes in by_number.values() for node in nodes]
    parts = [f"{number} at {_names(nodes)}" for number, nodes in sorted(by_number.items())]
    return [Violation(rule, f"{text.format(usual)}, but {'; '.join(parts)}", tuple(wrong))]


def _violation(rule: str, text: str, wrong: Sequence[Node]) -> list[Violation]:
    """Return a violation that names what is wrong, or nothing if nothing is."""
    return [Violation(rule, text.format(_names(wrong)), tuple(wrong))] if wrong else []


def _names(nodes: Sequence[Node]) -> str:
    names = ", ".join(map(str, nodes[:NAMED]))
    return names + (f" and {len(nodes) - NAMED} more" if len(nodes) > NAMED else "")
