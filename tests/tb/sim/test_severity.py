"""What a design says above a warning fails its run, by name, on both simulators in one voice."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from fattree_bench.sim.severity import complaints, stop_at_errors
from fattree_bench.sim.stop_filter import say_where

Cli = Callable[..., subprocess.CompletedProcess[str]]
TREE = "lbbvn_bench.u_tree"
WHEN = "always @(posedge clk) if (!rst && injected_o == 20)"
STOPPED = "a check in the design stopped the simulation: "
# What is planted, what is told of it; where nothing is, the run passes.
PLANTED = {
    '$fatal(1, "twenty of %0d", N_LOG)': "twenty of 2",
    '$error("twenty of %0d", N_LOG)': "twenty of 2",
    "$error": "error in lbbvn_tree.v:{line}",
    "$stop": "$stop",
    "$stop(1)": "$stop",
    '$warning("twenty")': "",
    '$info("twenty")': "",
    '$display("ERROR: %m: at 63: twenty: $stop")': "",
}
SEVERE = [task for task, told in PLANTED.items() if told]
OFTEN = ('$error("twenty of %0d", N_LOG)', "$stop")  # on Verilator, where a build takes its time


def plant(rtl: Path, *tasks: str) -> int:
    """Put system tasks into the tree; the line where they are."""
    tree = rtl / "lbbvn" / "lbbvn_tree.v"
    head, end, tail = tree.read_text().rpartition("endmodule")
    tree.write_text(head + f"{WHEN} begin {'; '.join(tasks)}; end\n" + end + tail)
    return head.count("\n") + 1


def run(cli: Cli, rtl: Path, sim: str, tests: str = "frame") -> subprocess.CompletedProcess[str]:
    return cli("sim", "N=4", f"TEST={tests}", f"SIM={sim}", f"RTL={rtl}", f"BUILD={rtl.parent}")


def check_told(task: str, sim: str, rtl: Path, cli: Cli) -> None:
    told = PLANTED[task].format(line=plant(rtl, task))
    result = run(cli, rtl, sim)
    assert result.returncode == 1, result.stdout
    assert result.stderr == ""
    problems = [line for line in result.stdout.splitlines() if STOPPED in line or "ended" in line]
    assert problems == [f"{STOPPED}{TREE}: at 16: {told}"], result.stdout


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("task", SEVERE)
def test_icarus_fails(task: str, rtl_copy: Path, tb_cli: Cli) -> None:
    check_told(task, "icarus", rtl_copy, tb_cli)


@pytest.mark.parametrize(
    "task", [pytest.param(t, marks=() if t in OFTEN else pytest.mark.nightly) for t in SEVERE]
)
def test_verilator_fails(task: str, rtl_copy: Path, tb_cli: Cli) -> None:
    check_told(task, "verilator", rtl_copy, tb_cli)


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("sim", ["icarus", pytest.param("verilator", marks=pytest.mark.nightly)])
def test_what_is_no_error_passes(sim: str, rtl_copy: Path, tb_cli: Cli) -> None:
    plant(rtl_copy, *(task for task, told in PLANTED.items() if not told))
    result = run(tb_cli, rtl_copy, sim)
    assert result.returncode == 0, result.stdout
    (log,) = re.findall(r"log: (\S+)", result.stdout)
    assert Path(log).read_text().count("twenty") == 3


@pytest.mark.parametrize("sim", ["icarus", "verilator"])
def test_a_failed_assertion(sim: str, rtl_copy: Path, tb_cli: Cli) -> None:
    """Icarus knows assertions only where it dumps waves, as SystemVerilog."""
    line = plant(rtl_copy, "assert (rst)")
    result = tb_cli(
        *("sim", "N=4", "TEST=frame", f"SIM={sim}", "WAVES=1"),
        *(f"RTL={rtl_copy}", f"BUILD={rtl_copy.parent}"),
    )
    assert result.returncode == 1, result.stdout
    assert f"{STOPPED}{TREE}: at 16: error in lbbvn_tree.v:{line}\n" in result.stdout


@pytest.mark.usefixtures("icarus")
def test_what_was_known_is_told(rtl_copy: Path, tb_cli: Cli) -> None:
    """The words of the design come first; the frames before the last are judged and told."""
    late = WHEN.replace("20", "400")
    tree = rtl_copy / "lbbvn" / "lbbvn_tree.v"
    head, end, tail = tree.read_text().rpartition("endmodule")
    tree.write_text(head + f'{late} $error("too many");\n' + end + tail)
    result = run(tb_cli, rtl_copy, "icarus", "crowds,frame")
    assert result.returncode == 1, result.stdout
    assert re.search(r"^crowds +stopped; judged by then: +[1-9]\d* slots$", result.stdout, re.M)
    assert re.search(r"^  packets: [1-9]\d* sent, [1-9]\d* delivered", result.stdout, re.M)
    problems = result.stdout.partition("replay:")[2].splitlines()
    assert [p for p in problems if "replay:" not in p][1].startswith(f"{STOPPED}{TREE}: at ")
    assert "return code" not in result.stdout
    assert "ended with an error" not in result.stdout


LOG = """\
WARNING: a.v:3: careful
         Time: 5 Scope: top
ERROR: a.v:4: two
lines
       Time: 10 Scope: top.u_a
     0.00ns INFO     cocotb.regression  running sim.entry.frame (1/1): at 5: b
FATAL: a.v:9: top.u_b: a word
       Time: 20 Scope: top.u_b
[30] %Error: a.v:5: Assertion failed in top.u_c: 'assert' failed.
[31] %Warning: a.v:6: top.u_c: careful
[32] %Fatal: a.v:7: Assertion failed in top.u_c
%Error: a.v:8: DIDNOTCONVERGE: Active region did not converge after 100 tries
ERROR: no place, no time
"""


def test_both_formats_are_read() -> None:
    assert [str(told) for told in complaints(LOG)] == [
        "top.u_a: at 10: two",
        "top.u_b: at 20: a word",
        "top.u_c: at 30: error in a.v:5",
        "top.u_c: at 32: fatal in a.v:7",
        "DIDNOTCONVERGE: Active region did not converge after 100 tries",
    ]


def test_only_calls_are_mended() -> None:
    compiled = (
        '    %vpi_call 2 3 "$error", "x" {0 0 0};\n'
        '    %vpi_call/w 2 4 "$stop", 32\'sb01 {0 0 0};\n'
        '    %vpi_call 2 5 "$display", "$stop" {0 0 0};\n'
    )
    assert stop_at_errors(compiled) == (
        '    %vpi_call 2 3 "$error", "x" {0 0 0};\n'
        '    %vpi_call 2 3 "$stop" {0 0 0};\n'
        '    %vpi_call/w 2 4 "$error", "$stop" {0 0 0};\n'
        '    %vpi_call/w 2 4 "$stop", 32\'sb01 {0 0 0};\n'
        '    %vpi_call 2 5 "$display", "$stop" {0 0 0};\n'
    )
    assert say_where('$stop; $stop(1); $display("$stop \\" $stop"); $stopped') == (
        '$error("$stop"); $error("$stop"); $display("$stop \\" $stop"); $stopped'
    )
