"""Which cases of `make bench` the variables leave, and what is measured where there is none."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from fattree_bench.errors import UserError
from fattree_bench.families import offered
from fattree_bench.families.speed import Case, Speed
from fattree_bench.sim import variables as v
from fattree_bench.sim.build import Built
from fattree_bench.speed import command
from fattree_bench.speed.command import choose, label


def test_variables_choose_among_the_cases() -> None:
    everything, rest = choose({"WIDTH": "20"})
    assert everything == [case for _, speed in offered("speed", "SPEED") for case in speed.cases]
    assert rest == {"WIDTH": "20"}  # of no case: it is for all of them
    chosen, rest = choose({"SIM": "icarus", "N": "16"})
    assert {case.sim for case in chosen} == {"icarus"}
    assert {case.values["N"] for case in chosen} == {"16"}
    assert rest == {}


def test_a_network_without_cases_has_one() -> None:
    chosen, rest = choose({"NETWORK": "gft", "M": "2", "SIM": "icarus", "BUILD": "b"})
    assert list(map(label, chosen)) == ["icarus NETWORK=gft M=2"]
    assert rest == {"BUILD": "b"}


@pytest.mark.parametrize(
    ("values", "named"),
    [({"N": "7"}, "N=7: no such case; there is verilator N=16"), ({"NETWORK": "x"}, "NETWORK=x")],
)
def test_nothing_to_measure(values: dict[str, str], named: str) -> None:
    with pytest.raises(UserError, match=named):
        choose(values)


def test_a_figure_is_printed_as_soon_as_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A benchmark that is stopped has shown what it measured."""
    shown, before = StringIO(), list[str]()

    class Fake:
        def __init__(self, *_: object) -> None:
            self.builds = {"verified": {"cpu": 4.0, "wall": 2.0, "code": 0.0}}
            self.speed, self.settings = Speed(), v.check({"N": "4"}, write=False)
            self.built = {"FRAME": Built(Path(), "top", 0.0, "icarus", waves=False)}

        def wanted(self) -> list[tuple[str, str]]:
            return [("bare", "fresh"), ("verified", "fresh")]

        def measure(self, *_: object) -> dict[str, Any]:
            before.append(shown.getvalue())
            return {"passed": True, "packets": 3e6, "seconds": 1.0}

    monkeypatch.setattr(command, "Tree", Fake)
    case = Case("verilator", "lbbvn", {"N": "4"}, ("fresh",))
    command.measured(Console(file=shown), case, {}, None, 1.0)
    assert "verified: built in 4.0 CPU s, 2.0 s\n" in before[0]
    assert before[1].splitlines()[-1] == "  bare fresh: 3 million a CPU s"
    assert before[2].splitlines()[-1] == "  verified fresh: 3 million a CPU s"
    assert [text.count("million a CPU s") for text in before] == [*range(2 * command.ROUNDS)]
