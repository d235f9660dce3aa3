"""What conflicts in small networks, and what does not; what the command line tells."""

import pytest

from tests.cli import Cli, icarus, passes
from tests.night import some


def test_rotators_conflict_as_predicted_and_pass(tb_cli: Cli) -> None:
    """On Lemma 1's capacities 48 rotator packets of a 16-leaf frame must be lost, and are."""
    text = passes(tb_cli, "N=16", "CAPACITY=LOWER_BOUND", "TEST=rotators")
    assert "256 sent, 208 delivered, 48 lost (48 in conflicts, as predicted)" in text


@icarus
def test_rotators_pass_whole_on_nonblocking_capacities(tb_cli: Cli) -> None:
    words = "N=16", "CAPACITY=NONBLOCKING", "TEST=rotators,symmetric_tdm", "SIM=icarus"
    text = passes(tb_cli, *words, "VERBOSE=1")
    assert text.count("256 sent, 256 delivered, 0 lost") == 2


@icarus
def test_both_controls_deliver_the_same(tb_cli: Cli) -> None:
    """The paper's frame has one right answer; headers and settings must both give it."""
    tables = []
    for control in ("SELF", "SCHEDULED"):
        words = (f"CONTROL={control}", "TEST=frame,xor_frame,inverse_frame", "SIM=icarus")
        lines = passes(tb_cli, *words, "VERBOSE=1").splitlines()
        level = "      1 "  # of the table; bins of the coverage are "1 of …"
        own = [x for x in lines if x.startswith(("  packets: ", level)) and " of " not in x]
        tables.append(own)
    assert tables[0] == tables[1]
    assert any("512 delivered" in line for line in tables[0])


@icarus
@pytest.mark.parametrize("capacity", some(("3,3,2,1", "4,2,2,1", "4,3,1,1"), 1))
def test_one_lane_less_than_lemma_1_conflicts(tb_cli: Cli, capacity: str) -> None:
    text = passes(tb_cli, f"CAPACITY={capacity}", "TEST=frame", "SIM=icarus")
    assert "in conflicts, as predicted" in text


@icarus
def test_a_static_upper_half_refuses_rotators(tb_cli: Cli) -> None:
    words = "N=16", "UPPER_HALF=STATIC", "TEST=frame,rotators", "SIM=icarus", "VERBOSE=1"
    text = passes(tb_cli, *words)
    assert "512 sent, 512 delivered, 0 lost" in text
    assert "in conflicts, as predicted" in text


@pytest.mark.nightly
def test_the_classic_agent_runs_with_everything_visible(tb_cli: Cli) -> None:
    passes(tb_cli, "N=4", "TEST=classic", "DEBUG=1")


@icarus
@pytest.mark.parametrize("sim", some(("icarus", "verilator"), 1))
def test_waves_are_written_and_found(tb_cli: Cli, sim: str) -> None:
    passes(tb_cli, "N=4", "TEST=frame", "WAVES=1", f"SIM={sim}")
    done = tb_cli("waves")
    assert done.returncode == 0
    assert "waves.vcd" in done.stdout or "waves.fst" in done.stdout


def test_list_names_every_test(tb_cli: Cli) -> None:
    text = tb_cli("list").stdout
    for name in ("lbbvn", "frame", "rotators", "symmetric_tdm", "reset_in_frame", "classic"):
        assert name in text
