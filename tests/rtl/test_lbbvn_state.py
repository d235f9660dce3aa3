"""The nodes of the bufferless fat-tree keep nothing: bits of state after elaboration by Yosys."""

import re
from pathlib import Path

import pytest

from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_bench.paths import ROOT
from fattree_bench.sim.yosys import copied, hierarchy, run_yosys

RTL = ROOT / "rtl"


def state(folder: Path, **parameters: object) -> int:
    """Flip-flops of a node, those of memories and latches among them."""
    files, includes = Lbbvn.from_variables({"N": "8"}).rtl.synthesized(RTL)
    script = [
        copied(folder, RTL, files, includes).read(),
        hierarchy("lbbvn_node", parameters),
        *("proc", "flatten", "opt_clean", "memory", "simplemap"),
        "select -count t:$_*DFF* t:$_*LATCH* t:$mem*",
    ]
    return int(re.findall(r"^(\d+) objects\.", run_yosys(script, folder), re.M)[-1])


@pytest.mark.parametrize("control", ["SELF", "SCHEDULED"])
def test_nodes_keep_nothing(control: str, tmp_path: Path, record_property) -> None:
    """Without PIPELINE none; with it what a register at every port of 16 + 1 + 3 bits a lane is."""
    node = {"N_LOG": 3, "LEVEL": 1, "C_UP": 2, "C_DOWN": 2, "H": 3, "W": 16}
    node |= {"CONTROL": f'"{control}"'}
    without = state(tmp_path / "without", PIPELINE=0, TURN_DELAY=0, **node)
    piped = state(tmp_path / "piped", PIPELINE=1, TURN_DELAY=0, **node)
    record_property("state_bits", without)
    record_property("pipeline_bits", piped)
    assert without == 0
    assert piped == (2 + 2 * 2) * (1 + 16 + (3 if control == "SELF" else 0))
