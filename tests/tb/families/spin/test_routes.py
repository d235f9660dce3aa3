"""Ways of packets, as heads on links tell them."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from fattree_bench.families.spin.routes import Heads

OUTPUTS = [(1, 0, 4), (2, 3, 1), (1, 2, 0)]  # level, router, port of each link


def told(*owner_number: tuple[int, int]) -> Any:
    """A codec that finds these packets in whatever words."""
    owner, number = np.array(owner_number).T
    tags = SimpleNamespace(owner=owner, number=number)
    return SimpleNamespace(read=lambda *_, **__: (tags, np.zeros(len(owner), np.bool_)))


def note(heads: Heads, first: int, *seen: tuple[int, int, int, int]) -> None:
    """A burst in which heads were seen: owner, number, clock of the burst, link."""
    owner, number, clock, link = np.array(seen).T
    heads.network.words = told(*zip(owner, number, strict=True))
    words = np.zeros(len(seen), np.uint64)
    recorded = SimpleNamespace(heads=lambda _: (words, clock, link, None))
    sent = SimpleNamespace(lengths=np.array([2, 1]), starts=np.array([0, 2]))
    plan: Any = SimpleNamespace(sent=sent, seen=SimpleNamespace(unwrap=lambda _, n: n))
    burst: Any = SimpleNamespace(recorded=lambda: recorded, first=first)
    heads.note(plan, burst)


def test_hops_of_a_packet_are_in_order_of_time_however_often_one_looks() -> None:
    """What is seen after somebody looked is there, too; numbers that nobody sent are not."""
    heads = Heads(SimpleNamespace(outputs=OUTPUTS, leaves=2))  # type: ignore[arg-type]
    note(heads, 100, (1, 0, 5, 1), (0, 1, 2, 0), (0, 2, 3, 0))
    assert heads.hops() is heads.hops()
    assert heads.hops().packet.tolist() == [1, 2]
    note(heads, 110, (1, 0, 0, 2), (0, 0, 1, 1))
    hops = heads.hops()
    assert hops.packet.tolist() == [0, 1, 2, 2]
    assert hops.clock.tolist() == [111, 102, 105, 110]
    assert list(zip(hops.level, hops.node, hops.port, strict=True)) == [
        OUTPUTS[link] for link in (1, 0, 1, 2)
    ]
