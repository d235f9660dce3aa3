"""Every single deviation of a modified fat-tree from its model has a name."""

import numpy as np
import pytest

from fattree_bench.bench import faults as kind
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.families.mft.network import MftNetwork
from fattree_bench.families.mft.plan import MftPlan, link_of
from fattree_bench.families.mft.scoreboard import MftScoreboard
from fattree_models import mft
from tests.tb.bench.judged import judged

NETWORK = MftNetwork.from_variables({"N": "4", "LANES": "DOUBLING", "MODE": "MFT"})
# Of three packets of a flit the second comes first, then the first; the third is lost inside.
FIRST, SECOND, THIRD = range(3)


def seen(name: str = "", at: int = 0, by: int = 0) -> dict[str, int]:
    """Faults if one of the numbers that are seen is not the model's."""
    few = mft.counter_example(2)
    assert few is not None
    item = PacketSet(few, "by hand")
    plan = item.plan = MftPlan(NETWORK, link_of(NETWORK), item)
    out = plan.outcome
    assert plan.lost.tolist() == [False, False, True] and plan.tail[SECOND] < plan.tail[FIRST]
    shown = {"begun": plan.begun.copy(), "tail": plan.tail.copy(), "lane": plan.lane.copy()}
    counted = {
        "overflow": np.zeros(NETWORK.leaves, np.int64),
        "lost": np.bincount(out.lost_row[plan.lost], minlength=NETWORK.n),
        "up": out.up_flits.copy(),
        "down": out.down_flits.copy(),
    }
    if name:
        (shown | counted)[name][at] += by
    plan.seen.injected[:] = shown["begun"]
    plan.seen.route[:] = shown["lane"].astype(np.uint64)
    plan.seen.gone = plan.lost.copy()
    return judged(MftScoreboard, plan, shown["tail"], np.concatenate([*counted.values()]))


def test_what_the_model_says_is_no_fault() -> None:
    assert not seen()


@pytest.mark.parametrize(
    ("name", "at", "by", "fault"),
    [
        ("lane", FIRST, -1, kind.ROUTE),
        ("begun", FIRST, 1, kind.SENDING),
        ("tail", FIRST, 1, kind.LATE),
        ("tail", SECOND, -1, kind.EARLY),
        ("tail", THIRD, 20, kind.UNPREDICTED),
        ("overflow", 1, 1, kind.OVERFLOW),
        ("lost", 1, 1, kind.CONFLICTS),
        ("up", 1, 1, kind.COUNTERS),
        ("down", 1, 1, kind.COUNTERS),
    ],
)
def test_name_of_a_fault(name: str, at: int, by: int, fault: str) -> None:
    assert seen(name, at, by) == {fault: 1}
