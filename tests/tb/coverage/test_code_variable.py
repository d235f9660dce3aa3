"""CODE=1 from the command line: a run leaves its code coverage, whatever ends it."""

import shutil
from pathlib import Path

import pytest

from fattree_bench.coverage.code import files
from fattree_bench.families import family, select
from fattree_bench.paths import ROOT
from fattree_bench.report.regression import KINDS, CodeFile
from fattree_bench.sim import build as builds
from fattree_bench.sim import runner, simulate
from fattree_bench.sim.build import BuildError, build
from fattree_bench.sim.variables import check
from fattree_bench.sim.verilator_dat import merge
from fattree_bench.testplan import Configuration, read
from tests.cli import Cli, succeeds
from tests.night import some

pytestmark = pytest.mark.xdist_group("code")
CHECK = '  `CHECK_ALWAYS(clk, rst, injected_o < 40, "forty is too many")\n\nendmodule'


def left(folder: Path) -> set[Path]:
    """The coverage files of all runs below a BUILD folder."""
    return set((folder / "runs").glob("*/coverage.dat"))


def code_of(paths: set[Path], rtl: Path) -> dict[str, CodeFile]:
    return {file.path: file for file in files(merge(paths), rtl, rtl.parent)}


def blocks(file: CodeFile) -> dict[str, bool]:
    start = "generate block "
    named = [p for p in file.points if p.name.startswith(start)]
    return {p.name.removeprefix(start): p.hits > 0 for p in named}


@pytest.fixture(scope="module")
def run(tb_cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that passed."""
    folder = tmp_path_factory.mktemp("code")
    succeeds(tb_cli("sim", "N=2", "WIDTH=8", "TEST=frame,messages", "CODE=1", f"BUILD={folder}"))
    return folder


def test_the_design_is_counted_and_not_the_harness(run: Path) -> None:
    code = code_of(left(run), ROOT / "rtl")
    assert {path for path in code if "lbbvn" in path} == {
        str(p.relative_to(ROOT)) for p in (ROOT / "rtl" / "lbbvn").glob("*.v*")
    }
    assert not any("player" in path or "leiserson" in path for path in code)
    assert "rtl/common/partial_stage.v" not in code  # no part of this network
    for kind in KINDS:
        hit, all_ = (sum(n) for n in zip(*(f.count(kind) for f in code.values()), strict=True))
        assert all_ / 3 < hit < all_, kind
    lines = min(left(run)).read_text().splitlines()
    harness = [line for line in lines if "fattree_bench" in line]
    assert 0 < len(harness) < 20 < len(lines)
    assert all("v_module" in line or "v_generate" in line for line in harness)


def test_what_this_configuration_lacks_is_a_hole(run: Path) -> None:
    code = code_of(left(run), ROOT / "rtl")
    assert blocks(code["rtl/lbbvn/lbbvn_port.v"]) == {"gen_self": True, "gen_scheduled": False}
    slots = blocks(code["rtl/lbbvn/lbbvn_slots.v"])
    assert slots == {"gen_self": True, "gen_scheduled": False, "gen_stage": False}
    tree = blocks(code["rtl/lbbvn/lbbvn_datapath.v"])
    assert tree["gen_level"] and tree["gen_no_settings"]
    assert not tree["gen_static"] and not tree["gen_bundle"] and not tree["gen_settings"]


def test_it_is_part_of_the_recipe(run: Path) -> None:
    recipes = [path.read_text() for path in (run / "sim").glob("lbbvn-2-*/built")]
    assert recipes
    assert all("--coverage-line" in recipe for recipe in recipes)


@pytest.mark.nightly
def test_a_check_that_stops_the_simulation_leaves_its_coverage(
    run: Path, rtl_copy: Path, tb_cli: Cli
) -> None:
    tree = rtl_copy / "lbbvn" / "lbbvn_tree.v"
    head, _, tail = tree.read_text().rpartition("endmodule")
    tree.write_text(head + CHECK + tail)
    before = left(run)
    words = ("N=2", "WIDTH=8", "TEST=frame,messages", "CODE=1", f"RTL={rtl_copy}")
    result = tb_cli("sim", *words, f"BUILD={run}")
    assert result.returncode == 1, result.stdout + result.stderr
    assert "forty is too many" in result.stdout
    assert "code coverage" not in result.stdout
    code = code_of(left(run) - before, rtl_copy)
    (counter,) = (
        p for p in code["rtl/lbbvn/lbbvn_tree.v"].points if p.name == "injected_o[5]:0->1"
    )
    assert counter.hits == 1  # 32 was reached, 40 stopped it
    assert blocks(code["rtl/lbbvn/lbbvn_port.v"]) == {"gen_self": True, "gen_scheduled": False}


def test_no_coverage_file_is_a_failure(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = {"N": "2", "WIDTH": "8", "TEST": "frame", "CODE": "1", "BUILD": str(run)}
    variables = check(words)
    scenarios = select("lbbvn", "frame")
    built = build(variables, "FRAME")
    assert built.seconds == 0.0
    assert not simulate.simulate(variables, built, scenarios).problems
    real = simulate.run_module

    def lose(*arguments: object) -> tuple[Path, str]:
        folder, problem = real(*arguments)  # type: ignore[arg-type]
        shutil.move(folder / "coverage.dat", run / "lost.dat")
        return folder, problem

    monkeypatch.setattr(simulate, "run_module", lose)
    outcome = simulate.simulate(variables, built, scenarios)
    assert outcome.problems == ["the simulator left no code coverage"]
    assert not outcome.passed


@pytest.fixture
def translated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Builds end where Verilator has written its C++."""
    monkeypatch.setattr(runner, "make_command", lambda *_: ["true"])
    monkeypatch.setattr(builds, "check_start", lambda *_: None)


FIRST = {family(c.network): c for c in reversed(read().configurations.values()) if c.code}


@pytest.mark.usefixtures("translated")
@pytest.mark.parametrize("first", some(list(FIRST.values()), 1), ids=list(FIRST))
def test_verilator_takes_each_family_with_counters(first: Configuration, tmp_path: Path) -> None:
    """It splits no array that it counts toggles of: more can be a circle than in a plain build."""
    words = {"NETWORK": first.network, **first.variables}
    build(check({**words, "CODE": "1", "BUILD": str(tmp_path)}), "FRAME")


@pytest.mark.usefixtures("translated")
def test_a_chain_of_an_arrays_words_is_refused(rtl_copy: Path, tmp_path: Path) -> None:
    tree = rtl_copy / "lbbvn" / "lbbvn_tree.v"
    most = "assign c[%d] = (data_i[1:0] > c[%d]) ? data_i[1:0] : c[%d];"
    chain = "wire [1:0] c [0:2]; assign c[0] = 0;" + most % (1, 0, 0) + most % (2, 1, 1)
    tree.write_text(tree.read_text().replace("endmodule", f"{chain}\nendmodule"))
    words = {"N": "2", "CODE": "1", "BUILD": str(tmp_path / "b"), "RTL": str(rtl_copy)}
    with pytest.raises(BuildError, match="UNOPTFLAT"):
        build(check(words), "FRAME")
