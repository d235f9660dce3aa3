"""What a sweep's command line makes: curves, runs, designs, folders."""

from pathlib import Path

import pytest
from rich.console import Console

from fattree_bench.campaign import read
from fattree_bench.explore.command import Explore
from fattree_bench.sim import variables as v
from fattree_bench.sim.build import build_folder, recipe
from tests.cli import Cli

SMALL = ("M=2,2", "W=1,2")


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in v.FROM_ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)


def asked(tmp_path: Path, *words: str) -> Explore:
    given = read(Explore, [f"BUILD={tmp_path}", *words])
    return Explore(Console(quiet=True), given)


def labels(wanted: Explore) -> list[str]:
    return [wanted.curve(network).label for network in wanted.grid]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((), ["uniform"]),
        (("ROUTING=dmodk,adaptive",), ["DMODK", "ADAPTIVE"]),
        (("ROUTING=dmodk,DMODK",), ["uniform"]),
        (
            ("ROUTING=dmodk,two", "TRAFFIC=uniform,bitcomp"),
            ["DMODK uniform", "DMODK bitcomp", "TWO uniform", "TWO bitcomp"],
        ),
        (("TRAFFIC=hotspot:0,3:0.5,shift:1",), ["hotspot:0,3:0.5", "shift:1"]),
        (("VCS=1,2", "DEPTH=4"), ["VCS=1", "VCS=2"]),
        (("STAGES=1,3", "DEPTH=2,8"), [f"DEPTH={d} STAGES={s}" for d in (2, 8) for s in (1, 3)]),
        (("FLITS=1,5:0.3/16",), ["FLITS=1,5:0.3", "FLITS=16"]),
        (("INJECTION=bernoulli,train:-,0.2,1",), ["bernoulli", "train:-,0.2,1"]),
        (("ARBITER=matrix,round_robin",), ["MATRIX", "ROUND_ROBIN"]),
    ],
)
def test_lists_make_curves(words: tuple[str, ...], expected: list[str], tmp_path: Path) -> None:
    assert sorted(labels(asked(tmp_path, *SMALL, *words))) == sorted(expected)


@pytest.mark.parametrize(
    ("words", "leaves"),
    [
        ("NETWORK=xgft M=4,3 W=1,2", 12),
        ("NETWORK=kary K=2 LEVELS=3", 8),
        ("NETWORK=gft H=2 M=3 W=2", 9),
        ("NETWORK=ftree_mn PORTS=4 LEVELS=2", 8),
        ("NETWORK=benes PORTS=4 LEVELS=2", 8),
        ("NETWORK=oxgft P=12 LEVELS=3", 12),
    ],
)
def test_every_family(words: str, leaves: int, tmp_path: Path) -> None:
    (network,) = asked(tmp_path, *words.split()).grid
    assert network.leaves == leaves
    assert network.workload.loads[0] == 0.05


COMPARED = "COMPARE=xgft M=2,4 W=1,2; xgft M=4,2 W=1,4 VCS=1;"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((COMPARED,), ["M=2,4 W=1,2 VCS=2", "M=4,2 W=1,4 VCS=1"]),
        (
            ("COMPARE=kary K=2 LEVELS=2;ftree_mn PORTS=4 LEVELS=2", "ROUTING=dmodk"),
            ["kary K=2", "ftree_mn PORTS=4"],
        ),
        (
            ("COMPARE=kary K=2;kary K=4", "LEVELS=2", "ROUTING=dmodk,two", "TRAFFIC=uniform"),
            ["K=2 DMODK", "K=2 TWO", "K=4 DMODK", "K=4 TWO"],
        ),
        (("COMPARE=kary K=2 LEVELS=2;kary LEVELS=2 K=2",), ["uniform"]),
        (("COMPARE=lbbvn_switch N=4;lbbvn_switch N=8",), ["N=4", "N=8"]),
        (
            ("COMPARE=xgft M=6,6 W=1,4; oxgft P=36 LEVELS=2",),
            ["xgft M=6,6 W=1,4", "oxgft P=36 LEVELS=2"],
        ),
        (("COMPARE=kary K=2 LEVELS=2; spin", "FLITS=4"), ["kary K=2 LEVELS=2", "spin"]),
        (("COMPARE=ruft K=2 LEVELS=3; kary K=2 LEVELS=3",), ["ruft", "kary"]),
        (
            ("COMPARE=ruft LONG=0; ruft LONG=4; kary LEVELS=3",),
            ["ruft LONG=0", "ruft LONG=4", "kary"],
        ),
    ],
)
def test_shapes_make_curves(words: tuple[str, ...], expected: list[str], tmp_path: Path) -> None:
    wanted = asked(tmp_path, *words)
    assert labels(wanted) == expected
    assert wanted.folder.name.startswith("compare-")
    assert len({task.key for task in wanted.runs}) == len(wanted.runs)
    assert len(wanted.seeds) == (5 if "lbbvn" in words[0] else 3)


def test_each_network_has_its_own_defaults(tmp_path: Path) -> None:
    """Of what is not given for all: MLID tables and D-mod-k."""
    wanted = asked(tmp_path, "COMPARE=kary K=2;ftree_mn PORTS=4", "LEVELS=2", "DEPTH=4")
    assert [one.variables()["ROUTING"] for one in wanted.grid] == ["DMODK", "MLID"]
    assert [one.variables()["DEPTH"] for one in wanted.grid] == ["4", "4"]
    assert wanted.facts()["network"].count("; ") >= 1


def test_a_run_a_curve_and_seed(tmp_path: Path) -> None:
    wanted = asked(tmp_path, *SMALL, "ROUTING=dmodk,two", "TRAFFIC=uniform,bitcomp", "SEED=7")
    tasks = wanted.runs
    assert len(tasks) == len({task.key for task in tasks}) == 4 * 3
    assert len({task.payload["points"] for task in tasks}) == 12
    assert len({task.after for task in tasks}) == 2  # a design a routing
    assert [task.payload["values"]["SEED"] for task in tasks[:3]] == ["7", "8", "9"]


def test_only_what_is_built_makes_a_new_design(tmp_path: Path) -> None:
    def folder(*words: str) -> Path:
        values = v.collect(["NETWORK=xgft", *SMALL, f"BUILD={tmp_path}", *words])
        settings = v.check(values)
        return build_folder(settings, recipe(settings, "FRAME"))

    usual = folder()
    for words in (
        *("TRAFFIC=bitcomp", "LOAD=0.7", "FLITS=3", "INJECTION=frame:4", "WARMUP=0", "PERIODS=1"),
        *("LOADS=0.1,0.2", "REFINE=2", "SEED=5", "COVERAGE=0"),
    ):
        assert folder(words) == usual, words
    for words in ("VCS=1", "DEPTH=4", "STAGES=1", "ROUTING=TWO", "ARBITER=MATRIX", "EXACT=0"):
        assert folder(words) != usual, words


def test_folders_of_results(tmp_path: Path) -> None:
    """More seeds go to the same folder, anything else to another."""
    usual = asked(tmp_path, *SMALL).folder
    assert usual.parent == tmp_path / "explore"
    assert usual.name.startswith("xgft-2.2-1.2-")
    assert asked(tmp_path, *SMALL, "SEEDS=9", "JOBS=1").folder == usual
    for words in ("LOADS=0.1", "ROUTING=TWO", "SIM=icarus", "REFINE=0", "PERIODS=1"):
        assert asked(tmp_path, *SMALL, words).folder != usual, words


def test_a_mistake_builds_nothing_and_leaves_no_folder(tb_cli: Cli, tmp_path: Path) -> None:
    done = tb_cli("explore", *SMALL, "TRAFFIC=uniform,foo", f"BUILD={tmp_path}")
    assert done.returncode == 2
    assert done.stderr.startswith("error: TRAFFIC=foo: ")
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_dry_run(tb_cli: Cli, tmp_path: Path) -> None:
    words = (*SMALL, "ROUTING=dmodk,adaptive", "FLITS=4", "SEEDS=5", f"BUILD={tmp_path}")
    done = tb_cli("explore", *words, "DRYRUN=1")
    assert done.returncode == 0, done.stderr
    # 4 leaves, 3 others each: 1 below the same switch, 2 across: 7/3 switches.
    assert "DMODK: 1 + hops x (STAGES + 1) + flits - 1 = 1 + 2.333 x (3 + 1) + 4 - 1 = 13.33" in (
        done.stdout
    )
    assert "2 curves x 5 seeds, 2 designs" in done.stdout
    done = tb_cli("explore", *words, "ENGINE=model", "DRYRUN=1")
    assert "2 curves x 5 seeds, on the clock-exact model, loads" in done.stdout
    assert not (tmp_path / "explore").exists()


def test_switches_vary_scheme_and_size(tmp_path: Path) -> None:
    words = ["NETWORK=lbbvn_switch", "N=4,8", "SCHEME=basic,foff", "LOADS=0.1,0.5"]
    wanted = asked(tmp_path, *words)
    assert labels(wanted) == ["N=4 BASIC", "N=4 FOFF", "N=8 BASIC", "N=8 FOFF"]
    assert len(wanted.seeds) == 5
    assert not {"FLITS"} & set(wanted.grid[0].variables())


def test_every_number_is_labelled(tmp_path: Path) -> None:
    """A network says itself which of its values mean nothing alone: no list here does."""
    words = ("NETWORK=kary", "K=2", "LEVELS=2", "DEPTH=4,8", "FLITS=4", "ROUTING=dmodk,adaptive")
    found = labels(asked(tmp_path, *words))
    assert sorted(found) == sorted(
        f"{routing} DEPTH={depth}" for routing in ("DMODK", "ADAPTIVE") for depth in (4, 8)
    )
