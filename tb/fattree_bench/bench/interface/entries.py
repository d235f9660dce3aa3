"""Reads tables of a TOML file into dataclasses; whatever is wrong is one line.

An entry is a field: its type says what it may be, `entry()` the rest.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from fattree_bench.errors import UserError, meant

T = TypeVar("T")
KINDS: dict[object, str] = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    float: "a number",
}

PLURALS: dict[object, str] = {str: "texts", int: "whole numbers"}


@dataclass(frozen=True)
class Allowed:
    """What an entry may be beyond its type: a meaning in words, a range, or a choice of words."""

    told: str = ""
    low: float | None = None
    high: float | None = None
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.words and not self.told:
            return ", ".join(self.words[:-1]) + f" or {self.words[-1]}"
        if self.low is not None:
            end = f" … {self.high:g}" if self.high is not None else " or more"
            return f"{self.low:g}{end}"
        return self.told

    def fits(self, value: object) -> bool:
        if self.words and isinstance(value, str):
            return value in self.words
        if self.low is None or not isinstance(value, int | float):
            return True
        return value >= self.low and (self.high is None or value <= self.high)


def entry(
    told: str = "",
    default: object = MISSING,
    *,
    low: float | None = None,
    high: float | None = None,
    words: tuple[str, ...] = (),
) -> Any:
    """A field of a table; without a default it must be given."""
    metadata = {"allowed": Allowed(told, low, high, words)}
    if default is MISSING:
        return field(metadata=metadata)
    if callable(default):
        return field(default_factory=default, metadata=metadata)
    return field(default=default, metadata=metadata)


def read(kind: type[T], table: object, wrong: Callable[[str], UserError]) -> T:
    """A table as a dataclass; `wrong` makes the error from a message on a key."""
    if not isinstance(table, Mapping):
        raise wrong(f" = {table!r}: must be a table of {', '.join(_names(kind))}")
    known, hints = _names(kind), get_type_hints(kind)
    for key in table:
        if key not in known:
            told = f"no such key; there is {', '.join(known)}"
            raise wrong(f".{key}: {told}{meant(key, known)}")
    values: dict[str, object] = {}
    for one in fields(kind):  # type: ignore[arg-type]
        allowed: Allowed = one.metadata["allowed"]

        def bad(told: str, name: str = one.name) -> UserError:
            return wrong(f".{name}{told}")

        if one.name in table:
            values[one.name] = _value(hints[one.name], table[one.name], allowed, bad)
        elif one.default is MISSING and one.default_factory is MISSING:
            raise bad(f": is missing; it must be {allowed.told or allowed}")
    return kind(**values)


def _names(kind: type) -> list[str]:
    return [one.name for one in fields(kind)]


def _value(
    hint: object, value: object, allowed: Allowed, bad: Callable[[str], UserError]
) -> object:
    """A value as its type says."""
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        kinds = [kind for kind in inside if kind is not type(None)]
        for kind in kinds:
            if is_dataclass(kind) == isinstance(value, Mapping) and (
                is_dataclass(kind) or _is(kind, value)
            ):
                return _value(kind, value, allowed, bad)
        hint = kinds[0]
        origin, inside = get_origin(hint), get_args(hint)
    if is_dataclass(hint):
        return read(hint, value, bad)  # type: ignore[arg-type]
    if origin is tuple:
        if not isinstance(value, list):
            raise bad(f" = {value!r}: must be a list of {_plural(inside[0])}")
        for item in value:
            if not _is(inside[0], item) or not allowed.fits(item):
                raise bad(f": {item!r} in the list: must be {allowed or KINDS[inside[0]]}")
        return tuple(value)
    if origin is dict:
        if not isinstance(value, Mapping):
            raise bad(f" = {value!r}: must be a table of {allowed.told}")
        if is_dataclass(inside[1]):
            return {
                key: read(inside[1], item, lambda told, key=key: bad(f".{key}{told}"))  # type: ignore[arg-type, misc]
                for key, item in value.items()
            }
        for key, item in value.items():
            if not _is(inside[1], item) or not allowed.fits(item):
                raise bad(f".{key} = {item!r}: must be {_told(allowed, inside[1])}")
        return dict(value)
    if not _is(hint, value) or not allowed.fits(value):
        told = meant(value, allowed.words) if isinstance(value, str) else ""
        raise bad(f" = {value!r}: must be {_told(allowed, hint)}{told}")
    return float(value) if hint is float and isinstance(value, int) else value


def _is(kind: object, value: object) -> bool:
    if get_origin(kind) in (Union, UnionType):
        return any(_is(one, value) for one in get_args(kind))
    if get_origin(kind) in (tuple, list):
        return isinstance(value, list)
    if kind is bool:
        return isinstance(value, bool)
    if isinstance(value, bool):
        return False
    if kind is float:
        return isinstance(value, int | float)
    return isinstance(kind, type) and isinstance(value, kind)


def _told(allowed: Allowed, kind: object) -> str:
    name = KINDS.get(kind, "a text or a number")
    return f"{name}, {allowed}" if allowed.low is not None else str(allowed) or name


def _plural(kind: object) -> str:
    return PLURALS.get(kind, "numbers")
