"""Both forms of a wormhole switch in lock step, with the settings of all networks."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.families import NETWORKS
from fattree_bench.paths import PACKAGE
from tests.icarus import printed
from tests.night import some
from tests.tb.faults.faulty import Edit

BENCH = Path(__file__).with_name("switch_forms.v")
SETTINGS = ("VCS", "DEPTH", "STAGES", "AHEAD", "WAYS", "MODE", "CLASSES", "ARBITER")
TREE_ROUTINGS = ("DMODK", "SMODK", "RANDOM", "ADAPTIVE", "TWO", "ECMP")  # others are tables
# Shapes of a switch: in the middle of a tree, at its leaves, its top; of a graph.
TREES = ("UP=3 BELOW=4 SPREAD=1", "UP=2 DOWN=3 BELOW=3 ADDRESSES=12", "UP=0 BELOW=8 DOWN=4")
TABLE = 'UP=0 DOWN=5 BELOW=5 ROUTING="TABLE"'

REQUESTS, FLITS = "wormhole/xgft_fast_requests.vh", "wormhole/xgft_fast_flits.vh"
HOLDER = "holder[o] = i;"
# Planted differences, with the settings in which they show.
DIFFERENCES = {
    "a VC claimed as its last credit returns wakes the lane that had it": (
        "DEPTH=1",
        Edit(REQUESTS, HOLDER, HOLDER.replace("=", "<=")),
    ),
    "a credit wakes the lane that had its VC before": (
        "DEPTH=2",
        Edit(FLITS, "if (busy[o]) stuck[holder[o]]", "stuck[holder[o]]"),
    ),
    "the turn of a port goes to the next lane, not to the next way": (
        "VCS=4 WAYS=2 STAGES=1",
        Edit(REQUESTS, "i / each * each + each", "i + 1"),
    ),
    "a VC whose other end is empty is not preferred": (
        "VCS=3",
        Edit(REQUESTS, "if (|empty) open = empty;", ""),
    ),
    "a lane that sends the last flit of a packet keeps its route": (
        "STAGES=1",
        Edit(FLITS, "((routed | searching) & ~ends)", "(routed | searching)"),
    ),
    "a slow link rests a clock less": (
        f"{TABLE} SLOW=1",
        Edit(FLITS, "RATIOS[16*p +: 16]} - 1", "RATIOS[16*p +: 16]} - 2"),
    ),
    "the least recently granted keeps its place": (
        'ARBITER="MATRIX"',
        Edit(REQUESTS, "= mine[m] ? ~mine :", "="),
    ),
}

pytestmark = pytest.mark.usefixtures("icarus")


def networks() -> Iterator[Wormhole]:
    """Those of the testplans, and what the linters read."""
    cases = [(name, corner) for name, kind in NETWORKS.items() for corner in kind.about.corners]
    for path in sorted((PACKAGE / "families").glob("*/testplan*.toml")):
        for row in tomllib.loads(path.read_text()).get("configurations", {}).values():
            cases.append((row["network"], dict(w.split("=", 1) for w in row["variables"].split())))
    for name, variables in cases:
        kind = NETWORKS[name]
        if issubclass(kind, Wormhole) and kind.from_variables(variables).rtl.form:
            yield kind.from_variables(variables)


def settings() -> list[str]:
    """All settings of their switches, in small shapes in turn."""
    made: dict[str, None] = {}
    for network in networks():
        own, routing = network.verilog(), network.routing
        words = {"ROUTING": getattr(routing, "method", "DMODK")}  # RUFT has one
        words["CLIMB"] = getattr(routing, "climb", "TOP")
        if words["ROUTING"] in TREE_ROUTINGS:
            own |= {name: f'"{word}"' for name, word in words.items()}
        made[" ".join(f"{k}={own[k]}" for k in (*SETTINGS, *words) if k in own)] = None
    return [
        f"{TREES[n % len(TREES)] if 'ROUTING' in text else TABLE} {text}"
        for n, text in enumerate(made)
    ]


def lock_step(rtl: Path, folder: Path, text: str) -> str:
    """What the bench says."""
    sources = [*rtl.glob("wormhole/**/*.v"), *rtl.glob("common/*.v")]
    given = ["-sbench", *(f"-Pbench.{word}" for word in text.split())]
    return printed(BENCH, folder, sources, [rtl / "common", rtl / "wormhole"], given).strip()


@pytest.mark.parametrize(
    "text",
    some(
        [
            *settings(),
            f"{TABLE} SLOW=1",
            f"{TABLE} SLOW=1 STAGES=1 VCS=3 WAYS=3",
            "DOWN=4 UP=4 BELOW=16 SPREAD=4 ADDR_W=6 NODE_W=6 ADDRESSES=64 CLOCKS=4000 DEPTH=8",
        ],
        8,
    ),
)
def test_both_forms_are_the_same(text: str, rtl_copy: Path, tmp_path: Path) -> None:
    said = lock_step(rtl_copy, tmp_path, text)
    assert said.startswith("the same")
    assert int(said.split()[3]) > 400


@pytest.mark.parametrize("name", DIFFERENCES)
def test_a_difference_is_found(name: str, rtl_copy: Path, tmp_path: Path) -> None:
    text, edit = DIFFERENCES[name]
    edit.apply(rtl_copy)
    assert lock_step(rtl_copy, tmp_path, text).startswith("different in clock")


def test_all_values_of_settings_are_tried() -> None:
    tried = {word for text in settings() for word in text.split()}
    values = {"VCS": "1234", "STAGES": "123", "AHEAD": "01", "WAYS": "12", "CLASSES": "12"}
    for name, each in values.items():
        assert {f"{name}={value}" for value in each} <= tried
