"""docs/blocks.md: one switch and one line card by hand, simulated and synthesized as printed."""

import re
from pathlib import Path

import pytest

from fattree_bench.paths import ROOT
from fattree_bench.sim.yosys import copied, hierarchy, run_yosys
from tests.icarus import printed

RTL = ROOT / "rtl"
FOLDERS = ("common", "lbbvn", "lbbvn_switch", "wormhole")
SOURCES = [path for folder in FOLDERS for path in sorted((RTL / folder).rglob("*.v"))]
PAGE = (ROOT / "docs" / "blocks.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


@pytest.mark.usefixtures("icarus")
def test_it_prints_what_the_page_says(tmp_path: Path) -> None:
    includes = [RTL / folder for folder in FOLDERS]
    assert printed(block("verilog"), tmp_path, SOURCES, includes, ["-stry_it"]) == block("text")


def test_it_can_be_synthesized(tmp_path: Path) -> None:
    sources = copied(tmp_path, RTL, SOURCES, [RTL / folder for folder in FOLDERS])
    (tmp_path / "by_hand.v").write_text(block("verilog").partition("module try_it")[0])
    read = [sources.read(), "read_verilog -defer by_hand.v", hierarchy("by_hand", {})]
    output = run_yosys([*read, "proc", "opt", "memory_collect", "check -assert", "stat"], tmp_path)
    assert "$mem" in output  # queues are memories
    assert "xgft_switch" in output
    assert "lbbvn_card" in output
