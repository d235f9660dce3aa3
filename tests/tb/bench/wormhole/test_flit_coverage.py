"""What counts as covered: bins that can be hit, and what hits them."""

from collections.abc import Callable
from subprocess import CompletedProcess

import numpy as np
import pytest

from fattree_bench.bench.wormhole import cover
from fattree_bench.bench.wormhole.coverage import FlitCoverage
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.families import cover_groups, find
from fattree_models.traffic import Packets
from tests.cli import succeeds
from tests.tb.bench.alone import alone
from tests.tb.bench.wormhole.software import Seen, item_of, kary, plan_of


def network_of(text: str) -> Wormhole:
    name, *words = text.split()
    return find(name).from_variables(dict(word.split("=") for word in words))  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("kary K=2 LEVELS=3", []),
        ("kary K=2 LEVELS=3 ROUTING=SMODK CLIMB=TOP", []),
        ("ftree_mn PORTS=4 LEVELS=2", []),
        ("ftree_mn PORTS=4 LEVELS=2 ROUTING=SLID", ["1 up 1"]),  # by digit 1 of the destination
        # Parents by the destination, one of four: 0 … 3 of six.
        ("xgft M=2,2 W=1,6", ["1 up 4", "1 up 5"]),
        ("xgft M=2,2 W=1,6 ROUTING=RANDOM", []),
    ],
)
def test_ports_on_nobodys_path_do_not_count(text: str, missing: list[str]) -> None:
    links = next(g for g in cover_groups(network_of(text)) if g.name == cover.LINKS)
    assert links.exists is not None
    levels, ways, ports = (point.labels for point in links.points)
    left_out = np.argwhere(links.exists & ~links.reachable)
    assert [f"{levels[i]} {ways[j]} {ports[k]}" for i, j, k in left_out] == missing


@pytest.mark.parametrize("late", [0, 1])
@pytest.mark.parametrize(
    ("variables", "closest"),
    [({}, 1), ({"STAGES": 3}, 2), ({"DEPTH": 1}, 4), ({"DEPTH": 1, "STAGES": 3}, 4)],
    ids=str,
)
def test_what_is_behind_a_tail(variables: dict[str, object], closest: int, late: int) -> None:
    """Packets of 2 flits and 1 at a leaf: as close as the network lets them, or a clock later."""
    network = kary(**variables)
    item = item_of(Packets.of([0, 1], [2, 2], 0, [2, 1]))
    plan = plan_of(network, item)
    plan.seen.route[:] = Seen(plan).route
    plan.seen.vc[:] = 1
    plan.seen.arrival[:] = [50, 60, 60 + closest + late]
    covers = alone(FlitCoverage, network)
    covers.sample(item, plan, 1)
    found = covers.groups[cover.NEIGHBOURS].hits
    assert found.sum() == found[1, 0] == 1 - late


@pytest.mark.nightly
@pytest.mark.usefixtures("icarus")
def test_ways_of_which_not_all_hops_are_known_are_counted(
    tb_cli: Callable[..., CompletedProcess[str]],
) -> None:
    """Packets that went from root to root again and again, more often than a head can tell."""
    network = "NETWORK=turnback M=2,2 W=1,2 ROUTING=TBWP TBCH=1 ROOT_LINKS=1 LATERAL=MANY VCS=1"
    words = "FLITS=1-6 WARMUP=0 PERIODS=1 PERIOD=300 LOADS=1 SEED=7 TEST=sweep SIM=icarus"
    succeeds(tb_cli("sim", *network.split(), *words.split()))
