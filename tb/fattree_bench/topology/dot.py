"""Graphs in DOT, as Graphviz's grammar has it.

A node's attribute `type` says host or switch; a link's ports are those of `a:1 -- b:2`, or its
attributes `tailport` and `headport`.  A reader of our own: pydot takes seconds for a thousand
links.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from fattree_bench.topology.files import Wrong, shown
from fattree_bench.topology.graph import Graph, port_of
from fattree_models.topology.fabric import MAX_LINKS

TOKEN = re.compile(
    r"""(?P<blank>\s+|//[^\n]*|/\*.*?\*/|(?<![^\n])\#[^\n]*)
      | (?P<edge>--|->) | (?P<mark>[{}\[\];,=:+])
      | (?P<quoted>"(?:[^"\\]|\\.)*")
      | (?P<id>-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)|[A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*)""",
    re.VERBOSE | re.DOTALL,
)
DEEP = 50  # subgraphs in one another
COMPASS = {"n", "ne", "e", "se", "s", "sw", "w", "nw", "c", "_"}

End = tuple[str, str]  # a node and its port, as text


@dataclass
class _Scope:
    """What holds inside a pair of braces."""

    nodes: dict[str, str] = field(default_factory=dict)  # attributes of nodes
    links: dict[str, str] = field(default_factory=dict)
    members: dict[str, None] = field(default_factory=dict)


def tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """Kind, text and line of each token; the last is the end."""
    at, line = 0, 1
    while at < len(text):
        found = TOKEN.match(text, at)
        if found is None:
            rest = text[at : at + 40].split("\n", maxsplit=1)[0]
            raise Wrong(line, f"{shown(rest)} is no DOT")
        word, kind = found[0], str(found.lastgroup)
        if kind == "quoted":
            plain = re.sub(r"\\\r?\n", "", word[1:-1]).replace('\\"', '"')
            yield "id", plain, line
        elif kind == "id":
            yield ("word", word.lower(), line) if word.lower() in WORDS else ("id", word, line)
        elif kind != "blank":
            yield kind, word, line
        line += word.count("\n")
        at = found.end()
    yield "end", "the end", line


WORDS = {"graph", "digraph", "subgraph", "node", "edge", "strict"}


class _Parser:
    def __init__(self, text: str) -> None:
        self.stream = tokens(text)
        self.graph = Graph()
        self.arcs: list[tuple[int, End, End, dict[str, str]]] = []
        self.advance()

    def advance(self) -> tuple[str, str, int]:
        """The token that was next."""
        before = getattr(self, "next", ("", "", 1))
        self.next = next(self.stream, ("end", "the end", before[2]))
        return before

    def at(self, *texts: str) -> bool:
        return self.next[0] in ("mark", "edge", "word") and self.next[1] in texts

    def take(self, text: str) -> None:
        if not self.at(text):
            raise Wrong(self.next[2], f"has {shown(self.next[1])} where {text} must be")
        self.advance()

    def name(self) -> str:
        kind, text, line = self.advance()
        if kind != "id":
            raise Wrong(line, f"has {shown(text)} where a name must be")
        while self.at("+"):  # "a" + "b"
            self.advance()
            text += self.name()
        return text

    def whole(self) -> Graph:
        if self.at("strict"):
            self.advance()
        if not self.at("graph", "digraph"):
            raise Wrong(self.next[2], f"begins with {shown(self.next[1])}, not graph or digraph")
        directed = self.advance()[1] == "digraph"
        if self.next[0] == "id":
            self.name()
        self.body(_Scope(), 0)
        if self.next[0] != "end":
            raise Wrong(self.next[2], f"has {shown(self.next[1])} behind the graph")
        add_links(self.graph, self.arcs, directed)
        return self.graph

    def body(self, scope: _Scope, depth: int) -> None:
        if depth > DEEP:
            raise Wrong(self.next[2], f"has more than {DEEP} subgraphs in one another")
        self.take("{")
        while not self.at("}"):
            if self.next[0] == "end":
                raise Wrong(self.next[2], "ends without }")
            self.statement(scope, depth)
            if self.at(";"):
                self.advance()
        self.advance()

    def statement(self, scope: _Scope, depth: int) -> None:
        if self.at("graph", "node", "edge"):
            what = self.advance()[1]
            given = self.attributes()
            if what != "graph":
                (scope.nodes if what == "node" else scope.links).update(given)
            return
        line = self.next[2]
        ends = [self.ends(scope, depth)]
        if self.at("="):  # name = value, of the graph
            self.advance()
            self.name()
            return
        plain = not self.was_graph
        self.register(scope, line, ends[0], plain and not self.at("--", "->"))
        while self.at("--", "->"):
            self.advance()
            ends.append(self.ends(scope, depth))
            self.register(scope, line, ends[-1], False)
        given = self.attributes() if self.at("[") else {}
        if len(ends) == 1:
            if plain:
                self.graph.node(line, ends[0][0][0], given.get("type", ""))
            return
        for tails, heads in pairwise(ends):
            for tail in tails:
                for head in heads:
                    self.arcs.append((line, tail, head, scope.links | given))
                if len(self.arcs) > MAX_LINKS:
                    raise Wrong(line, f"has more than {MAX_LINKS} links")

    def register(self, scope: _Scope, line: int, ends: list[End], alone: bool) -> None:
        """Nodes get what holds here when they are first seen."""
        for name, _ in ends:
            fresh = name not in self.graph.nodes
            scope.members[name] = None
            if self.at("=") and alone:
                continue
            self.graph.node(line, name, scope.nodes.get("type", "") if fresh else "")

    def ends(self, scope: _Scope, depth: int) -> list[End]:
        """A node and perhaps its port, or all nodes of a subgraph."""
        self.was_graph = self.at("{", "subgraph")
        if self.was_graph:
            if self.at("subgraph"):
                self.advance()
                if self.next[0] == "id":
                    self.name()
            inner = _Scope(dict(scope.nodes), dict(scope.links))
            self.body(inner, depth + 1)
            self.was_graph = True
            scope.members |= inner.members
            return [(name, "") for name in inner.members]
        name, port = self.name(), ""
        if self.at(":"):
            self.advance()
            port = self.name()
            if self.at(":"):
                self.advance()
                self.name()
        return [(name, "" if port in COMPASS else port)]

    def attributes(self) -> dict[str, str]:
        found: dict[str, str] = {}
        while self.at("["):
            self.advance()
            while not self.at("]"):
                key = self.name()
                found[key] = "true"
                if self.at("="):
                    self.advance()
                    found[key] = self.name()
                if self.at(",", ";"):
                    self.advance()
            self.advance()
        return found


def add_links(
    graph: Graph, arcs: list[tuple[int, End, End, dict[str, str]]], directed: bool
) -> None:
    """Cables of edges; of a directed graph an edge and one back are one cable."""
    waiting: dict[tuple[End, End], int] = {}
    for line, tail, head, given in arcs:
        (one, port), (other, far) = tail, head
        ends = (one, port or given.get("tailport", "")), (other, far or given.get("headport", ""))
        if directed and waiting.get(ends[::-1], 0):
            waiting[ends[::-1]] -= 1
            continue
        waiting[ends] = waiting.get(ends, 0) + 1
        numbers = [port_of(line, "" if p in COMPASS else p) for _, p in ends]
        graph.link(line, one, numbers[0], other, numbers[1])


def read(text: str) -> Graph:
    """A graph or digraph."""
    return _Parser(text).whole()
