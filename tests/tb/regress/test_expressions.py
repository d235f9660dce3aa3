"""The language of figures in testplans: what is wrong is named, and nothing passes in silence."""

import tomllib
from collections.abc import Callable

import numpy as np
import pytest

from fattree_bench.bench.expressions import Comparison, Expression
from fattree_bench.errors import UserError

MISTAKES = [
    ("figure = 'a'", "a testpoint: claim: holds is missing"),
    ("figure = 'a'\nholds = []", "claim: holds = []: must be a list of expressions"),
    ("figure = 'a'\nholds = 'x > 1'", "claim: holds = 'x > 1': must be a list of expressions"),
    ("figure = 3\nholds = ['x > 1']", "claim: figure = 3: must be a text"),
    ("figure = '{x'\nholds = ['x > 1']", "claim: figure = '{x': f-string: expecting '}'"),
    ("figure = ''\nholds = ['x >']", "claim: holds = 'x >': invalid syntax"),
    ("figure = ''\nholds = ['sum(x) and 1']", "sum(x) and 1: is not allowed"),
    ("figure = ''\nholds = ['0 < sum(x) < 1']", "0 < sum(x) < 1: is not allowed"),
    ("figure = ''\nholds = ['x.size > 1']", "x.size: is not allowed"),
    ("figure = ''\nholds = ['[y for y in x]']", "[y for y in x]: is not allowed"),
    ("figure = ''\nholds = ['open(x)']", "open: no such function"),
    (
        "figure = ''\nholds = ['x > 1']\nleast = 2",
        "claim: least: unknown key; known: figure, holds",
    ),
    ("figure = ''\nholds = ['x > 1']\nrows = [['y']]", "must hold once each of x"),
    ("figure = ''\nholds = ['x > y']\nrows = [['x'], ['y']]\norder = 'x'", "need one list of rows"),
    ("figure = ''\nholds = ['x > 1']\ncorrected = 3", "claim: corrected = 3: must be a table"),
]


@pytest.mark.parametrize(("table", "message"), MISTAKES)
def test_a_mistake_in_a_table(table: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        Comparison(tomllib.loads(table), "a testpoint: claim", {})
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x > 1", "is [False  True]; must be a single yes or no"),
        ("sum(x)", "must be a single yes or no"),
        ("sum(x) / 0 > 1", "divi"),
        ("x[7] > 1", "index 7 is out of bounds"),
        ("all(x > y)", "could not be broadcast"),
    ],
)
def test_an_expression_without_a_verdict(source: str, message: str) -> None:
    """It never passes in silence."""
    expression = Expression(source, "a testpoint: claim: holds")
    with pytest.raises(UserError, match=r"^a testpoint: claim: holds = ") as caught:
        expression.truth({"x": np.array([1.0, 2.0]), "y": np.zeros(3)})
    assert message in str(caught.value)


def test_a_number_of_numpy_is_recorded_as_one_of_python(
    record_property: Callable[[str, object], None], request: pytest.FixtureRequest
) -> None:
    """Another cannot be sent to the process that collects results of several workers."""
    record_property("ratio", np.float64(0.5))
    assert [type(value) for _, value in request.node.user_properties] == [float]
