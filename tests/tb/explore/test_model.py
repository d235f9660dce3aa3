"""Sweeps on the clock-exact model have the figures of RTL; RTL that differs fails a sweep."""

import csv
from pathlib import Path

import numpy as np
import pytest

from fattree_bench.bench import faults as kind
from fattree_bench.bench.links.flit.modelled import Told, play, troubles
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.bench.wormhole.modelled import ModelledPlan
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.plan import link_of
from fattree_bench.families import find
from fattree_models.traffic import Packets
from tests.cli import Cli, succeeds
from tests.night import some
from tests.tb.bench.wormhole.edits import OTHER_CHOICES
from tests.tb.faults.faulty import Edit

TIMES = ("WARMUP=0", "PERIODS=1", "PERIOD=300", "LOADS=0.3,1", "REFINE=1", "SEEDS=1")
LENGTHS = "FLITS=1-6"
NETWORKS = (
    "NETWORK=ruft K=2 LEVELS=2 LONG=5 VC_MODE=KEEP DEPTH=4",
    "NETWORK=xgft M=2,2 W=1,2 ROUTING=dmodk,adaptive,two",
    "NETWORK=ftree_mn PORTS=4 LEVELS=2 ROUTING=mlid,opensm",
    "NETWORK=turnback M=2,2 W=1,2 ROUTING=TBWP TBCH=1 ROOT_LINKS=1 LATERAL=MANY VCS=1",
    "NETWORK=turnback M=3,2 W=1,2 ROUTING=TB ADDRESS=VECTOR CLASSES=2 STAGES=2 DEPTH=2",
    "NETWORK=benes PORTS=4 LEVELS=2 UNFOLDED=1 ROUTING=MLID",
    "NETWORK=xgft M=3,2 W=2,3 ROUTING=random,two AHEAD=1 WAYS=2 VCS=4 ARBITER=MATRIX",
    "NETWORK=gft H=2 M=2 W=2 CLIMB=TOP STAGES=1 VCS=3 DEPTH=3 TRAFFIC=bitcomp",
)


def swept(tb_cli: Cli, *words: str) -> tuple[str, Path]:
    """What a sweep that went well says, and its folder."""
    text = succeeds(tb_cli("explore", *words))
    (path,) = [Path(t) for t in text.splitlines() if t.endswith("/sweep.csv")]
    return text, path.parent


def points(folder: Path) -> dict[str, str]:
    """What was measured, line by line, by curve and seed."""
    return {path.name: path.read_text() for path in (folder / "points").iterdir()}


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("network", some(NETWORKS, 1))
def test_the_model_measures_what_rtl_does(tb_cli: Cli, network: str, tmp_path: Path) -> None:
    """To the last digit: the same packets, windows, and ends of runs."""
    words = (*network.split(), *TIMES, LENGTHS)
    _, rtl = swept(tb_cli, *words, "SIM=icarus")
    output, model = swept(tb_cli, *words, "ENGINE=model", f"BUILD={tmp_path}")
    assert points(model) == points(rtl)
    assert all(text.count("\n") == 3 for text in points(model).values())
    assert "on the clock-exact model" in output
    page = (model / "index.html").read_text()
    assert "on the clock-exact model" in page
    with (model / "sweep.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["ENGINE"] for row in rows} == {"model"}
    assert "SIM" not in rows[0]
    # Nothing was built, no simulator ran.
    assert {path.name for path in tmp_path.iterdir()} <= {"explore", "matplotlib"}


def test_no_simulator_is_needed(tb_cli: Cli, tmp_path: Path) -> None:
    """Nor any Verilog: the folder has none, and no program is found."""
    (tmp_path / "rtl" / "common").mkdir(parents=True)
    words = ("ENGINE=model", *NETWORKS[1].split()[:3], *TIMES[:3], "LOADS=0.3", *TIMES[4:])
    places = (f"RTL={tmp_path / 'rtl'}", f"BUILD={tmp_path / 'build'}")
    succeeds(tb_cli("explore", *words, *places, env={"PATH": "/bin:/usr/bin", "CXX": "false"}))


@pytest.mark.nightly
def test_four_thousand_leaves(tb_cli: Cli, tmp_path: Path) -> None:
    words = ("NETWORK=kary", "K=16", "LEVELS=3", "WIDTH=40", "ENGINE=model", f"BUILD={tmp_path}")
    output, folder = swept(tb_cli, *words, *TIMES, "PERIOD=30", "LOADS=0.1", "REFINE=0", "FLITS=1")
    assert "4096 leaves" in output
    with (folder / "sweep.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert float(row["offered"]) == pytest.approx(0.1, abs=0.01)
    assert float(row["latency_minimum"]) == 1 + 1 * (3 + 1)


RANDOM = ("NETWORK=kary", "K=2", "LEVELS=2", "ROUTING=RANDOM", *TIMES, LENGTHS)


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("fault", some(OTHER_CHOICES, 1))
def test_rtl_that_differs_from_the_model_is_not_measured(
    tb_cli: Cli, rtl_copy: Path, tmp_path: Path, fault: Edit
) -> None:
    """The network is sound, but it chooses otherwise than it says: the first clock is named."""
    fault.apply(rtl_copy)
    places = (f"RTL={rtl_copy}", f"BUILD={tmp_path / 'build'}")
    done = tb_cli("explore", *RANDOM, *places, "SIM=icarus")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "FAIL uniform seed 1: sweep: " in done.stdout
    assert "_mismatch (1): " in done.stdout or "decided in clock" in done.stdout
    assert "nothing was measured" in done.stdout


def test_a_deadlock_is_told(tb_cli: Cli, tmp_path: Path) -> None:
    """Packets that take root links again and again wait for one another: no figures count."""
    words = (
        *NETWORKS[3].split(),
        "DEPTH=1",
        "FLITS=16",
        *TIMES,
        "PERIOD=4000",
        "LOADS=0.01,1",
        "REFINE=0",
    )
    done = tb_cli("explore", *words, "ENGINE=model", f"BUILD={tmp_path}")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "FAIL uniform seed 1: sweep: stuck (1): uniform, load 1: nothing moved" in done.stdout
    assert "replay: make explore NETWORK=turnback M=2,2 W=1,2 ROUTING=TBWP " in done.stdout
    assert "nothing was measured" in done.stdout
    (kept,) = [
        line
        for text in points(next((tmp_path / "explore").iterdir())).values()
        for line in text.splitlines()
    ]
    assert '"load": 0.01' in kept


class Stands:
    """A network in which every packet is begun, and none arrives."""

    def __init__(self) -> None:
        self.clocks = 0

    def run(self, clocks: int) -> None:
        self.clocks += clocks

    def drop(self) -> None: ...

    def tell(self, message: Told, now: int) -> None:
        packets = message.sent.packets
        message.take(now, np.zeros(packets, np.int64), np.full(packets, -1), -5)


def test_a_model_in_which_nothing_moves_ends() -> None:
    network = find("kary").from_variables({"K": "2", "LEVELS": "2", "PERIOD": "1000"})
    assert isinstance(network, Wormhole)
    packets = Packets.of([0, 1, 1], [3, 2, 0], 0, 4)
    item = PacketSet(packets, "three", window=network.workload.window, load=0.1)
    item.plan = ModelledPlan(network, link_of(network), item)
    model = Stands()
    over = play(model, Playing(item.plan, np.random.default_rng(1)))
    assert over.stuck
    assert model.clocks == network.workload.window.end
    output = troubles(over)
    assert output == {kind.STUCK: "three: nothing moved after clock 0; 3 packets on their way"}
