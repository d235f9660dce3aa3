"""What a design says above a warning fails its run, by name, on both simulators in one voice."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from fattree_bench.paths import ROOT
from fattree_bench.sim.severity import complaints, stop_at_errors
from fattree_bench.sim.stop_filter import say_where
from tests.cli import Cli
from tests.night import some

pytestmark = pytest.mark.xdist_group("severity")
TREE = "lbbvn_bench.u_tree"
STOPPED = "a check in the design stopped the simulation: "
# What is planted, and its message; where nothing is, the run passes.
PLANTED = {
    '$fatal(1, "twenty of %0d", N_LOG);': "twenty of 2",
    '$error("twenty of %0d", N_LOG);': "twenty of 2",
    "$error;": "error in lbbvn_tree.v:{line}",
    "$stop;": "$stop",
    "$stop(1);": "$stop",
    "assert (rst);": "error in lbbvn_tree.v:{line}",
    '$warning("twenty");': "",
    '$info("twenty");': "",
    '$display("ERROR: %m: at 63: twenty: $stop");': "",
}
TASKS = tuple(PLANTED)
FRAME = "bit-reverse shifts"
CLOCK = 5  # in which the 20th packet of the test "frame" comes
ASSERTION = TASKS.index("assert (rst);")


def plant(rtl: Path, *lines: str) -> int:
    """Put lines at the end of the tree; the number of the first."""
    tree = rtl / "lbbvn" / "lbbvn_tree.v"
    head, end, tail = tree.read_text().rpartition("endmodule")
    tree.write_text(head + "\n".join(lines) + "\n" + end + tail)
    return head.count("\n") + 1


def run(cli: Cli, rtl: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return cli("sim", "N=4", f"RTL={rtl}", f"BUILD={rtl.parent}", *words)


@dataclass
class Planted:
    """A design that does one of TASKS, whichever number its file holds, at the 20th packet."""

    rtl: Path
    line: int

    def choose(self, task: str) -> None:
        (self.rtl / "task").write_text(str(TASKS.index(task)))


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Planted:
    """One build on each simulator for all tasks; Icarus knows assertions with waves only."""
    rtl = Path(shutil.copytree(ROOT / "rtl", tmp_path_factory.mktemp("severity") / "rtl"))
    tasks = [f"{i}: {task}" for i, task in enumerate(TASKS)]
    tasks[ASSERTION] = f"`ifdef VERILATOR\n{ASSERTION}: {TASKS[ASSERTION]}\n`endif"
    line = plant(
        rtl,
        "integer file, task_number, got;",
        f'initial begin file = $fopen("{rtl}/task", "r");',
        'got = $fscanf(file, "%d", task_number); end',
        "always @(posedge clk) if (!rst && injected_o + 1 == 20) case (task_number)",
        *tasks,
        "default: ; endcase",
    )
    return Planted(rtl, line + 4)


def line_of(planted: Planted, task: str) -> int:
    """Where a task stands; the assertion takes a line before it and one behind."""
    number = TASKS.index(task)
    return planted.line + number + (number >= ASSERTION) + (number > ASSERTION)


def check_told(planted: Planted, task: str, sim: str, cli: Cli) -> None:
    planted.choose(task)
    result = run(cli, planted.rtl, "TEST=frame", f"SIM={sim}")
    output = PLANTED[task].format(line=line_of(planted, task))
    if output:
        assert result.returncode == 1, result.stdout
        lines = [p for p in result.stdout.splitlines() if not p.startswith("  ended by")]
        (problem,) = [p for p in lines if STOPPED in p or "ended" in p]
        assert re.fullmatch(
            re.escape(f"{STOPPED}{TREE}: at @: {output}").replace("@", r"\d+"), problem
        )
        # The same clock on both simulators, in the first frame: nothing of it was judged.
        first = rf"  first fault  {TREE}, clock {CLOCK}, of “{FRAME}”: rule of the design: .*\n"
        known = rf"  known then   no packets judged; “{FRAME}” from clock 0 on was not judged\n"
        replay = r"  replay:? +make sim .* WAVES=1$"
        story = rf"^{first}  ended by .*\n{known}{replay}"
        (log,) = re.findall(r"log: (\S+)", result.stdout)
        for text in (result.stdout, Path(log).read_text()):
            assert re.search(story, text, re.MULTILINE), text
    else:
        assert result.returncode == 0, result.stdout
        (log,) = re.findall(r"log: (\S+)", result.stdout)
        assert "twenty" in Path(log).read_text()


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("task", some([t for t in TASKS if "assert" not in t], 1))
def test_icarus(task: str, planted: Planted, tb_cli: Cli) -> None:
    check_told(planted, task, "icarus", tb_cli)


@pytest.mark.parametrize("task", some(TASKS, 1))
def test_verilator(task: str, planted: Planted, tb_cli: Cli) -> None:
    check_told(planted, task, "verilator", tb_cli)


@pytest.mark.usefixtures("icarus")
def test_a_failed_assertion_on_icarus(rtl_copy: Path, tb_cli: Cli) -> None:
    line = plant(rtl_copy, "always @(posedge clk) if (!rst && injected_o + 1 == 20) assert (rst);")
    result = run(tb_cli, rtl_copy, "TEST=frame", "SIM=icarus", "WAVES=1")
    assert result.returncode == 1, result.stdout
    words = rf"{STOPPED}{TREE}: at \d+: error in lbbvn_tree.v:{line}$"
    assert re.search(words, result.stdout, re.MULTILINE), result.stdout


@pytest.mark.usefixtures("icarus")
def test_what_was_known_is_told(rtl_copy: Path, tb_cli: Cli) -> None:
    """The words of the design come first; the frames before the last are judged and reported."""
    plant(rtl_copy, 'always @(posedge clk) if (!rst && injected_o + 1 >= 400) $error("too many");')
    result = run(tb_cli, rtl_copy, "TEST=crowds,frame", "SIM=icarus")
    assert result.returncode == 1, result.stdout
    assert re.search(
        r"^FAIL  crowds  stopped; checked before that: [1-9]\d* slots$", result.stdout, re.M
    )
    assert re.search(r"^  packets: [1-9]\d* sent, [1-9]\d* delivered", result.stdout, re.M)
    known = (
        r"^  known then +(\d+) sent = (\d+) delivered \+ (\d+) lost in conflicts, as predicted"
        r" \+ (\d+) still inside; “crowds” from clock [1-9]\d* on was not judged$"
    )
    (sums,) = re.findall(known, result.stdout, re.M)
    sent, *parts = map(int, sums)
    assert sent == sum(parts) and all(parts), result.stdout
    assert "unchecked" not in result.stdout
    problems = [p for p in result.stdout.splitlines() if STOPPED in p or "test " in p]
    problems = [p for p in problems if not p.startswith("  ended by")]
    assert problems[0].startswith(f"{STOPPED}{TREE}: at "), result.stdout
    assert not problems[1:] and result.stdout.count("\nFAIL  crowds  ") == 1, result.stdout
    assert "1 of 2 tests passed" in result.stdout, result.stdout  # frame, in a new simulation
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
    assert [str(output) for output in complaints(LOG)] == [
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
