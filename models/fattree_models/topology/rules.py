"""The rules of fat-trees that a fabric breaks, each node by its name, compared with its peers."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from fattree_models.common.checks import check_integer
from fattree_models.common.fat_tree.checker import NAMED, Violation, violations
from fattree_models.topology.fabric import Fabric
from fattree_models.topology.ranks import Ranked

Demands = Literal["FAT_TREE", "OPENSM"]


@dataclass(frozen=True)
class Breach:
    """A rule that is broken, in one line.

    `rule` is one of `xgft.Violation`, or RADIX; `nodes` are those that break it.
    """

    rule: str
    text: str
    nodes: tuple[int, ...]


def breaches(
    fabric: Fabric, ranked: Ranked | None, demands: Demands = "FAT_TREE", ports: int = 0
) -> list[Breach]:
    """Return the rules that a fabric breaks, the earliest of the list of `xgft.violations` first.

    Parameters
    ----------
    ranked : Ranked or None
        None if it is not connected.
    ports : int
        Most links of a switch; 0: any number.
    """
    found, ports = list[Breach](), check_integer("ports", ports, 0)
    beside: dict[Any, Any] = {x: list(near.elements()) for x, near in fabric.beside.items()}
    for violation in violations(beside, fabric.hosts.tolist(), demands):
        found += _told(fabric, ranked, violation)
    for node, channels in enumerate(fabric.leaving):
        if ports and not fabric.host[node] and len(channels) > ports:
            text = f"switch {fabric.names[node]} has {len(channels)} links, at most {ports} fit"
            found.append(Breach("RADIX", text, (node,)))
    return found


def _told(fabric: Fabric, ranked: Ranked | None, found: Violation) -> Iterator[Breach]:
    """Tell a violation with names."""
    nodes = tuple(_flat(found.nodes))
    rule = found.rule
    if ranked is None or rule == "RANKS":
        text = f"no way between {_names(fabric, nodes)} and the rest" if nodes else found.text
        yield Breach(rule, text, nodes)
    elif rule in ("UP_PORTS", "DOWN_PORTS"):
        yield from _uneven(fabric, ranked, found)
    elif rule == "SAME_RANK":
        for one, other in zip(nodes[::2], nodes[1::2], strict=True):
            text = f"{fabric.names[one]} – {fabric.names[other]} joins two of "
            yield Breach(rule, f"{text}{_level(ranked, one)}", (one, other))
    elif rule == "LEAF_RANK":
        for node in nodes:
            ends = [(int(fabric.head[c]), int(fabric.port[c ^ 1])) for c in fabric.leaving[node]]
            on = ", ".join(fabric.end(*end) for end in ends)
            text = f"host {fabric.names[node]} hangs on {on}, higher than the other hosts"
            yield Breach(rule, text, (node,))
    else:
        words = {
            "GROUP_SIZE": "has not as many parallel links to each neighbour as its peers",
            "ONE_WAY_DOWN": "has two ways down to the same hosts",
            "SUBTREES": "shares some, not all, of its hosts with a peer",
        }[rule]
        noun, each = ("switch", "") if len(nodes) == 1 else ("switches", "each ")
        text = f"{noun} {_names(fabric, nodes)} ({_level(ranked, nodes[0])}): {each}{words}"
        yield Breach(rule, text, nodes)


def _uneven(fabric: Fabric, ranked: Ranked, found: Violation) -> Iterator[Breach]:
    """Tell nodes that have fewer or more neighbours than their peers, of a number together."""
    way = "up" if found.rule == "UP_PORTS" else "down"
    beside = ranked.above if way == "up" else ranked.below
    nodes = tuple(_flat(found.nodes))
    level = ranked.by_rank()[ranked.rank[nodes[0]]]
    peers = [node for node in level if node not in set(nodes)]
    usual = len(beside(peers[0]))
    several = any(n > 1 for node in level for n in beside(node).values())
    thing = "neighbours" if several else "links"
    by_number: defaultdict[int, list[int]] = defaultdict(list)
    for node in nodes:
        by_number[len(beside(node))].append(node)
    for number, those in sorted(by_number.items()):
        what = "host" if fabric.host[those[0]] else "switch"
        noun = what if len(those) == 1 else f"{what}{'es' if what == 'switch' else 's'}"
        has = "has" if len(those) == 1 else "have"
        near = thing[:-1] if number == 1 else thing
        few = "its" if len(those) == 1 else "their"
        plural = "peer has" if len(peers) == 1 else f"{len(peers)} peers have"
        text = f"{noun} {_names(fabric, those)} {has} {number} {near} {way}, {few} {plural} {usual}"
        yield Breach(found.rule, text, tuple(those))


def _level(ranked: Ranked, node: int) -> str:
    rank = ranked.rank[node]
    return f"level {rank}" if rank else "the hosts"


def _flat(nodes: object) -> Iterator[int]:
    """Return nodes of a violation; some are pairs."""
    for node in nodes if isinstance(nodes, tuple) else ():
        if isinstance(node, tuple):
            yield from _flat(node)
        else:
            yield node


def _names(fabric: Fabric, nodes: tuple[int, ...] | list[int]) -> str:
    names = ", ".join(fabric.names[node] for node in nodes[:NAMED])
    return names + (f" and {len(nodes) - NAMED} more" if len(nodes) > NAMED else "")


@dataclass(frozen=True)
class Level:
    """Numbers of a level of switches: how many there are, and links of each, down and up."""

    level: int
    switches: int
    down: tuple[int, ...]
    up: tuple[int, ...]
    parallel: tuple[int, ...]


def levels(ranked: Ranked) -> list[Level]:
    """Return the numbers of each level of switches, each different one once, ascending."""
    found = []
    for rank, nodes in enumerate(ranked.by_rank()[1:], start=1):
        downs, ups = [ranked.below(x) for x in nodes], [ranked.above(x) for x in nodes]
        found.append(
            Level(
                rank,
                len(nodes),
                _different(sum(x.values()) for x in downs),
                _different(sum(x.values()) for x in ups),
                _different(n for x in (*downs, *ups) for n in x.values()),
            )
        )
    return found


def _different(numbers: Iterator[int]) -> tuple[int, ...]:
    return tuple(sorted(Counter(numbers)))
