"""Ways of packets, as heads on links tell them."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from fattree_bench.bench.path.heads import Heads, Hops, lead_there
from fattree_models.common import fat_tree

TREE = fat_tree.structure(fat_tree.Xgft((2, 2), (1, 2)))  # four ports a router below, two above


def read(words: Any, head: Any, answered: bool) -> Any:
    """A codec whose words are owner and number."""
    owner, number = words.astype(np.int64) // 100, words.astype(np.int64) % 100
    tags = SimpleNamespace(owner=owner, number=number, reply=np.zeros(len(words), np.bool_))
    return tags, np.zeros(len(words), np.bool_)


def note(heads: Heads, first: int, *seen: tuple[int, int, int, int]) -> None:
    """A burst in which heads were seen: owner, number, clock of the burst, link."""
    owner, number, clock, link = np.array(seen).T
    words = (100 * owner + number).astype(np.uint64)
    recorded = SimpleNamespace(heads=lambda _: (words, clock, link, np.zeros_like(link)))
    sent = SimpleNamespace(
        lengths=np.array([2, 1]), starts=np.array([0, 2]), packets=3, answered=False
    )
    plan: Any = SimpleNamespace(sent=sent, seen=SimpleNamespace(unwrap=lambda _, n: n))
    burst: Any = SimpleNamespace(recorded=lambda: recorded, first=first)
    heads.note(plan, burst)


def test_hops_of_a_packet_are_in_order_of_time_however_often_one_looks() -> None:
    """What is seen after a first look is also there; numbers that were never sent are not."""
    heads = Heads(TREE, 3, read)
    note(heads, 100, (1, 0, 5, 1), (0, 1, 2, 0), (0, 2, 3, 0), (7, 0, 3, 0))
    assert heads.hops() is heads.hops()
    assert heads.hops().packet.tolist() == [1, 2]
    note(heads, 110, (1, 0, 0, 2), (0, 0, 1, 1))
    hops = heads.hops()
    assert hops.packet.tolist() == [0, 1, 2, 2]
    assert hops.clock.tolist() == [111, 102, 105, 110]
    assert hops.link.tolist() == [1, 0, 1, 2]
    assert hops.hop.tolist() == [0, 0, 0, 1]
    assert hops.by_packet(hops.port, 3, 2).tolist() == [[1, -1], [0, -1], [1, 2]]
    heads.forget()
    assert not len(heads.hops().packet)


@pytest.mark.parametrize(
    ("ports", "links", "good"),
    [
        ([2, 1, 0], ["(1, 0) port 2", "(2, 0) port 1", "(1, 1) port 0"], True),
        ([3, 1, 0], ["(1, 0) port 3", "(2, 1) port 1", "(1, 1) port 0"], True),
        ([2, 1, 1], ["(1, 0) port 2", "(2, 0) port 1", "(1, 1) port 1"], False),  # to leaf 3
        ([2, 1, 0], ["(1, 0) port 2", "(2, 1) port 1", "(1, 1) port 0"], False),  # a jump
        ([2, 1], ["(1, 0) port 2", "(2, 0) port 1"], False),  # it ends on its way
        ([2, 0, 2, 1, 0], ["(1, 0) port 2", "(2, 0) port 0"] * 2 + ["(1, 1) port 0"], False),
    ],
)
def test_a_way_leads_from_leaf_to_leaf(ports: list[int], links: list[str], good: bool) -> None:
    """From leaf 1 to leaf 2, by at most three routers."""
    link = np.array([TREE.links.index(f"switch {name}") for name in links])
    zero = np.zeros_like(link)
    hops = Hops(zero, zero, link, zero, zero, zero, np.array(ports))
    found = lead_there(TREE, hops, np.array([1]), np.array([2]), 3)
    assert found.tolist() == [good]
