"""COMPARE: several networks, or one in several shapes, in one sweep."""

from dataclasses import dataclass

from fattree_bench.bench.network import Network
from fattree_bench.errors import UserError
from fattree_bench.families import NETWORKS, scenarios
from fattree_bench.settings import choice


@dataclass(frozen=True)
class Shape:
    """A network with the variables that it does not share with the others."""

    kind: type[Network]
    variables: dict[str, str]


def swept(name: str, told: str = "NETWORK") -> type[Network]:
    """A network whose load can be swept."""
    known = tuple(name for name in NETWORKS if "sweep" in scenarios(name))
    return NETWORKS[choice(told, name, known)]


def shapes(text: str, source: str = "") -> tuple[Shape, ...]:
    """Networks as in "xgft M=6,6 W=1,4; xgft M=3,12 W=1,3"; an empty text has none.

    `source` is what errors name.
    """
    source = source or f"COMPARE={text.strip()}"
    parts = [part.split() for part in text.split(";") if part.strip()]
    if text and len(parts) < 2:
        raise UserError(f"{source}: must be two networks or more, between semicolons")
    found = tuple(Shape(swept(name, "COMPARE"), _own(name, words)) for name, *words in parts)
    alike = {(shape.kind.swept.units, shape.kind.swept.measured_as) for shape in found}
    if len(alike) > 1:
        names = ", ".join(dict.fromkeys(shape.kind.name for shape in found))
        raise UserError(f"{source}: must be measured in the same units, not {names}")
    return found


def _own(name: str, words: list[str]) -> dict[str, str]:
    """The variables of one network."""
    known = {p.name for p in swept(name, "COMPARE").parameters if not p.per_run}
    found: dict[str, str] = {}
    for word in words:
        variable, equals, value = word.partition("=")
        if not equals:
            raise UserError(f"COMPARE: {name}: {word}: variables are given as NAME=value")
        if variable not in known:
            raise UserError(f"COMPARE: {variable}: no such variable of {name}")
        if variable in found:
            raise UserError(f"COMPARE: {name}: {variable}: given twice")
        found[variable] = value
    return found
