"""The blocks that `ibnetdiscover` prints and ibsim reads, as people save them: line by line.

Blocks of `Switch`, `Ca` (`Hca` of ibsim) or `Rt`, number of ports, identifier, and behind # the
description; then a line a cable: own port, far end and its port.  Hosts say their LID behind #,
switches in their first line.  A copy of a terminal has prompts as well: lines before the first
block and behind the last are left out if they are none of these.
"""

import re
from dataclasses import dataclass, field

from fattree_bench.topology.files import Wrong, shown
from fattree_bench.topology.speeds import gigabits

NODE = re.compile(r'(Switch|Hca|Ca|Rt)\s+(\d{1,5})\s+"([^"]+)"\s*(?:#\s*(.*))?$')
NAME = re.compile(r'"(.*?)"(?:\s+(.*))?$')
CABLE = re.compile(
    r"\[(\d{1,5})\](?:\[ext \d+\])?(?:\(([0-9a-fA-F]+)\))?\s+"
    r'"([^"]+)"\s*(?:\[(\d{1,5})\])?(?:\[ext \d+\])?\s*(?:\([0-9a-fA-F]+\))?(?:\s+\w=\d+)*'
    r"\s*(?:#\s*(.*))?$"
)
LID = re.compile(r"\blid (\d+)")
SPEED = re.compile(r"\blid \d+ (\d+x\w+)(?: \w=\d+)*$")
OTHERS = re.compile(r"#|\w+[=+]|Chassis |Hostname: |DR path|do ")
ELSEWHERE = re.compile(r"include |@\[")  # of ibsim: other files, names of ports
MODULE = re.compile(r'module[^"]*"([^"]*)"')


@dataclass(frozen=True)
class Cable:
    """A line of a block: where it leads; `lid` of the own end, if stated; Gb/s, 0: not stated."""

    line: int
    far: str
    port: int
    lid: int | None
    speed: float


@dataclass
class Node:
    line: int
    kind: str
    ports: int
    name: str
    lid: int | None = None
    cables: dict[int, Cable] = field(default_factory=dict)


def blocks(text: str) -> tuple[dict[str, Node], list[tuple[int, str]]]:
    """The nodes by identifier, and the lines round them that are no part of the output."""
    nodes: dict[str, Node] = {}
    now: Node | None = None
    strange: list[tuple[int, str]] = []
    first = last = 0  # lines of blocks
    module = ""  # what ibsim puts before names
    for line, raw in enumerate(text.splitlines(), start=1):
        words = raw.strip()
        if found := NODE.match(words):
            key, now = _node(line, found, nodes, module)
            nodes[key] = now
            first, last = first or line, line
        elif re.match(r"\[\d+\]", words):
            _cable(line, words, now, module)
            last = line
        elif ELSEWHERE.match(words):
            raise Wrong(line, f"{shown(words)} is not read; ibsim alone does")
        elif found := MODULE.match(words):
            module = found[1] and f"{found[1]}#"
        elif words and not OTHERS.match(words):
            strange.append((line, words))
    for line, words in strange:
        if first < line < last:
            raise Wrong(line, f"{shown(words)} is nothing that ibnetdiscover prints")
    return nodes, strange


def _node(line: int, found: re.Match[str], nodes: dict[str, Node], module: str) -> tuple[str, Node]:
    """The first line of a block; a description without quotes was written by hand."""
    kind, ports, key, comment = found.groups()
    key = module + key
    if key in nodes:
        raise Wrong(line, f"{shown(key)} is there already, in line {nodes[key].line}")
    quoted = NAME.match(comment or "")
    name, rest = quoted.groups() if quoted else ((comment or "").strip(), "")
    node = Node(line, kind, int(ports), name or key)
    if kind == "Switch" and (lid := LID.search(rest or "")):
        node.lid = int(lid[1])
    return key, node


def _cable(line: int, words: str, node: Node | None, module: str) -> None:
    """A line of a cable, into its node."""
    found = CABLE.match(words)
    if found is None:
        raise Wrong(line, f"{shown(words)} is not a cable")
    if node is None:
        raise Wrong(line, "is a cable of no node")
    far = found[3] if "#" in found[3] else module + found[3]
    port, other, rest = int(found[1]), int(found[4] or 1), (found[5] or "").strip()
    if not 1 <= port <= node.ports:
        raise Wrong(line, f"port {port} of a node of {node.ports} ports")
    if port in node.cables:
        raise Wrong(line, f"port {port} has a cable in line {node.cables[port].line}")
    lid, speed = LID.match(rest), SPEED.search(rest)
    gbits = gigabits(line, speed[1]) if speed else 0.0
    node.cables[port] = Cable(line, far, other, int(lid[1]) if lid else None, gbits)
