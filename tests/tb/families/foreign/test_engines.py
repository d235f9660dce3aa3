"""Engines on a design from elsewhere: its plan, its mutants, its area, its code coverage."""

from pathlib import Path

import pytest

from fattree_bench.cli import main
from fattree_bench.coverage.code import files_of
from fattree_bench.families import find
from fattree_bench.families.foreign.planned import testplan as plan_of
from fattree_bench.mutate.bench import Mutated, stimulus
from fattree_bench.paths import RTL
from fattree_bench.sim.verilator_dat import Key
from fattree_bench.synthesis.block import whole
from fattree_bench.synthesis.synthesize import synthesize
from fattree_bench.testplan import described

DESIGNS = Path(__file__).resolve().parent / "designs"


def network(name: str, edit: tuple[str, str] = ("", ""), folder: Path = DESIGNS):  # type: ignore[no-untyped-def]
    """A design of the tests, or a copy with an edit."""
    path = DESIGNS / f"{name}.toml"
    if edit[0]:
        text = path.read_text().replace(f'["{name}.v"]', f'["{DESIGNS / name}.v"]')
        assert edit[0] in text
        path = folder / path.name
        path.write_text(text.replace(*edit))
    return find("foreign").from_variables({"DESIGN": str(path)})


def test_a_plan_has_a_testpoint_a_promise(tmp_path: Path) -> None:
    plan = described(network("crossbar"))
    names = {name for name in plan.testpoints if "smoke" not in name}
    promised = {"order", "latency", "fairness", "throughput", "reset"}
    assert names == {"pairs", "delivery", "link", "payload", *promised}
    (configuration,) = plan.configurations.values()
    assert [configuration.tiers[tier].seeds for tier in ("smoke", "nightly", "full")] == [1, 3, 10]
    assert configuration.tiers["full"].sims == ("verilator", "icarus")
    fewer = described(network("crossbar", ("fairness = 0.5\n", ""), tmp_path))
    assert "fairness" not in fewer.testpoints and "order" in fewer.testpoints
    language = ("width = 32", 'width = 32\nlanguage = "1800-2017"')
    (one,) = described(network("crossbar", language, tmp_path)).configurations.values()
    assert one.tiers["full"].sims == ("verilator",)


def test_scenarios_of_the_user_are_a_testpoint() -> None:
    points = plan_of(network("loop"))["testpoint"]
    assert points["own"]["tests"] == ["opposite"]
    assert "All leaves send to that on the other side" in points["own"]["stimulus"]


def test_a_netlist_stands_in_the_place_of_the_design() -> None:
    """Else the sound design would be simulated, and every mutant would survive."""
    design = network("crossbar")
    names = [path.name for path in Mutated(design.rtl, Path("mutants.v")).sources(RTL)]
    assert "mutants.v" in names and "crossbar.v" not in names and "flit_player.v" in names
    assert {"each_pair", "uniform"} <= {s.name for s in stimulus(design)}


def test_area_of_a_design_with_values_at_power_up(tmp_path: Path) -> None:
    (tmp_path / "two.v").write_text(
        "module two (input clk, input rst_n, input [1:0] d, output reg [1:0] q);\n"
        "  initial q = 2'd3;\n"
        "  always @(posedge clk or negedge rst_n) if (!rst_n) q <= 2'd0; else q <= d;\n"
        "endmodule\n"
    )
    design = whole(network("crossbar"), RTL)
    block = design.nodes[0].block
    assert block.top == "crossbar" and block.sources == (str(DESIGNS / "crossbar.v"),)
    from dataclasses import replace

    two = replace(block, top="two", parameters=(), sources=(str(tmp_path / "two.v"),), includes=())
    assert synthesize(two, RTL, tmp_path / "work").flip_flops == 2


def test_code_coverage_is_of_the_users_sources(tmp_path: Path) -> None:
    source = tmp_path / "mine.v"
    source.write_text("module mine (input a, output b);\n  assign b = a;\nendmodule\n")
    bench = str(tmp_path / "build" / "sim" / f"foreign-4-verilator-{'0' * 16}" / "foreign_bench.v")

    def key(file: str) -> Key:
        return Key(file, 2, 3, "line", "block", "2")

    (code,) = files_of({key(str(source)): 1, key(bench): 0}, [source], tmp_path)
    assert code.path == "mine.v" and [(p.line, p.hits) for p in code.points if p.hits] == [(2, 1)]
    with pytest.raises(ValueError, match="no point"):
        files_of({key(bench): 1}, [source], tmp_path)


def test_regress_says_what_it_would_run_and_refuses_a_testplan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    design = f"DESIGN={DESIGNS / 'crossbar.toml'}"
    build = f"BUILD={tmp_path}"
    assert main(["regress", design, build, "DRYRUN=1", "TIER=nightly"]) == 0
    output = capsys.readouterr().out
    assert "crossbar verilator seed 3: " in output and "crossbar icarus seed 1: " in output
    assert main(["regress", design, build, "TESTPLAN=x.toml", "DRYRUN=1"]) == 2
    assert "made of what the design promises" in capsys.readouterr().err
    assert main(["explore", design, build, "DRYRUN=1", "LOADS=0.1:0.9:0.1"]) == 0
    assert "0.1" in capsys.readouterr().out
    assert main(["sim", "DESIGN=nowhere.toml"]) == 2
    assert capsys.readouterr().err == "error: DESIGN=nowhere.toml: no such file\n"


@pytest.mark.nightly
def test_code_coverage_of_sources_that_verilator_warns_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A warning is reported, and stops no build: with CODE=1 a build reads the design twice."""
    verilog = (DESIGNS / "crossbar.v").read_text()
    wide = "  wire [1:0] narrow = 4'd7;\n  wire unused_narrow = &{1'b0, narrow};\nendmodule"
    (tmp_path / "crossbar.v").write_text(verilog.replace("endmodule", wide))
    (tmp_path / "crossbar.toml").write_text((DESIGNS / "crossbar.toml").read_text())
    design = f"DESIGN={tmp_path / 'crossbar.toml'}"
    assert main(["sim", design, "CODE=1", "TEST=each_pair"]) == 0, capsys.readouterr().out
    assert list(tmp_path.glob("build/runs/*/coverage.dat"))
    (log,) = tmp_path.glob("build/sim/*/build.log")
    assert "%Warning-WIDTHTRUNC" in log.read_text()
