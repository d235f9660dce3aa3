"""InfiniBand fabrics as `iblinkinfo` prints them: a heading a node, or with -l none.

A line a port: LID, port, in brackets width, speed and state, then LID, port and description of the
far end.  A switch has one LID, an adapter one for each port.
"""

import re
from collections import Counter
from dataclasses import dataclass

from fattree_bench.topology.cabling import Cabling
from fattree_bench.topology.files import Wrong, shown
from fattree_bench.topology.ibnetdiscover import AGGREGATION
from fattree_bench.topology.speeds import signalled

HEADING = re.compile(r"(Switch|CA|HCA|Router): (?:0x([0-9a-fA-F]{1,16}) )?(.*):$")
NEAR = r'(?:0x([0-9a-fA-F]{1,16})\s+)?(?:"(.*?)"\s+)?(\d{1,5})\s+(\d{1,5})\[\s*\d*\s*\]\s+'
FAR = r'(?:0x[0-9a-fA-F]{1,16}\s+)?(\d{1,5})\s+(\d{1,5})\[\s*\d*\s*\]\s+"(.*)"\s+\((.*)\)'
PORT = re.compile(NEAR + r"==\((.*)\)==>\s*(.*)$")
LINK = re.compile(FAR)
NONE = re.compile(r'(?:\[\s*\]\s+"".*|"Port not available")$')
RATE = re.compile(r"(\d{1,2})X\s+(\d{1,3}(?:\.\d{1,6})?) Gbps")
SHOWN = 3

End = tuple[int, int]  # LID and port


@dataclass
class _Links:
    """Nodes by LID: "switch", "host" or "" if not stated, and the name; cables by each end."""

    kind: dict[int, str]
    name: dict[int, str]
    guid: dict[int, int]
    cables: dict[End, tuple[int, End, float]]  # line, far end, Gb/s
    listed: Counter[int]  # ports that are listed
    faster: list[str]  # lines that say that more is possible


def looks_so(text: str) -> bool:
    """Whether a text is what this module reads."""
    return re.search(r"\]\s+==\(.*\)==>", text) is not None


def read(text: str) -> Cabling:
    """A fabric; each LID that is not a switch's is a host."""
    found = _links(text)
    apart = {lid for lid, name in found.name.items() if AGGREGATION in name}
    cabling = Cabling()
    if apart:
        cabling.notes.append(f"left out: {len(apart)} aggregation nodes inside switches")
    if found.faster:
        cabling.notes.append(f"could be faster, iblinkinfo says: {', '.join(found.faster[:SHOWN])}"
                             f"{' …' * (len(found.faster) > SHOWN)}")  # fmt: skip
    names = _names(found)
    for near, (line, far, speed) in found.cables.items():
        _returned(found, line, near, far)
        for lid in (near[0], far[0]):
            if lid not in apart:
                cabling.node(line, names[lid], found.kind[lid])
                cabling.lids[lid] = names[lid]
        back = far in found.cables
        if not {near[0], far[0]} & apart and (not back or near <= far):
            cabling.link(line, names[near[0]], near[1], names[far[0]], far[1], speed)
    switches = {lid: guid for lid, guid in found.guid.items() if found.kind[lid] == "switch"}
    cabling.guids |= {guid: names[lid] for lid, guid in switches.items()}
    return cabling


def _links(text: str) -> _Links:
    """All lines; of a copy of a terminal the first and last ones may be others."""
    found = _Links({}, {}, {}, {}, Counter(), [])
    heading: tuple[str, str, str] = ("", "", "")
    strange: list[tuple[int, str]] = []
    first = last = 0
    for line, raw in enumerate(text.splitlines(), start=1):
        words = raw.strip()
        if head := HEADING.match(words):
            heading = ("switch" if head[1] == "Switch" else "host", head[2] or "", head[3])
        elif port := PORT.match(words):
            _port(line, port, heading, found)
        else:
            strange += [(line, words)] if words else []
            continue
        first, last = first or line, line
    for line, words in strange:
        if first < line < last and not words.startswith("#"):
            raise Wrong(line, f"{shown(words)} is nothing that iblinkinfo prints")
    return found


def _port(line: int, port: re.Match[str], heading: tuple[str, str, str], found: _Links) -> None:
    """A line of a port, with the name in the line or in the heading."""
    guid, name, lid, number = port[1], port[2], int(port[3]), int(port[4])
    kind, of_switch, description = ("", guid, name.strip()) if name is not None else heading
    if not description:
        raise Wrong(line, "is a port of no node")
    link = LINK.match(port[6])
    if link is None and not NONE.match(port[6]):
        raise Wrong(line, f"{shown(port[6])} is not the far end of a cable")
    if not lid:
        raise Wrong(line, f"{shown(description)} has LID 0: the fabric has no subnet manager")
    known = found.name.setdefault(lid, description)
    if lid in found.listed and known != description:
        raise Wrong(line, f"LID {lid} belongs to {shown(known)}, and to {shown(description)}")
    found.listed[lid] += 1
    found.name[lid] = description
    found.kind[lid] = kind or ("switch" if found.listed[lid] > 1 else "")
    if of_switch:
        found.guid[lid] = int(of_switch, 16)
    if link is None:
        return
    if (end := (lid, number)) in found.cables:
        before = found.cables[end][0]
        raise Wrong(line, f"port {number} of {shown(description)} has a cable in line {before}")
    far, rate = (int(link[1]), int(link[2])), RATE.search(port[5])
    speed = signalled(line, int(rate[1]), float(rate[2])) if rate else 0.0
    if not far[0]:
        raise Wrong(line, f"leads to {shown(link[3])}, which has LID 0")
    found.name.setdefault(far[0], link[3].strip())
    found.kind.setdefault(far[0], "")
    found.cables[end] = line, far, speed
    if "Could be" in link[4]:
        found.faster.append(f"{description} port {number}")


def _returned(found: _Links, line: int, near: End, far: End) -> None:
    """A cable stands at both ends, unless the file has one end alone."""
    back = found.cables.get(far)
    if (far[0] in found.listed) if back is None else (back[1] != near):
        raise Wrong(line, f"leads to LID {far[0]} port {far[1]}, which does not lead back")


def _names(found: _Links) -> dict[int, str]:
    """The description of each node; with its port, or else its LID, where several have the same."""
    ends = {far[0]: far[1] for _, far, _ in found.cables.values()} | {x: p for x, p in found.cables}
    names = dict(found.name)
    for more in ("/{1}", " (LID {0})"):
        often = Counter(names.values())
        for lid in [lid for lid, name in names.items() if often[name] > 1]:
            if more != "/{1}" or found.kind[lid] != "switch":
                names[lid] += more.format(lid, ends.get(lid, 0))
    return names
