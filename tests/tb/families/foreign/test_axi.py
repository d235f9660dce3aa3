"""Agents of cocotbext-axi at the leaves of a design: what they find is what the player finds."""

from pathlib import Path

import pytest

from fattree_bench import Design, UserError, run
from fattree_bench.bench.result import ScenarioResult, Test
from fattree_bench.families.foreign.network import ForeignNetwork
from tests.cli import Cli, succeeds
from tests.tb.families.foreign.planted import THREE
from tests.tb.families.foreign.test_planted import copied

DESIGNS = Path(__file__).parent / "designs"


def edited(folder: Path, name: str, *edits: tuple[str, str]) -> Path:
    """A copy of a design's description with edits; its sources stay where they are."""
    text = (DESIGNS / f"{name}.toml").read_text().replace(f'"{name}.v"', f'"{DESIGNS / name}.v"')
    for old, new in edits:
        assert old in text, f"{old!r}: edit is out of date"
        text = text.replace(old, new)
    path = folder / f"{name}.toml"
    path.write_text(text)
    return path


def played(path: Path, agent: str, names: list[str], **variables: object) -> list[Test]:
    """Tests of a design on Icarus, short."""
    design = Design.read(path)
    return run(design, names, SIM="icarus", PERIOD=40, AGENT=agent, **variables)


def result(test: Test) -> ScenarioResult:
    assert test.passed and test.result is not None, test.details
    return test.result


@pytest.mark.usefixtures("icarus")
def test_both_agents_deliver_the_same(tmp_path: Path) -> None:
    """The same packets, and to each alone in the same clocks."""
    names = ["each_pair", "hot_spot"]
    path = edited(tmp_path, "crossbar")
    frame, axi = (played(path, agent, names, DEBUG=1) for agent in ("FRAME", "AXI"))
    for one, other in zip(frame, axi, strict=True):
        first, second = result(one), result(other)
        assert (first.sent, first.delivered) == (second.sent, second.delivered) != (0, 0)
        assert first.rows("leaves") == second.rows("leaves")
        assert first.figure("flits") == second.figure("flits")
        assert (first.level, first.promises) == (second.level, second.promises)
    alone = [result(tests[0]) for tests in (frame, axi)]
    assert alone[0].steps == alone[1].steps  # no agent waits: clock by clock the same
    log = Path(axi[0].log).read_text()
    assert "axis_send2" in log and "TX frame: AxiStreamFrame(" in log and "RX frame" in log


@pytest.mark.usefixtures("icarus")
@pytest.mark.nightly
def test_all_tests_pass_and_pauses_repeat(tmp_path: Path) -> None:
    path = edited(tmp_path, "crossbar")
    every = [name for name in Design.read(path).scenarios() if name not in ("sweep", "file")]
    for test in played(path, "AXI", every):
        result(test)
    once, again = (result(*played(path, "AXI", ["pauses"])) for _ in range(2))
    assert once.steps == again.steps
    assert "TX frame" not in Path(played(path, "AXI", ["each_pair"])[0].log).read_text()


@pytest.mark.usefixtures("icarus")
@pytest.mark.nightly
@pytest.mark.parametrize("width", [12, 16, 80])
def test_words_of_any_width(width: int, tmp_path: Path) -> None:
    """Narrower than a tag, no whole bytes, wider than a flit."""
    lengths = ('words = "1-12"', f'words = "{"2-12" if width < 32 else "1-12"}"')
    path = edited(tmp_path, "crossbar", ("width = 32", f"width = {width}"), lengths)
    for test in played(path, "AXI", ["each_pair", "uniform"]):
        result(test)


@pytest.mark.usefixtures("icarus")
def test_levels_are_the_same(tmp_path: Path) -> None:
    """Taps, routes, and the clock in which each packet arrives."""
    for name in ("loop.v", "loop.toml", "loop_of_mine.py"):
        (tmp_path / name).write_text((DESIGNS / name).read_text())
    for test in played(tmp_path / "loop.toml", "AXI", ["each_pair", "opposite"]):
        assert result(test).level == "L3 exact"
        assert result(test).figure("taps_used") == 4


@pytest.mark.nightly
def test_verilator_agrees(tb_cli: Cli, tmp_path: Path) -> None:
    words = ("SIM=verilator", "PERIOD=40", "AGENT=AXI", f"BUILD={tmp_path / 'build'}")
    sound = f"DESIGN={edited(tmp_path, 'crossbar')}"
    tests = "TEST=each_pair,uniform,pauses,stalls,reset"
    succeeds(tb_cli("sim", sound, tests, *words))
    done = tb_cli("sim", f"DESIGN={copied(tmp_path, THREE)}", f"TEST={THREE.test}", *words)
    assert done.returncode == 1, done.stdout + done.stderr
    for name in (*THREE.says, THREE.rule):
        assert name in done.stdout


@pytest.mark.parametrize("name", ["ring", "credits", "slots", "cells"])
def test_another_link_is_one_line(name: str, tb_cli: Cli) -> None:
    done = tb_cli("sim", f"DESIGN={DESIGNS / name}.toml", "AGENT=AXI", "SIM=icarus")
    assert done.returncode == 2 and not done.stdout
    line = f"error: {name}.toml: AGENT=AXI: needs link.kind = 'stream', not '"
    assert done.stderr.startswith(line) and done.stderr.count("\n") == 1


def test_a_keep_that_is_none_is_one_line(tmp_path: Path) -> None:
    last = 'last = "m_axis_tlast"'
    path = edited(tmp_path, "crossbar", (last, f'{last}\nkeep = "m_axis_tkeep:3"'))
    with pytest.raises(UserError) as error:
        ForeignNetwork.from_variables({"DESIGN": str(path), "AGENT": "AXI"})
    output = "AGENT=AXI: link.receive.keep: 3 bits do not divide a word of 32 bits"
    assert str(error.value) == f"crossbar.toml: {output}"
