"""Forwarding tables, dumped by OpenSM, `ibroute` or `dump_fts`, or CSV; as channels of a fabric.

A dump has a line for each switch, `Unicast lids [...] of switch ... guid 0x... (name):`, then a
line a LID: LID, port out, and behind : or # what the LID is.  CSV has the columns switch,
destination and port, which is a number or the name of a neighbour.
"""

import re

from fattree_bench.topology.cabling import Cabling
from fattree_bench.topology.edge_list import rows
from fattree_bench.topology.files import Wrong, shown
from fattree_models.topology import Fabric

SWITCH = re.compile(
    r"Unicast lids \[.*?\] of switch .*?\bguid (0x[0-9a-fA-F]{1,16})(?: \('?(.*?)'?\))?:?$"
)
ENTRY = re.compile(r"(0x[0-9a-fA-F]{1,4})\s+(\d{1,3})\s*(?:[:#]\s*(.*))?$")
UNREACHABLE = re.compile(r"0x[0-9a-fA-F]{1,4}\s+(?:UNREACHABLE|-|255)\b")
AROUND = re.compile(r"Lid +Out|Port +Info|\d+ (?:valid )?lids dumped|#")
COLUMNS = ("switch", "destination", "port")

Entry = tuple[int, int, int]


def read(text: str, cabling: Cabling, fabric: Fabric) -> list[Entry]:
    """(node, destination, channel) of every entry for a host."""
    number = {name: node for node, name in enumerate(fabric.names)}
    if "Unicast lids" in text:
        return _dump(text, cabling, fabric, number)
    return _csv(text, fabric, number)


def _by_port(fabric: Fabric) -> dict[tuple[int, int], int]:
    ends = zip(fabric.tail.tolist(), fabric.port.tolist(), strict=True)
    return {end: channel for channel, end in enumerate(ends) if end[1] >= 0}


def _dump(text: str, cabling: Cabling, fabric: Fabric, number: dict[str, int]) -> list[Entry]:
    channel = _by_port(fabric)
    found: dict[tuple[int, int], tuple[int, int]] = {}
    switch, met = -1, dict[int, int]()
    for line, raw in enumerate(text.splitlines(), start=1):
        words = raw.strip()
        if head := SWITCH.match(words):
            name = cabling.guids.get(int(head[1], 16), "") if cabling.guids else head[2] or ""
            switch = number.get(name, -1)
            if switch < 0 or fabric.host[switch]:
                raise Wrong(line, f"{head[1]} ({head[2] or name}) is not a switch of the topology")
            if switch in met:
                raise Wrong(line, f"{shown(name)} has a table already, in line {met[switch]}")
            met[switch] = line
        elif entry := ENTRY.match(words):
            if switch < 0:
                raise Wrong(line, "is an entry of no switch")
            goal = _goal(line, entry, cabling, number)
            if goal < 0 or not fabric.host[goal]:
                continue  # of a switch, or of what is not in the topology
            out = channel.get((switch, int(entry[2])), -1)
            if out < 0:
                where = f"{shown(fabric.names[switch])} has no cable at port {int(entry[2])}"
                raise Wrong(line, where)
            if (switch, goal) in found:
                before = found[switch, goal][1]
                raise Wrong(line, f"{entry[1]} has an entry already, in line {before}")
            found[switch, goal] = out, line
        elif words and not AROUND.match(words) and not UNREACHABLE.match(words):
            raise Wrong(line, f"{shown(words)} is not a line of a forwarding table")
    return [(node, goal, out) for (node, goal), (out, _) in found.items()]


def _goal(line: int, entry: "re.Match[str]", cabling: Cabling, number: dict[str, int]) -> int:
    """The node of a LID: as the topology says, else the name in the line."""
    if cabling.lids:
        return number.get(cabling.lids.get(int(entry[1], 16), ""), -1)
    name = re.search(r"'(.*)'", entry[3] or "")
    if name is None and not (entry[3] or "").startswith("(path"):
        raise Wrong(line, f"does not name {entry[1]}, and the topology has no LIDs")
    return number.get(name[1], -1) if name else -1


def _csv(text: str, fabric: Fabric, number: dict[str, int]) -> list[Entry]:
    channel = _by_port(fabric)
    head = fabric.head.tolist()
    towards = [{fabric.names[head[c]]: c for c in reversed(row)} for row in fabric.leaving]
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for line, row in rows(text, COLUMNS, 3):
        for name in (row["switch"], row["destination"]):
            if name not in number:
                raise Wrong(line, f"{shown(name)} is not a node of the topology")
        node, goal = number[row["switch"]], number[row["destination"]]
        if not fabric.host[goal]:
            raise Wrong(line, f"{shown(row['destination'])} is not a host")
        port = row["port"]
        out = channel.get((node, int(port)), -1) if re.fullmatch("[0-9]{1,5}", port) else -1
        out = towards[node].get(port, -1) if out < 0 else out
        if out < 0:
            where = f"{shown(row['switch'])} has no port and no neighbour {shown(port)}"
            raise Wrong(line, where)
        if (node, goal) in found:
            raise Wrong(line, f"the pair has an entry already, in line {found[node, goal][1]}")
        found[node, goal] = out, line
    return [(node, goal, out) for (node, goal), (out, _) in found.items()]
