"""Sequences of cells, without a simulator."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from fattree_bench.bench.scenario import Stimulus
from fattree_bench.bench.sequence import Pulled, Sequence
from fattree_bench.families.lbbvn_switch import sequences
from fattree_bench.families.lbbvn_switch.cells import CellFrame
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch


def items(sequence: Sequence, **variables: str) -> Iterator[CellFrame]:
    network = LbbvnSwitch.from_variables({"N": "4", **variables})
    return Pulled(Stimulus(network, np.random.default_rng(3), 64)).items(sequence)


def test_cells_that_are_given_and_all_for_one_output() -> None:
    dst = np.array([[0, 1, 2, 3], [-1, -1, 0, 0]], np.int32)
    (frame,) = items(sequences.Cells("mine", dst=dst, lossless=True))
    assert (frame.dst == dst).all() and frame.lossless and frame.family == "mine"
    (frame,) = items(sequences.OneOutput(goal=2))
    assert frame.dst.shape == (64, 4) and (frame.dst == 2).all()


def test_random_arrivals_have_their_load() -> None:
    (frame,) = items(sequences.Arrivals(load=0.25, length=1000))
    assert abs((frame.dst >= 0).mean() - 0.25) < 0.03  # four standard deviations
    assert set(np.unique(frame.dst)) == {-1, 0, 1, 2, 3}


def test_the_cells_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "cells.csv"
    path.write_text("source,destination,release\n0,3,0\n1,2,0\n0,1,5\n")
    (frame,) = items(sequences.CellFile(), MESSAGES=str(path))
    sent = [(int(slot), int(x), int(frame.dst[slot, x])) for slot, x in np.argwhere(frame.dst >= 0)]
    assert sent == [(0, 0, 3), (0, 1, 2), (5, 0, 1)]


@pytest.mark.parametrize(
    ("kind", "lack"), [(sequences.Cells, "slots are given"), (sequences.CellFile, "file is given")]
)
def test_what_is_missing(kind: type[Sequence], lack: str) -> None:
    with pytest.raises(ValueError, match=f"mine: no {lack}"):
        list(items(kind("mine")))
