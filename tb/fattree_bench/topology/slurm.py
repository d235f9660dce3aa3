"""Slurm's topology.conf, of its tree plugin: switches, their nodes and the switches below.

A line a switch: `SwitchName=s0 Nodes=n[0-5]` or `SwitchName=s4 Switches=s[0-3]`; names are lists as
`tux[0-3,12],lx[01-10]`.  It tells no ports, and no cables side by side.
"""

import re
from collections.abc import Iterator
from itertools import product
from math import prod

from fattree_bench.topology.cabling import Cabling
from fattree_bench.topology.files import Wrong, shown
from fattree_bench.topology.speeds import gigabits
from fattree_models.topology.fabric import MAX_LINKS

FIELD = re.compile(r"([A-Za-z]+)=(\S*)")
PIECE = re.compile(r"\[([^\[\]]*)\]|([^\[\],]+)|(,)")
RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")
KEYS = ("switchname", "nodes", "switches", "linkspeed")


def looks_so(text: str) -> bool:
    """Whether a text is what this module reads."""
    return re.search(r"^\s*SwitchName\s*=", text, re.MULTILINE | re.IGNORECASE) is not None


def read(text: str) -> Cabling:
    """A tree; LinkSpeed is in any unit, the same for all."""
    cabling = Cabling()
    for line, words in _lines(text):
        fields = {key.lower(): value for key, value in FIELD.findall(words)}
        if unknown := [key for key in fields if key not in KEYS]:
            raise Wrong(line, f"{shown(unknown[0])} is unknown; known: SwitchName, Nodes, Switches")
        if not fields.get("switchname") or FIELD.sub("", words).strip():
            raise Wrong(line, f"{shown(words)} belongs to no topology.conf")
        speed = gigabits(line, fields.get("linkspeed", ""))
        for switch in names(line, fields["switchname"]):
            cabling.node(line, switch, "switch")
            for key, kind in (("nodes", "host"), ("switches", "switch")):
                for name in names(line, fields.get(key, "")):
                    cabling.node(line, name, kind)
                    cabling.link(line, name, -1, switch, -1, speed)
    return cabling


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines that say something, and where each begins; a backslash continues one."""
    begin, whole = 0, ""
    for line, raw in enumerate(text.splitlines(), start=1):
        words = re.sub(r"(?<!\\)#.*", "", raw).strip()
        begin = begin if whole else line
        if words.endswith("\\"):
            whole += words[:-1] + " "
            continue
        if (whole + words).strip():
            yield begin, whole + words
        whole = ""
    if whole.strip():
        raise Wrong(begin, "is continued, and the file ends")


def names(line: int, text: str) -> list[str]:
    """The names of a list, as in `tux[0-3,12],lx[01-10]`; numbers keep their zeros."""
    found: list[str] = []
    parts: list[list[str]] = []
    if PIECE.sub("", text):
        raise Wrong(line, f"{shown(text)} is not a list of names")
    for inside, plain, comma in (*PIECE.findall(text), ("", "", ",")):
        if not comma:
            parts.append([plain] if plain else list(_numbers(line, inside)))
        elif parts:
            if prod(map(len, parts)) > MAX_LINKS:
                raise Wrong(line, f"{shown(text)} are more than {MAX_LINKS} names")
            found += map("".join, product(*parts))
            parts = []
    return found


def _numbers(line: int, text: str) -> Iterator[str]:
    """The numbers of `0-3,12`."""
    for each in text.split(","):
        found = RANGE.fullmatch(each.strip())
        low, high = (found[1], found[2] or found[1]) if found else ("1", "0")
        if not 0 <= int(high) - int(low) < MAX_LINKS:
            raise Wrong(line, f"{shown(each)} is not a range of at most {MAX_LINKS} numbers")
        for number in range(int(low), int(high) + 1):
            yield f"{number:0{len(low)}}"
