"""ACTIVE=0: a bit-serial tree in a larger design, whose messages are none of ours."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from fattree_bench.paths import ROOT
from tests.tb.faults.faulty import named
from tests.tb.faults.test_faulty_designs import counts

Cli = Callable[..., subprocess.CompletedProcess[str]]
TOP = ROOT / "examples" / "two_serial_trees.v"
RESET = "wire        rst     = ~started[2];"
# A reset when a delivery cycle is under way, behind some whole ones.
AGAIN = """reg [9:0] age = 10'd0;
  always @(posedge clk) age <= age + 10'd1;
  wire rst = ~started[2] | (age[9:1] == 9'd290);"""

pytestmark = pytest.mark.usefixtures("icarus")


def watch(tb_cli: Cli, instance: str, *words: str) -> subprocess.CompletedProcess[str]:
    usual = ("NETWORK=leiserson", "N=8", "CAPACITY=2,2,2,1", "WIDTH=16", "WATCH=61")
    where = () if any(word.startswith("TOP=") for word in words) else (f"TOP={TOP}",)
    return tb_cli("sim", *usual, "ACTIVE=0", "SIM=icarus", *where, f"INSTANCE={instance}", *words)


def changed(folder: Path, *edits: tuple[str, str]) -> Path:
    """A copy of the design with other words in it."""
    text = TOP.read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text, f"{old}: the edit is out of date"
        text = text.replace(old, new)
    (folder / TOP.name).write_text(text, encoding="utf-8")
    return folder / TOP.name


def test_sound_trees_pass(tb_cli: Cli) -> None:
    """On the left messages find no wire and are repeated; on the right none is lost."""
    left, right = (watch(tb_cli, name) for name in ("u_left", "u_right"))
    assert left.returncode == right.returncode == 0, left.stdout + right.stdout
    assert "of them repetitions" in left.stdout
    assert "delivered, 0 lost" in right.stdout
    assert "L3 exact" in right.stdout


@pytest.mark.parametrize(
    ("given", "parameters", "reset"),
    [
        pytest.param((), "", True, id="a reset"),
        pytest.param(
            ("DISCIPLINE=RANDOMISED", "PRIORITY=ROTATING", "PIPELINE=0"),
            ', .DISCIPLINE("RANDOMISED"), .PRIORITY("ROTATING"), .PIPELINE(0)',
            True,
            id="random",
        ),
    ],
)
def test_other_trees_pass(
    given: tuple[str, ...], parameters: str, reset: bool, tmp_path: Path, tb_cli: Cli
) -> None:
    top = changed(tmp_path, (".WIDTH(WIDTH)", f".WIDTH(WIDTH){parameters}"), (RESET, AGAIN))
    found = watch(tb_cli, "u_left", f"TOP={top}", *given)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "in a reset, as predicted" in found.stdout


@pytest.mark.parametrize(
    ("fault", "instance", "name"),
    [
        ("a message from above goes to the other child", "u_right", "misdelivered"),
        ("bit 3 of the data is stuck at zero", "u_left", "corrupted"),
        ("a message that was not acknowledged is forgotten", "u_left", "sending"),
        ("acknowledges are lost: delivered messages are sent again", "u_left", "acknowledge"),
        ("wires do not fall silent behind a message", "u_right", "trailing_bits"),
        ("delivery cycles are one clock longer than they need to be", "u_left", "cycle_length"),
        ("a delivery cycle never ends", "u_left", "limit"),
        ("losses on the way down are counted twice", "u_left", "conflict_count"),
    ],
)
def test_a_fault_is_found_in_messages_that_others_sent(
    fault: str, instance: str, name: str, rtl_copy: Path, tb_cli: Cli
) -> None:
    named(fault).apply(rtl_copy)
    found = watch(tb_cli, instance, f"RTL={rtl_copy}")
    assert found.returncode == 1, found.stdout + found.stderr
    assert name in counts(found.stdout), found.stdout


def test_messages_without_an_address_are_refused(tb_cli: Cli) -> None:
    found = watch(tb_cli, "u_left", "NODES=OFFLINE")
    assert found.returncode == 2
    assert "packets without headers do not say where they go" in found.stderr
