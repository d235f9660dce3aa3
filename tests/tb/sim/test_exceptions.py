"""Code of a user that ends with an exception: a line says where, and no other test suffers."""

from pathlib import Path

import pytest

from tests.cli import Cli

OWN = """
from pyuvm import uvm_factory

from fattree_bench.bench.scenario import Registry
from fattree_bench.bench.sequence import Sequence
from fattree_bench.bench.test import BenchTest
from fattree_bench.families.lbbvn.scoreboard import SlotScoreboard
from fattree_bench.families.lbbvn.sequences import BitReverseFrame

SCENARIOS = Registry()


class Raises(SlotScoreboard):
    def write(self, *captured):
        raise KeyError("oops")


@SCENARIOS.add()
class Board(BenchTest):
    def build_phase(self):
        board = "uvm_test_top.env.scoreboard"
        uvm_factory().set_inst_override_by_type(SlotScoreboard, Raises, board)
        super().build_phase()

    async def main(self):
        await self.sequencer.do(BitReverseFrame("frame"))


@SCENARIOS.add()
class Stimulus(Sequence):
    async def body(self):
        await self.do(BitReverseFrame("frame"))
        raise ValueError("no more of this")


@SCENARIOS.add()
class Fine(Sequence):
    async def body(self):
        await self.do(BitReverseFrame("frame"))
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(OWN)
    return path


def lines(cli: Cli, *tests: str) -> str:
    """What a failing run says, in one line."""
    done = cli("sim", "N=8", f"TEST={','.join(tests)}", "SIM=icarus")
    assert done.returncode == 1, done.stdout + done.stderr
    return " ".join(done.stdout.split())


@pytest.mark.usefixtures("icarus")
def test_a_sequence_raises(tb_cli: Cli, own: Path) -> None:
    """What it sent before is judged; the next test passes."""
    found = lines(tb_cli, f"{own}::stimulus", f"{own}::fine")
    assert "raised: 1 ValueError: no more of this (mine.py:33)" in found
    assert "packets: 64 sent, 64 delivered" in found
    assert "1 of 2 tests passed" in found and f"PASS {own}::fine" in found


@pytest.mark.usefixtures("icarus")
def test_a_component_raises(tb_cli: Cli, own: Path) -> None:
    """The bench is not whole any more: the next test has another, and nothing is blamed."""
    found = lines(tb_cli, f"{own}::board", f"{own}::fine")
    assert f"cocotb: test {own}::board failed: KeyError: 'oops' (mine.py:15)" in found
    assert "1 of 2 tests passed" in found and f"PASS {own}::fine" in found
    assert "lanes:" not in found


KILLED = """
import os
import signal

from fattree_bench.bench.scenario import Registry
from fattree_bench.bench.sequence import Sequence
from {} import {} as Some

SCENARIOS = Registry()


@SCENARIOS.add()
class Killed(Sequence):
    async def body(self):
        for number in range(3):
            if number == 2:  # comes to force when the last item is loaded, before its first clock
                os.kill(os.getpid(), signal.SIGTERM)
            await self.do(Some("some"))
"""


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize(
    ("words", "module", "sequence"),
    [
        ("NETWORK=lbbvn N=4", "families.lbbvn.sequences", "BitReverseFrame"),
        ("NETWORK=lbbvn_switch N=4", "families.lbbvn_switch.sequences", "OneOutput"),
        ("NETWORK=leiserson N=8", "families.leiserson.sequences", "AllToAll"),
        ("NETWORK=kary K=2 LEVELS=2", "bench.links.flit.sequences", "Uniform"),
    ],
)
def test_a_run_is_killed_before_the_first_clock_of_a_burst(
    words: str, module: str, sequence: str, tb_cli: Cli, tmp_path: Path
) -> None:
    """What is recorded is still of the burst before: the player is not accused of it."""
    (tmp_path / "mine.py").write_text(KILLED.format(f"fattree_bench.{module}", sequence))
    done = tb_cli("sim", *words.split(), f"TEST={tmp_path}/mine.py::killed", "SIM=icarus")
    found = " ".join(done.stdout.split())
    assert done.returncode == 1 and "stopped; checked before that" in found, found
    assert "first fault the simulator ended" in found, found
