"""What drawings of networks say in words of their own: ports by names, functions of nodes."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

MOST_PORT = 65535
COMPASS = {"n", "ne", "e", "se", "s", "sw", "w", "nw", "c", "_"}  # sides of a node in DOT
NAME = re.compile(r"[A-Za-z][\w/.:-]*?(\d{0,5})")  # of a port, as swp51 or Ethernet1/4
HOSTS = re.compile("host|server|gpu|storage")

End = tuple[str, str]  # a node and its port, as text


def kind(given: Mapping[str, str]) -> str:
    """The type of a node; else its function, as leaf, spine or server; "" without either."""
    if "type" in given or "function" not in given:
        return given.get("type", "")
    return "host" if HOSTS.search(given["function"].lower()) else "switch"


def numbers(ends: Iterable[End]) -> dict[End, str]:
    """Numbers of ports that have names: the last digits, or the places among those of a node."""
    ports: dict[str, set[str]] = defaultdict(set)
    for node, port in ends:
        if port and port not in COMPASS:
            ports[node].add(port)
    found: dict[End, str] = {}
    for node, names in ports.items():
        read = {name: NAME.fullmatch(name) for name in names}
        if not any(read.values()) or any(not (m or n.isdigit()) for n, m in read.items()):
            continue
        digits = {name: m[1] if m else name for name, m in read.items()}
        own = all(digits.values()) and len({*map(int, digits.values())}) == len(names)
        for place, name in enumerate(sorted(names), start=1):
            found[node, name] = digits[name] if own else str(place)
    return found
