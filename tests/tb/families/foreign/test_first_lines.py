"""What a stranger reads first of a failing design names what is wrong with it."""

import re
from pathlib import Path

import pytest

from fattree_bench.bench.progress import Progress, read
from fattree_bench.families.foreign.checkup import advice_of_build
from tests.cli import Cli
from tests.tb.families.foreign.planted import Planted
from tests.tb.families.foreign.test_planted import copied

SERVES = "wire [INPUTS-1:0] grant = (held_q != {INPUTS{1'b0}}) ? held_q : fresh;"
TAKES = "assign takes[g] = granted[g*INPUTS + h] & free[g]"
COUNTS = (
    "always @(posedge clk) begin : serve",
    "reg [5:0] count_q = 0;\n      always @(posedge clk) if (moves != 0) count_q <= count_q + 1;\n"
    "      always @(posedge clk) begin : serve",
)
VALID = "if (free[g]) m_axis_tvalid[g] <= (moves != {INPUTS{1'b0}});"
WANTS = "(s_axis_tdest[h*DEST_W +: DEST_W] == SELF[DEST_W-1:0])"
STRAYS = "(h == 3 && s_axis_tdest[h*DEST_W +: DEST_W] == 0)"

# Edits of the crossbar, and the first line.
CASES = {
    "an output serves 60 words": (
        (SERVES, SERVES.replace(": fresh", ": (&count_q[5:2]) ? {INPUTS{1'b0}} : fresh")),
        COUNTS,
        r"clock \d+, of “uniform.*: stuck: nothing moved after clock",
    ),
    "a first word is sent twice": (
        (f"{TAKES};", f"{TAKES} & ~gen_output[g].twice;"),
        (
            COUNTS[0],
            "wire twice = held_q == 0 && (moves & ~s_axis_tlast) != 0 && &count_q[2:0];\n"
            f"      {COUNTS[1]}",
        ),
        r"leaf \d, clock \d+, of “uniform.*: duplicated: flit 0 of packet",
    ),
    "a body word is lost": (
        (
            VALID,
            "if (free[g]) m_axis_tvalid[g] <= moves != 0 && (held_q == 0 || &count_q[4:0] == 0\n"
            "          || (moves & s_axis_tlast) != 0);",
        ),
        COUNTS,
        r"leaf \d, sent in clock \d+, of .*; 1 of its \d+ flits never came \(lost\)",
    ),
}


def first(tb_cli: Cli, folder: Path, *edits: tuple[str, str]) -> str:
    """What a faulty crossbar leads to, each line joined with those that continue it."""
    fault = Planted("", "crossbar", "", (), tuple((".v", *edit) for edit in edits))
    words = f"DESIGN={copied(folder, fault)}", f"BUILD={folder / 'build'}", "TEST=uniform"
    done = tb_cli("sim", "NETWORK=foreign", "SIM=icarus", "PERIOD=40", *words)
    assert done.returncode == 1, done.stdout + done.stderr
    return re.sub(r"\n {10,}", " ", done.stdout)


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("name", CASES)
def test_the_first_line_names_the_fault(name: str, tb_cli: Cli, tmp_path: Path) -> None:
    *edits, told = CASES[name]
    said = first(tb_cli, tmp_path, *edits)
    assert re.search(rf"^  first fault +{told}", said, re.MULTILINE), said


def test_a_run_writes_its_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for progress in (Progress(), Progress()):
        progress.write(4_000_000)
        progress.write(5)  # within a second
    assert read(tmp_path) == ", clock 4,000,000"


def test_a_newer_language_is_proposed() -> None:
    log = "a.v:3: error: Local parameters in module parameter port lists requires SystemVerilog."
    assert "design.language" in str(advice_of_build(log))


@pytest.mark.usefixtures("icarus")
def test_a_packet_strays_once(tb_cli: Cli, tmp_path: Path) -> None:
    """Not with each of its words."""
    strays = (WANTS, f"(({STRAYS} ? 1 : s_axis_tdest[h*DEST_W +: DEST_W]) == SELF[DEST_W-1:0])")
    own = "m_axis_tdest[g*DEST_W +: DEST_W] <= s_axis_tdest[i*DEST_W +: DEST_W];"
    said = first(tb_cli, tmp_path, strays, (own, f"{own.partition('<=')[0]}<= SELF[DEST_W-1:0];"))
    listed, counted = (re.search(rf"{x}", said) for x in (r"misdelivered: (\d+)", r"(\d+) at a wr"))
    assert listed and counted and int(listed[1]) == int(counted[1]) > 3, said


@pytest.mark.usefixtures("icarus")
def test_channels_of_a_pair_may_overtake_each_other(tb_cli: Cli, tmp_path: Path) -> None:
    """They do, in this sound design, and it may promise the order of each."""
    reset = "[promises]\nreset = true\n"
    for order, faults in (("true", 1), ('"channel"', 0)):
        edits = ((".toml", reset, f"[promises]\norder = {order}\n"), (".toml", '"1-8"', "4"))
        design = copied(tmp_path / str(faults), Planted("", "channels", "", (), edits))
        words = f"DESIGN={design}", f"BUILD={tmp_path / 'build'}", "TEST=uniform"
        done = tb_cli("sim", "NETWORK=foreign", "SIM=icarus", *words)
        assert done.returncode == faults, done.stdout + done.stderr
        assert ("reordered: " in done.stdout) == bool(faults), done.stdout
