"""What the slides say one by one: counts, shuffles, port numbers, last_hop, switches that stay."""

import itertools

import numpy as np
import pytest

from fattree_models.benes.unfolded import benes_tables
from fattree_models.xgft import Xgft, benes, legal, table_routes
from tests.models.benes.printed_benes import benes_shuffle
from tests.models.benes.test_benes import SIZES, unfolded_links
from tests.models.xgft.brute_xgft import every_pair


def places(ports, levels):
    """Links at each switch of the drawing, by (stage, switch), as its shuffles make them."""
    found = {}
    for one, other in unfolded_links(ports, levels):
        for end in (one, other):
            if not isinstance(end, int):
                found.setdefault(end[:2], set()).add(end[2])
    return found


def digits(number, base, count):
    """The most significant first."""
    return [number // base**place % base for place in reversed(range(count))]


def value(of, base):
    return sum(digit * base**place for place, digit in enumerate(reversed(of)))


@pytest.mark.parametrize(("ports", "levels"), SIZES)
def test_switches_have_n_ports_however_large_the_network(ports, levels):
    """Wired and routed by the slides' rules, all pairs meet; one parent each needs fatter links."""
    assert {frozenset(used) for used in places(ports, levels).values()} == {frozenset(range(ports))}
    tree = benes(ports, levels)
    src, dst = every_pair(tree)
    assert legal(tree, src, dst, table_routes(benes_tables(ports, levels), src, dst)).all()
    half = ports // 2
    single = Xgft(tree.m, (1,) * levels)  # as fat as the leaves below: M/2 wires at the root
    below = [single.leaves // single.level_size(level) for level in range(1, levels + 1)]
    assert [above / under for under, above in itertools.pairwise(below)] == [
        *[half] * (levels - 2),
        *[ports] * (levels > 1),
    ]


@pytest.mark.parametrize(("ports", "levels"), SIZES)
def test_stages_and_switches_that_packets_pass(ports, levels):
    """From the left edge to the right: 2L - 1 stages, of (N/2)^(L-1) switches each, M nodes."""
    tree = benes(ports, levels)
    src, dst = every_pair(tree)
    across = (src < tree.leaves // 2) & (dst >= tree.leaves // 2)
    hops = table_routes(benes_tables(ports, levels), src[across], dst[across])
    assert set((hops >= 0).sum(axis=1).tolist()) == {2 * levels - 1}
    per_stage = (ports // 2) ** (levels - 1)
    met = [set() for _ in range(2 * levels - 1)]
    for stage, switch in places(ports, levels):
        met[stage].add(switch)
    assert [len(own) for own in met] == [per_stage] * (2 * levels - 1)
    nodes = {other for _, other in unfolded_links(ports, levels) if isinstance(other, int)}
    assert nodes == set(range(ports * per_stage)) and tree.leaves == len(nodes)
    assert tree.switches == (2 * levels - 1) * per_stage


@pytest.mark.parametrize(("half", "levels"), [(2, 2), (2, 3), (2, 5), (3, 3), (4, 2), (4, 4)])
def test_shuffles_rotate_digits(half, levels):
    """In base N/2 a perfect shuffle rotates a port's digits to the left, its inverse to the right.

    Towards the spine the inverse of the last L - s digits, from it the same mirrored: by rotation
    of lists of digits, not by the slides' arithmetic.
    """
    stages = 2 * levels - 2
    for stage in range(stages):
        kept = min(stage, stages - 1 - stage)  # digits that stay
        for port in range(half**levels):
            own = digits(port, half, levels)
            head, tail = own[:kept], own[kept:]
            right = [*head, tail[-1], *tail[:-1]]
            left = [*head, *tail[1:], tail[0]]
            wired = int(benes_shuffle(2 * half, levels, stage, port))
            assert wired == value(right if stage < levels - 1 else left, half)
            if right != left:
                assert wired != value(left if stage < levels - 1 else right, half)


def last_hop(ports, levels, stage, switch, node):
    """The code of last_hop, to the letter."""
    half, left = ports // 2, (ports // 2) ** levels
    if node < left and stage == 0:
        return node // half == switch
    if node >= left and stage == 2 * levels - 2:
        return (node - left) // half == switch
    return False


@pytest.mark.parametrize(("ports", "levels"), SIZES)
def test_last_hop_is_the_switch_that_a_node_hangs_on(ports, levels):
    """By the drawing's links, for every switch and node; with one stage both sides are its own."""
    homes = {
        other: one[:2] for one, other in unfolded_links(ports, levels) if isinstance(other, int)
    }
    for node, home in homes.items():
        for place in places(ports, levels):
            assert last_hop(ports, levels, *place, node) == (place == home)


@pytest.mark.parametrize(("ports", "levels"), [size for size in SIZES if size[1] > 1])
def test_ports_are_numbered_across_all_switches_of_a_stage(ports, levels, record):
    """The ports of a stage that a shuffle wires, as many as left ports of the next stage."""
    links = [*unfolded_links(ports, levels)]
    right = {one[1:] for one, other in links if one[0] == 0 and not isinstance(other, int)}
    nodes = sum(isinstance(other, int) for _, other in links)
    record(port_ids=len(right), port_ids_printed=ports // 2, port_ids_corrected=nodes // 2)
    shuffled = benes_shuffle(ports, levels, 0, np.arange(ports // 2))
    assert len(right) == nodes // 2 > ports // 2
    # By the first N/2 alone a shuffle leaves the ports of other switches without a link.
    assert set(shuffled.tolist()) != set(range(nodes // 2))
