"""The Verilog of a design: globs, and file lists as simulators read them."""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

from fattree_bench.bench.interface import names
from fattree_bench.bench.interface.description import Wrong

COMMENT = re.compile(r"//[^\n]*|(?:^|(?<=\s))#[^\n]*|/\*.*?\*/", re.DOTALL)
MOST_DEEP = 16  # file lists within file lists


@dataclass
class Files:
    """What a simulator is given; `flags`: of libraries."""

    sources: list[Path] = field(default_factory=list)
    includes: list[Path] = field(default_factory=list)
    defines: dict[str, str] = field(default_factory=dict)
    libraries: list[Path] = field(default_factory=list)

    def flags(self, sim: str) -> list[str]:
        """Macros and libraries, as both simulators take them."""
        made = [f"-D{name}={x}" if x else f"-D{name}" for name, x in self.defines.items()]
        for folder in self.libraries:
            made += [f"-y{folder}"] if sim == "icarus" else ["-y", str(folder)]
        return made


def found(
    wrong: Wrong, folder: Path, patterns: tuple[str, ...], includes: tuple[str, ...]
) -> Files:
    """The files of a description that lies in a folder."""
    files = Files()
    for pattern in patterns:
        if pattern.startswith("!"):
            out = {*_matching(wrong, "design.sources", folder, pattern[1:])}
            if out.isdisjoint(files.sources):
                raise wrong(f"design.sources: {pattern}: takes nothing from what stands before it")
            files.sources = [path for path in files.sources if path not in out]
            continue
        for path in _matching(wrong, "design.sources", folder, pattern):
            if path.suffix == ".f":
                _list(wrong, path, files, 0)
            elif path.suffix in (".v", ".sv", ".vh", ".svh"):
                files.sources.append(path)
            else:
                raise wrong(f"design.sources: {pattern}: {path.name} must be .v, .sv or .f")
    for name in includes:
        path = (folder / name).resolve()
        if not path.is_dir():
            raise wrong(f"design.includes: {name}: no such folder")
        files.includes.append(path)
    files.sources = [*dict.fromkeys(files.sources)]
    files.includes = [*dict.fromkeys(files.includes)]
    return files


def _matching(wrong: Wrong, key: str, folder: Path, pattern: str) -> list[Path]:
    """Files of a name or glob, relative to a folder."""
    try:
        paths = names.matching(folder, pattern)
    except (OSError, ValueError) as error:
        told = getattr(error, "strerror", None) or error
        raise wrong(f"{key}: {pattern}: {told}") from None
    if not paths:
        raise wrong(f"{key}: {pattern}: no such file below {folder}")
    return paths


def _list(wrong: Wrong, path: Path, files: Files, depth: int) -> None:
    """Add what a file list names, relative to its own folder."""
    if depth > MOST_DEEP:
        raise wrong(f"design.sources: {path.name} reads itself")
    try:
        words = shlex.split(COMMENT.sub(" ", path.read_text(errors="replace")))
    except ValueError as error:
        raise wrong(f"design.sources: {path.name}: {str(error).lower()}") from None
    words = [re.sub(r"\$\{?(\w+)\}?", lambda m: _environment(wrong, path, m[1]), w) for w in words]
    where, key = path.parent, f"design.sources: {path.name}"
    rest = iter(words)
    for word in rest:
        if word in ("-f", "-F", "-y", "-v", "-I"):
            name = next(rest, "")
        elif word.startswith(("-I", "-y")):
            name, word = word[2:], word[:2]  # noqa: PLW2901
        else:
            name = word
        if word in ("-f", "-F"):
            for inner in _matching(wrong, key, where, name):
                _list(wrong, inner, files, depth + 1)
        elif word.startswith("+incdir+"):
            files.includes += [(where / x).resolve() for x in word.split("+")[2:] if x]
        elif word == "-I":
            files.includes.append((where / name).resolve())
        elif word.startswith("+define+"):
            for one in filter(None, word.split("+")[2:]):
                macro, _, value = one.partition("=")
                files.defines[macro] = value
        elif word == "-y":
            files.libraries.append((where / name).resolve())
        elif word.startswith("+libext+"):
            pass  # both simulators look for .v in libraries by themselves
        elif word.startswith(("-", "+")) and word != "-v":
            raise wrong(f"{key}: {word}: there may be -f, -y, -v, +incdir+, +define+, +libext+")
        else:
            files.sources += _matching(wrong, key, where, name)


def _environment(wrong: Wrong, path: Path, name: str) -> str:
    if name not in os.environ:
        raise wrong(f"design.sources: {path.name}: ${name} is not set")
    return os.environ[name]
