"""Network files of BookSim's `topology = anynet`: a line a router, and what it is joined to.

`router 0 node 0 node 1 router 2 15`; a number behind an end is the latency there.  A cable may
stand at both ends; there is one between two, and one of a node.
"""

import re

from fattree_bench.topology.cabling import Cabling
from fattree_bench.topology.files import Wrong, shown

LINE = re.compile(r"(?:(?:router|node)\s+\d{1,6}(?:\s+\d{1,9})?(?:\s+|$))+")
END = re.compile(r"(router|node)\s+(\d{1,6})")


def looks_so(text: str) -> bool:
    """Whether a text is what this module reads."""
    return re.match(r"\s*(router|node)\s+\d+\s+(router|node)\s+\d+", text) is not None


def read(text: str) -> Cabling:
    """Routers are switches, nodes are hosts."""
    cabling, met = Cabling(), dict[frozenset[str], int]()
    home: dict[str, str] = {}
    for line, raw in enumerate(text.splitlines(), start=1):
        words = raw.strip()
        if not words:
            continue
        if not LINE.fullmatch(words):
            raise Wrong(line, f"{shown(words)} is not router or node with numbers")
        (kind, number), *others = END.findall(words)
        one = kind + number
        for far_kind, far_number in (head := [(kind, number), *others]):
            cabling.node(line, far_kind + far_number, {"router": "switch"}.get(far_kind, "host"))
        for far_kind, far_number in head[1:]:
            other, hosts = far_kind + far_number, [kind, far_kind].count("node")
            if hosts == 2:
                raise Wrong(line, f"joins {one} and {other}, two nodes")
            if hosts:
                node, router = (one, other) if kind == "node" else (other, one)
                if home.setdefault(node, router) != router:
                    raise Wrong(line, f"{node} is joined to {home[node]} and to {router}")
            if met.setdefault(frozenset((one, other)), line) == line:
                cabling.link(line, one, -1, other, -1)
    return cabling
