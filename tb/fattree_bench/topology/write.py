"""A fabric as others read it: DOT, the network file of BookSim's anynet, an edge list."""

import csv
import io
from collections.abc import Callable

from fattree_bench.errors import UserError
from fattree_bench.topology.edge_list import COLUMNS
from fattree_models.common.checks import Int64Array
from fattree_models.topology import Fabric


def dot(fabric: Fabric, order: Int64Array) -> str:
    """Undirected, hosts and switches marked, ports where they are known."""
    lines = ["graph topology {"]
    for node, name in enumerate(fabric.names):
        kind = "host" if fabric.host[node] else "switch"
        shape = "" if fabric.host[node] else ", shape=box"
        lines.append(f"  {_quoted(name)} [type={kind}{shape}];")
    for a, p, b, q in fabric.links.tolist():
        ends = [
            f"{_quoted(fabric.names[x])}{f':{port}' * (port >= 0)}" for x, port in ((a, p), (b, q))
        ]
        lines.append(f"  {' -- '.join(ends)};")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '\\"') + '"'


def anynet(fabric: Fabric, order: Int64Array) -> str:
    """Routers and nodes by number, each link once; BookSim knows no parallel links."""
    if (several := _parallel(fabric)) is not None:
        raise UserError(f"WRITE=anynet: {several} are joined twice; anynet has one link a pair")
    switches = [node for node, host in enumerate(fabric.host.tolist()) if not host]
    router = {node: k for k, node in enumerate(switches)}
    place = {node: k for k, node in enumerate(order.tolist())}
    lines = []
    for node in switches:
        words = [f"router {router[node]}"]
        near = sorted(fabric.beside[node])
        words += [
            f"node {place[x]}" for x in sorted(near, key=lambda x: place.get(x, -1)) if x in place
        ]
        words += [f"router {router[x]}" for x in near if x in router and x > node]
        lines.append(" ".join(words))
    if any(len(fabric.beside[node]) > 1 for node in order.tolist()):
        raise UserError("WRITE=anynet: a host has several links; anynet's nodes have one")
    return "\n".join(lines) + "\n"


def _parallel(fabric: Fabric) -> str | None:
    """Two nodes that are joined by several links."""
    for node, near in fabric.beside.items():
        for other, count in near.items():
            if count > 1:
                return f"{fabric.names[node]} and {fabric.names[other]}"
    return None


def edge_list(fabric: Fabric, order: Int64Array) -> str:
    """CSV as `edge_list.read` reads it, with all columns."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(COLUMNS)
    for a, p, b, q in fabric.links.tolist():
        ports = ["" if port < 0 else port for port in (p, q)]
        kinds = ["host" if fabric.host[node] else "switch" for node in (a, b)]
        out.writerow([fabric.names[a], fabric.names[b], *ports, *kinds])
    return text.getvalue()


WRITERS: dict[str, tuple[str, Callable[[Fabric, Int64Array], str]]] = {
    "dot": (".dot", dot),
    "anynet": (".anynet", anynet),
    "csv": (".csv", edge_list),
}
