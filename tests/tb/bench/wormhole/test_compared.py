"""What a difference on a link is called: where, when, what, and which decision led to it."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from fattree_bench.bench import faults as kind
from fattree_bench.bench.links.flit.packets import Burst as Played
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.wormhole.compared import AtLeaves, Compared
from fattree_bench.bench.wormhole.exact import NONE, LinkCheck, model_of
from fattree_bench.families import find
from fattree_models import wormhole
from fattree_models.traffic import Packets
from tests.tb.bench.wormhole.software import plan_of

GIVEN = {"NETWORK": "kary", "K": "2", "LEVELS": "2", "ROUTING": "RANDOM"}
ROWS = 60
Change = Callable[[np.ndarray, np.ndarray, np.ndarray, int, int], None]


class Burst:
    """A burst of the model, and what a sound network would have recorded of it."""

    def __init__(self, given: dict[str, str] = GIVEN) -> None:
        self.network = find(given["NETWORK"]).from_variables(given)
        packets = Packets.of([0, 1, 2, 3], [3, 3, 0, 1], 0, 4)
        self.plan = plan_of(self.network, PacketSet(packets, "few"))
        run = wormhole.Simulation(model_of(self.network))
        run.load(packets)
        trace = run.run(ROWS)
        assert trace is not None
        self.trace, self.run = trace, run
        shape = ROWS, self.network.layout.recorded.links
        self.data, self.side = np.zeros((2, *shape), np.uint32)
        self.home = np.zeros(shape, np.uint8)
        s = self.network.structure
        to_leaf = np.flatnonzero(s.level[s.head] == 0)
        self.to_leaf = to_leaf[np.argsort(s.number[s.head[to_leaf]])]
        self.lost = np.zeros((ROWS, self.network.leaves), np.bool_)  # between link and leaf
        model = self.compared()
        self.data = model.data.astype(np.uint32)
        self.side = model.marks.astype(np.uint32)
        self.home = model.credits.copy()

    def compared(self) -> Compared:
        seen: Any = SimpleNamespace(data=self.data, side=self.side, credits=self.home, unknown=None)
        leaves = (x[:, self.to_leaf] * ~self.lost for x in (self.side, self.data))
        return Compared(self.network, self.plan, self.trace, seen, AtLeaves((), *leaves))

    def tell(self) -> str:
        return self.compared().tell()

    def head(self) -> tuple[int, int]:
        """Row and link of the first head that leaves a switch upwards."""
        inside = self.network.ways.inputs
        at = np.argwhere(self.side[:, :inside] & 2)
        row, link = next((r, x) for r, x in at.tolist() if x % 4 in (2, 3) and x < 8)
        return int(row), int(link)


def nothing(data: np.ndarray, side: np.ndarray, home: np.ndarray, row: int, link: int) -> None:
    data[row, link] = side[row, link] = 0


def other_vc(data: np.ndarray, side: np.ndarray, home: np.ndarray, row: int, link: int) -> None:
    side[row, link] ^= 3 << 2


def other_port(data: np.ndarray, side: np.ndarray, home: np.ndarray, row: int, link: int) -> None:
    for each in (data, side):
        each[row, [link, link ^ 1]] = each[row, [link, link ^ 1]][::-1]


def flipped(data: np.ndarray, side: np.ndarray, home: np.ndarray, row: int, link: int) -> None:
    data[row, link] ^= 1 << 20


def unmarked(data: np.ndarray, side: np.ndarray, home: np.ndarray, row: int, link: int) -> None:
    side[row, link] ^= 1


def a_credit_more(
    data: np.ndarray, side: np.ndarray, home: np.ndarray, row: int, link: int
) -> None:
    home[row, link] ^= 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (nothing, "seen nothing; decided in clock {before} by route, VC or switch allocation"),
        (other_vc, "by VC allocation"),
        (other_port, "by the route: output"),
        (flipped, "a flit that says 0x"),
        (flipped, "by what the switch stores or carries"),
        (unmarked, "by what the switch carries: marks differ"),
        (a_credit_more, "seen a credit of VC 1; decided in clock {before} by the queue at the"),
    ],
)
def test_a_difference_is_told(change: Change, message: str) -> None:
    burst = Burst()
    row, link = burst.head()
    change(burst.data, burst.side, burst.home, row, link)
    line = burst.tell()
    assert line.startswith(f"clock {row}: level 1 switch ")
    assert f"output {2 + link % 2}" in line or change is other_port
    assert message.format(before=row - 1) in line


def test_a_credit_is_the_leaf_s_to_give_for_what_it_got() -> None:
    burst = Burst()
    link = burst.to_leaf[3]
    row = int(np.flatnonzero(burst.home[:, link])[0])
    burst.home[row, link] = 0
    compared = burst.compared()
    assert "seen no credit" in compared.tell() and compared.played
    burst.lost[int(np.flatnonzero(burst.side[:, link])[0]), 3] = True  # by the network
    compared = burst.compared()
    assert "seen no credit" in compared.tell() and not compared.played


def test_the_earliest_comes_first_and_others_are_counted() -> None:
    burst = Burst()
    row, link = burst.head()
    burst.home[row + 3] ^= 1
    flipped(burst.data, burst.side, burst.home, row, link)
    burst.home[row, link + 1] ^= 1
    assert burst.tell().startswith(f"clock {row}: ")
    assert burst.tell().endswith("(and 1 other links in this clock)")


def test_the_word_that_was_drawn_is_told() -> None:
    burst = Burst()
    row, link = burst.head()
    nothing(burst.data, burst.side, burst.home, row, link)
    word = int(burst.trace.draws[row - 1, link // 4])
    assert f"(random word {word:#010x})" in burst.tell()


def test_a_list_of_hops_alone_may_be_wrong() -> None:
    """All heads have an empty list here: the first whose last hop is not its output is reported."""
    burst = Burst()
    row = int(np.argwhere(burst.side[:, : burst.network.layout.inputs // 2] & 2)[0, 0])
    assert burst.tell().startswith(f"clock {row}: level 1 switch ")
    assert "has the list of hops 0x0, whose last is not this output" in burst.tell()


def test_a_leaf_is_named() -> None:
    burst = Burst()
    link = burst.network.ways.inputs + 1
    row = int(np.flatnonzero(burst.side[:, link])[0])
    nothing(burst.data, burst.side, burst.home, row, link)
    assert burst.tell().startswith(
        f"clock {row}: the link from leaf 1: expected flit 0 of packet 0"
    )
    assert burst.tell().endswith("by the leaf")


SETS = [(1, "hashes", kind.LINK), (1, "total", kind.STATE), (2, "total", kind.STATE)]


@pytest.mark.parametrize(("burst", "what", "name"), SETS)
def test_a_burst_that_differs_is_named(burst: int, what: str, name: str) -> None:
    """Of a reset, one in which nothing is sent, and the first of an item."""
    made = Burst()
    twin, item = wormhole.Simulation(model_of(made.network)), made.plan.item
    twin.run(ROWS, [0], may_send=False, record=False)
    bursts = [Played(ROWS, [0], 1, False, False, None)]
    for sends in (False, True):
        if sends:
            twin.load(item.packets)
        hashes = twin.hashed(ROWS, may_send=sends)
        bursts.append(Played(ROWS, (), 1, sends, False, None, None, hashes, twin.total))
    blank = SimpleNamespace(states=np.zeros_like(made.trace.states))
    captured: Any = SimpleNamespace(bursts=bursts, item=item, first=0, recorded=lambda: blank)
    assert LinkCheck(made.network).check(captured) == NONE
    setattr(bursts[burst], what, getattr(bursts[burst], what) + np.uint64(1))
    assert LinkCheck(made.network).check(captured).kind == name
