"""RUFT's netlist against a butterfly made of exchange permutations, and switches by size."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from fattree_models.ruft.routing import Ruft
from tests.models.xgft.test_survey import fly
from tests.rtl.netlist_graph import netlist


@pytest.mark.parametrize(("k", "n"), [(2, 2), (2, 3), (3, 2), (2, 4)])
def test_ruft_is_a_butterfly_with_its_outputs_permuted(k: int, n: int, tmp_path: Path) -> None:
    """Who drives whom among its switches is a k-ary n-fly; with a link moved it is not.

    Its last outputs lead to all leaves, in another order than they stand.
    """
    graph = netlist(tmp_path / "net", "ruft", "xgft_switch", K=str(k), LEVELS=str(n))
    assert nx.is_isomorphic(graph, fly(k, n))
    (one, other), *_ = sorted(graph.edges)
    graph.remove_edge(one, other)
    assert not nx.is_isomorphic(graph, fly(k, n))
    net = Ruft(k, n)
    switch, output = np.divmod(np.arange(net.leaves), k)
    leaves = net.leave(switch, output).tolist()
    assert sorted(leaves) == list(range(net.leaves)) != leaves


@pytest.mark.parametrize("lg", [3, 4, 5])
def test_arity_of_one_root(
    lg: int, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """Wires of Leiserson's nodes with full bisection, as elaborated, and ports of a 2-ary tree."""
    size = {"N": str(1 << lg), "W": str(1 << lg), "FORM": "HARDWARE"}
    tree = netlist(tmp_path / "one", "leiserson", "leiserson_node", **size)
    wires = sorted({wide["up_i"] + wide["up_o"] for _, wide in tree.nodes(data="widths")})
    growth = [high / low for low, high in pairwise(wires)]
    many = netlist(tmp_path / "many", "kary", "xgft_switch", K="2", LEVELS=str(lg))
    ports = {len(many[switch]) for switch in many}
    numbers = {"growth_least": min(growth), "growth_most": max(growth), "lg": lg}
    numbers |= {"wires_of_root": max(wires), "fixed_ports": max(ports)}
    for name, number in numbers.items():
        record_property(name, float(number))
    assert len(wires) == lg and max(ports) <= 4
