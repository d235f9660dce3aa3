"""Place and route: the harness, the summary of a report, and one whole network at night."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from fattree_bench.area import pnr
from fattree_bench.families.design import Routed
from fattree_bench.paths import ROOT
from fattree_bench.sim.yosys import YosysError, run_yosys

NETWORK = """
module network(input wire clk, input wire [2:0] a, input wire b,
               output wire [1:0] x, output wire y);
  assign x = a[1:0] ^ {2{b}};
  assign y = a[2];
endmodule
"""
REPORT = {
    "fmax": {"clk$glb": {"achieved": 83.6, "constraint": 50.0}},
    "utilization": {"ICESTORM_LC": {"used": 11, "available": 7680}},
}


def bits(direction: str, count: int) -> dict[str, Any]:
    return {"direction": direction, "bits": list(range(count))}


PORTS = {
    "clk": bits("input", 1),
    "a": bits("input", 3),
    "b": bits("input", 1),
    "x": bits("output", 2),
    "y": bits("output", 1),
}


def test_every_port_hangs_on_a_shift_register(tmp_path: Path) -> None:
    """4 bits in, 3 out: Yosys finds 7 flip-flops, and nothing is left over."""
    (tmp_path / "harness.v").write_text(pnr.harness(PORTS))
    (tmp_path / "network.v").write_text(NETWORK)
    script = [
        "read_verilog harness.v network.v",
        "hierarchy -check -top harness",
        "proc",
        "flatten",
        "opt_clean",
        "simplemap",
        "tee -q -o cells.json stat -json",
    ]
    run_yosys(script, tmp_path)
    cells = json.loads((tmp_path / "cells.json").read_text())["design"]["num_cells_by_type"]
    assert cells["$_DFF_P_"] == 4 + 3
    assert cells["$_XOR_"] == 2


def test_what_is_told() -> None:
    assert pnr.told(REPORT).startswith("84 MHz, 11 of 7680 logic cells of an iCE40 HX8K")
    assert pnr.told(None) == "does not fit an iCE40 HX8K"


@pytest.mark.parametrize(
    ("said", "fits"),
    [
        ("ERROR: Unable to place cell 'x', no Bels remaining of type 'ICESTORM_LC'", False),
        ("ERROR: module 'harness' has no top", None),
        ("", None),
    ],
)
def test_what_does_not_fit_is_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, fits: bool | None
) -> None:
    """No report: either there was no room, or nextpnr refused the design; an old one is gone."""
    (tmp_path / "report.json").write_text(json.dumps(REPORT))

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, "", said)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(pnr, "executable", str)
    if fits is None:
        with pytest.raises(YosysError, match="nextpnr"):
            pnr._nextpnr(tmp_path)
    else:
        assert pnr._nextpnr(tmp_path) is None


def test_a_failure_is_told_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def route(case: Routed, *_: Path) -> dict[str, Any] | None:
        if case.variables.get("N") == "8":
            raise YosysError("ice40: broken")
        return None if case.network == "kary" else REPORT

    monkeypatch.setattr(pnr, "route", route)
    found = list(pnr.place_and_route("", tmp_path, tmp_path))
    assert [one.failed for one in found] == [False, True, False, False]
    assert "lbbvn N=8 WIDTH=16: ice40: broken" in found[1].says
    assert found[3].says.endswith("does not fit an iCE40 HX8K.")
    assert len(list(pnr.place_and_route("leiserson", tmp_path, tmp_path))) == 1


@pytest.mark.nightly
def test_a_small_tree_on_an_ice40(tmp_path: Path) -> None:
    report = pnr.route(Routed("lbbvn", {"N": "4", "WIDTH": "6"}), ROOT / "rtl", tmp_path)
    assert report is not None
    (clock,) = report["fmax"].values()
    assert clock["achieved"] > 30
    assert 100 < report["utilization"]["ICESTORM_LC"]["used"] < 7680
