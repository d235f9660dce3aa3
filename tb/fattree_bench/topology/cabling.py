"""Nodes and cables of a file by name, checked as they are read."""

from dataclasses import dataclass, field

from fattree_bench.topology.drawn import COMPASS, MOST_PORT, End, numbers
from fattree_bench.topology.files import Wrong, shown
from fattree_bench.topology.speeds import gigabits
from fattree_models.topology.fabric import MAX_LINKS

KINDS = {"host": True, "leaf": True, "ca": True, "hca": True, "node": True, "switch": False}

Arc = tuple[int, End, End, dict[str, str]]  # line, tail, head, attributes


@dataclass
class Cabling:
    """Nodes and cables of a file.

    Attributes
    ----------
    nodes : whether a node is a host; None if unknown.
    links : (name, port, name, port), ports -1 unknown.
    guids, lids : what InfiniBand calls switches and hosts; empty elsewhere.
    notes : what a reader left out, one line each.
    speeds : Gb/s of each link; 0: not stated.
    looped : ends of cables from a node to itself, which are left out.
    """

    nodes: dict[str, bool | None] = field(default_factory=dict)
    links: list[tuple[str, int, str, int]] = field(default_factory=list)
    guids: dict[int, str] = field(default_factory=dict)
    lids: dict[int, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    speeds: list[float] = field(default_factory=list)
    looped: list[str] = field(default_factory=list)
    taken: dict[tuple[str, int], int] = field(default_factory=dict)

    def node(self, line: int, name: str, kind: str = "") -> None:
        """Add a node of a kind, "" if the file does not say."""
        host = kind_of(line, kind)
        before = self.nodes.get(name)
        if host is not None and before is not None and host != before:
            raise Wrong(line, f"{shown(name)} is a host and a switch")
        self.nodes[name] = before if host is None else host

    def link(
        self, line: int, one: str, port: int, other: str, far: int, speed: float = 0.0
    ) -> None:
        """Add a cable; one from a node to itself tests its ports, and is noted alone."""
        for end in ((one, port), (other, far)):
            if end[1] >= 0 and (first := self.taken.get(end)) is not None:
                raise Wrong(line, f"port {end[1]} of {shown(end[0])} has a cable in line {first}")
            self.taken[end] = line
            self.nodes.setdefault(end[0], None)
        if one == other:
            ports = f" ports {port} and {far}" if min(port, far) >= 0 else ""
            self.looped.append(f"{one}{ports}")
            return
        self.links.append((one, port, other, far))
        self.speeds.append(speed)
        if len(self.links) > MAX_LINKS:
            raise Wrong(line, f"is one link too many; at most {MAX_LINKS}")


def kind_of(line: int, kind: str) -> bool | None:
    """Whether a word means host; None for an empty one."""
    word = kind.strip().lower()
    if word and word not in KINDS:
        raise Wrong(line, f"{shown(kind)} is not a kind of node; known: {', '.join(KINDS)}")
    return KINDS[word] if word else None


def port_of(line: int, text: str) -> int:
    """The number of a port, -1 for an empty text."""
    text = text.strip()
    if not text:
        return -1
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) <= MOST_PORT):
        raise Wrong(line, f"{shown(text)} is not a port; allowed are 0 … {MOST_PORT}")
    return int(text)


def add_links(cabling: Cabling, arcs: list[Arc], directed: bool) -> None:
    """Cables of edges; of a directed graph an edge and one back are one cable."""
    waiting: dict[tuple[End, End], int] = {}
    both = [
        ((one, port or given.get("tailport", "")), (other, far or given.get("headport", "")))
        for _, (one, port), (other, far), given in arcs
    ]
    named = numbers(end for ends in both for end in ends)
    for (line, (one, _), (other, _), given), ends in zip(arcs, both, strict=True):
        if directed and waiting.get(ends[::-1], 0):
            waiting[ends[::-1]] -= 1
            continue
        waiting[ends] = waiting.get(ends, 0) + 1
        near, far = (port_of(line, "" if e[1] in COMPASS else named.get(e, e[1])) for e in ends)
        speed = gigabits(line, given.get("speed", ""))
        cabling.link(line, one, near, other, far, speed)
