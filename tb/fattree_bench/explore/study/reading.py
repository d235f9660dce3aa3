"""The file of a study: networks to be compared, variables that they share, figures of a paper."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fattree_bench import user_toml
from fattree_bench.errors import UserError, meant
from fattree_bench.explore.compare import Shape, shapes
from fattree_bench.settings import Variable, collect

SUFFIX = ".toml"
Kinds = Mapping[str, tuple[str, type, Any]]  # what a value must be; its type, and of its items
FILE: Kinds = {
    "networks": ("texts like 'NETWORK N=16'", list, str),
    "variables": ("a table", dict, object),
    "figures": ("tables", list, dict),
}
FIGURE: Kinds = {
    "name": ("a text", str, object),
    "title": ("a text", str, object),
    "says": ("texts", list, str),
    "leaves": ("a number", int, object),
    "traffic": ("a text", str, object),
    "loads": ("numbers", list, int | float),
}


@dataclass(frozen=True)
class PaperFigure:
    """A figure of a paper: curves over the load, or all traffic patterns at some loads.

    Attributes
    ----------
    name, title : the figure, and what it shows.
    says : what the paper says of it, a sentence each.
    leaves : of the networks in it; 0: any.
    traffic : the pattern whose curves are shown; empty: all patterns at `loads`.
    loads : of the patterns.
    """

    name: str
    title: str
    says: tuple[str, ...] = ()
    leaves: int = 0
    traffic: str = ""
    loads: tuple[float, ...] = ()


@dataclass(frozen=True)
class Study:
    """Networks to be compared, variables that they share, figures; `source`: COMPARE=file."""

    shapes: tuple[Shape, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    figures: tuple[PaperFigure, ...] = ()
    source: str = ""

    def shared(self, declared: Iterable[Variable[Any]]) -> dict[str, str]:
        """The variables of the file; UserError for one that is not declared."""
        try:
            return collect([f"{name}={value}" for name, value in self.variables.items()], declared)
        except UserError as error:
            raise UserError(f"{self.source}: {error}") from None


def study(text: str) -> Study:
    """A file, or networks as in "xgft M=6,6 W=1,4; xgft M=3,12 W=1,3"; empty: none."""
    path = text.strip()
    return _read(Path(path)) if path.endswith(SUFFIX) else Study(shapes(text))


def _read(path: Path) -> Study:
    told = f"COMPARE={path}"
    data = user_toml.read(path, told)
    _check(data, told, FILE, ("networks",))
    if len(data["networks"]) < 2:
        raise UserError(f"{told}: networks: must be two or more")
    variables = {name: _text(value) for name, value in data.get("variables", {}).items()}
    figures = [_figure(one, f"{told}: figures") for one in data.get("figures", [])]
    names = [figure.name for figure in figures]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"{told}: figures: name = {name!r}: given twice")
    if mixed := [text for text in data["networks"] if ";" in text]:
        raise UserError(f"{told}: networks: {mixed[0]!r}: must be one network")
    own = shapes(";".join(data["networks"]), told)
    return Study(own, variables, tuple(figures), told)


def _text(value: object) -> str:
    """As on the command line, where 1 means true, and lists have commas."""
    if isinstance(value, list):
        return ",".join(map(_text, value))
    return str(int(value)) if isinstance(value, bool) else str(value)


def _figure(one: dict[str, Any], told: str) -> PaperFigure:
    _check(one, told, FIGURE, ("name", "title"))
    name = one["name"]
    if not re.fullmatch(r"[\w-]+", name):
        raise UserError(f"{told}: name = {name!r}: must be letters, digits and hyphens")
    if bool(one.get("traffic")) == bool(one.get("loads")):
        raise UserError(f"{told}: {name}: needs traffic (its curves) or loads (all patterns)")
    if not all(0 < load <= 1 for load in one.get("loads", ())) or one.get("leaves", 0) < 0:
        raise UserError(f"{told}: {name}: loads must be above 0, 1 at most; leaves 0 or more")
    lists = {key: tuple(one.get(key, ())) for key in ("says", "loads")}
    return PaperFigure(**{**one, **lists})


def _check(data: Mapping[str, Any], told: str, kinds: Kinds, needed: Iterable[str]) -> None:
    """UserError for a key that is missing or unknown, or has a value of another kind."""
    for name, value in data.items():
        if name not in kinds:
            near = meant(name, kinds)
            raise UserError(f"{told}: {name}: no such key{near or ';'} there is {', '.join(kinds)}")
        allowed, kind, items = kinds[name]
        parts = value if kind is list and isinstance(value, list) else ()
        if not isinstance(value, kind) or not all(isinstance(part, items) for part in parts):
            raise UserError(f"{told}: {name} = {value!r}: must be {allowed}")
    for name in needed:
        if name not in data:
            raise UserError(f"{told}: {name} is missing")
