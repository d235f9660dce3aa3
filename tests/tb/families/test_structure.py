"""Structures of all networks: whole, and wired as the models say."""

from typing import Any

import numpy as np
import pytest

from fattree_bench.families import NETWORKS
from fattree_models import mft

CORNERS = [
    pytest.param(network, corner, id=f"{name}-{k}")
    for name, network in NETWORKS.items()
    for k, corner in enumerate(({}, *network.corners))
    if name != "foreign"
]


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


@pytest.mark.parametrize(("network", "corner"), CORNERS)
def test_switches_are_wired_as_the_model_says(network: type[Any], corner: dict[str, str]) -> None:
    """Where a network tells output by output where it leads."""
    made = network.from_variables(corner)
    if not hasattr(made, "beyond"):
        pytest.skip("its wiring is checked by others")
    structure, nodes = made.structure, made.structure.nodes
    for k, tail in enumerate(structure.tail.tolist()):
        name = nodes[tail]
        ends = nodes[structure.head[k]], int(structure.head_port[k])
        if name.startswith("leaf"):
            switch, port = made.entry(int(structure.number[tail]))
            assert ends == (f"switch ({made.levels.start}, {switch})", port)
            continue
        level, switch = map(int, name.removeprefix("switch (").removesuffix(")").split(", "))
        there = made.beyond(level, switch, int(structure.tail_port[k]))
        if isinstance(there, int):
            assert ends == (f"leaf {there}", 0)
        else:
            assert ends == (f"switch ({there[0]}, {there[1]})", there[2])


@pytest.mark.parametrize("n", [1, 2, 4])
def test_rows_of_a_modified_fat_tree_are_joined_as_the_model_says(n: int) -> None:
    made = NETWORKS["mft"].from_variables({"N": str(1 << n)})
    structure: Any = made.structure
    names, columns = structure.nodes, made.leaves // 2
    leads = {
        (names[a], int(p)): names[b]
        for a, p, b in zip(structure.tail, structure.tail_port, structure.head, strict=True)
    }
    for row in range(n):
        for c in range(columns):
            for side in (0, 1):
                below = int(mft.child(n, row, c, side)) if row else 2 * c + side
                head = f"router ({row - 1}, {below})" if row else f"client {below}"
                assert leads[f"router ({row}, {c})", side] == head
                if row < n - 1:
                    above = int(mft.parent(n, row, c, side))
                    assert leads[f"router ({row}, {c})", 2 + side] == f"router ({row + 1}, {above})"


def test_a_port_that_two_links_share_is_found() -> None:
    """The checks above see a link that leads elsewhere."""
    structure: Any = NETWORKS["kary"].from_variables({"K": "2", "LEVELS": "2"}).structure
    structure.head[0] = structure.head[1]
    ends = set(zip(structure.head.tolist(), structure.head_port.tolist(), strict=True))
    assert len(ends) < len(structure.links)
    assert not np.isfinite(structure.distance[:, structure.senders]).all()
