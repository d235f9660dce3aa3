"""InfiniBand fabrics as `ibnetdiscover` prints them.

Blocks of `Switch`, `Ca` or `Rt`, number of ports, identifier, and behind # the description; then a
line a cable: own port, far end and its port.  Hosts say their LID behind #, switches in their
first line.  Every cable stands at both of its ends.
"""

import re
from collections import Counter
from dataclasses import dataclass, field

from fattree_bench.topology.cabling import Cabling
from fattree_bench.topology.files import Wrong, shown

NODE = re.compile(r'(Switch|Ca|Rt)\s+(\d{1,5})\s+"([^"]+)"\s*(?:#\s*"(.*?)"(?:\s+(.*))?)?$')
CABLE = re.compile(
    r"\[(\d{1,5})\](?:\[ext \d+\])?(?:\(([0-9a-fA-F]+)\))?\s+"
    r'"([^"]+)"\[(\d{1,5})\](?:\[ext \d+\])?\s*(?:\([0-9a-fA-F]+\))?\s*(?:#\s*(.*))?$'
)
LID = re.compile(r"\blid (\d+)")
AGGREGATION = "Aggregation Node"  # of in-network reduction: inside a switch, no host


@dataclass
class _Node:
    line: int
    kind: str
    ports: int
    name: str
    lid: int | None = None
    cables: dict[int, tuple[int, str, int, int | None]] = field(default_factory=dict)


def looks_so(text: str) -> bool:
    """Whether a text is what this module reads."""
    return re.search(r'^(?:Switch|Ca|Rt)\s+\d+\s+"', text, re.MULTILINE) is not None


def read(text: str) -> Cabling:
    """A fabric; each port of an adapter that has a cable is a host."""
    nodes = _blocks(text)
    cabling = Cabling()
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
        for port, (line, far, other, lid) in node.cables.items():
            if node.kind != "Switch":
                name = _end(nodes, names, key, port)
                cabling.node(line, name, "host")
                if lid:
                    cabling.lids[lid] = name
            if far in apart:
                continue
            _returned(nodes, line, (key, port), (far, other))
            if (key, port) < (far, other):
                ends = (_end(nodes, names, key, port), port)
                cabling.link(line, *ends, _end(nodes, names, far, other), other)
    return cabling


def _blocks(text: str) -> dict[str, _Node]:
    nodes: dict[str, _Node] = {}
    now: _Node | None = None
    for line, raw in enumerate(text.splitlines(), start=1):
        words = raw.strip()
        if found := NODE.match(words):
            kind, ports, key, name, rest = found.groups()
            if key in nodes:
                raise Wrong(line, f"{shown(key)} is there already, in line {nodes[key].line}")
            lid = LID.search(rest or "")
            now = nodes[key] = _Node(line, kind, int(ports), name or key)
            now.lid = int(lid[1]) if lid and kind == "Switch" else None
        elif words.startswith("["):
            found = CABLE.match(words)
            if found is None:
                raise Wrong(line, f"{shown(words)} is not a cable")
            if now is None:
                raise Wrong(line, "is a cable of no node")
            port, _, far, other, rest = found.groups()
            if not 1 <= int(port) <= now.ports:
                raise Wrong(line, f"port {port} of a node of {now.ports} ports")
            if int(port) in now.cables:
                raise Wrong(line, f"port {port} has a cable in line {now.cables[int(port)][0]}")
            lid = LID.match(rest or "")
            now.cables[int(port)] = line, far, int(other), int(lid[1]) if lid else None
        elif words and not re.match(r"#|\w+=|Chassis |Hostname: |DR path", words):
            raise Wrong(line, f"{shown(words)} is nothing that ibnetdiscover prints")
    return nodes


def _returned(
    nodes: dict[str, _Node], line: int, near: tuple[str, int], far: tuple[str, int]
) -> None:
    """A cable must stand at both ends."""
    back = nodes[far[0]].cables.get(far[1]) if far[0] in nodes else None
    if far[0] not in nodes:
        raise Wrong(line, f"leads to {shown(far[0])}, which is missing")
    if back is None or back[1:3] != near:
        raise Wrong(line, f"leads to {shown(far[0])}[{far[1]}], which does not lead back")


def _names(nodes: dict[str, _Node]) -> dict[str, str]:
    """The description of each node, with its identifier where several have the same."""
    often = Counter(node.name for node in nodes.values())
    return {k: n.name if often[n.name] == 1 else f"{n.name} ({k})" for k, n in nodes.items()}


def _end(nodes: dict[str, _Node], names: dict[str, str], key: str, port: int) -> str:
    """The name of a node; of an adapter with several cables with the port."""
    node = nodes[key]
    several = node.kind != "Switch" and len(node.cables) > 1
    return f"{names[key]}/{port}" if several else names[key]


def _guid(key: str) -> int:
    digits = key.rpartition("-")[2]
    return int(digits, 16) if re.fullmatch("[0-9a-fA-F]{1,16}", digits) else -1
