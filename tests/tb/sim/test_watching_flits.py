"""ACTIVE=0: a tree of wormhole switches in a larger design, whose packets are none of ours."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from fattree_bench.paths import ROOT
from tests.tb.faults.faulty import Faulty, named
from tests.tb.faults.test_faulty_designs import counts

Cli = Callable[..., subprocess.CompletedProcess[str]]
TOP = ROOT / "examples" / "two_wormhole_trees.v"
RESET = "wire        rst     = ~started[2];"
AGAIN = """reg [6:0] age = 7'd0;
  always @(posedge clk) age <= age + 7'd1;
  wire rst = ~started[2] | (age == 7'd90);"""
RANDOM = '.STAGES(1), .ROUTING("RANDOM"), .MODE("KEEP")'

pytestmark = pytest.mark.usefixtures("icarus")


def watch(tb_cli: Cli, instance: str, *words: str) -> subprocess.CompletedProcess[str]:
    usual = ("NETWORK=kary", "K=2", "LEVELS=2", "WATCH=200", "ACTIVE=0", "SIM=icarus")
    where = () if any(word.startswith("TOP=") for word in words) else (f"TOP={TOP}",)
    return tb_cli("sim", *usual, *where, f"INSTANCE={instance}", *words)


def changed(folder: Path, *edits: tuple[str, str]) -> Path:
    """A copy of the design with other words in it."""
    text = TOP.read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text, f"{old}: the edit is out of date"
        text = text.replace(old, new)
    (folder / TOP.name).write_text(text, encoding="utf-8")
    return folder / TOP.name


@pytest.mark.parametrize("instance", ["u_left", "u_right"])
def test_sound_trees_pass(instance: str, tb_cli: Cli) -> None:
    found = watch(tb_cli, instance)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "0 lost" in found.stdout
    assert "L3 exact" in found.stdout


def test_a_random_tree_passes_with_a_reset_in_its_traffic(tmp_path: Path, tb_cli: Cli) -> None:
    top = changed(tmp_path, (".STAGES(3)", RANDOM), (RESET, AGAIN))
    given = ("STAGES=1", "ROUTING=RANDOM", "VC_MODE=KEEP")
    found = watch(tb_cli, "u_left", f"TOP={top}", *given)
    assert found.returncode == 0, found.stdout + found.stderr
    assert re.search(r"\([1-9]\d* in a reset, as predicted\)", found.stdout), found.stdout


FAULTS = [
    ("packets go down to the next child", "u_right", "by the route: output 1"),
    ("D-mod-k looks at the source", "u_left", "decided in clock"),
    ("credits come back one clock late", "u_left", "credit"),
    ("an arbiter whose pointer stands still", "u_left", "arbiter"),
]


@pytest.mark.parametrize(("fault", "instance", "said"), FAULTS)
def test_a_fault_is_found_in_packets_that_others_sent(
    fault: str, instance: str, said: str, rtl_copy: Path, tb_cli: Cli
) -> None:
    design: Faulty = named(fault)
    design.apply(rtl_copy)
    found = watch(tb_cli, instance, f"RTL={rtl_copy}")
    assert found.returncode == 1, found.stdout + found.stderr
    assert counts(found.stdout) == {"link_mismatch": 1}, found.stdout
    assert said in " ".join(found.stdout.split()), found.stdout


def test_a_reset_is_silent_from_its_second_clock_on(rtl_copy: Path, tb_cli: Cli) -> None:
    named("switches give credits in the second clock of a reset").apply(rtl_copy)
    found = watch(tb_cli, "u_left", f"RTL={rtl_copy}")
    assert found.returncode == 1, found.stdout + found.stderr
    assert "a flit or a credit within a reset" in " ".join(found.stdout.split()), found.stdout


def test_who_breaks_a_rule_of_the_link_is_told(tmp_path: Path, tb_cli: Cli) -> None:
    top = changed(tmp_path, ("place == 2'd2, word", "1'b0, word"))
    found = watch(tb_cli, "u_left", f"TOP={top}")
    assert found.returncode == 1, found.stdout + found.stderr
    assert "protocol" in counts(found.stdout), found.stdout
    assert "began a packet within another in VC 0" in " ".join(found.stdout.split()), found.stdout


@pytest.mark.parametrize("given", ["ASYNC=LEAVES", "EXACT=0", "ROUTING=OPENSM"])
def test_what_no_model_says_is_refused(given: str, tb_cli: Cli) -> None:
    found = watch(tb_cli, "u_left", given)
    assert found.returncode == 2
    assert "the clock-exact model alone does not know it" in found.stderr
