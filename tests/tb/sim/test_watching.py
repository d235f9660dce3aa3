"""ACTIVE=0: a network in a larger design, whose traffic is none of ours."""

import subprocess
from pathlib import Path

import pytest

from tests.cli import Cli
from tests.tb.faults.faulty import ONE_LANE_TOO_FEW, SWAPPED_CHILDREN, Faulty, named
from tests.tb.faults.test_faulty_designs import counts

TOP = "examples/two_trees.v"
LOST_BIT = named("bit 3 of the payload is dropped at the entry")


def watch(tb_cli: Cli, instance: str, *words: str) -> subprocess.CompletedProcess[str]:
    usual = ("NETWORK=lbbvn", "N=8", "WIDTH=16", "WATCH=200")
    return tb_cli("sim", *usual, "ACTIVE=0", f"TOP={TOP}", f"INSTANCE={instance}", *words)


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("sim", ["icarus", pytest.param("verilator", marks=pytest.mark.nightly)])
def test_sound_trees_pass(tb_cli: Cli, sim: str) -> None:
    """On the left packets find no lane, and the model says which; on the right none is lost."""
    left, right = (watch(tb_cli, name, f"SIM={sim}") for name in ("u_left", "u_right"))
    assert left.returncode == right.returncode == 0, left.stdout + right.stdout
    assert "in conflicts, as predicted" in left.stdout
    assert "delivered, 0 lost" in right.stdout
    assert "L3 exact" in right.stdout


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize(
    ("design", "instance", "name"),
    [
        (SWAPPED_CHILDREN, "u_right", "misdelivered"),
        (LOST_BIT, "u_left", "corrupted"),
        (ONE_LANE_TOO_FEW, "u_left", "lost"),
    ],
    ids=["children", "bit", "lane"],
)
def test_a_fault_is_found_in_traffic_that_others_made(
    design: Faulty, instance: str, name: str, rtl_copy: Path, tb_cli: Cli
) -> None:
    design.apply(rtl_copy)
    found = watch(tb_cli, instance, "SIM=icarus", f"RTL={rtl_copy}")
    assert found.returncode == 1, found.stdout + found.stderr
    assert name in counts(found.stdout), found.stdout
    assert f"ACTIVE=0 TOP={TOP} INSTANCE={instance} WATCH=200" in found.stdout
