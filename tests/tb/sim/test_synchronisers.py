"""Flip-flops of synchronisers are counted in the netlist, and each module has a line."""

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.night import some
from tests.tb.faults.faulty import Edit
from tests.tb.sim.test_crossings import troubles

FOLLOWER, FIFO = "common/gray_follower.v", "common/async_fifo.v"
SHORT = "a synchroniser of 2 flip-flops, not 3"
GIVEN = "synchroniser #(.SYNC(SYNC)"
FAULTS = (  # what is broken, the edit, and the modules whose synchronisers are short then
    (
        "the last flip-flop is passed by",
        ("common/synchroniser.v", "chain[(SYNC-1)*WIDTH", "chain[(SYNC-2)*WIDTH"),
        {"async_fifo", "gray_follower", "async_reset"},
    ),
    ("in pointers", (FOLLOWER, GIVEN, "synchroniser #(.SYNC(SYNC - 1)"), {"gray_follower"}),
    ("of what was read", (FIFO, GIVEN, "synchroniser #(.SYNC(SYNC - 1)"), {"async_fifo"}),
)


@pytest.mark.parametrize("fault", some(FAULTS, 1), ids=lambda fault: fault[0])
def test_one_flip_flop_short(
    fault: tuple[str, tuple[str, str, str], set[str]], rtl_copy: Path
) -> None:
    _, edit, modules = fault
    Edit(*edit).apply(rtl_copy)
    found = troubles(rtl_copy, ASYNC="LINKS", SYNC="3")
    assert {line.partition(":")[0] for line in found} == modules, found
    assert len(found) == len(modules) and all(SHORT in line for line in found), found


def test_three_are_three() -> None:
    assert troubles(ROOT / "rtl", ASYNC="LINKS", SYNC="3") == []
