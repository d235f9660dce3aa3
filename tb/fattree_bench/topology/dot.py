"""Graphs in DOT, as Graphviz's grammar has it.

A node's attribute `type` says host or switch; a link's ports are those of `a:1 -- b:2`, or its
attributes `tailport` and `headport`.  Parsed by lark: pydot takes five seconds for 1,000 links.
"""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

from fattree_bench.topology.cabling import Arc, Cabling, add_links
from fattree_bench.topology.drawn import COMPASS, End, kind
from fattree_bench.topology.files import Wrong, shown
from fattree_models.topology.fabric import MAX_LINKS

if TYPE_CHECKING:
    from lark import Lark

GRAMMAR = r"""
start: "strict"i? (GRAPH | DIGRAPH) name? body
body: BEGIN ((chain | defaults | name "=" name) ";"?)* "}"
defaults: (GRAPH | NODE | EDGE) attributes
chain: (point | group) (("--" | "->") (point | group))* attributes?
point: name (":" name (":" name)?)?
group: ("subgraph"i name?)? body
attributes: ("[" (attribute ("," | ";")?)* "]")+
attribute: name ("=" name)?
name: ID | QUOTED ("+" QUOTED)*
BEGIN: "{"
GRAPH: "graph"i
DIGRAPH: "digraph"i
NODE: "node"i
EDGE: "edge"i
ID: /-?(\.[0-9]+|[0-9]+(\.[0-9]*)?)|[A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*/i
QUOTED: /"([^"\\]|\\.)*"/s
%ignore /\s+|\/\/[^\n]*|\/\*.*?\*\/|(?<![^\n])#[^\n]*/s
"""
DEEP = 50  # subgraphs in one another

Attributes = dict[str, str]


@cache
def _parser() -> "Lark":
    from lark import Lark, Transformer

    class Plain(Transformer[Any, Any]):
        """Names are tokens, points and attributes are what they hold."""

        def name(self, parts: Sequence[Any]) -> Any:
            return parts[0].update(value="".join(map(_unquoted, parts)))

        def point(self, parts: Sequence[Any]) -> tuple[Any, str]:
            return parts[0], "" if len(parts) < 2 or parts[1] in COMPASS else str(parts[1])

        def attribute(self, parts: Sequence[Any]) -> tuple[str, str]:
            return str(parts[0]), str(parts[1]) if len(parts) > 1 else "true"

        def attributes(self, parts: Sequence[tuple[str, str]]) -> Attributes:
            return dict(parts)

    return Lark(GRAMMAR, parser="lalr", transformer=Plain())


def _unquoted(token: str) -> str:
    if not token.startswith('"'):
        return str(token)
    return re.sub(r"\\\r?\n", "", token[1:-1]).replace('\\"', '"')


class _Reader:
    """Walks what was parsed; braces inherit the defaults around them."""

    def __init__(self) -> None:
        self.cabling = Cabling()
        self.arcs: list[Arc] = []

    def body(self, tree: Any, nodes: Attributes, links: Attributes, depth: int) -> list[End]:
        """Read what is in braces; the nodes there."""
        begin, *statements = tree.children
        if depth > DEEP:
            raise Wrong(begin.line, f"has more than {DEEP} subgraphs in one another")
        nodes, links = dict(nodes), dict(links)
        members: dict[str, None] = {}
        for each in statements:
            data = getattr(each, "data", "")  # of `name = name`, an attribute of the graph: none
            if data == "defaults":
                kind, given = each.children
                {"node": nodes, "edge": links}.get(kind.lower(), {}).update(given)
            elif data == "chain":
                parts = list(each.children)
                given = parts.pop() if isinstance(parts[-1], dict) else {}
                members |= self.chain(parts, given, nodes, links, depth)
        return [(name, "") for name in members]

    def chain(
        self, parts: list[Any], given: Attributes, nodes: Attributes, links: Attributes, depth: int
    ) -> dict[str, None]:
        """Read a node, or links from each to the next; the nodes there."""
        ends: list[list[End]] = []
        line = 0
        for part in parts:
            if isinstance(part, tuple):
                line = line or part[0].line
                ends.append([part])
                own = kind(given) if len(parts) == 1 else ""
                fresh = part[0] not in self.cabling.nodes
                self.cabling.node(line, str(part[0]), own or kind(nodes) if fresh else own)
            else:
                line = line or part.children[-1].children[0].line
                ends.append(self.body(part.children[-1], nodes, links, depth + 1))
        for tails, heads in pairwise(ends):
            for tail, head in product(tails, heads):
                self.arcs.append((line, tail, head, links | given))
                if len(self.arcs) > MAX_LINKS:
                    raise Wrong(line, f"has more than {MAX_LINKS} links")
        return {str(name): None for end in ends for name, _ in end}


def read(text: str) -> Cabling:
    """A graph or digraph."""
    from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

    try:
        tree: Any = _parser().parse(text)
    except UnexpectedCharacters as error:
        rest = text[error.pos_in_stream or 0 :].partition("\n")[0]
        raise Wrong(error.line, f"{shown(rest)} is not DOT") from None
    except UnexpectedToken as error:
        if error.token.type == "$END":
            raise Wrong(text.count("\n") + 1, "ends before the graph does") from None
        raise Wrong(error.line, f"{shown(error.token)} does not belong here") from None
    except UnexpectedInput as error:
        raise Wrong(error.line, "is not DOT") from None
    reader = _Reader()
    reader.body(tree.children[-1], {}, {}, 0)
    directed = any(str(child).lower() == "digraph" for child in tree.children[:1])
    add_links(reader.cabling, reader.arcs, directed)
    return reader.cabling
