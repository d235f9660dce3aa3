"""Arguments of all public functions: integers of every type count alike, and nothing else counts.

The calls, a table in each package's folder, are compared with the signatures, so that a new
function cannot be left out.
"""

import dataclasses
import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fattree_models import lbbvn, leiserson, traffic, xgft
from fattree_models import lbbvn_switch as switch
from fattree_models.common.tree import FatTree
from tests.models.common.calls import RNG, UNCHECKED, Call
from tests.models.leiserson.calls import MESSAGES, SERIAL
from tests.models.refused import refused
from tests.models.traffic.calls import PACKETS, WINDOW
from tests.models.xgft.calls import TREE

FILES = sorted(Path(__file__).parents[1].glob("*/calls.py"))
TABLES = [import_module(f"tests.models.{file.parent.name}.calls") for file in FILES]
CALLS: list[Call] = [call for table in TABLES for call in table.CALLS]

DTYPES = [np.dtype(f"{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)]


def _run(function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    """Call a function from the same state, whatever was called before."""
    owner = getattr(function, "__self__", None)
    if hasattr(owner, "reset"):
        owner.reset()
    given = {k: np.random.default_rng(1) if v is RNG else v for k, v in arguments.items()}
    return function(**given)


def _typed(value: Any, dtype: np.dtype[Any]) -> Any:
    """The same integers in another type, as far as it holds them."""
    if isinstance(value, list) and value and not isinstance(value[0], str):
        array, limits = np.array(value), np.iinfo(dtype)
        if array.min() >= limits.min and array.max() <= limits.max:
            return array.astype(dtype)
    if type(value) is int and np.iinfo(dtype).min <= value <= np.iinfo(dtype).max:
        return dtype.type(value)
    return value


def _plain(result: Any) -> Any:
    """A result as something that can be compared, with the types of numbers and arrays."""
    if isinstance(result, np.ndarray):
        return result.dtype.str, result.tolist()
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        return type(result), [_plain(getattr(result, f.name)) for f in dataclasses.fields(result)]
    if isinstance(result, switch.OutputQueued):
        return type(result.n), result.n
    if isinstance(result, (list, tuple)):
        return [_plain(each) for each in result]
    if isinstance(result, float) and np.isnan(result):
        return "nan"
    return type(result), result


NAMES = [getattr(function, "__qualname__", str(function)) for function, _ in CALLS]


@pytest.mark.parametrize(("function", "arguments"), CALLS, ids=NAMES)
def test_integers_of_all_types_count_alike(
    function: Callable[..., Any], arguments: dict[str, Any]
) -> None:
    expected = _plain(_run(function, arguments))
    for dtype in DTYPES:
        typed = {name: _typed(value, dtype) for name, value in arguments.items()}
        assert _plain(_run(function, typed)) == expected, dtype


def _wrong() -> Iterator[Any]:
    """Bad values in place of each integer and each array of the table."""
    for (function, arguments), name in zip(CALLS, NAMES, strict=True):
        for key, value in arguments.items():
            if type(value) is int and key != "latency_limit":
                bad = [value + 0.5, float(value), float("nan"), str(value), True, None]
                may_be_none = "None" in str(inspect.signature(function).parameters[key].annotation)
                array = "_array_like" in str(inspect.signature(function).parameters[key].annotation)
                bad = bad[:-1] if may_be_none else bad
            elif isinstance(value, list) and value and not isinstance(value[0], str):
                bad, array = [np.array(value) + 0.5, np.array(value, dtype=str)], True
            else:
                continue
            if array and key == "weight":  # weights may be floats
                bad = [one for one in bad if getattr(one, "dtype", None) != np.float64]
            yield pytest.param(function, arguments, key, bad, id=f"{name}-{key}")


@pytest.mark.parametrize(("function", "arguments", "key", "bad"), list(_wrong()))
def test_what_is_no_integer_is_refused_by_name(
    function: Callable[..., Any], arguments: dict[str, Any], key: str, bad: list[Any]
) -> None:
    refused = r"^[\w, 0-9]+: (is|has|are|have) .*; allowed (is|are) "
    for one in bad:
        with pytest.raises(ValueError, match=refused):
            _run(function, {**arguments, key: one})


def _takes_integers(function: Callable[..., Any]) -> bool:
    """Whether a parameter is an int or an array of a user's."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        return False
    kinds = [str(parameter.annotation) for parameter in parameters]
    return any(k == "<class 'int'>" or k.startswith("int |") or "_array_like" in k for k in kinds)


PACKAGES = sorted({function.__module__.rpartition(".")[0] for function, _ in CALLS})


@pytest.mark.parametrize(
    "package", [p for p in map(import_module, PACKAGES) if hasattr(p, "__all__")]
)
def test_no_public_function_is_left_out(package: Any) -> None:
    public = {name: getattr(package, name) for name in package.__all__}
    takers = {name for name, each in public.items() if callable(each) and _takes_integers(each)}
    tried = {function.__name__ for function, _ in CALLS if hasattr(function, "__name__")}
    assert len(takers) > 3
    assert takers - tried - set(UNCHECKED) == set()


test_what_used_to_pass_silently = refused(
    (lambda: lbbvn.partial(np.random.default_rng(1), [[2**32 + 1, 0]], 1.0), "frame: holds"),
    (lambda: FatTree(4).heap_index(2, 1.5), "index at level 2: is 1.5; allowed are integers"),
    (lambda: FatTree(4).path(1.0, 2), "src: is 1.0; allowed are integers 0 … 15"),
    (lambda: FatTree(4).path([1], 2), r"src: is \[1\]; allowed are integers 0 … 15"),
    (
        lambda: switch.overload(np.random.default_rng(1), 1, 3, 0.9, 1.5, 0.5),
        "output: is 0.5; allowed are integers 0 … 1",
    ),
    (
        lambda: xgft.link_loads(TREE, [0], [1], "DMODK", np.array([2**63], np.uint64)),
        "weight: holds 9223372036854775808; allowed are 0 … 9223372036854775807",
    ),
    (
        lambda: traffic.measure(PACKETS, 3, np.full(3, 2**64 - 1, np.uint64), WINDOW),
        "arrived: holds 18446744073709551615; allowed are -1 … ",
    ),
    (
        lambda: traffic.measure(PACKETS, 3, [3, 4, 5], WINDOW, latency_limit=float("nan")),
        "latency_limit: is nan; allowed are numbers from 0",
    ),
    (lambda: traffic.pattern("hotspot:1:0", 4), "share: is 0; allowed are numbers above 0"),
    (lambda: traffic.pattern("randperm", 4, seed=-1), "seed: is -1; allowed are integers fro"),
    (lambda: leiserson.balanced(**MESSAGES, seed=-1), "seed: is -1; allowed are integers"),
    (
        lambda: leiserson.run_online(SERIAL, np.full((0, 6), -1), seed=2**32),
        "seed: is 4294967296; allowed are integers 0 … 4294967295",
    ),
    (
        lambda: leiserson.all_to_all(np.int32(65536)),
        "processors: is 65536; allowed are fewer than 2",
    ),
    (lambda: leiserson.greedy([[0], [1, 2]], [1], [1, 1]), "src: is not an array; allowed are"),
)
