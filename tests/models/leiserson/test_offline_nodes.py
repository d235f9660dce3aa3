"""Settings of off-line nodes: they lead messages where nodes that decide would."""

from dataclasses import replace

import numpy as np
import pytest

from fattree_models.leiserson import (
    SerialTree,
    decisions,
    decode,
    deliver,
    effective_capacity,
    encode,
    lead,
    least_root,
    nonblocking,
    one_cycle,
    run_online,
    setting_bits,
    settings,
    universal,
)

CAPACITIES = (
    *((2**n, universal(2**n, least_root(2**n))) for n in (1, 2, 3, 4, 6)),
    *((2**n, nonblocking(2**n)) for n in (2, 4)),
    (2, np.array([5, 2])),
    (8, np.array([2, 3, 1, 2])),
)


def one_cycle_sets(n, cap, count):
    """Random one-cycle sets, a message a wire: int32 [count, wires]."""
    rng = np.random.default_rng(n)
    ports, sure = int(cap[-1]), effective_capacity(cap)
    dst = np.full((count, n * ports + int(cap[0])), -1, np.int32)
    for row in dst:
        used = {}
        for source, goal in zip(*one_cycle(n, sure, rng, outside=True), strict=True):
            wire = used.setdefault(int(source), 0)
            used[int(source)] += 1
            row[int(source) * ports + wire] = goal
    return dst


@pytest.mark.parametrize(("n", "cap"), CAPACITIES)
def test_as_nodes_that_decide(n, cap):
    """Wires, and channels in use, of the model of on-line nodes, which is another algorithm."""
    online = SerialTree(tuple(cap.tolist()), "PARTIAL")
    tree = replace(online, nodes="OFFLINE")
    dst = one_cycle_sets(n, cap, 30)
    edges = decisions(cap, dst)
    found, want = lead(tree, dst, edges), deliver(online, dst, edges)
    for name in ("arrived", "used_up", "used_down", "delivered", "lost_up", "lost_down"):
        assert np.array_equal(getattr(found, name), getattr(want, name)), name
    assert (found.ack_tick == -1).all() and (dst >= 0).any()
    # A register a node is all that a message waits for.
    earlier = found.tick[found.tick >= 0]
    assert earlier.min() >= 2 and earlier.max() <= 2 * tree.h
    assert settings(tree, dst, edges).shape == (30, -(-setting_bits(tree) // 8))


def test_messages_have_no_address():
    tree = SerialTree((2, 1, 1), "PARTIAL", data_bits=6, nodes="OFFLINE")
    assert (tree.address_bits, tree.frame_bits, tree.cycle_ticks) == (0, 7, 3 + 4 - 1 + 6)
    frames = encode(tree, [0, 1, 2], [3, -1, 4], [0b101001, 7, 0])
    assert frames.tolist() == [[0b1101001], [0], [0b1000000]]
    with pytest.raises(ValueError, match=r"^tree: has off-line nodes"):
        decode(tree, 0, frames[0])


def test_what_cannot_be_set():
    """Two on a wire, an edge that is none, and models of other nodes."""
    tree = SerialTree((1, 1), "PARTIAL", nodes="OFFLINE")
    online = replace(tree, nodes="ONLINE")
    both = [[2, 2, -1]]
    assert decisions((1, 1), both).max() == 7  # one is not matched
    for edges, wrong in (([[[0], [0], [0]]], "two messages"), ([[[0], [7], [0]]], "holds none")):
        with pytest.raises(ValueError, match=f"^edges: .*{wrong}"):
            settings(tree, both, edges)
    with pytest.raises(ValueError, match=r"^tree: has nodes that decide"):
        lead(online, both, [[[0], [0], [0]]])
    for other in (deliver, run_online):
        with pytest.raises(ValueError, match=r"^tree: has off-line nodes"):
            other(tree, both)
    with pytest.raises(ValueError, match=r"^nodes: is OFFLINE; allowed with PARTIAL"):
        replace(tree, concentrator="IDEAL")
    with pytest.raises(ValueError, match=r"^nodes: is 'SET'; allowed are ONLINE, OFFLINE"):
        replace(tree, nodes="SET")
