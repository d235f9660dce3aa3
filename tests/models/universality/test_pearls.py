"""Lemmas 6 and 7 against brute force."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fattree_models.universality.forests import forest
from fattree_models.universality.pearls import _place, divide

PEARLS = 12


def even_strings(pearls):
    """Every pair of strings with even numbers of both colours."""
    for line in itertools.product((False, True), repeat=pearls):
        if sum(line) % 2 == 0:
            for cut in range(pearls + 1):
                yield line[:cut], line[cut:]


def is_halved(one, other, sets):
    """Whether two sets are at most two strings each, and halves of every colour."""
    line, joint = [*one, *other], len(one)
    places = []
    for pieces in sets:
        own = [i for begin, end in pieces for i in range(begin, end)]
        places += own
        if 2 * sum(line[i] for i in own) != sum(line) or 2 * len(own) != len(line):
            return False
        # A piece that continues beyond the end of a string would be two.
        if any(begin < joint < end for begin, end in pieces):
            return False
    return sorted(places) == list(range(len(line)))


@pytest.mark.parametrize("pearls", range(0, PEARLS + 1, 2))
def test_lemma_6_of_all_strings(pearls, record_property):
    """Every pair of strings that together have so many pearls."""
    pairs = list(even_strings(pearls))
    record_property("pearls", pearls)
    record_property("pairs_of_strings", len(pairs))
    record_property("pairs_halved", sum(is_halved(*pair, divide(*pair)) for pair in pairs))
    assert all(is_halved(*pair, divide(*pair)) for pair in pairs)


def test_a_window_alone_is_not_enough(record_property):
    """Without the move that splits A, some strings are not halved by two strings a side."""
    stuck = 0
    for one, other in even_strings(8):
        line, joint = [*one, *other], len(one)
        windows = [[(b, b + 4)] for b in range(5)]
        windows += [[(b, 8), (0, b - 4)] for b in range(5, 8)]
        good = []
        for pieces in windows:
            own = {i for begin, end in pieces for i in range(begin, end)}
            sides = [own, set(range(8)) - own]
            strings = [
                sum(i in side and (i - 1 not in side or i in (0, joint)) for i in range(8))
                for side in sides
            ]
            good.append(max(strings) <= 2 and 2 * sum(line[i] for i in own) == sum(line))
        stuck += not any(good)
    record_property("pairs_that_windows_do_not_halve", stuck)
    assert stuck


@given(st.lists(st.booleans(), max_size=80), st.lists(st.booleans(), max_size=80))
@settings(max_examples=200)
def test_lemma_6_of_any_strings(one, other):
    blacks = sum(one) + sum(other)
    one = one + [True] * (blacks % 2)
    other = other + [False] * ((len(one) + len(other)) % 2)
    assert is_halved(one, other, divide(one, other))


@pytest.mark.parametrize(("one", "colour"), [([True], "black"), ([True, True, False], "white")])
def test_odd_numbers_are_refused(one, colour):
    with pytest.raises(ValueError, match=f"^pearls: 1 are {colour}; allowed are even numbers"):
        divide(one, [])


@pytest.mark.parametrize("leaves", [1, 2, 8, 32, 128])
def test_lemma_7(leaves, record_property):
    """All strings of consecutive leaves: same leaves, at most two trees a height, <= lg k."""
    most, over, strings = 0, 0, 0
    for begin, end in itertools.combinations(range(leaves + 1), 2):
        trees = forest(begin, end)
        own = sorted(leaf for height, i in trees for leaf in range(i << height, (i + 1) << height))
        assert own == list(range(begin, end))
        counts = np.bincount([height for height, _ in trees])
        most = max(most, int(counts.max()))
        over += (1 << (counts.size - 1)) > end - begin
        strings += 1
    record_property("strings_of_leaves", strings)
    record_property("trees_of_a_height", most)
    record_property("strings_with_a_tree_above_lg_k", over)
    assert most <= 2 and not over


@pytest.mark.parametrize("pearls", [4, 6, 8])
def test_the_transformation_of_fig_4(pearls, record_property):
    """A moves onto its complement; a move changes its black pearls by one at most, two by two."""
    found = {"greatest_change": 0, "greatest_change_of_two": 0, "ends_wrong": 0}
    for long in range(pearls // 2, pearls + 1):
        ends = 0, long, long, pearls
        moves = pearls - long + pearls // 2
        places = [_place(move, *ends, pearls // 2) for move in range(moves + 1)]
        sets = [{*range(*p[:2]), *range(*p[2:4])} for p in places]
        found["ends_wrong"] += sets[0] ^ sets[-1] != {*range(pearls)}
        for a, b, c, d, *rest in places:
            kept = [(a, b), (c, d), tuple(rest[:2]), tuple(rest[2:])]
            assert sorted(i for piece in kept for i in range(*piece)) == [*range(pearls)]
        for colours in itertools.product((0, 1), repeat=pearls):
            blacks = np.array([sum(colours[i] for i in own) for own in sets])
            for name, step in (("greatest_change", 1), ("greatest_change_of_two", 2)):
                change = int(np.abs(blacks[step:] - blacks[:-step]).max())
                found[name] = max(found[name], change)
    record_property("pearls_moved", pearls)
    for name, value in found.items():
        record_property(name, value)
    assert found["greatest_change"] == 1 and not found["ends_wrong"]
