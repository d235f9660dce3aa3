"""What coverage need not reach, and why: the tables of exclusions.toml."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import MISSING, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, TypeVar

from fattree_bench.report.regression import CodeFile, CodePoint


class Exclusion(Protocol):
    """An entry of a table: a dataclass of strings, the reason among them."""

    @property
    def reason(self) -> str: ...


E = TypeVar("E", bound=Exclusion)


@dataclass(frozen=True)
class CodeExclusion:
    """Points of code coverage that need not be hit.

    Attributes
    ----------
    file, kind, name : patterns (`Pattern`).
    source : a fragment of the line's text, in which columns are one space wide.
    through : a fragment of a later line; all points from the one line to the other are meant.
    reason : one line.
    """

    file: str
    kind: str
    source: str
    reason: str
    name: str = "*"
    through: str = ""

    @cached_property
    def _patterns(self) -> tuple["Pattern", "Pattern", "Pattern"]:
        return Pattern(self.file), Pattern(self.kind), Pattern(self.name)

    def points(self, file: CodeFile) -> list[CodePoint]:
        """The points of a file that are meant."""
        path, kind, name = self._patterns
        if not path.matches(file.path):
            return []
        lines = self.lines(file.source)
        return [
            p
            for p in file.points
            if p.line in lines and kind.matches(p.kind) and name.matches(p.name)
        ]

    def lines(self, source: list[str]) -> set[int]:
        """Numbers of the lines that are meant, from 1."""
        found: set[int] = set()
        for first, text in enumerate(source, 1):
            if self.source in " ".join(text.split()):
                last = first
                if self.through:
                    rest = range(first, len(source) + 1)
                    last = next((n for n in rest if self.through in source[n - 1]), first)
                found.update(range(first, last + 1))
        return found

    def __str__(self) -> str:
        name = "" if self.name == "*" else f", name {self.name}"
        return f"exclusion of {self.kind} in {self.file}, source {self.source!r}{name}"


class Pattern:
    """A text in which * stands for any text, and {a-b} for any number from a to b.

    With {a-b/m} the number modulo m lies from a to b: bits of every m-bit part of a vector.
    """

    WILD = re.compile(r"(\*|\{\d+-\d+(?:/\d+)?\})")

    def __init__(self, text: str) -> None:
        parts = self.WILD.split(text)
        for at in range(0, len(parts), 2):
            parts[at] = re.escape(parts[at])
        self.numbers = [tuple(map(int, re.findall(r"\d+", w))) for w in parts[1::2] if w != "*"]
        for at in range(1, len(parts), 2):
            parts[at] = ".*" if parts[at] == "*" else r"(\d+)"
        self.regex = re.compile("".join(parts), re.DOTALL)

    def matches(self, text: str) -> bool:
        match = self.regex.fullmatch(text)
        return match is not None and all(
            low <= (int(number) % modulus[0] if modulus else int(number)) <= high
            for number, (low, high, *modulus) in zip(match.groups(), self.numbers, strict=True)
        )


def load(path: Path, table: str, kind: type[E]) -> list[E]:
    """The entries of one table of the file; ValueError names the entry that is wrong.

    An entry with a list of `points` stands for as many: each has the other keys of the entry too.
    """
    try:
        entries = tomllib.loads(path.read_text()).get(table, [])
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path}: {error}") from None
    found = []
    for number, entry in enumerate(entries, 1):
        where = f"{path}: [[{table}]] number {number}"
        found += [_entry(told, e, kind) for told, e in _points(where, entry)]
    return found


def _points(where: str, entry: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """What an entry stands for, each with the words that say where it was found."""
    if "points" not in entry:
        return [(where, entry)]
    shared = {name: value for name, value in entry.items() if name != "points"}
    points = entry["points"]
    if not isinstance(points, list) or not points or not all(isinstance(p, dict) for p in points):
        raise ValueError(f"{where}: points must be a list of tables")
    for number, point in enumerate(points, 1):
        if twice := sorted(shared.keys() & point.keys()):
            raise ValueError(f"{where}, point {number}: {twice[0]} is the entry's already")
    return [(f"{where}, point {n}", {**shared, **p}) for n, p in enumerate(points, 1)]


def _entry(where: str, entry: dict[str, Any], kind: type[E]) -> E:
    known = fields(kind)  # type: ignore[arg-type]
    for name, value in entry.items():
        if name not in {f.name for f in known}:
            raise ValueError(f"{where}: {name} is not one of {', '.join(f.name for f in known)}")
        if not isinstance(value, str) or not value.strip() or "\n" in value:
            raise ValueError(f"{where}: {name} must be a text of one line")
    for field in known:
        if field.default is MISSING and field.name not in entry:
            raise ValueError(f"{where}: {field.name} is missing")
    return kind(**entry)


def exclude_code(files: Iterable[CodeFile], entries: Iterable[CodeExclusion]) -> list[str]:
    """Mark the points that need not be hit, and were not; what is wrong with the entries.

    An entry that fits no point, or whose points were all hit, is wrong, a line each.
    """
    listed, problems = list(files), []
    for entry in entries:
        points = [point for file in listed for point in entry.points(file)]
        missed = [point for point in points if not point.hits]
        if not points:
            problems.append(f"{entry}: matches nothing")
        elif not missed:
            problems.append(f"{entry}: needs no exclusion, all of it was hit")
        for point in missed:
            point.excluded = point.excluded or entry.reason
    return problems
