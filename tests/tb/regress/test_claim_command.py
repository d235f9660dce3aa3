"""`make claim ITEM=…`: what it prints of an item, and its exit status."""

from pathlib import Path

import pytest

from tests.cli import Cli
from tests.tb.faults.faulty import Edit

SAME_DIGIT = "parent = (number / SPREAD) % PARENTS;", "parent = number % PARENTS;"


def claimed(cli: Cli, folder: Path, *words: str) -> tuple[int, str]:
    """Exit status and all that was printed; without failures, lines fit a narrow terminal."""
    done = cli("claim", *words, f"BUILD={folder / 'build'}")
    assert done.returncode or max(map(len, done.stdout.splitlines()), default=0) <= 80
    return done.returncode, done.stdout + done.stderr


def test_a_sentence_what_decides_it_and_its_controls(tmp_path: Path, tb_cli: Cli) -> None:
    code, told = claimed(tb_cli, tmp_path, "l79", "DRYRUN=1")
    assert (code, "L79 (Leiserson 1985, section VI, Theorem 10)" in told) == (0, True)
    for line in (
        "  measure: theorem_10; expected: holds\n  controls: mesh\n",
        "test_simulation.py::test_theorem_10: all\n",
        "nothing was run\n",
    ):
        assert line in told


def test_a_check_of_a_construction_is_run(tmp_path: Path, tb_cli: Cli) -> None:
    code, told = claimed(tb_cli, tmp_path, "ITEM=L11", "DRYRUN=1")
    assert (code, "leiserson-2 icarus seed 1: external" in told) == (0, True)


def test_what_nothing_decides_is_not_run(tmp_path: Path, tb_cli: Cli) -> None:
    code, told = claimed(tb_cli, tmp_path, "ITEM=L87")
    assert (code, "verdict: not decided here: The algorithm" in told) == (0, True)
    assert "job" not in told


@pytest.mark.usefixtures("icarus")
def test_an_item_of_the_rtl(tmp_path: Path, rtl_copy: Path, tb_cli: Cli) -> None:
    """Figures and verdict; a wrong RTL measures nothing, and fails."""
    code, told = claimed(tb_cli, tmp_path, "ITEM=S31", "SIM=icarus")
    assert (code, told.splitlines()[-1]) == (0, "verdict: holds, as expected")
    assert " flits, 5.00 each\n" in told
    Edit("wormhole/xgft_way.vh", *SAME_DIGIT).apply(rtl_copy)
    code, told = claimed(tb_cli, tmp_path, "ITEM=S31", "SIM=icarus", f"RTL={rtl_copy}")
    assert (code, told.splitlines()[-1]) == (1, "verdict: not measured, not as expected")
    assert "FAIL fig-4 single_packets: " in told


@pytest.mark.usefixtures("icarus")
def test_a_correction_is_told(tmp_path: Path, tb_cli: Cli) -> None:
    code, told = claimed(tb_cli, tmp_path, "ITEM=F10", "SIM=icarus")
    assert (code, told.splitlines()[-1]) == (0, "verdict: as corrected, as expected")
    assert "  corrected: The routing of the code as we correct it is free of loops.\n" in told
    assert "corrected: 0 of 56 pairs of leaves have a route with a loop\n" in told
