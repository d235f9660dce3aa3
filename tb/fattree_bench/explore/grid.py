"""The networks of a sweep: every combination of the values of variables in lists."""

import itertools
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from fattree_bench.bench.loads import load_list
from fattree_bench.bench.network import Network
from fattree_bench.errors import UserError
from fattree_bench.explore.compare import Shape
from fattree_bench.settings import Variable


def networks(shapes: Iterable[Shape], given: Mapping[str, str]) -> list[Network]:
    """One network per curve: every shape with every combination of listed values, checked."""
    try:
        first, *_ = load_list(given["LOADS"])
    except ValueError as error:
        raise UserError(f"LOADS={given['LOADS']}: {error}") from None
    made: dict[tuple[str, ...], Network] = {}
    for shape in shapes:
        usual = {p.name: p.default for p in shape.kind.parameters}
        value = {**usual, **given, **shape.variables}
        chosen = [p for p in shape.kind.parameters if p.name in given or not p.per_run]
        texts = [_values(shape.kind, p, value[p.name]) for p in chosen]
        for combination in itertools.product(*texts):
            variables = dict(zip((p.name for p in chosen), combination, strict=True))
            variables["LOAD"] = str(first)  # unused, but it must be valid
            one = shape.kind.from_variables(variables)
            made.setdefault((one.name, *one.variables().values()), one)
    return list(made.values())


def _values(network: type[Network], variable: Variable[Any], text: str) -> list[str]:
    """The values of a variable, one per curve."""
    if variable.split:
        return variable.split(text)
    return (
        [word.strip() for word in text.split(",")]
        if variable.name in network.swept.lists
        else [text]
    )


def varied(grid: list[Network], stated: Collection[str]) -> tuple[str, ...]:
    """The variables in which the curves differ, those that not all of them have first.

    What only some networks have differs if it is `stated` as their shape, or has several values
    among them.
    """
    all_of = [{"NETWORK": network.name, **network.variables()} for network in grid]
    options = {name for network in grid for name in network.swept.lists}
    names = dict.fromkeys(name for own in all_of for name in own)
    partial = [name for name in names if not all(name in own for own in all_of)]

    def differs(name: str) -> bool:
        values = {own.get(name) for own in all_of}
        free = name in options or (name in partial and name not in stated)
        return len(values - {None} if free else values) > 1

    return tuple(name for name in dict.fromkeys(["NETWORK", *partial, *names]) if differs(name))
