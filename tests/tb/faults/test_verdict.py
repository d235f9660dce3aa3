"""The verdict is the project's own: whatever a run leaves unsaid is a failure."""

import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from fattree_bench.bench import faults as kind
from fattree_bench.bench.environment import outcome as outcome_of
from fattree_bench.bench.links.slot.frame import Captured, SlotFrame
from fattree_bench.bench.links.slot.traffic import drain
from fattree_bench.bench.result import ScenarioResult
from fattree_bench.families import scenarios
from fattree_bench.families.lbbvn.cover import PAIRS
from fattree_bench.families.lbbvn.coverage import SlotCoverage
from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_bench.families.lbbvn.plan import make_plan
from fattree_bench.families.lbbvn.scoreboard import SlotScoreboard
from fattree_bench.sim.build import Built
from fattree_bench.sim.outcome import Outcome, judge
from fattree_bench.sim.simulate import simulate
from fattree_bench.sim.variables import check
from fattree_models.lbbvn import bit_reverse_shifts
from tests.tb.bench.alone import alone

# ---- what is left of a run -----------------------------------------------------------------------

GOOD = json.dumps(asdict(ScenarioResult("frame", sent=16, delivered=16))) + "\n"
FAULTY = json.dumps(asdict(ScenarioResult("frame", {"lost": 1}, sent=16))) + "\n"
IDLE = json.dumps(asdict(ScenarioResult("frame"))) + "\n"
OTHER = json.dumps(asdict(ScenarioResult("rotators", sent=16))) + "\n"


def xml(*cases: str) -> str:
    return f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>"


CASE = '<testcase name="frame" />'
FAILED = '<testcase name="frame"><failure message="bang" /></testcase>'
BROKEN = '<testcase name="frame"><error message="bang" /></testcase>'
LOG = "0.00ns INFO cocotb.regression running fattree_bench.sim.entry.frame (1/1)\n"
CHECK = LOG + (
    "FATAL: lbbvn_bench.v:120: a conflict where the bench expects none: "
    "1 on the way up at level 2\n"
    "       Time: 16 Scope: lbbvn_bench.gen_clear[2]\n"
)
PARAMETER = LOG + (
    "[0] %Fatal: lbbvn_tree.v:320: Assertion failed in lbbvn_bench.u_tree: "
    "lbbvn_bench.u_tree: parameter N_LOG = 11 is out of range\n"
)

FILES = {"results.jsonl": GOOD, "results.xml": xml(CASE), "sim.log": LOG}


def verdict(folder: Path, files: dict[str, str | None], *expected: str) -> Outcome:
    for name, text in {**FILES, **files}.items():
        if text is not None:
            (folder / name).write_text(text)
    outcome = Outcome(log=folder / "sim.log")
    judge(outcome, folder, list(expected))
    return outcome


def test_good_folder_passes(tmp_path: Path) -> None:
    outcome = verdict(tmp_path, {}, "frame")
    assert outcome.passed
    assert not outcome.problems


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        pytest.param({"results.xml": None}, "cocotb left no results file", id="no-xml"),
        pytest.param({"results.xml": xml(CASE)[:40]}, "cocotb left no results", id="cut-xml"),
        pytest.param({"results.xml": ""}, "cocotb left no results file", id="empty-xml"),
        pytest.param({"results.xml": xml()}, "cocotb ran 0 of 1 tests", id="zero-tests"),
        pytest.param({"results.jsonl": None}, "test frame left no result", id="no-result"),
        pytest.param({"results.jsonl": ""}, "test frame left no result", id="empty-results"),
        pytest.param({"results.jsonl": GOOD[:50]}, "result was cut off", id="cut-result"),
        pytest.param({"results.jsonl": GOOD + GOOD[:9]}, "result was cut off", id="cut-second"),
        pytest.param({"results.jsonl": OTHER}, "test frame left no result", id="another-test"),
        pytest.param({"results.xml": xml(FAILED)}, "cocotb: test frame failed", id="failure"),
        pytest.param({"results.xml": xml(BROKEN)}, "cocotb: test frame failed", id="error"),
        pytest.param({"sim.log": CHECK}, "a check in the design stopped", id="design-check"),
        pytest.param(
            {"sim.log": PARAMETER},
            "u_tree: at 0: parameter N_LOG = 11 is out of range",
            id="parameter",
        ),
    ],
)
def test_bad_folder_fails(files: dict[str, str | None], problem: str, tmp_path: Path) -> None:
    outcome = verdict(tmp_path, files, "frame")
    assert not outcome.passed
    assert any(problem in output for output in outcome.problems), outcome.problems


@pytest.mark.parametrize("line", [FAULTY, IDLE], ids=["a-fault", "nothing-sent"])
def test_failed_result_fails(line: str, tmp_path: Path) -> None:
    assert not verdict(tmp_path, {"results.jsonl": line}, "frame").passed


def test_fewer_tests_than_planned(tmp_path: Path) -> None:
    outcome = verdict(tmp_path, {}, "frame", "rotators")
    assert not outcome.passed
    assert {"test rotators left no result", "cocotb ran 1 of 2 tests"} <= set(outcome.problems)


def test_nothing_at_all_fails(tmp_path: Path) -> None:
    judge(outcome := Outcome(log=tmp_path / "sim.log"), tmp_path, [])
    assert not outcome.passed


# A stand-in for the simulator: does its work, as far as anyone can see, and then does `end`.
SIMULATOR = """#!{python}
import json, os, signal
plan = json.load(open(os.environ["TB_PLAN"]))
open(plan["results"], "w").write({result!r})
open(os.environ["COCOTB_RESULTS_FILE"], "w").write({xml!r})
{end}
"""


@pytest.mark.parametrize(
    ("end", "passed"),
    [
        ("", True),
        ("os._exit(1)", False),
        ("os._exit(255)", False),
        ("os.kill(os.getpid(), signal.SIGSEGV)", False),
    ],
    ids=["good", "exit-1", "exit-255", "crash"],
)
def test_exit_of_the_simulator(end: str, passed: bool, tmp_path: Path) -> None:
    fake = tmp_path / "simulation"
    fake.write_text(SIMULATOR.format(python=sys.executable, result=GOOD, xml=xml(CASE), end=end))
    fake.chmod(0o755)
    variables = check({"N": "4", "BUILD": str(tmp_path / "build")})
    built = Built(tmp_path, "lbbvn_bench", 0.0, "verilator", False)
    outcome = simulate(variables, built, [scenarios("lbbvn")["frame"]])
    assert [r.scenario for r in outcome.results] == ["frame"]
    assert outcome.passed == passed
    signalled = "SIGSEGV" in end
    why = "was killed by SIGSEGV" if signalled else "ended with an error"
    assert passed or any(f"the simulator {why}" in p for p in outcome.problems)


# ---- the scoreboard, without a simulator ---------------------------------------------------------

NETWORK = Lbbvn.from_variables({"N": "8"})
LATENCY = NETWORK.latency
FRAME = bit_reverse_shifts(NETWORK.n)
SPARSE = np.where(np.arange(8) % 2 == 0, FRAME, -1).astype(np.int32)  # leaves idle at both ends
CONFLICT = np.array([[4, 4, *[-1] * 6]], np.int32)  # both from leaves of one switch of level 1
LOOPS = np.tile(np.arange(8, dtype=np.int32), (8, 1))  # the same pairs in every slot
Bits = npt.NDArray[np.bool_]
Words = npt.NDArray[np.uint32]
Fault = Callable[[Bits, Words], None]
UNRUN = SimpleNamespace(folder=None, network=NETWORK, stimulus={})


@pytest.fixture
def board() -> SlotScoreboard:
    return alone(SlotScoreboard, NETWORK)


def stream(dst: npt.NDArray[np.int32]) -> tuple[SlotFrame, SlotFrame, Bits, Words]:
    """A frame, its drain, and what a sound network gives out in their clocks."""
    item, idle = SlotFrame(dst), drain(NETWORK)
    item.sequence, idle.sequence = 0, len(dst)
    for part in (item, idle):
        part.plan = make_plan(NETWORK, part.dst)
    valid = np.zeros((len(dst) + idle.slots, 8), np.bool_)
    data = np.zeros(valid.shape, np.uint32)
    row, leaf = np.nonzero(item.plan.arrived >= 0)
    valid[row + LATENCY, leaf] = True
    words = NETWORK.layout.payload.frame(len(dst), item.sequence)
    data[row + LATENCY, leaf] = words[row, item.plan.arrived[row, leaf]]
    return item, idle, valid, data


def faults_of(
    board: SlotScoreboard, dst: npt.NDArray[np.int32], fault: Fault, drained: bool = True
) -> dict[str, int]:
    """What the scoreboard makes of a stream that `fault` was done to."""
    item, idle, valid, data = stream(dst)
    fault(valid, data)
    bits = np.packbits(valid, axis=1, bitorder="little")
    counters = np.append(item.plan.conflicts.sum(axis=0), [0, 0]).astype(np.uint32)
    board.write(Captured(item, bits[: len(dst)], data[: len(dst)], counters))
    counters[-2:] = item.plan.sent, item.plan.delivered
    if drained:
        board.write(Captured(idle, bits[len(dst) :], data[len(dst) :], counters))
    board.check_phase()
    return dict(board.faults.counts)


def nothing(valid: Bits, data: Words) -> None:
    pass


def flip(valid: Bits, data: Words) -> None:
    data[LATENCY, 0] ^= 1 << 7


def clear(valid: Bits, data: Words) -> None:
    data[LATENCY + 3] = 0


def lose(valid: Bits, data: Words) -> None:
    valid[LATENCY, 0], data[LATENCY, 0] = False, 0


def stray(valid: Bits, data: Words) -> None:
    data[0, 0] = 0xDEAD


def invent(valid: Bits, data: Words) -> None:
    valid[0, 0], data[0, 0] = True, 0xDEADBEEF


def swap(valid: Bits, data: Words) -> None:
    data[LATENCY, [0, 1]] = data[LATENCY, [1, 0]]


def repeat(valid: Bits, data: Words) -> None:
    """At the end of the drain the last packet of leaf 0 comes again."""
    valid[-1, 0], data[-1, 0] = True, data[LATENCY + 7, 0]


def delay(valid: Bits, data: Words) -> None:
    valid[:], data[:] = np.roll(valid, 1, axis=0), np.roll(data, 1, axis=0)


def spare(valid: Bits, data: Words) -> None:
    """Of two the one arrives that is to be lost."""
    words = NETWORK.layout.payload.frame(1, 0)[0]
    data[LATENCY, 4] ^= words[0] ^ words[1]


def overtake(valid: Bits, data: Words) -> None:
    data[[LATENCY, LATENCY + 1], 0] = data[[LATENCY + 1, LATENCY], 0]


@pytest.mark.parametrize(
    ("dst", "fault", "names"),
    [
        pytest.param(FRAME, nothing, {}, id="sound"),
        pytest.param(SPARSE, nothing, {}, id="sound-sparse"),
        pytest.param(FRAME, flip, {kind.CORRUPTED: 1}, id="a-bit-flipped"),
        pytest.param(FRAME, clear, {kind.CORRUPTED: 8}, id="words-of-a-slot-zero"),
        pytest.param(FRAME, lose, {kind.LOST: 1}, id="lost"),
        pytest.param(FRAME, stray, {kind.IDLE_NOT_ZERO: 1}, id="idle-not-zero"),
        pytest.param(FRAME, invent, {kind.SPURIOUS: 1}, id="invented"),
        pytest.param(FRAME, swap, {kind.MISDELIVERED: 2}, id="swapped"),
        pytest.param(FRAME, repeat, {kind.DUPLICATED: 1}, id="again"),
        pytest.param(CONFLICT, nothing, {}, id="sound-with-a-loss"),
        pytest.param(CONFLICT, spare, {kind.UNPREDICTED: 1, kind.LOST: 1}, id="not-lost"),
        pytest.param(FRAME, delay, {kind.LATE: 64}, id="late-by-one"),
        pytest.param(LOOPS, delay, {kind.LATE: 64}, id="late-by-one-but-in-order"),
        pytest.param(LOOPS, overtake, {kind.LATE: 2, kind.REORDERED: 1}, id="overtaken"),
    ],
)
def test_name_of_a_fault(
    dst: npt.NDArray[np.int32], fault: Fault, names: dict[str, int], board: SlotScoreboard
) -> None:
    assert faults_of(board, dst, fault) == names


def test_what_was_not_drained_is_unchecked(board: SlotScoreboard) -> None:
    assert set(faults_of(board, FRAME, nothing, drained=False)) == {kind.UNCHECKED}


def test_nothing_sent_is_unchecked(board: SlotScoreboard) -> None:
    assert faults_of(board, np.full_like(FRAME, -1), nothing) == {kind.UNCHECKED: 1}


# ---- coverage ------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [False, True], ids=["sound", "a-wrong-reason"])
def test_a_bin_that_nothing_can_hit_is_a_fault(wrong: bool, board: SlotScoreboard) -> None:
    coverage = SlotCoverage("coverage", None, NETWORK)
    if wrong:
        to_zero = np.arange(8) == 0
        coverage.groups[PAIRS].exclude("nobody sends to leaf 0", to_zero)
    coverage.write(stream(FRAME)[0])
    coverage.fold()
    env: Any = SimpleNamespace(scoreboard=board, coverage=coverage, stop=None, bench=UNRUN)
    board.tally.sent = board.tally.delivered = 64
    result = outcome_of(scenarios("lbbvn")["frame"], env, 0.0, sent=64)
    assert result.passed != wrong
    assert result.faults == ({kind.IMPOSSIBLE: 8} if wrong else {})
    if wrong:
        (output,) = result.examples[kind.IMPOSSIBLE]
        assert output == f"coverage {PAIRS}: 8 bins hit that nothing can hit"


def test_what_is_not_accounted_for_is_a_fault(board: SlotScoreboard) -> None:
    coverage = SlotCoverage("coverage", None, NETWORK)
    env: Any = SimpleNamespace(scoreboard=board, coverage=coverage, stop=None, bench=UNRUN)
    board.tally.sent, board.tally.delivered = 64, 63
    board.check_phase()
    result = outcome_of(scenarios("lbbvn")["frame"], env, 0.0, sent=64)
    assert result.examples == {kind.UNCHECKED: ["64 sent, 63 accounted for"]}
