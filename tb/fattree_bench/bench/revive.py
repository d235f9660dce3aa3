"""Dataclasses back from JSON."""

import types
from collections.abc import Sequence
from dataclasses import is_dataclass
from functools import cache
from itertools import repeat
from typing import Any, Union, get_args, get_origin, get_type_hints


def revived(kind: Any, data: Any) -> Any:
    """The inverse of `dataclasses.asdict`, after a way through JSON; `kind`: the type.

    TypeError if a dataclass has no such field, or lacks one.
    """
    of, parts = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        made: Any = kind
        kinds = _kinds(made)
        return made(**{name: revived(kinds.get(name), value) for name, value in data.items()})
    if of in (Union, types.UnionType):
        return data if data is None else revived(parts[0], data)
    if of is dict:
        return {name: revived(parts[1], value) for name, value in data.items()}
    if of is tuple and parts[-1] is not ...:
        return tuple(map(revived, parts, data))
    if of in (tuple, list, Sequence):
        return (tuple if of is tuple else list)(map(revived, repeat(parts[0]), data))
    return data


@cache
def _kinds(kind: type) -> dict[str, Any]:
    """Types of the fields."""
    return get_type_hints(kind)
