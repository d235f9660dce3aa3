"""Which cases of `make bench` the variables leave, and what is measured where there is none."""

import pytest

from fattree_bench.errors import UserError
from fattree_bench.families import offered
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
