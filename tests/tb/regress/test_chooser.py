"""The choice by open bins, one planted that ignores them, and the test that is directed."""

from typing import Any

import numpy as np
import pytest

from fattree_bench.bench import chosen
from fattree_bench.bench.groups import Group, numbered
from fattree_bench.bench.links.flit.directed import Directed
from fattree_bench.bench.scenario import Stimulus, generator
from fattree_bench.bench.sequence import Pulled
from fattree_bench.bench.wormhole.traffic import SENDERS
from fattree_bench.families import find
from fattree_bench.regress.chooser import Arm, Chooser

GROUPS = {name: Group(name, (numbered("bin", 8),)) for name in "abc"}
HITS = {"test 5": "a", "test 15": "b", "test 25": "c"}  # 3 of the 8 bins a run; others hit none
TESTS = {f"test {number}": set[str]() for number in range(30)} | {"test 5": {"a"}}


class Blind(Chooser):
    """Planted: it ignores what is covered."""

    def chances(self, arm: Arm) -> Any:
        return np.ones(len(self.groups))


def closed(kind: type[Chooser], seed: int = 1) -> list[str]:
    """The tests that are chosen until every bin is hit."""
    rng, luck, ran = np.random.default_rng(seed), np.random.default_rng(99), []
    made = kind(GROUPS, {x: g.reachable for x, g in GROUPS.items()}, TESTS, [10], {}, rng)
    while made.left and not made.dried_up():
        for arm in made.choose(4):
            hit = {name: Group(name, GROUPS[name].points) for name in HITS.get(arm.test, "")}
            for group in hit.values():
                group.hits[luck.permutation(8)[:3]] = 1
            made.learn(arm, chosen.packed(hit), 100)
            ran.append(arm.test)
    assert not made.left and len(ran) < 80  # each test once, some again
    return ran


def test_what_hits_is_run_again_and_what_does_not_is_not() -> None:
    assert "test 5" in closed(Chooser)[:4]  # it says that it closes a group
    assert closed(Chooser, 7) == closed(Chooser, 7) != closed(Chooser, 8)
    with pytest.raises(AssertionError):
        closed(Blind)


def test_directed_traffic_is_as_it_is_asked_for() -> None:
    network = find("kary").from_variables({"K": "2", "LEVELS": "2"})
    stimulus = Stimulus(network, generator(1, "directed"), 100, senders=SENDERS)
    given = {"pairs": "0-3,1-2", "clocks": "200", "reset_in": "7", "corners": "1", "lengths": "5"}
    first, second = Pulled(stimulus).items(Directed(**chosen.given(Directed, given)))
    pairs = [*zip(first.packets.source.tolist(), first.packets.destination.tolist(), strict=True)]
    assert 0.4 < np.mean([pair in ((0, 3), (1, 2)) for pair in pairs]) < 0.8
    assert (first.reset, second.reset, {*first.packets.flits.tolist()}) == (None, 7, {5})
    (only,) = Pulled(stimulus).items(Directed(goals=1, stalls=0.5))
    assert len({*only.packets.destination.tolist()}) == 1 and only.stall.tolist() == [0.5] * 4
