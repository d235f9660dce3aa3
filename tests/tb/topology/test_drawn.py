"""Drawings of networks name ports, and say what nodes do."""

import pytest

from fattree_bench.topology.dot import read
from fattree_bench.topology.files import Wrong

LAB = """graph lab {
  l1 [function=leaf]; l2 [function=leaf]; s1 [function="server-a"]; s2 [type=host]
  s1:eth1 -- l1:swp1; s1:eth2 -- l2:swp1
  s2:eth1 -- l1:swp2
  l1:PORTS -- l2:swp52
}"""


def test_ports_are_numbered_by_their_last_digits() -> None:
    found = read(LAB.replace("PORTS", "swp51"))
    assert found.nodes == {"l1": False, "l2": False, "s1": True, "s2": True}
    assert found.links == [
        *(("s1", 1, "l1", 1), ("s1", 2, "l2", 1), ("s2", 1, "l1", 2)),
        ("l1", 51, "l2", 52),
    ]


@pytest.mark.parametrize("port", ["uplink", "eth1", "7"])
def test_or_by_their_order(port: str) -> None:
    """Of a node whose names have no digits, or the same; a number among names is one of them."""
    links = read(LAB.replace("PORTS", port)).links
    ends = [end for a, n, b, m in links for end in ((a, n), (b, m))]
    own = sorted(number for node, number in ends if node == "l1")
    assert own == ([1, 2, 7] if port == "7" else [1, 2, 3])


def test_what_is_neither_is_refused() -> None:
    with pytest.raises(Wrong, match="is not a port"):
        read(LAB.replace("PORTS", '"2.5"'))
