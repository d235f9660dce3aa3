"""Which modules and named generate blocks of a design a build really has.

Code that was never elaborated leaves no point in a coverage file: 100 % of the points would lie.
So a build of CODE=1 also asks Verilator for its tree, and every run's file gets one point more for
each module (page "module") and each generate block (page "generate") of it.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fattree_bench.sim.verilator_dat import Key, format_point

TREE_FLAGS = ("--json-only", "--prefix", "elaborated", "-Mdir", ".")  # in the build's folder
POINTS = "elaborated.dat"  # lines of a coverage file, without its header

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
BLOCK = re.compile(
    r"(?P<loop>\bfor\s*\([^;()]*;[^;]*;[^;]*?\)\s*)?\bbegin\s*:\s*(?P<name>gen_\w+)", re.DOTALL
)
MODULE = re.compile(r"^\s*module\s+(?P<name>\w+)", re.MULTILINE)


def condense(folder: Path) -> None:
    """Replace Verilator's tree in a build's folder by the points that it stands for."""
    tree, meta = folder / "elaborated.tree.json", folder / "elaborated.tree.meta.json"
    names = {k: v["filename"] for k, v in json.loads(meta.read_text())["files"].items()}
    found: Counter[Key] = Counter()
    for module in json.loads(tree.read_text())["modulesp"]:
        if module["type"] == "MODULE":
            found[_key(names, module["loc"], "module", module["origName"])] += 1
            found.update(_key(names, loc, "generate", name) for loc, name in _blocks(module))
    (folder / POINTS).write_bytes(b"".join(format_point(k, n) for k, n in found.items()))
    tree.unlink()
    meta.unlink()


def _key(names: dict[str, str], loc: str, page: str, name: str) -> Key:
    file, _, place = loc.partition(",")
    return Key(names[file], int(place.partition(":")[0]), 0, page, name, "")


def _blocks(node: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """(place, name) of every generate block below a node; a loop counts once a round."""
    loops: dict[str, str] = {}  # name to place; its rounds follow as name[0], name[1] ...
    for child in _children(node):
        if child["type"] == "GENBLOCK" and child["name"]:
            name, index, _ = child["name"].partition("[")
            if index:
                yield loops.get(name, child["loc"]), name
            elif child.get("implied"):
                loops[name] = child["loc"]
            else:
                yield child["loc"], name
        yield from _blocks(child)


def _children(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for value in node.values():
        if isinstance(value, list):
            yield from value


def plain_source(text: str) -> str:
    """A source without its comments; every line keeps its number."""
    return COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def declared(source: str) -> list[Key]:
    """Modules and generate blocks that a source (`plain_source`) has, as points of no file.

    Verilator places a generate block at its name, and a loop at its `for`.
    """
    found = []
    for page, pattern in (("module", MODULE), ("generate", BLOCK)):
        for match in pattern.finditer(source):
            loop = page == "generate" and match["loop"]
            start = match.start("loop") if loop else match.start("name")
            found.append(Key("", source.count("\n", 0, start) + 1, 0, page, match["name"], ""))
    return found
