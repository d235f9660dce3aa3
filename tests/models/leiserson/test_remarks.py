"""What the paper remarks of schedules without a proof: figures for its claims, and bounds."""

import itertools
import math

import numpy as np
import pytest

from fattree_models.common.tree import bit_lengths
from fattree_models.leiserson import message_sets, partition
from fattree_models.leiserson.capacity import least_root, nonblocking, universal
from fattree_models.leiserson.codec import encode
from fattree_models.leiserson.load import channel_loads, level_loads, load_factor
from fattree_models.leiserson.networks import mesh
from fattree_models.leiserson.offline import schedule
from fattree_models.leiserson.serial_tree import SerialTree


@pytest.mark.parametrize("lg", range(1, 21))
def test_a_delivery_cycle_takes_6_lg_n_clocks_besides_data(lg, record):
    tree = SerialTree(nonblocking(2**lg))
    clocks = tree.cycle_ticks - tree.data_bits
    record(lg_n=lg, clocks_besides_data=clocks)
    assert clocks == 6 * lg


@pytest.mark.parametrize("n", [2, 4, 8])
def test_all_permutations_are_one_cycle_sets_with_as_many_wires_as_processors(n, record):
    good = count = 0
    for row in itertools.permutations(range(n)):
        dst = np.array(row)
        moved = dst != np.arange(n)
        good += load_factor(np.flatnonzero(moved), dst[moved], universal(n, n)) <= 1
        count += 1
    record(permutations=count, in_one_cycle=good)
    assert good == count == math.factorial(n)


@pytest.mark.parametrize(("n", "k"), [*((16, k) for k in (1, 2, 4, 8, 16, 32)), (64, 4), (64, 8)])
def test_cycles_near_the_load_factor_with_2_lg_n_wires(n, k, record):
    """Section III, after Corollary 2: 2 lambda + o(lambda) cycles, not those of its halving."""
    wires = 2 * (n.bit_length() - 1)
    messages = message_sets.k_relation(n, wires * k, np.random.default_rng(k))
    cap = [wires] * n.bit_length()
    found = schedule(*messages, cap)
    halved = schedule(*messages, cap, "COROLLARY2")
    record(load_factor=found.load_factor, cycles=found.cycles)
    record(halving_cycles=halved.cycles)
    assert found.cycles <= math.ceil(found.load_factor) + 1


def every_level(cap, share):
    """Messages that turn at every node, so many that they load the channels there alike.

    share : of the wires below a node, whose messages turn there.
    """
    src, dst = [], []
    for k in range(len(cap) - 1):
        half = 1 << (len(cap) - k - 2)
        count = np.arange(max(1, round(share * cap[k + 1])))
        for first in range(0, 2 * half << k, 2 * half):
            left, right = first + count % half, first + half + (count + count // half) % half
            src += [left, right]
            dst += [right, left]
    return np.concatenate(src), np.concatenate(dst)


@pytest.mark.parametrize("lg", range(4, 10))
def test_lg_n_connections(lg, record):
    """Section VI: O(lambda) cycles with lg n connections; by Theorem 1, as levels, it takes more.

    Two lg n times the wires of the least root; of each level a little more than a cycle's.
    """
    cap = 2 * lg * universal(2**lg, least_root(2**lg))
    messages = every_level(cap, 1.05)
    found = [schedule(*messages, cap, how) for how in ("COROLLARY2", "THEOREM1")]
    by = [float(one.cycles / one.load_factor) for one in found]
    record(lg_n=lg, cycles_a_lambda=by[0], theorem_1_a_lambda=by[1])
    assert by[0] <= 4


@pytest.mark.parametrize("lg", range(4, 9))
@pytest.mark.parametrize("root", [2 / 3, 5 / 6, 1])
def test_no_message_set_is_far_from_its_load_factor(lg, root, record):
    """Section VI: lambda + lg n lg lg n cycles, of sets for which Theorem 1 takes far longer."""
    n = 2**lg
    cap = universal(n, max(least_root(n), round(n**root)))
    messages = every_level(cap, 8.5)
    found, levels = (schedule(*messages, cap, how) for how in ("GREEDY", "THEOREM1"))
    load = float(found.load_factor)
    record(set_lambda=load, bound=load + lg * math.log2(lg))
    record(set_cycles=found.cycles, set_cycles_of_theorem_1=levels.cycles)
    assert found.cycles <= load + lg * math.log2(lg)


@pytest.mark.parametrize("lg", range(4, 10))
def test_three_quarters_of_the_wires(lg, record):
    """Section IV: alpha times the wires changes results by a constant, 1 / lg n of them by more."""
    n = 2**lg
    cap = 4 * universal(n, least_root(n))
    messages = message_sets.k_relation(n, 16, np.random.default_rng(lg))
    thin = {"partial": cap * 3 // 4, "lg_n": np.maximum(1, cap // lg)}
    usual = schedule(*messages, cap, "GREEDY").cycles
    record(lg_n=lg)
    for name, own in thin.items():
        record(**{f"{name}_slower": schedule(*messages, own, "GREEDY").cycles / usual})


@pytest.mark.parametrize("lg", range(3, 9))
def test_local_messages_leave_the_top_alone(lg, record):
    """Section II: loads at the top by messages of even leaves, without and with those of others."""
    n = 2**lg
    even, odd = np.arange(0, n, 2), np.arange(1, n, 2)
    far = (even + n // 2) % n
    local = odd ^ 2  # of four leaves
    found = {"alone": (even, far), "with_local": ([*even, *odd], [*far, *local])}
    found["with_others"] = ([*even, *odd], [*far, *((odd + n // 2) % n)])
    for name, messages in found.items():
        up, down = level_loads(*messages, n)
        record(**{f"top_{name}": max(*up[1 : lg - 1], *down[1 : lg - 1])})


@pytest.mark.parametrize("lg", range(1, 8))
def test_addresses_are_the_same_in_a_larger_tree(lg, record):
    """Section VII: code is portable; a message is the same in any tree, and at any place."""
    n = 2**lg
    src, dst = (end.ravel() for end in np.meshgrid(np.arange(n), np.arange(n)))
    src, dst = src[src != dst], dst[src != dst]
    bits = []
    for tree, at in ((SerialTree(nonblocking(n)), 0), (SerialTree(nonblocking(4 * n)), n)):
        frames = encode(tree, src + at, dst + at, np.zeros_like(src))
        from_the_first = np.unpackbits(frames, axis=1, bitorder="little")[
            :, tree.frame_bits - 1 :: -1
        ]
        bits.append(from_the_first[:, : 2 * lg])  # M and the address, then zeros
    changed = int((bits[0] != bits[1]).any(axis=1).sum())
    record(
        addresses=src.size, addresses_changed=changed, numbers_changed=int((dst + n != dst).sum())
    )
    assert not changed


@pytest.mark.parametrize("lg", [3, 4, 5, 6])
def test_error_of_repeated_halving(lg, record):
    """Corollary 2: parts of what turns at the root differ by lg n at most in any channel."""
    n, worst = 2**lg, 0.0
    rng = np.random.default_rng(lg)
    for halvings in (1, 2, 3):
        count = 40 * n
        src = rng.integers(0, n // 2, count).astype(np.int32)
        dst = rng.integers(n // 2, n, count).astype(np.int32)
        ends = [np.argsort(side, kind="stable").astype(np.int32) for side in (src, dst)]
        all_of = np.array([0, count])
        parts = partition.split_groups(
            *(ends[0], all_of, ends[1], all_of),
            *(src, dst, np.array([1 << halvings]), bit_lengths(lg)),
        )
        whole = np.maximum(*channel_loads(src, dst, n))
        for part in range(1 << halvings):
            own = np.maximum(*channel_loads(src[parts == part], dst[parts == part], n))
            worst = max(worst, float(np.abs(own - whole / (1 << halvings)).max()))
    record(lg_n=lg, error=worst)
    assert worst <= lg


@pytest.mark.parametrize("n", [64, 256, 1024])
def test_planar_sets_need_no_more_than_the_least_root(n, record):
    """Section I: finite elements leave a hypercube's bandwidth idle; random messages do not."""
    rng = np.random.default_rng(n)
    sets = {"planar": mesh(n, 16 * n, rng), "random": message_sets.k_relation(n, 8, rng)}
    found = {"processors": n}
    for name, messages in sets.items():
        for root, w in (("least", least_root(n)), ("greatest", n)):
            found[f"{name}_{root}"] = schedule(*messages, universal(n, w), "GREEDY").cycles
    record(**found)
    assert found["planar_least"] <= 1.1 * found["planar_greatest"]
    assert found["random_least"] > found["random_greatest"]
