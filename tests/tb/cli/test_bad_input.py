"""A user's mistake costs one clear line and exit status 2, never a traceback."""

import subprocess
from pathlib import Path

import pytest

from fattree_bench.paths import ROOT
from fattree_bench.sim import variables as v
from fattree_bench.sim.yosys import YosysError, copied, hierarchy, run_yosys
from tests.cli import Cli, check_refused


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("source,target\n0,1\n", "line 1: "),
        ("source,destination\n0,1\n1,17\n", "line 3: "),
        ("source,destination\n0,-2\n", "line 2: "),
        ("source,destination\n0,x\n", "line 2: "),
        ("source,destination\n0\n", "line 2: "),
        ("source,destination\n", "no messages"),
        ("", "empty"),
        ("source,destination\n3,3\n", "all messages stay within their processors"),
        ("source,destination,payload\n0,1,0x1ffffffff\n", "payload 0x1ffffffff needs a greater"),
    ],
)
def test_bad_message_file(text: str, message: str, tb_cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "messages.csv"
    path.write_text(text)
    result = tb_cli("sim", "NETWORK=leiserson", f"MESSAGES={path}")
    check_refused(result, f"MESSAGES={path}: ")
    assert message in result.stderr


def test_icarus_missing(tb_cli: Cli, tmp_path: Path) -> None:
    result = tb_cli("sim", "N=4", "SIM=icarus", env={"PATH": str(tmp_path)})
    check_refused(result, "SIM=icarus: iverilog is not installed")


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize(
    ("mistake", "message"),
    [("module tree (input wire", "syntax error"), ("assign data_o = none[b];", "none[b]")],
    ids=["cut-off", "unknown-name"],
)
def test_broken_verilog(mistake: str, message: str, rtl_copy: Path, tb_cli: Cli) -> None:
    """Not the user's command but the design is wrong: exit status 1, and the tool's own words."""
    path = rtl_copy / "common" / "delay_line.v"
    path.write_text(path.read_text().replace("assign data_o = data_q;", mistake))
    result = tb_cli("sim", f"RTL={rtl_copy}", "SIM=icarus", "N=4")
    assert result.returncode == 1, result.stdout + result.stderr
    assert "the build failed" in result.stdout
    assert "delay_line.v:" in result.stdout
    assert message in result.stdout
    assert "Traceback" not in result.stdout + result.stderr


# ---- what is accepted ----------------------------------------------------------------------------


@pytest.fixture
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in v.FROM_ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("no_environment")
@pytest.mark.parametrize("seed", [0, (1 << 32) - 1])
def test_extreme_seeds_are_seeds(seed: int) -> None:
    assert v.check(v.collect([f"SEED={seed}"])).seed == seed


@pytest.mark.usefixtures("no_environment")
@pytest.mark.parametrize(
    ("environment", "arguments", "test", "seed"),
    [
        ({}, [], "frame", 1),
        ({"COCOTB_TESTCASE": "rotators"}, [], "rotators", 1),
        ({"TESTCASE": "rotators"}, [], "rotators", 1),
        ({"COCOTB_RANDOM_SEED": "5"}, [], "frame", 5),
        ({}, ["TESTCASE=rotators", "COCOTB_RANDOM_SEED=5"], "rotators", 5),
        ({"COCOTB_RANDOM_SEED": "5"}, ["SEED=6"], "frame", 6),
        ({"SEED": "5"}, ["COCOTB_RANDOM_SEED=6"], "frame", 6),
        ({"COCOTB_RANDOM_SEED": "5", "SEED": "6"}, [], "frame", 6),
    ],
)
def test_old_names(
    environment: dict[str, str],
    arguments: list[str],
    test: str,
    seed: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Old names work; arguments go before the environment, new names before old ones."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    settings = v.check(v.collect(arguments))
    assert (settings.test, settings.seed) == (test, seed)


def test_bad_old_name_in_the_environment(tb_cli: Cli) -> None:
    check_refused(tb_cli("sim", env={"COCOTB_RANDOM_SEED": "x"}), "SEED=x: ")


# ---- the RTL's own check -------------------------------------------------------------------------


@pytest.mark.usefixtures("icarus")
def test_rtl_refuses_a_bad_parameter(tmp_path: Path) -> None:
    """The message names instance, parameter, value and what is allowed; the simulation fails.

    tests/tb/faults/test_refusals.py has a case for every rule of every module.
    """
    common, binary = ROOT / "rtl" / "common", str(tmp_path / "arbiter")
    command = ["iverilog", "-g2005", f"-I{common}", "-sarbiter", '-Parbiter.KIND="X"', "-o", binary]
    subprocess.run([*command, str(common / "arbiter.v")], check=True, capture_output=True)
    result = subprocess.run(["vvp", "-n", binary], capture_output=True, text=True, check=False)
    assert result.returncode != 0
    said = "arbiter: parameter KIND = X is out of range: ROUND_ROBIN, MATRIX"
    assert any(line.endswith(said) for line in result.stdout.splitlines()), result.stdout


def test_a_bad_parameter_cannot_be_synthesized(tmp_path: Path) -> None:
    """The RTL's checks survive SYNTHESIS; a good parameter passes."""
    common = ROOT / "rtl" / "common"
    sources = copied(tmp_path, ROOT / "rtl", [common / "delay_line.v"], [common])

    def build(**parameters: int) -> None:
        run_yosys([sources.read(), hierarchy("delay_line", parameters)], tmp_path)

    build(WIDTH=1)
    with pytest.raises(YosysError, match="parameter_out_of_range"):
        build(WIDTH=0)
