"""InfiniBand fabrics as `ibnetdiscover` prints them, and ibsim's net files.  Every cable stands at
both of its ends."""

import re
from collections import Counter

from fattree_bench.topology.cabling import Cabling
from fattree_bench.topology.files import Wrong, shown
from fattree_bench.topology.ibnet_blocks import Node, blocks

SHOWN = 3  # lines that are left out
AGGREGATION = "Aggregation Node"  # of in-network reduction: inside a switch, no host


def looks_so(text: str) -> bool:
    """Whether a text is what this module reads."""
    return re.search(r'^(?:Switch|Hca|Ca|Rt)\s+\d+\s+"', text, re.MULTILINE) is not None


def read(text: str) -> Cabling:
    """A fabric; each port of an adapter that has a cable is a host."""
    nodes, strange = blocks(text)
    cabling = Cabling()
    if strange:
        words = ", ".join(f"{line}: {shown(text)}" for line, text in strange[:SHOWN])
        more = " …" if len(strange) > SHOWN else ""
        cabling.notes.append(f"left out, not of ibnetdiscover: line {words}{more}")
    apart = {k for k, node in nodes.items() if node.kind != "Switch" and AGGREGATION in node.name}
    if apart:
        cabling.notes.append(f"left out: {len(apart)} aggregation nodes inside switches")
    names = _names({k: node for k, node in nodes.items() if k not in apart})
    for key, node in nodes.items():
        if key in apart:
            continue
        if node.kind == "Switch":
            cabling.node(node.line, names[key], "switch")
            cabling.guids[_guid(key)] = names[key]
            if node.lid:
                cabling.lids[node.lid] = names[key]
        for port, cable in node.cables.items():
            line, far, other = cable.line, cable.far, cable.port
            if node.kind != "Switch":
                name = _end(nodes, names, key, port)
                cabling.node(line, name, "host")
                if cable.lid:
                    cabling.lids[cable.lid] = name
            if far in apart:
                continue
            _returned(nodes, line, (key, port), (far, other))
            if (key, port) < (far, other):
                ends = (_end(nodes, names, key, port), port)
                cabling.link(line, *ends, _end(nodes, names, far, other), other, cable.speed)
    return cabling


def _returned(
    nodes: dict[str, Node], line: int, near: tuple[str, int], far: tuple[str, int]
) -> None:
    """A cable must stand at both ends."""
    back = nodes[far[0]].cables.get(far[1]) if far[0] in nodes else None
    if far[0] not in nodes:
        raise Wrong(line, f"leads to {shown(far[0])}, which is missing")
    if back is None or (back.far, back.port) != near:
        raise Wrong(line, f"leads to {shown(far[0])}[{far[1]}], which does not lead back")


def _names(nodes: dict[str, Node]) -> dict[str, str]:
    """The description of each node, with its identifier where several have the same."""
    often = Counter(node.name for node in nodes.values())
    return {k: n.name if often[n.name] == 1 else f"{n.name} ({k})" for k, n in nodes.items()}


def _end(nodes: dict[str, Node], names: dict[str, str], key: str, port: int) -> str:
    """The name of a node; of an adapter with several cables with the port."""
    node = nodes[key]
    several = node.kind != "Switch" and len(node.cables) > 1
    return f"{names[key]}/{port}" if several else names[key]


def _guid(key: str) -> int:
    digits = key.rpartition("-")[2]
    return int(digits, 16) if re.fullmatch("[0-9a-fA-F]{1,16}", digits) else -1
