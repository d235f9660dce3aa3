"""The bench can fail: every faulty design is caught, and its fault called by its name."""

import re
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tb.env import faults as kind

Cli = Callable[..., subprocess.CompletedProcess[str]]

STOPPED = "a check in the design stopped the simulation"


@dataclass(frozen=True)
class Edit:
    """Replaces a text that stands exactly `times` times in a file of rtl/."""

    file: str
    old: str
    new: str
    times: int = 1

    def apply(self, rtl: Path) -> None:
        path = rtl / self.file
        text = path.read_text()
        assert text.count(self.old) == self.times, (
            f"{self.old!r} in {self.file}: edit is out of date"
        )
        path.write_text(text.replace(self.old, self.new))


@dataclass(frozen=True)
class Faulty:
    """A faulty design, the run that must find it, what it is called, the most frequent first."""

    name: str
    variables: str
    names: tuple[str, ...]
    edits: tuple[Edit, ...]


def node(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn/lbbvn_node.v", old, new, times)


def tree(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn/lbbvn_tree.v", old, new, times)


def leaves(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn/lbbvn_leaves.v", old, new, times)


def level(old: str, new: str, times: int = 1) -> Edit:
    return Edit("lbbvn/lbbvn_level.v", old, new, times)


def concentrator(old: str, new: str, times: int = 1) -> Edit:
    return Edit("common/concentrator.v", old, new, times)


def delay_line(old: str, new: str, times: int = 1) -> Edit:
    return Edit("common/delay_line.v", old, new, times)


SWAPPED_CHILDREN = Faulty(
    "a packet from above goes to the other child",
    "N=4 TEST=single_packets",
    (kind.MISDELIVERED,),
    (node("^ {C_UP{~q[0]}}", "^ {C_UP{q[0]}}"),),
)
DROPPED_BIT = Faulty(
    "bit 3 of the payload is dropped at the entry",
    "N=8 TEST=frame",
    (kind.CORRUPTED,),
    (leaves("data_i[x*W +: W] & {W{entering", "data_i[x*W +: W] & ~8 & {W{entering"),),
)
ONE_LANE_TOO_FEW = Faulty(
    "one lane too few where the frame is free of conflicts",
    "N=8 TEST=frame",
    (STOPPED,),
    (tree("- (1 << (N_LOG - 2 * j));\n", "- (1 << (N_LOG - 2 * j)) - 1;\n"),),
)

DESIGNS = (
    SWAPPED_CHILDREN,
    DROPPED_BIT,
    Faulty(
        "bit 3 of the payload is dropped, seen packet by packet",
        "N=4 TEST=classic",
        (kind.CORRUPTED,),
        DROPPED_BIT.edits,
    ),
    Faulty(
        "lane 0 of every crossbar is stuck at input 0",
        "N=8 TEST=single_packets",
        (kind.LOST,),
        (Edit("common/crossbar.v", "if (enable_i", "if (l == 0) i = 0;\n        if (enable_i"),),
    ),
    ONE_LANE_TOO_FEW,
    Faulty(
        "one lane too few where packets are lost anyway",
        "N=8 TEST=rotators",
        (kind.LOST, kind.CONFLICTS),
        ONE_LANE_TOO_FEW.edits,
    ),
    Faulty(
        "one lane too many",
        "N=8 TEST=rotators",
        (kind.UNPREDICTED, kind.CONFLICTS),
        (tree("- (1 << (N_LOG - 2 * j));\n", "- (1 << (N_LOG - 2 * j)) + 1;\n"),),
    ),
    Faulty(
        "a packet that turns goes up as well",
        "N=8 TEST=single_packets CAPACITY=NONBLOCKING",
        (kind.DUPLICATED,),
        (node("request = up_valid_i & outside;", "request = up_valid_i;"),),
    ),
    Faulty(
        "a packet is given out at two leaves",
        "N=8 TEST=single_packets",
        (kind.DUPLICATED,),
        (
            leaves(
                "down_data_i[x*W +: W] | (",
                "down_data_i[x*W +: W] | down_data_i[(x^1)*W +: W] | (",
            ),
            leaves(
                "valid_o    = down_valid_i | looped",
                "valid_o    = down_valid_i | looped\n"
                "    | (down_valid_i & {(N/2){2'b01}}) << 1 | (down_valid_i & {(N/2){2'b10}}) >> 1",
            ),
        ),
    ),
    Faulty(
        "SCHEDULED: the slot number does not advance",
        "N=8 TEST=frame CONTROL=SCHEDULED",
        (kind.MISDELIVERED,),
        (tree(": slot_q + 1'b1", ": slot_q"),),
    ),
    Faulty(
        "SCHEDULED: the slot number wraps one slot early",
        "N=8 TEST=frame CONTROL=SCHEDULED",
        (kind.MISDELIVERED,),
        (tree("slot_q == last_slot_i)", "slot_q + 1'b1 == last_slot_i)"),),
    ),
    Faulty(
        "SCHEDULED: the way down uses the settings of the way up's slot",
        "N=8 TEST=frame CONTROL=SCHEDULED",
        (STOPPED,),
        (tree("slot[STEPS*SLOT_W +: SLOT_W]", "slot[(N_LOG-1-j)*SLOT_W +: SLOT_W]"),),
    ),
    Faulty(
        "SCHEDULED: the last row of settings is not written",
        "N=8 TEST=frame CONTROL=SCHEDULED",
        (kind.LOST,),
        (level("if (row_write_i) begin", "if (row_write_i && row_slot_i != DEPTH - 1) begin"),),
    ),
    Faulty(
        "SCHEDULED: the slot number survives a reset",
        "N=8 TEST=reset_in_frame CONTROL=SCHEDULED",
        (kind.MISDELIVERED,),
        (
            tree("(rst || slot_q == last_slot_i)", "(slot_q == last_slot_i)"),
            tree("reg [SLOT_W-1:0] slot_q;", "reg [SLOT_W-1:0] slot_q = 0;"),
        ),
    ),
    Faulty(
        "a turning packet waits one clock too long",
        "N=8 TEST=single_packets",
        (kind.LATE,),
        (node(".DEPTH(TURN_DELAY)", ".DEPTH(TURN_DELAY + 1)", 3),),
    ),
    Faulty(
        "a loop-back comes one clock late",
        "N=8 TEST=single_packets",
        (kind.LATE,),
        (leaves(".DEPTH(LATENCY)", ".DEPTH(LATENCY + 1)", 2),),
    ),
    Faulty(
        "every other packet overtakes the one before it",
        "N=2 TEST=permutations",
        (kind.LATE, kind.REORDERED),
        (
            delay_line(
                "      reg [WIDTH-1:0] data_q;\n",
                "      reg [3*WIDTH-1:0] data_q;\n      reg even_q;\n"
                "      always @(posedge clk) even_q <= rst | ~even_q;\n",
            ),
            delay_line(
                "data_q <= rst ? {WIDTH{1'b0}} : data_i;",
                "data_q <= rst ? {(3*WIDTH){1'b0}} : {data_q[2*WIDTH-1:0], data_i};",
            ),
            delay_line(
                "data_o = data_q;",
                "data_o = even_q ? data_q[2*WIDTH +: WIDTH] : data_q[WIDTH-1:0];",
            ),
        ),
    ),
    Faulty(
        "the highest input goes first",
        "N=8 TEST=all_to_one",
        (kind.UNPREDICTED, kind.LOST),
        (
            concentrator("= ((i >> b)", "= (((R-1-i) >> b)"),
            concentrator(
                "valid         = valid_i[k*R +: R];",
                "for (l = 0; l < R; l = l + 1) valid[l] = valid_i[k*R + R-1-l];",
            ),
        ),
    ),
    Faulty(
        "a concentrator forgets its last input",
        "N=8 TEST=frame",
        (kind.LOST,),
        (concentrator("= valid_i[k*R +: R];", "= valid_i[k*R +: R] & ~({R{1'b1}} << (R-1));"),),
    ),
    Faulty(
        "conflicts on the way up are not counted",
        "N=8 TEST=rotators",
        (kind.CONFLICTS,),
        (tree("up_q   + widen(up_lost  [i*(N_LOG+1) +: N_LOG+1])", "up_q"),),
    ),
    Faulty(
        "conflicts on the way down are counted twice",
        "N=8 TEST=all_to_one",
        (kind.CONFLICTS,),
        (tree("down_q + widen(down_lost", "down_q + 2 * widen(down_lost"),),
    ),
    Faulty(
        "loop-backs are not counted as injected",
        "N=8 TEST=frame",
        (kind.COUNTERS,),
        (leaves("entering[i]}", "up_valid_o[i]}"),),
    ),
    Faulty(
        "loop-backs are not counted as delivered",
        "N=8 TEST=frame",
        (kind.COUNTERS,),
        (leaves("valid_o[i]};", "down_valid_i[i]};"),),
    ),
    Faulty(
        "payload shows through at idle outputs",
        "N=8 TEST=single_packets",
        (kind.IDLE_NOT_ZERO,),
        (leaves("= data_i[x*W +: W] & {W{own[x]}};", "= data_i[x*W +: W];"),),
    ),
    Faulty(
        "idle outputs claim packets",
        "N=8 TEST=single_packets",
        (kind.SPURIOUS,),
        (
            leaves("down_data_i[x*W +: W] | (", "{W{~valid_o[x]}} | down_data_i[x*W +: W] | ("),
            tree(".valid_o     (valid_o)", ".valid_o     ()"),
            tree(
                "  wire [N-1:0]   loop;\n",
                "  wire [N-1:0]   loop;\n  assign valid_o = {N{1'b1}};\n",
            ),
        ),
    ),
    Faulty(
        "a reset leaves in the registers what is inside",
        "N=8 TEST=reset_in_frame",
        (kind.UNPREDICTED,),
        (
            delay_line("reg [WIDTH-1:0] data_q;", "reg [WIDTH-1:0] data_q = 0;"),
            delay_line("data_q <= rst ? {WIDTH{1'b0}} : data_i;", "data_q <= data_i;"),
        ),
    ),
    Faulty(
        "an idle output shows what was never written",
        "N=8 TEST=single_packets",
        (kind.UNKNOWN,),
        (delay_line("data_o = full_q ?", "data_o = (full_q || WIDTH > 32) ?"),),
    ),
    Faulty(
        "a counter is never reset",
        "N=8 TEST=frame",
        (kind.UNKNOWN, kind.COUNTERS),
        (tree("injected_q  <= rst ? {COUNT_W{1'b0}} : ", "injected_q  <= "),),
    ),
    Faulty(
        "STATIC: wires of the upper half lead to the wrong node",
        "N=16 TEST=frame UPPER_HALF=STATIC",
        (kind.MISDELIVERED,),
        (tree("FROM = (k ^ (g + 1)) * UP", "FROM = ((k + g + 1) % NODES) * UP"),),
    ),
    Faulty(
        "loop-backs are dropped",
        "N=8 TEST=frame",
        (kind.LOST,),
        (
            leaves(".data_i(own),", ".data_i({N{1'b0}}),"),
            leaves(".data_i(own_data)", ".data_i({(N*W){1'b0}})"),
        ),
    ),
    Faulty(
        "valid never rises",
        "N=8 TEST=frame",
        (kind.LOST,),
        (leaves("= down_valid_i | looped;", "= {N{1'b0}};"),),
    ),
)


# On Verilator a build takes ten seconds: one of each transport of a fault to the verdict.
ON_VERILATOR = (SWAPPED_CHILDREN, ONE_LANE_TOO_FEW)
SEEDED = next(d for d in DESIGNS if "overtakes" in d.name)  # its faults depend on the seed


def run(tb_cli: Cli, rtl: Path, variables: str, sim: str) -> subprocess.CompletedProcess[str]:
    return tb_cli("sim", f"RTL={rtl}", f"SIM={sim}", *variables.split())


def counts(output: str) -> dict[str, int]:
    """The faults that the report names, and how often each was seen."""
    return {name: int(count) for name, count in re.findall(r"^  (\w+): (\d+)$", output, re.M)}


@pytest.fixture
def faulty_rtl(request: pytest.FixtureRequest, rtl_copy: Path) -> Path:
    """The copy of rtl/, made faulty."""
    for edit in request.param.edits:
        edit.apply(rtl_copy)
    return rtl_copy


def check_caught(design: Faulty, result: subprocess.CompletedProcess[str], rtl: Path) -> None:
    told = result.stdout
    assert result.returncode == 1, told + result.stderr
    assert "FAIL" in told
    assert result.stderr == ""
    found = counts(told)
    assert (STOPPED in told) == (STOPPED in design.names), told
    if STOPPED not in design.names:
        assert set(design.names) <= set(found), told
        assert found[design.names[0]] == max(found.values()), told
    replay = re.search(r"replay: make sim (.*)", told)
    assert replay, told
    assert f"RTL={rtl}" in replay[1]
    assert "SEED=1" in replay[1]


def variants(designs: Iterable[Faulty]) -> Any:
    cases = [pytest.param(d, d, id=d.name) for d in designs]
    return pytest.mark.parametrize(("design", "faulty_rtl"), cases, indirect=["faulty_rtl"])


@pytest.mark.usefixtures("icarus")
@variants(DESIGNS)
def test_icarus_catches(design: Faulty, faulty_rtl: Path, tb_cli: Cli) -> None:
    check_caught(design, run(tb_cli, faulty_rtl, design.variables, "icarus"), faulty_rtl)


@variants(ON_VERILATOR)
def test_verilator_catches(design: Faulty, faulty_rtl: Path, tb_cli: Cli) -> None:
    check_caught(design, run(tb_cli, faulty_rtl, design.variables, "verilator"), faulty_rtl)


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("variables", sorted({d.variables for d in DESIGNS}))
def test_sound_copy_passes(variables: str, rtl_copy: Path, tb_cli: Cli) -> None:
    """What fails above fails for its fault: the same run of an unpatched copy passes."""
    result = run(tb_cli, rtl_copy, variables, "icarus")
    assert result.returncode == 0, result.stdout + result.stderr
    assert not counts(result.stdout)
    assert "replay:" not in result.stdout


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("faulty_rtl", [SEEDED], indirect=True, ids=["by-seed"])
def test_replay_line_repeats_the_failure(faulty_rtl: Path, tb_cli: Cli) -> None:
    first = run(tb_cli, faulty_rtl, f"{SEEDED.variables} SEED=7", "icarus")
    replay = re.search(r"replay: make (.*)", first.stdout)
    assert replay, first.stdout
    again = tb_cli(*replay[1].split())
    assert again.returncode == 1
    assert counts(again.stdout) == counts(first.stdout) != {}


@pytest.mark.usefixtures("icarus")
def test_other_tests_of_the_run_are_still_judged(rtl_copy: Path, tb_cli: Cli) -> None:
    """A test that stops the simulator takes the tests after it along; none is passed over."""
    ONE_LANE_TOO_FEW.edits[0].apply(rtl_copy)
    result = run(tb_cli, rtl_copy, "N=8 TEST=single_packets,frame,rotators", "icarus")
    assert result.returncode == 1
    for name in ("frame", "rotators"):
        assert f"test {name} left no result" in result.stdout, result.stdout
    assert "1 of 3 tests passed" in result.stdout, result.stdout


def test_every_name_of_a_fault_is_produced() -> None:
    names = {v for k, v in vars(kind).items() if k.isupper() and isinstance(v, str)}
    produced = {name for d in DESIGNS for name in d.names} - {STOPPED}
    assert produced == names - {kind.UNCHECKED}  # which no design can cause: test_verdict.py
