"""The networks of a sweep: every combination of the values of variables in lists."""

import itertools
from collections.abc import Callable, Iterable, Mapping

from fattree_bench.bench.loads import load_list
from fattree_bench.errors import UserError
from fattree_bench.explore.compare import Shape
from fattree_bench.families.family import SweptNetwork
from fattree_models.traffic import split_list

# What stands between several values of a variable, if not a comma alone: each makes a curve.  A
# comma in FLITS mixes packets of different lengths.
LISTS: dict[str, Callable[[str], list[str]]] = {
    "TRAFFIC": split_list,
    "INJECTION": split_list,
    "FLITS": lambda text: [word.strip() for word in text.split("/")],
}


def networks(shapes: Iterable[Shape], given: Mapping[str, str]) -> list[SweptNetwork]:
    """A network a curve: every shape with every combination of values in lists, checked."""
    try:
        first, *_ = load_list(given["LOADS"])
    except ValueError as error:
        raise UserError(f"LOADS={given['LOADS']}: {error}") from None
    made: dict[tuple[str, ...], SweptNetwork] = {}
    for shape in shapes:
        usual = {p.name: p.default for p in shape.kind.parameters}
        value = {**usual, **given, **shape.variables}
        names = [name for name in usual if name not in ("LOAD", "PACKETS", "TRACE")]
        texts = [_values(shape.kind, name, value[name]) for name in names]
        for combination in itertools.product(*texts):
            variables = dict(zip(names, combination, strict=True))
            variables["LOAD"] = str(first)  # of no use here, but it must be one that can be
            one = shape.kind.from_variables(variables)
            made.setdefault((one.name, *one.variables().values()), one)
    return list(made.values())


def _values(network: type[SweptNetwork], name: str, text: str) -> list[str]:
    """The values of a variable, one a curve."""
    if name in LISTS:
        return LISTS[name](text)
    return [word.strip() for word in text.split(",")] if name in network.lists else [text]


def varied(grid: list[SweptNetwork]) -> tuple[str, ...]:
    """The variables in which the curves differ, those that not all of them have first.

    What only some networks have differs if it is their shape, or has several values among them.
    """
    all_of = [{"NETWORK": network.name, **network.variables()} for network in grid]
    options = {name for network in grid for name in network.lists}
    names = dict.fromkeys(name for own in all_of for name in own)
    partial = [name for name in names if not all(name in own for own in all_of)]

    def differs(name: str) -> bool:
        values = {own.get(name) for own in all_of}
        return len(values - {None} if name in options else values) > 1

    return tuple(name for name in dict.fromkeys(["NETWORK", *partial, *names]) if differs(name))
