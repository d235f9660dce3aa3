"""Dataclasses back from JSON."""

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache
from itertools import repeat
from typing import TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")


def revived(kind: type[T], data: object) -> T:
    """The inverse of `dataclasses.asdict`, after a way through JSON; `kind`: the type.

    TypeError if a dataclass has no such field, or lacks one.
    """
    return cast(T, _revived(kind, data))


def _revived(kind: object, data: object) -> object:
    of, parts = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and is_dataclass(kind):
        made: Callable[..., object] = kind
        kinds, given = _kinds(kind), cast(Mapping[str, object], data)
        return made(**{name: _revived(kinds.get(name), value) for name, value in given.items()})
    if of in (Union, types.UnionType):
        return data if data is None else _revived(parts[0], data)
    if isinstance(data, dict) and of is dict:
        return {name: _revived(parts[1], value) for name, value in data.items()}
    if isinstance(data, list | tuple) and of in (tuple, list, Sequence):
        if of is tuple and parts[-1] is not ...:
            return tuple(map(_revived, parts, data))
        return (tuple if of is tuple else list)(map(_revived, repeat(parts[0]), data))
    return data


@cache
def _kinds(kind: type) -> Mapping[str, object]:
    """Types of the fields."""
    return get_type_hints(kind)
