"""The bare models: they play what the environment plays, and look at every output."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from fattree_bench.bench.scenario import Stimulus, generator
from fattree_bench.families import FAMILIES
from fattree_bench.families.flit_speed import FlitSpeed
from fattree_bench.families.speed import FRESH, speed_of
from fattree_bench.sim.variables import check
from fattree_bench.speed.bare import build_bare, ports
from tests.night import some

KINDS = ("repeated", "fresh")
SMALL = {  # the smallest that is measured on Icarus
    case.network: case.values
    for speed in map(speed_of, FAMILIES)
    for case in reversed(speed.cases)
    if speed.loop and case.sim == "icarus"
}
FLITS = [name for name in SMALL if isinstance(speed_of(name), FlitSpeed)]
HEADER = """
    VL_IN8(&clk,0,0);
    VL_OUT8(&valid_o,3,0);
    VL_OUTW(&data_o,127,0,4);
    VL_OUT64((&count_o)[2],63,0);
    VL_OUT(&lost_o,31,0);
"""


def test_all_ports_are_found() -> None:
    assert ports(HEADER, "IN") == ["clk"]
    assert ports(HEADER, "OUT") == ["valid_o", "data_o", "count_o", "lost_o"]


@pytest.mark.parametrize("network", SMALL)
@pytest.mark.parametrize("kind", KINDS)
def test_the_stimulus_is_that_of_the_environment(network: str, kind: str, tmp_path: Path) -> None:
    made = check({"NETWORK": network, **SMALL[network], "BUILD": str(tmp_path)}).network
    speed = speed_of(network)
    rows = speed.rows(made, made.traffic_rows("verilator"))
    items = list(islice(speed.items(kind, Stimulus(made, generator(1, f"bench_{kind}"), rows)), 9))
    count = max(FRESH if kind == "fresh" else 1, speed.warm(made, rows))
    assert speed.bare(made, kind) == speed.image(made, items[:count])
    first, last = (
        np.ravel(getattr(i, "dst", None) if hasattr(i, "dst") else i.packets.destination)
        for i in (items[0], items[-1])
    )
    assert np.array_equal(first, last) == (kind == "repeated")


@pytest.mark.nightly
@pytest.mark.parametrize("network", SMALL)
def test_it_plays(network: str, tmp_path: Path) -> None:
    variables = check({"NETWORK": network, **SMALL[network], "BUILD": str(tmp_path)})
    bare = build_bare(variables, speed_of(network), KINDS)
    assert bare is not None
    for kind in KINDS:
        figures = bare.measure(kind, 0.01)
        assert figures["packets"] > 0
        assert figures["seconds"] >= 0.01
    assert (bare.folder / "loop.h").read_text().count("(top).") > 1


@pytest.mark.parametrize("network", some(FLITS, 1))
def test_it_counts_the_hops_of_the_model(network: str, tmp_path: Path) -> None:
    variables = check({"NETWORK": network, **SMALL[network], "BUILD": str(tmp_path)})
    made, speed = variables.network, speed_of(network)
    bare = build_bare(variables, speed, ("repeated",))
    assert bare is not None
    stimulus = Stimulus(made, generator(1, "bench_repeated"), made.traffic_rows("verilator"))
    hops = speed.amount(made, next(speed.items("repeated", stimulus)))
    assert hops > 1000
    assert bare.measure("repeated", 0.01)["packets"] % hops == 0
