"""Names of files for tools that take no blanks and no letters beyond ASCII, as make and Verilator.

A build's folder gets links to what lies in such a place; the tools run there, and see the links.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from fattree_bench.sim.sources import key

PLAIN = re.compile(r"[A-Za-z0-9_./+@%:,=~-]+")
LINKS = "links"


def plain(path: Path | str) -> bool:
    """Whether every tool takes this name."""
    return PLAIN.fullmatch(str(path)) is not None


class Places:
    """How tools that run in a folder call files; `roots`: what most of them are below, by name."""

    def __init__(self, folder: Path, roots: Mapping[str, Path]) -> None:
        self._folder = folder
        # The deepest first: they may lie in each other.
        self._roots = sorted(roots.items(), key=lambda root: -len(root[1].parts))

    def name(self, path: Path) -> str:
        """A name of the file or folder that is taken, from the folder in which the tools run."""
        if plain(path):
            return str(path)
        if path == self._folder:
            return "."
        if path.is_relative_to(self._folder):
            return str(path.relative_to(self._folder))
        for name, root in self._roots:
            if path.is_relative_to(root):
                return str(self._link(name, root) / path.relative_to(root))
        return str(self._link(key(str(path)) + path.suffix, path))

    def _link(self, name: str, target: Path) -> Path:
        link = self._folder / LINKS / name
        if not link.is_symlink():
            link.parent.mkdir(exist_ok=True)
            link.symlink_to(os.path.abspath(target))
        return Path(LINKS) / name
