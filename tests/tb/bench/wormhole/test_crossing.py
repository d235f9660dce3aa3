"""What is said of crossings agrees with a model of them; differences in one clock have names."""

import numpy as np
import pytest

from fattree_bench.bench import faults as kind
from fattree_bench.bench.faults import Finding
from fattree_bench.bench.wormhole.crossings import Between, Crossing
from fattree_bench.bench.wormhole.domain_records import Reading
from fattree_bench.bench.wormhole.domains import SwitchCheck
from fattree_bench.bench.wormhole.taps import SHOWN_EVERY, Domain, Taps
from fattree_models.common.checks import Int64Array
from fattree_models.gals import READ, WRITE, AsyncFifo, edges, run
from tests.tb.bench.wormhole.software import kary

SYNC, STEP = 3, 7


def crossed(stages: int, seed: int, late: bool = False) -> tuple[Int64Array, Int64Array, int]:
    """What went and what came through a FIFO of so many flip-flops, in edges of the reader."""
    rng = np.random.default_rng(seed)
    period = rng.integers(5, 40, size=2)
    order = edges(int(period[0]), int(period[1]), int(rng.integers(period[1])), 4000)
    offered = (rng.random(order.size) < 0.3).astype(int)
    done = run(AsyncFifo(64, stages), order, offered)
    behind = np.cumsum(order & READ != 0)  # a reader's edge at the same instant is not behind
    taken = done.taken & (order & WRITE != 0)
    return behind[taken], behind[done.word >= 0] - 1 + late, int(behind[-1])


def found(went: Int64Array, came: Int64Array, edges: int, changed: int = 0) -> Finding | None:
    sent, got = (np.arange(each.size).astype(np.uint64) for each in (went, came))
    got[5:6] += np.uint64(changed)
    return Crossing("a link", SYNC).check(went, came, sent, got, edges)


@pytest.mark.parametrize("seed", range(20))
def test_a_sound_fifo_and_one_whose_synchroniser_is_short_or_long(seed: int) -> None:
    assert found(*crossed(SYNC, seed)) is None
    assert found(*crossed(SYNC, seed, late=True)) is None
    for stages, name in ((SYNC - 1, kind.EARLY), (SYNC + 2, kind.LATE)):
        told = found(*crossed(stages, seed))
        assert told is not None and told.kind == name, told


def test_parts_of_what_went_are_as_good_as_the_whole() -> None:
    went, came, count = crossed(SYNC, 1)
    crossing = Crossing("a link", SYNC)
    for low in range(0, count, STEP):  # what went before edge 0 is in the first part
        part = went[np.maximum(went - 1, 0) // STEP == low // STEP]
        there = came[came // STEP == low // STEP]
        alike = (np.zeros(each.size, np.uint64) for each in (part, there))
        assert crossing.check(part, there, *alike, min(low + STEP, count)) is None


def test_what_is_lost_changed_or_made_up_is_told() -> None:
    went, came, count = crossed(SYNC, 2)
    for told, name in (
        (found(went, came, count, changed=1), kind.CORRUPTED),
        (found(went[:3], came, count), kind.SPURIOUS),
        (found(went, came[:-9], count), kind.LATE),
    ):
        assert told is not None and told.kind == name and "a link" in told.example


# ---- a network with several clocks, in which nothing moves ---------------------------------------

NETWORK = kary(ASYNC="LINKS")
ROWS, SWITCHES, LEAVES = 64, 0, 2  # domains: of level 1, and of all leaves


def reading(domain: Domain, change: str) -> Reading:
    """Nothing behind a reset but a flit that goes out, a credit that goes back, or a state."""
    clocks, zero = np.arange(ROWS), np.zeros(int(change == "flit"), np.int64)
    word, credit = zero.astype(np.uint64), np.zeros((ROWS, domain.outs + domain.ins), np.bool_)
    credit[5, -1] = change == "credit"
    home = np.arange(domain.bits) >= domain.bits - domain.outs  # all credits, and nothing else
    shown = np.packbits([home] * (ROWS // SHOWN_EVERY), axis=1, bitorder="little")
    shown[1, 0] ^= change == "state"
    return Reading(10 * clocks, clocks == 0, zero + 5, zero, word, zero + 3, word, credit, shown)


@pytest.mark.parametrize(
    ("change", "there", "said"),
    [
        ("", SWITCHES, {}),
        ("state", SWITCHES, {kind.STATE: "level 1 switch 0 input 0 VC 0 shows another"}),
        ("flit", SWITCHES, {kind.LINK: "nothing, seen a flit", kind.LATE: "output 0, into"}),
        ("flit", LEAVES, {kind.LATE: "the link from leaf 0, into another clock: nothing came"}),
        ("credit", LEAVES, {kind.LATE: "credits of level 1 switch 1 output 1 VC 0, into another"}),
    ],
)
def test_a_change_in_one_clock_is_named(change: str, there: int, said: dict[str, str]) -> None:
    taps = NETWORK.rtl.interfaces[0].meters
    assert isinstance(taps, Taps)
    seen = [reading(one, change * (i == there)) for i, one in enumerate(taps.domains)]
    checks = [SwitchCheck(NETWORK, one) for one in taps.domains if one.shown]
    between = Between(NETWORK, taps.domains, {one.domain.name: one.model.part for one in checks})
    faults = [one.check(own, 1) for one, own in zip(checks, seen, strict=False)]
    found = {one.kind: one for one in (*faults, between.check([*seen])) if one and one.kind}
    assert found.keys() == said.keys()
    assert all(said[name] in one.example for name, one in found.items())
