"""Fat-trees that a file gives by numbers alone: htsim's `.topo`, SimGrid's `<cluster>`.

Both are PGFT(h; m; w; p): all of one shape, nothing is missing.
"""

import re
from collections.abc import Sequence
from math import prod
from xml.parsers import expat

from fattree_bench.topology.cabling import Cabling
from fattree_bench.topology.files import Wrong, shown
from fattree_bench.topology.speeds import gigabits
from fattree_models.common.fat_tree.graph import edges
from fattree_models.common.fat_tree.topology import Xgft
from fattree_models.topology.fabric import MAX_HOSTS, MAX_LINKS

HEADER = ("nodes", "tiers", "podsize")
OF_TIER = ("downlink_speed_gbps", "radix_down", "radix_up", "bundle", "oversubscribed",
           "downlink_latency_ns", "switch_latency_ns", "queue_down", "queue_up")  # fmt: skip
UNREAD = OF_TIER[5:]  # times and queues
SHAPE = re.compile(r"\s*(\d{1,2})\s*;([\d,\s]+);([\d,\s]+);([\d,\s]+)")
SWITCHES = ("leaf", "agg", "core")


def looks_as_htsim(text: str) -> bool:
    """Whether a text is a `.topo` of htsim."""
    words = r"^\s*(Nodes|Tiers|Podsize)\s+\d+\s*$"
    return len(re.findall(words, text, re.MULTILINE | re.IGNORECASE)) >= 2


def looks_as_simgrid(text: str) -> bool:
    """Whether a text is a platform of SimGrid."""
    return re.search(r"<(platform|cluster)\b", text) is not None


def htsim(text: str) -> Cabling:
    """Tiers by numbers of links down and up; of two tiers all leaf switches have all spines."""
    header, tiers, line = _tiers(text)
    count = header["tiers"]
    if count not in (2, 3) or set(tiers) != set(range(count)):
        raise Wrong(line, f"has {count} tiers, described {sorted(tiers)}; allowed are 2 or 3")
    for tier, given in tiers.items():
        if missing := [x for x in ("radix_down", *["radix_up"][tier == count - 1 :])
                       if x not in given]:  # fmt: skip
            raise Wrong(line, f"has no {missing[0]} of tier {tier}")
    bundle = [tiers[k].get("bundle", 1) for k in range(count)]
    down = [tiers[k]["radix_down"] for k in range(count)]
    pod = header["podsize"] if count == 3 else header["nodes"]
    m = [down[0], *(n // b for n, b in zip(down[1:], bundle[1:], strict=True))]
    w = [1, *(tiers[k]["radix_up"] // bundle[k + 1] for k in range(count - 1))]
    stated = [*(n * b for n, b in zip(m[1:], bundle[1:], strict=True)),
            *(n * b for n, b in zip(w[1:], bundle[1:], strict=True))]  # fmt: skip
    if bundle[0] != 1 or stated != [*down[1:], *(tiers[k]["radix_up"] for k in range(count - 1))]:
        raise Wrong(line, f"has bundles of {bundle} links; they do not divide the radix")
    if prod(m[:2]) != pod or prod(m) != header["nodes"]:
        raise Wrong(line, f"has {header['nodes']} nodes in pods of {pod}; its radix is for "
                    f"{prod(m)} in pods of {prod(m[:2])}")  # fmt: skip
    speeds = [float(tiers[k].get("downlink_speed_gbps", 0)) for k in range(count)]
    return _pgft(line, m, w, bundle, speeds, [f"h{k}" for k in range(header["nodes"])])


def _tiers(text: str) -> tuple[dict[str, int], dict[int, dict[str, int]], int]:
    """What the file says first, what it says of each tier, and its last line."""
    header: dict[str, int] = {}
    tiers: dict[int, dict[str, int]] = {}
    now, line = header, 0
    for line, raw in enumerate(text.splitlines(), start=1):
        words = raw.split("#")[0].split()
        if not words:
            continue
        key = words[0].lower()
        known = ("tier", *(HEADER if now is header else OF_TIER))
        if key not in known:
            raise Wrong(line, f"{shown(words[0])} is unknown here; known: {', '.join(known)}")
        if len(words) != 2 or not re.fullmatch("[0-9]{1,9}", words[1]):
            raise Wrong(line, f"{shown(raw)} is not a word and a number")
        if key == "tier":
            now = tiers.setdefault(int(words[1]), {})
        elif key in now:
            raise Wrong(line, f"has {words[0]} a second time")
        elif not int(words[1]) and key not in UNREAD:
            raise Wrong(line, f"{words[0]} is 0; allowed are numbers from 1")
        else:
            now[key] = int(words[1])
    if missing := [x for x in HEADER if x not in header]:
        raise Wrong(max(line, 1), f"does not say {missing[0]}")
    return header, tiers, line


def simgrid(text: str) -> Cabling:
    """The first `<cluster topology="FAT_TREE">`; hosts are called as SimGrid calls them."""
    found: list[tuple[int, dict[str, str]]] = []
    parser = expat.ParserCreate()

    def start(tag: str, given: dict[str, str]) -> None:
        if tag == "cluster" and given.get("topology", "").upper() == "FAT_TREE":
            found.append((parser.CurrentLineNumber, given))

    def entity(name: str, *_: object) -> None:
        raise Wrong(parser.CurrentLineNumber, f"defines {shown(name)}; entities are not read")

    parser.StartElementHandler, parser.EntityDeclHandler = start, entity
    try:
        parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        raise Wrong(error.lineno, f"is not XML: {expat.ErrorString(error.code)}") from None
    if len(found) != 1:
        raise Wrong(found[1][0] if found else 1, f"is cluster {len(found)} of a FAT_TREE; read is "
                    "a file with one")  # fmt: skip
    line, given = found[0]
    shape = SHAPE.fullmatch(given.get("topo_parameters", ""))
    if shape is None:
        raise Wrong(line, f"topo_parameters {shown(given.get('topo_parameters', ''))} is not "
                    "levels;down;up;cables, as 2;4,4;1,2;1,2")  # fmt: skip
    m, w, p = ([int(x) for x in part.split(",") if x.strip()] for part in shape.groups()[1:])
    if not {len(m), len(w), len(p)} == {int(shape[1])} or not all((*m, *w, *p)):
        raise Wrong(line, f"topo_parameters are not {shape[1]} numbers from 1, three times")
    hosts = _radical(line, given)
    if len(hosts) != prod(m):
        raise Wrong(line, f"radical names {len(hosts)} hosts; the tree has {prod(m)}")
    return _pgft(line, m, w, p, [0.0] * len(m), hosts)


def _radical(line: int, given: dict[str, str]) -> list[str]:
    """Names of hosts: prefix, each number of `0-7,9`, suffix."""
    numbers: list[int] = []
    for part in given.get("radical", "").split(","):
        ends = re.fullmatch(r"\s*(\d{1,7})(?:-(\d{1,7}))?\s*", part)
        low, high = (int(ends[1]), int(ends[2] or ends[1])) if ends else (0, MAX_HOSTS)
        if not 0 <= high - low < MAX_HOSTS:
            raise Wrong(line, f"radical {shown(part)} is not a range of at most {MAX_HOSTS}")
        numbers += range(low, high + 1)
    return [f"{given.get('prefix', '')}{k}{given.get('suffix', '')}" for k in numbers]


def _pgft(
    line: int, m: Sequence[int], w: Sequence[int], p: Sequence[int], speeds: Sequence[float],
    hosts: Sequence[str],
) -> Cabling:  # fmt: skip
    """All cables, ports from 1, down ports first."""
    try:
        tree = Xgft(tuple(m), tuple(w))
    except ValueError as error:
        raise Wrong(line, str(error)) from None
    links = sum(prod(m[k:]) * prod(w[: k + 1]) * p[k] for k in range(len(m)))
    if tree.leaves > MAX_HOSTS or links > MAX_LINKS:
        what = f"{tree.leaves} hosts" if tree.leaves > MAX_HOSTS else f"{links} links"
        raise Wrong(line, f"has {what}; at most {MAX_HOSTS} and {MAX_LINKS}")
    cabling, found = Cabling(), edges(tree)
    words = [f"switch{k}_" for k in range(tree.height)] if tree.height > 3 else SWITCHES
    speed = [gigabits(line, f"{x:g}") if x else 0.0 for x in speeds]
    columns = (found.level, found.lower, found.upper, found.up_port, found.down_port)
    for level, low, high, up, down in zip(*(x.tolist() for x in columns), strict=True):
        one = hosts[low] if not level else f"{words[level - 1]}{low}"
        other, below = f"{words[level]}{high}", tree.m[level - 1] * p[level - 1] if level else 0
        cabling.node(line, one, "switch" if level else "host")
        cabling.node(line, other, "switch")
        for copy in range(p[level]):
            ends = below + up * p[level] + copy + 1, down * p[level] + copy + 1
            cabling.link(line, one, ends[0], other, ends[1], speed[level])
    return cabling
