"""Sizes and times of a bit-serial tree by hand and by the paper, and bad parameters refused."""

import numpy as np
import pytest

from fattree_models.leiserson.one_cycle_sets import one_cycle
from fattree_models.leiserson.serial_tree import SerialTree, source_processor
from tests.models.leiserson.latency import path_latency


@pytest.mark.parametrize("h", range(1, 21))
def test_addresses_are_at_most_2_lg_n_less_1_bits_long(h):
    assert SerialTree((1,) * (h + 1)).address_bits == 2 * h - 1


@pytest.mark.parametrize("pipeline", [0, 1])
def test_latency_of_ideal_trees_is_2d_less_1_times_d(pipeline):
    tree = SerialTree((3,) * 6, pipeline=pipeline)
    i, j = np.meshgrid(np.arange(32), np.arange(32))
    i, j = i[i != j], j[i != j]
    height = np.array([int(x).bit_length() for x in i ^ j])
    assert (path_latency(tree, i, j) == (2 * height - 1) * (1 + pipeline)).all()
    assert path_latency(tree, [32, 5], [5, 32]).tolist() == [5 * (1 + pipeline)] * 2


def test_stages_by_the_plan_of_the_ports():
    """By hand: 24 to 5 by 24, 16, 11, 8, 5; 16 to 12 at once; as many outputs as inputs: none."""
    tree = SerialTree((5, 12, 4), "PARTIAL")
    assert tree.plan(24, 5) == ((24, 16), (16, 11), (11, 8), (8, 5))
    assert tree.plan(16, 12) == ((16, 12),)
    assert tree.plan(8, 12) == ()
    assert tree.shape_up == ((24, 5), (8, 12))
    assert tree.shape_down == ((17, 12), (16, 4))
    assert tree.stages_up == (4, 0)
    assert tree.stages_down == (len(tree.plan(17, 12)), len(tree.plan(16, 4)))
    assert tree.delay_up == (14, 2)
    assert SerialTree((5, 12, 4)).stages_up == (0, 0)


def test_sources_by_processor():
    assert source_processor(SerialTree((3, 5, 2))).tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"cap": (1,)}, r"^CAPACITY: has shape \(1,\); allowed"),
        ({"cap": (1,) * 22}, r"^CAPACITY: has shape"),
        ({"cap": ((1, 1),)}, r"^CAPACITY: has shape"),
        ({"cap": (1, 0)}, "^CAPACITY: level 1 has 0 wires; allowed"),
        ({"concentrator": "ideal"}, "^concentrator: is 'ideal'; allowed"),
        ({"priority": "RANDOM"}, "^priority: is 'RANDOM'; allowed"),
        ({"pipeline": 2}, "^pipeline: is 2; allowed"),
        ({"data_bits": 0}, "^data_bits: is 0; allowed"),
        ({"data_bits": 65}, "^data_bits: is 65; allowed"),
    ],
)
def test_bad_parameters_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message) as caught:
        SerialTree(**{"cap": (1, 1), **arguments})
    assert "\n" not in str(caught.value)


def test_any_sequence_of_integers_is_a_capacity_vector():
    trees = {SerialTree(cap) for cap in ((2, 1), [2, 1], np.array([2, 1], dtype=np.int16))}
    assert trees == {SerialTree((2, 1))}
    assert all(type(c) is int for c in trees.pop().cap)


def meetings(src, dst):
    """Messages that meet at a port, as pairs (message, ports that it has passed), by port."""
    found = {}
    for message, (i, j) in enumerate(zip(src.tolist(), dst.tolist(), strict=True)):
        top = (i ^ j).bit_length()
        ports = [("up", i >> height, height) for height in range(1, top)]
        ports += [("down", j >> height, height) for height in reversed(range(top))]
        for passed, port in enumerate(ports):
            found.setdefault(port, []).append((message, passed))
    return found.values()


def can_be_aligned(src, dst):
    """Whether delays of the messages exist with which all that meet at a port come together."""
    rows, late = [np.zeros(len(src))], [0]
    for first, *others in meetings(src, dst):
        for message, passed in others:
            row = np.zeros(len(src))
            row[[first[0], message]] += 1, -1
            rows.append(row)
            late.append(passed - first[1])
    delays = np.linalg.lstsq(np.array(rows), np.array(late), rcond=None)[0]
    return np.allclose(np.array(rows) @ delays, late)


def test_no_delay_at_the_senders_aligns_a_full_one_cycle_set(record_property):
    """Section II offers buffers at the senders; ports must take late comers all the same.

    Two messages that turn at different heights, and meet at a port, can be aligned; a full set,
    in which they meet again elsewhere, cannot.
    """
    assert can_be_aligned(np.array([0, 1, 4]), np.array([2, 0, 3]))
    rng, sets = np.random.default_rng(1), 50
    drawn = [one_cycle(16, (16, 8, 4, 2, 1), rng) for _ in range(sets)]
    apart = sum(not can_be_aligned(src, dst) for src, dst in drawn)
    record_property("sets", sets)
    record_property("sets_that_no_delay_aligns", apart)
    assert apart > sets // 2
