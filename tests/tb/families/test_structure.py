"""Structures of all networks: whole, and wired as the models say."""

from typing import Any

import numpy as np
import pytest

from fattree_bench.bench.wormhole.exact import model_of
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.families import DESCRIBED, NETWORKS
from fattree_models.wormhole.wiring import wire

CORNERS = [
    pytest.param(network, corner, id=f"{name}-{k}")
    for name, network in NETWORKS.items()
    for k, corner in enumerate(({}, *network.about.corners))
    if name != DESCRIBED
]
WORMHOLE = [corner for corner in CORNERS if issubclass(corner.values[0], Wormhole)]


@pytest.mark.parametrize(("network", "corner"), CORNERS)
def test_each_port_has_one_link_and_each_pair_a_way(
    network: type[Any], corner: dict[str, str]
) -> None:
    made = network.from_variables(corner)
    structure = made.structure
    assert len(set(structure.nodes)) == len(structure.nodes)
    for node, port in (
        (structure.tail, structure.tail_port),
        (structure.head, structure.head_port),
    ):
        assert len(set(zip(node.tolist(), port.tolist(), strict=True))) == len(structure.links)
    assert structure.leaves >= made.leaves
    assert np.isfinite(structure.distance[:, structure.senders]).all()


@pytest.mark.parametrize(("network", "corner"), WORMHOLE)
def test_wormhole_switches_are_wired_as_in_the_clock_exact_model(
    network: type[Any], corner: dict[str, str]
) -> None:
    """Output by output, in the order in which the RTL shows them; turn-back channels as well."""
    made = network.from_variables(corner)
    structure, wiring = made.structure, wire(model_of(made))
    shown = np.argsort(made.layout.in_place(np.arange(made.ways.inputs)))  # in the tree, by input
    queue = np.full(wiring.target.size, -1)
    queue[wiring.told_in] = shown[np.arange(made.ways.inputs)]
    link_of = structure.lane_link[structure.queues[:: made.switch.vcs]]
    for k, target in enumerate(wiring.target[wiring.told_out].tolist()):
        if target < 0:
            assert structure.head[k] == structure.receivers[-1 - target]
        else:
            assert link_of[queue[target]] == k


def test_a_port_that_two_links_share_is_found() -> None:
    """The checks above see a link that leads elsewhere."""
    structure: Any = NETWORKS["kary"].from_variables({"K": "2", "LEVELS": "2"}).structure
    structure.head[0] = structure.head[1]
    ends = set(zip(structure.head.tolist(), structure.head_port.tolist(), strict=True))
    assert len(ends) < len(structure.links)
    assert not np.isfinite(structure.distance[:, structure.senders]).all()
