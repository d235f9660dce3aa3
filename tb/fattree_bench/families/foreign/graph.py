"""The user's graph as the structure of a network."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

from fattree_models.common.structure import LEAF_WIDTH, Link, Node, Structure

Name = Hashable  # of a node: leaves are numbers


def structure(edges: Iterable[Any], taps: Sequence[str], leaves: int) -> Structure:
    """The structure of a graph; a link with a tap is called after it.

    Parameters
    ----------
    edges : (from, to, tap or None) each, or a networkx graph with an attribute `tap`.
    taps : names of the taps that there are.

    ValueError names an edge that is none, or a tap that is missing.
    """
    triples = list(_triples(edges))
    met: set[str] = set()
    for edge in triples:
        for node in edge[:2]:
            if isinstance(node, int) and not 0 <= node < leaves:
                raise ValueError(f"{edge!r}: leaves are 0 … {leaves - 1}")
        tap = edge[2]
        if tap is not None and tap not in taps:
            raise ValueError(f"{edge!r}: no such tap; there is {', '.join(taps)}")
        if tap in met:
            raise ValueError(f"{edge!r}: tap {tap} is also on another link")
        met |= {tap} if tap else set()
    if missing := [tap for tap in taps if tap not in met]:
        raise ValueError(f"tap {missing[0]} is on no link")
    nodes = _placed([edge[:2] for edge in triples], leaves)
    number = {name: place for place, name in enumerate(nodes)}
    ports: dict[tuple[str, Name], int] = {}
    links = []
    for one, other, tap in triples:
        leaves_by, arrives_by = (
            ports.setdefault((way, node), -1) + 1 for way, node in (("out", one), ("in", other))
        )
        ports["out", one], ports["in", other] = leaves_by, arrives_by
        name, ends = tap or f"{one} to {other}", (number[one], number[other])
        links.append(Link(name, *ends, leaves_by, arrives_by, 1, tap or ""))
    return Structure.of(list(nodes.values()), links)


def _placed(ends: Sequence[tuple[Name, Name]], leaves: int) -> dict[Name, Node]:
    """Nodes by rank above the leaves, each rank in the order of what is below its nodes."""
    beside: dict[Name, list[Name]] = {leaf: [] for leaf in range(leaves)}
    for one, other in ends:
        beside.setdefault(one, []).append(other)
        beside.setdefault(other, []).append(one)
    placed: dict[Name, Node] = {
        leaf: Node(f"leaf {leaf}", 0, leaf, leaf + 0.5, 0.0, LEAF_WIDTH) for leaf in range(leaves)
    }
    level = 0
    while left := [name for name in beside if name not in placed]:
        level += 1
        below = {name: [placed[x].x for x in beside[name] if x in placed] for name in left}
        middle = {name: sum(at) / len(at) for name, at in below.items() if at}
        middle = middle or dict.fromkeys(left, 0.0)  # of parts that no leaf reaches
        for k, name in enumerate(sorted(middle, key=lambda name: middle[name])):
            x = (k + 0.5) * leaves / len(middle)
            placed[name] = Node(str(name), level, k, x, -float(level))
    return {name: placed[name] for name in beside}


def _triples(edges: Iterable[Any]) -> Iterator[tuple[Name, Name, str | None]]:
    """The edges of a networkx graph, whose attribute `tap` counts, or a list of triples."""
    import networkx as nx  # here: every process would load it

    if isinstance(edges, nx.Graph):
        for one, other, data in edges.edges(data=True):
            yield one, other, data.get("tap")
        return
    if not isinstance(edges, Iterable):
        raise ValueError(f"returns {edges!r}: must be links")
    for edge in edges:
        if not isinstance(edge, tuple | list) or len(edge) not in (2, 3):
            raise ValueError(f"{edge!r}: must be (from, to) or (from, to, tap)")
        yield edge[0], edge[1], edge[2] if len(edge) == 3 else None
