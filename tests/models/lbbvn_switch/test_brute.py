"""The compiled switch against the one in plain Python, cell by cell."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models.lbbvn_switch import PLACES, SCHEMES, Switch, SwitchShape
from tests.models.lbbvn_switch import brute_switch as brute
from tests.models.lbbvn_switch.cases import LEGAL


def traffic(rng, kind, slots, nodes, load):
    """Arrivals of some kind: uniform, most to one output, or bursts to one output each."""
    dst = rng.integers(0, nodes, size=(slots, nodes), dtype=np.int32)
    if kind == "hot":
        dst[rng.random(dst.shape) < 0.7] = nodes - 1
    if kind == "bursts":
        dst = np.repeat(dst, 2 * nodes, axis=0)[:slots]
    dst[rng.random(dst.shape) >= load] = -1
    return dst


def assert_equal_to_brute(shape, dst, cuts=()):
    """Run both, the compiled one in pieces, and compare all they tell; return the compiled one."""
    switch, slow = Switch(shape), brute.BruteSwitch(shape)
    results = [switch.run(part) for part in np.split(dst, list(cuts))]
    source, arrival = -np.ones((2, *dst.shape), dtype=np.int64)
    backlog = np.zeros(len(dst), dtype=np.int64)
    for t, row in enumerate(dst.tolist()):
        for y, cell in enumerate(slow.slot(row)):
            if cell is not None:
                assert cell.destination == y
                source[t, y], arrival[t, y] = cell.source, cell.arrival
        backlog[t] = slow.inside()
    for name, expected in (("source", source), ("arrival", arrival), ("backlog", backlog)):
        found = np.concatenate([getattr(result, name) for result in results])
        assert np.array_equal(found, expected), (name, shape)
    drops = [row for result in results for row in rows_of(result.drops)]
    order = {place: number for number, place in enumerate(PLACES)}
    assert drops == sorted(slow.drops, key=lambda row: (row[0], order[row[1]], row[2])), shape
    assert_same_counters(switch.counters, slow)
    assert (switch.slot, switch.inside) == (len(dst), slow.inside())
    return switch


def rows_of(drops):
    """The drops as tuples, as the plain one writes them."""
    columns = (drops.slot, drops.place, drops.card, drops.source, drops.destination, drops.arrival)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [(row[0], PLACES[row[1]], *row[2:]) for row in rows]


def assert_same_counters(counters, slow):
    """Compare all counters."""
    for place in PLACES:
        assert getattr(counters, f"dropped_{place}").tolist() == slow.dropped[place]
    largest = ("ingress", "middle", "fifo", "resequencer")
    for name in ("refused", "fakes", "skipped", *(f"largest_{what}" for what in largest)):
        assert getattr(counters, name).tolist() == getattr(slow, name), name


def small(n, scheme, schedule="BITREV"):
    """A shape in which everything is short, so that all kinds of drops occur."""
    nodes = 2**n
    return SwitchShape(
        n,
        scheme,
        schedule,
        ingress=nodes + 1 if scheme in ("UFS", "FOFF", "PADDED") else 2,
        middle=2,
        resequencer=1,
        threshold=max(1, nodes // 2),
        gate=2,
        feedback=2,
        tries=2,
    )


@pytest.mark.parametrize(
    ("scheme", "schedule"), [(scheme, name) for scheme in SCHEMES for name in LEGAL[scheme]]
)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_scheme_and_schedule(scheme, schedule, n):
    rng = np.random.default_rng([n, len(scheme), len(schedule)])
    for kind in ("uniform", "hot", "bursts"):
        dst = traffic(rng, kind, 60 * 2**n, 2**n, 0.9)
        assert_equal_to_brute(small(n, scheme, schedule), dst, [7, 7, 40 * 2**n])
        assert_equal_to_brute(replace(small(n, scheme, schedule), middle=40, resequencer=9), dst)


@pytest.mark.parametrize("scheme", ["UFS", "FOFF", "PADDED", "MAILBOX"])
def test_unchecked_with_the_same_permutation_in_both_phases(scheme):
    shape = replace(small(3, scheme), unchecked=True)
    dst = traffic(np.random.default_rng(5), "uniform", 400, 8, 0.9)
    assert_equal_to_brute(replace(shape, schedule="SAME"), dst)


def test_small_queues_drop_at_every_place():
    """Else the comparison would not see a wrong drop."""
    seen = {scheme: set() for scheme in SCHEMES}
    refused = fakes = 0
    for scheme in SCHEMES:
        dst = traffic(np.random.default_rng(8), "hot", 800, 8, 1.0)
        switch = Switch(small(3, scheme))
        result = switch.run(dst)
        seen[scheme] = {PLACES[place] for place in result.drops.place}
        refused += switch.counters.refused.sum() * (scheme == "MAILBOX")
        fakes += np.count_nonzero(result.drops.arrival < 0)
    assert seen == {
        "BASIC": {"middle"},
        "UFS": {"ingress", "middle"},
        "FOFF": {"ingress", "middle", "resequencer"},
        "PADDED": {"ingress", "middle"},
        "MAILBOX": {"ingress"},
    }
    assert refused > 0
    assert fakes > 0


@st.composite
def cases(draw):
    """Any shape, traffic and pieces."""
    n = draw(st.integers(1, 3))
    nodes = 2**n
    scheme = draw(st.sampled_from(SCHEMES))
    least = nodes if scheme in ("UFS", "FOFF", "PADDED") else 1
    shape = SwitchShape(
        n,
        scheme,
        draw(st.sampled_from(LEGAL[scheme])),
        ingress=draw(st.integers(least, 4 * nodes)),
        middle=draw(st.integers(1, 20)),
        resequencer=draw(st.integers(1, 6)),
        threshold=draw(st.integers(1, nodes)),
        gate=draw(st.integers(1, 8)),
        feedback=draw(st.integers(1, 20)),
        tries=draw(st.integers(1, 5)),
    )
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    kind = draw(st.sampled_from(["uniform", "hot", "bursts"]))
    dst = traffic(rng, kind, draw(st.integers(0, 150)), nodes, draw(st.sampled_from([0.3, 0.8, 1])))
    cuts = sorted(draw(st.lists(st.integers(0, len(dst)), max_size=3)))
    return shape, dst, cuts


@settings(max_examples=150)
@given(cases())
def test_any_switch(case):
    assert_equal_to_brute(*case)


def test_more_line_cards_than_bits_of_a_word():
    """128 line cards: the masks of the resequencer have two words."""
    shape = SwitchShape(7, "FOFF", ingress=256, middle=64, resequencer=64)
    dst = traffic(np.random.default_rng(3), "bursts", 160, 128, 0.9)
    dst[:, 64:] = np.where(dst[:, 64:] >= 0, dst[:, 64:] % 4, -1)
    switch = assert_equal_to_brute(shape, dst)
    assert switch.counters.largest_resequencer.max() > 0
