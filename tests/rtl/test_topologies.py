"""What the netlists of fat-trees are as graphs: trees, planar, with memories in their nodes."""

from collections.abc import Callable
from pathlib import Path

import networkx as nx
import pytest

from tests.rtl.netlist_graph import netlist

Record = Callable[[str, object], None]
OTHERS = [
    ("gft", "xgft_switch", {"H": "2", "M": "2", "W": "2"}),
    ("kary", "xgft_switch", {"K": "2", "LEVELS": "2"}),
    ("kary", "xgft_switch", {"K": "4", "LEVELS": "2"}),
    ("xgft", "xgft_switch", {"M": "2,2,2", "W": "1,2,2"}),
    ("ftree_mn", "xgft_switch", {"PORTS": "4", "LEVELS": "2"}),
    ("benes", "xgft_switch", {"PORTS": "4", "LEVELS": "2", "UNFOLDED": "1"}),
    ("ruft", "xgft_switch", {"K": "2", "LEVELS": "2"}),
    ("spin", "spin_router", {}),
]


def planar(graph: nx.Graph) -> bool:
    return bool(nx.check_planarity(graph)[0])


@pytest.mark.parametrize("n", [4, 8, 16])
def test_the_original_tree(n: int, tmp_path: Path, record_property: Record) -> None:
    """Without registers of the pipeline: a node, its parent and its children, and no memory."""
    graph = netlist(tmp_path / "net", "lbbvn", "lbbvn_node", N=str(n), PIPELINE="0")
    record_property("own_is_tree", int(nx.is_tree(graph)))
    record_property("own_memory", max(bits for _, bits in graph.nodes(data="memory")))
    record_property("tree_planar", int(planar(graph)))
    assert sorted(dict(graph.degree).values()) == sorted([2, *[3] * (n // 2 - 2), *[1] * (n // 2)])


@pytest.mark.parametrize(("name", "node", "variables"), OTHERS)
def test_other_topologies(
    name: str, node: str, variables: dict[str, str], tmp_path: Path, record_property: Record
) -> None:
    """Leaves hang on one node each, and change nothing of it."""
    graph = netlist(tmp_path / "net", name, node, **variables)
    assert nx.is_connected(graph)
    record_property("other_is_tree", int(nx.is_tree(graph)))
    record_property("other_memory", min(bits for _, bits in graph.nodes(data="memory")))
    if variables.get("K") == "4":
        record_property("other_planar", int(planar(graph)))
