"""Graphs in GraphML, read by networkx.

A node's attribute `type` says host or switch; links have `source_port` and `target_port`.
"""

import io
import re
import warnings
import xml.etree.ElementTree as ET

from fattree_bench.topology.cabling import Arc, Cabling, add_links
from fattree_bench.topology.files import Wrong, shown

UNDIRECTED = re.compile(r"""(edgedefault\s*=\s*["'])undirected(["'])""")


def read(text: str) -> Cabling:
    """The first graph of the file."""
    import networkx as nx

    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise Wrong(1, "contains a DOCTYPE; GraphML does not need one")
    # An undirected graph of networkx forgets which end of an edge is its source.
    directed, undirected = UNDIRECTED.subn(r"\1directed\2", text)
    try:
        with warnings.catch_warnings():  # of attributes that no key declares
            warnings.simplefilter("ignore")
            found = nx.read_graphml(io.BytesIO(directed.encode()), force_multigraph=True)
    except ET.ParseError as error:
        reason = str(error).split(":")[0]
        raise Wrong(error.position[0], f"is not XML: {reason}") from None
    except Exception as error:  # networkx raises what it comes across in a damaged file
        reason = str(error) or type(error).__name__
        raise Wrong(1, f"is not GraphML: {shown(reason)}") from None
    cabling = Cabling()
    for name, given in found.nodes(data=True):
        cabling.node(1, str(name), str(given.get("type", "")))
    arcs: list[Arc] = []
    for place, (one, other, given) in enumerate(found.edges(data=True), start=1):
        ports = (str(given.get(key, "")) for key in ("source_port", "target_port"))
        tail, head = zip((str(one), str(other)), ports, strict=True)
        arcs.append((place, tail, head, {"speed": str(given.get("speed", ""))}))
    try:
        add_links(cabling, arcs, not undirected)
    except Wrong as wrong:  # networkx knows no lines
        reason = re.sub(
            r"in line (\d+)$", lambda x: f"in edge {_edge(arcs, int(x[1]))}", str(wrong)
        )
        raise Wrong(1, f"edge {_edge(arcs, wrong.line)}: {reason}") from None
    return cabling


def _edge(arcs: list[Arc], place: int) -> str:
    _, (one, _), (other, _), _ = arcs[place - 1]
    return shown(f"{one} – {other}")
