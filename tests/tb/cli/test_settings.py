"""A variable is declared once: reading, checking, telling and Verilog follow from it."""

import pytest

from fattree_bench.errors import UserError
from fattree_bench.settings import (
    Part,
    Settings,
    collect,
    flag,
    number,
    parsed,
    power_of_two,
    text,
    word,
)


class Load(Settings):
    """A part: it is given the number of leaves."""

    leaves: int

    load = parsed("LOAD", "0.5", "how much", float, lambda value: f"{value:g}")
    period = number("PERIOD", "", 1, 1000, "clocks; empty: one per leaf", usual=lambda s: s.leaves)


class Short(Load):
    load = Load.load.but(fixed=True, default="1")
    period = Load.period.but(help="slots")


class Base(Settings):
    n = power_of_two("N", 4, 1, 3, "leaves", rtl="N_LOG")
    width = number(
        "WIDTH", 8, lambda s: s.n + 4, 64, "n + 4 … 64", allowed="{low} … {high} for {s.n}", rtl="W"
    )
    pipeline = flag("PIPELINE", 1, "a register", "none", rtl=True)
    loads = Part(Load, lambda s: {"leaves": 1 << s.n})
    note = text("NOTE", "", "any text")


class Derived(Base):
    kind = word("KIND", "A", {"A": "the first", "B": ""}, rtl=True)
    n = Base.n.but(default="8")
    loads = Part(Short, lambda s: {"leaves": 1 << s.n})

    def check(self) -> None:
        if self.kind == "B" and not self.pipeline:
            raise UserError("KIND=B: needs PIPELINE=1")


def test_values() -> None:
    made = Derived.from_variables({"KIND": "b", "N": "2", "PERIOD": "7", "ELSE": "x"})
    assert (made.kind, made.n, made.width, made.pipeline) == ("B", 1, 8, True)
    assert (made.loads.load, made.loads.period, made.loads.leaves) == (1.0, 7, 2)
    assert made.changed() == {"KIND": "B", "N": "2", "PERIOD": "7"}
    assert made.verilog() == {"KIND": '"B"', "N_LOG": 1, "W": 8, "PIPELINE": 1}


def test_order_and_help() -> None:
    """A derived class's own come first; what it changes stays in its place."""
    output = {p.name: (p.default, p.help) for p in Derived.parameters}
    assert list(output) == ["KIND", "N", "WIDTH", "PIPELINE", "PERIOD", "NOTE"]
    assert output["KIND"] == ("A", "A (the first) or B")
    assert output["N"] == ("8", "leaves: a power of two, 2 … 8")
    assert output["PIPELINE"] == ("1", "1: a register, 0: none")
    assert output["PERIOD"] == ("", "slots")
    assert [p.help for p in Base.parameters if p.name == "PERIOD"] == [
        "clocks; empty: one per leaf, 1 … 1000"
    ]


@pytest.mark.parametrize(
    "given",
    [{}, {"N": "2", "WIDTH": "64", "PIPELINE": "0", "LOAD": "0.25", "NOTE": "x"}, {"PERIOD": "4"}],
)
def test_variables_make_the_same_again(given: dict[str, str]) -> None:
    made = Base.from_variables(given)
    again = Base.from_variables(made.variables())
    assert again == made
    assert hash(again) == hash(made)
    assert again != Derived.from_variables(given)
    assert made != made.but(width=9)
    assert made.but(width=9).width == 9


def test_usual_values_are_not_told() -> None:
    """Given or not: as many clocks as leaves are what an empty PERIOD stands for."""
    assert Base.from_variables({"PERIOD": "4"}) == Base.from_variables({})
    assert Base.from_variables({"PERIOD": "4"}).variables()["PERIOD"] == ""
    assert Base.from_variables({"N": "8", "PERIOD": "4"}).variables()["PERIOD"] == "4"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"N": "3"}, "N=3: must be a power of two, 2 … 8"),
        ({"N": "8", "WIDTH": "6"}, "WIDTH=6: must be 7 … 64 for 3"),
        ({"PIPELINE": "2"}, "PIPELINE=2: must be 0 or 1"),
        ({"KIND": "c"}, "KIND=C: must be A or B"),
        ({"PERIOD": "x"}, "PERIOD=x: must be 1 … 1000"),
        ({"KIND": "B", "PIPELINE": "0"}, "KIND=B: needs PIPELINE=1"),
    ],
)
def test_mistakes(given: dict[str, str], message: str) -> None:
    with pytest.raises(UserError) as refused:
        Derived.from_variables(given)
    assert str(refused.value) == message


def test_a_parsers_own_words() -> None:
    with pytest.raises(UserError, match=r"^LOAD=x: could not convert string to float: 'x'$"):
        Base.from_variables({"LOAD": "x"})


def test_settings_stay_as_they_are() -> None:
    made = Base.from_variables({})
    with pytest.raises(AttributeError, match="stay as they are"):
        made.n = 3


def test_a_bound_of_what_is_not_read_yet() -> None:
    class Bad(Settings):
        width = number("WIDTH", 8, lambda s: s.n, 64, "")
        n = number("N", 1, 1, 2, "")

    with pytest.raises(AttributeError, match="not read yet"):
        Bad.from_variables({})


DECLARED = (text("TEST", "", "").but(environment=True, old=("TESTCASE",)), text("RTL", "rtl", ""))


@pytest.mark.parametrize(
    ("environment", "arguments", "found"),
    [
        ({"TEST": "a", "RTL": "b"}, [], {"TEST": "a"}),
        ({"TEST": "a"}, ["TEST=c", "RTL=d"], {"TEST": "c", "RTL": "d"}),
        ({"TESTCASE": "a"}, [], {"TEST": "a"}),
        ({"TEST": "a"}, ["TESTCASE=c"], {"TEST": "c"}),
        ({}, ["TEST=a", "TESTCASE=c"], {"TEST": "a"}),
        ({}, ["PYTHON=python3"], {}),
        ({"TEST": ""}, ["RTL="], {"RTL": ""}),
    ],
)
def test_collect(
    environment: dict[str, str],
    arguments: list[str],
    found: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("TEST", "TESTCASE", "RTL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert collect(arguments, DECLARED) == found


def test_unknown_names() -> None:
    with pytest.raises(UserError, match=r"^FOO: no such variable; there is TEST, RTL$"):
        collect(["FOO=1"], DECLARED)
    with pytest.raises(UserError, match=r"^FOO: variables are given as NAME=value$"):
        collect(["FOO"], DECLARED)
    assert collect(["FOO=1"], DECLARED, others=True)["FOO"] == "1"
