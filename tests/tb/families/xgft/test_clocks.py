"""With several clocks switches and crossings are checked: these faults are found every time."""

from pathlib import Path

import pytest

from tests.tb.faults.faulty import named
from tests.tb.faults.test_faulty_designs import Cli, check_caught, run

FOUND = (
    "clocks: an arbiter whose pointer moves although the grant was not used",
    "clocks: synchronisers are a flip-flop short",
)


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("name", FOUND)
def test_a_planted_fault_is_caught(name: str, rtl_copy: Path, tb_cli: Cli) -> None:
    design = named(name)
    design.apply(rtl_copy)
    check_caught(design, run(tb_cli, rtl_copy, design.variables, "icarus"), rtl_copy)
