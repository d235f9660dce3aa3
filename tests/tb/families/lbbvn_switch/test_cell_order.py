"""The order of cells of a flow, against brute force."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_bench.bench import faults as kind
from fattree_bench.bench.links.slot.delivery import Seen
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from fattree_bench.families.lbbvn_switch.scoreboard import CellScoreboard
from tests.tb.families.lbbvn_switch.cell_streams import BASIC, FOFF
from tests.tb.families.lbbvn_switch.software import Bench

Cell = tuple[int, int, int]  # number, source, output


def ordered(network: LbbvnSwitch, parts: list[list[Cell]], promised: bool) -> CellScoreboard:
    """A scoreboard that has seen these cells leave, in frames."""
    board = Bench(network).board
    for frame in parts:
        number, source, output = np.array(frame, np.int64).reshape(-1, 3).T
        slots = np.arange(len(frame))
        board.promises.delivery.order(Seen(slots, slots, number, source, output), promised)
    return board


def descents(cells: list[Cell]) -> tuple[int, int]:
    """How many leave behind a later one, or behind themselves."""
    last: dict[tuple[int, int], int] = {}
    behind = again = 0
    for number, source, output in cells:
        before = last.get((source, output), -1)
        behind += number < before
        again += number == before
        last[source, output] = number
    return behind, again


@settings(max_examples=100)
@given(st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3), st.integers(0, 3)))))
def test_order_against_brute_force(parts: list[list[Cell]]) -> None:
    board = ordered(FOFF, parts, promised=True)
    behind, again = descents([cell for frame in parts for cell in frame])
    found = {kind.REORDERED: behind, kind.DUPLICATED: again}
    assert dict(board.faults.counts) == {name: count for name, count in found.items() if count}


@settings(max_examples=100)
@given(st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3), st.integers(0, 3)))))
def test_overtaken_cells_against_brute_force(parts: list[list[Cell]]) -> None:
    """Where no order is promised they are counted, and no fault."""
    board = ordered(BASIC, parts, promised=False)
    latest: dict[tuple[int, int], int] = {}
    count = 0
    for number, source, output in (cell for frame in parts for cell in frame):
        before = latest.get((source, output), -1)
        count += number < before
        latest[source, output] = max(number, before)
    assert board.promises.delivery.overtaken == count
    assert not board.faults
