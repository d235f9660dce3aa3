"""What a design drops is lost; what may still be inside is stuck."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.resets import inside
from fattree_bench.bench.links.flit.sent import FlitPlan
from fattree_bench.families.foreign.passed import passed
from fattree_models.traffic import Packets
from tests.cli import Cli
from tests.tb.bench.test_flit_delivery import LINK
from tests.tb.families.foreign.planted import PLANTED
from tests.tb.families.foreign.test_planted import DESIGNS, copied

# The crossbar loses each 50th word for output 2: its own fault, one that no queue holds.
EDITS = (
    ("reg  [INPUTS-1:0]  held_q;", "reg [7:0] lost_q = 0; reg [INPUTS-1:0] held_q;"),
    (
        "if (free[g]) m_axis_tvalid[g] <= (moves != {INPUTS{1'b0}});",
        "if (g == 2 && moves != 0) lost_q <= (lost_q == 49) ? 8'd0 : lost_q + 8'd1;\n"
        "        if (free[g]) m_axis_tvalid[g] <= (moves != 0) && (g != 2 || lost_q != 49);",
    ),
)


def left(pairs: list[tuple[int, int]], missing: set[int], held: bool = False) -> FlitPlan:
    """Packets of one flit, one a clock; some did not come; `held`: one is to be sent."""
    source, goal = zip(*pairs, strict=True)
    plan = FlitPlan(LINK, PacketSet(Packets.of(source, goal, 0, 1), "by hand"))
    seen = plan.seen
    order = np.argsort(np.asarray(source), kind="stable")  # as lists have them
    for at, packet in enumerate(order.tolist()):
        seen.injected[at] = packet
        seen.arrival[at] = -1 if packet in missing else packet + 9
    seen.begun[:] = plan.sent.lengths
    seen.begun[0] -= held
    return plan


@pytest.mark.parametrize(
    ("pairs", "missing", "lost"),
    [
        ([(0, 1), (0, 1)], {0}, True),  # the next of its pair came
        ([(0, 1), (0, 1)], {1}, False),  # the last one: nothing tells
        ([(0, 1), (0, 1)], {0, 1}, False),
        ([(0, 1), (0, 2), (3, 1)], {0}, True),  # neither input nor output stands still
        ([(0, 1), (0, 2)], {0}, False),  # output 1 may
        ([(0, 1), (3, 1)], {0}, False),  # input 0 may
        # A queue of the pair alone may stand still.
        ([(0, 1), (0, 1), (0, 2), (3, 1)], {0, 1}, False),
    ],
)
def test_what_was_passed_is_lost(
    pairs: list[tuple[int, int]], missing: set[int], lost: bool
) -> None:
    assert passed(left(pairs, missing)) is lost
    assert not passed(left(pairs, missing, held=True))  # an input stands still


def test_what_a_pulse_took_is_not_inside_at_the_next() -> None:
    seen = FlitPlan(LINK, PacketSet(Packets.of([0], [1], 0, 1), "by hand")).seen
    seen.injected[0] = 2
    assert inside(seen, (5, 6, 9)).tolist() == [True, False]
    assert inside(seen, (1, 9)).tolist() == [False, True]


@pytest.mark.usefixtures("icarus")
def test_a_broken_rule_comes_first(tb_cli: Cli, tmp_path: Path) -> None:
    """With its port and its clock, before what it causes."""
    fault = next(one for one in PLANTED if one.name == "crossbar: a grant ends with each word")
    words = (f"DESIGN={copied(tmp_path, fault)}", f"BUILD={tmp_path / 'build'}", "TEST=uniform")
    done = tb_cli("sim", "NETWORK=foreign", "SIM=icarus", "PERIOD=40", *words)
    assert re.search(r"first fault +output \d, clock \d+", done.stdout), done.stdout


@pytest.mark.usefixtures("icarus")
def test_a_word_in_fifty_is_lost(tb_cli: Cli, tmp_path: Path) -> None:
    """None is said to be inside, nothing to be stuck; what they share is named."""
    for path in DESIGNS.glob("crossbar.*"):
        shutil.copyfile(path, tmp_path / path.name)
    verilog = tmp_path / "crossbar.v"
    text = verilog.read_text()
    for old, new in EDITS:
        assert text.count(old) == 1
        text = text.replace(old, new)
    verilog.write_text(text)
    words = (f"DESIGN={tmp_path / 'crossbar.toml'}", f"BUILD={tmp_path}", "TEST=shortest")
    done = tb_cli("sim", "NETWORK=foreign", "SIM=icarus", *words)
    assert done.returncode == 1, done.stdout + done.stderr
    said = " ".join(done.stdout.split())
    assert "lost: " in said and "stuck" not in said and "still inside" not in said, done.stdout
    assert "are for leaf 2" in said, done.stdout
