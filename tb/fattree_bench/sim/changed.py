"""Which files of RTL=folder differ from the project's own, and which of them a build contains.

A simulator reads every file of a network's folders, and elaborates only the modules that are
instantiated: a broken file outside is simulated by nothing, and a pass would say nothing of it.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from fattree_bench.bench.form import FORM, SYNTHESIZED
from fattree_bench.errors import UserError
from fattree_bench.paths import RTL
from fattree_bench.sim.elaboration import POINTS
from fattree_bench.sim.variables import Variables

MODULE = re.compile("\1f\2([^\1']*)\1[^\n]*\1page\2v_module/")  # a point, see elaboration.py
NAMES = re.compile(r'^:file_names \d+;\n((?:    ".*";\n)+)', re.MULTILINE)
SCOPE = re.compile(r'^S_\S+ \.scope module, "[^"]*" "[^"]*" \d+ \d+, (\d+) ', re.MULTILINE)
B = TypeVar("B", bound=Any)  # see build.py, which imports this
INCLUDE = re.compile(r'^\s*`include\s+"([^"]+)"', re.MULTILINE)


def changed(rtl: Path) -> list[Path]:
    """Verilog files of a folder that the project has not, or has otherwise; sorted."""
    found = sorted(p for end in ("*.v", "*.vh") for p in rtl.rglob(end))
    return [] if rtl == RTL else [p for p in found if not same(p, RTL / p.relative_to(rtl))]


def same(one: Path, other: Path) -> bool:
    """Whether both files hold the same."""
    return other.is_file() and one.read_bytes() == other.read_bytes()


def asked(variables: Variables) -> bool:
    """Whether a build notes its modules: for code coverage, or as files are changed."""
    return bool(variables.code or changed(variables.rtl))


def modules(folder: Path, sim: str) -> set[str] | None:
    """Names of the files of the modules that a build contains; None: it did not note them.

    Copies of rtl/ share builds: the names may be of another copy, which may be gone.
    """
    if sim == "icarus":
        text = (folder / "sim.vvp").read_text(errors="replace")
        table = NAMES.search(text)
        files = re.findall(r'"(.*)"', table[1]) if table else []
        names = [files[int(number)] for number in SCOPE.findall(text)]
    elif (folder / POINTS).exists():
        names = MODULE.findall((folder / POINTS).read_text())
    else:
        return None
    return set(names)


def own(rtl: Path, names: Iterable[str]) -> set[Path]:
    """Files of a folder that have these names in it or in another copy, and what they include."""
    parts = [Path(name).parts for name in names]
    files = [(path, path.relative_to(rtl).parts) for path in rtl.rglob("*.v")]
    found = {path for path, tail in files if any(one[-len(tail) :] == tail for one in parts)}
    return found | included(found, {path.name: path for path in rtl.rglob("*.vh")})


def included(files: Iterable[Path], headers: dict[str, Path]) -> set[Path]:
    """Headers that files include, and those that these include."""
    found: set[Path] = set()
    left = list(files)
    while left:
        for name in INCLUDE.findall(left.pop().read_text(errors="replace")):
            path = headers.get(Path(name).name)
            if path is not None and path not in found:
                found.add(path)
                left.append(path)
    return found


class Rtl:
    """RTL of one's own as a run takes it.

    Attributes
    ----------
    other : FORM=… with which it is to be run as well, or instead; "": there is none.
    missed : names of changed files that the build does not contain.
    """

    def __init__(self, settings: Variables, given: Mapping[str, str], also: bool = False) -> None:
        self._rtl, self._sim, self._also = settings.rtl, settings.sim, also
        self._changed = changed(settings.rtl)
        self.missed: list[str] = []
        self.other, slow = "", SYNTHESIZED[FORM.name]
        two = settings.network.variables().get(FORM.name, slow) != slow
        self._form = f"; {FORM.name}={slow} may have it" if two else ""
        if two and self._changed and FORM.name not in given:
            self.other = f"{FORM.name}={slow}"

    @property
    def elsewhere(self) -> str:
        """Which changed files the build does not contain, in a line."""
        return f"changed, but not in this build: {', '.join(self.missed)}"

    def inside(self, folder: Path) -> bool:
        """Whether a build contains a changed file, or none is changed.

        UserError unless another form could, or did.
        """
        names = modules(folder, self._sim) if self._changed else None
        if names is None:
            return True
        there = own(self._rtl, names)
        missed = [path for path in self._changed if path not in there]
        self.missed = [str(path.relative_to(self._rtl)) for path in missed]
        if len(missed) == len(self._changed) and not (self.other or self._also):
            why = f"no changed file is in what is simulated: {', '.join(self.missed)}{self._form}"
            raise UserError(f"RTL={self._rtl}: {why}")
        return len(missed) < len(self._changed)


def containing(settings: Variables, built: B) -> B:
    """A build; UserError if some files are changed, and it contains none of them."""
    Rtl(settings, SYNTHESIZED).inside(built.folder)
    return built
