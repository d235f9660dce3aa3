"""Packets and their lengths."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fattree_models.traffic import Packets, concatenate, lengths
from fattree_models.traffic.packets import MAX_RELEASE, places_in_runs

ROW = st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 9), st.integers(1, 16))


def rows(packets):
    columns = (packets.source, packets.destination, packets.release, packets.flits, packets.kind)
    return list(zip(*(c.tolist() for c in columns), strict=True))


def of_rows(given_rows, kind=0):
    columns = [list(c) for c in zip(*given_rows, strict=True)] or [[], [], [], []]
    return Packets.of(*columns, kind)


# Packets -----------------------------------------------------------------------------------------


@given(st.lists(ROW))
def test_sorted_and_nothing_lost(given_rows):
    packets = of_rows(given_rows, kind=3)
    by_source_and_release = sorted(given_rows, key=lambda row: (row[0], row[2]))  # stable
    assert rows(packets) == [(*row, 3) for row in by_source_and_release]
    assert len(packets) == len(given_rows)
    assert packets.total_flits == sum(row[3] for row in given_rows)
    dtypes = [np.int32, np.int32, np.int64, np.int16, np.uint8]
    columns = (packets.source, packets.destination, packets.release, packets.flits, packets.kind)
    assert [c.dtype for c in columns] == dtypes
    assert all(c.flags.c_contiguous for c in columns)


@given(st.lists(ROW))
def test_by_source(given_rows):
    packets = of_rows(given_rows)
    starts = packets.starts(6)
    assert starts.dtype == np.int64 and starts[0] == 0 and starts[6] == len(packets)
    for s in range(6):
        part = packets.select(packets.source == s)
        assert rows(part) == rows(packets)[starts[s] : starts[s + 1]]
        assert set(part.source.tolist()) <= {s}
        assert packets.counts()[starts[s] : starts[s + 1]].tolist() == list(range(len(part)))


@given(st.lists(st.lists(ROW), max_size=4))
def test_concatenate(parts):
    whole = concatenate(of_rows(part) for part in parts)
    assert rows(whole) == rows(of_rows([row for part in parts for row in rows_of(part)]))


def rows_of(part):
    return [row[:4] for row in rows(of_rows(part))]


def test_select():
    packets = Packets.of([0, 0, 1], [1, 2, 3], [5, 6, 7], [1, 2, 3], [0, 1, 0])
    assert rows(packets.select(packets.kind == 1)) == [(0, 2, 6, 2, 1)]


def test_total_does_not_overflow():
    assert Packets.of(np.zeros(100_000, dtype=int), 1, 0, 32767).total_flits == 3_276_700_000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0], [1], [-1]), "release: holds -1; allowed are 0 … 1099511627775"),
        (([0], [1], [MAX_RELEASE + 1]), "release: holds 1099511627776; allowed are 0 … "),
        (([-1], [1], [0]), "source: holds -1; allowed are 0 … 1048575"),
        (([0], [-1], [0]), "destination: holds -1; allowed are 0 … 1048575"),
        (([0], [1 << 32], [0]), "destination: holds 4294967296; allowed are 0 … 1048575"),
        (([0], [1], [0], 0), "flits: holds 0; allowed are 1 … 32767"),
        (([0], [1], [0], 1, 256), "kind: holds 256; allowed are 0 … 255"),
        (([0, 1], [1, 2, 3], [0]), "packets: have shapes (2,), (3,), (1,), (), (); allowed is "),
    ],
)
def test_refused(arguments, message):
    with pytest.raises(ValueError) as caught:
        Packets.of(*arguments)
    assert str(caught.value).startswith(message)


def test_made_of_arrays_that_do_not_fit():
    good = Packets.of([0, 0], [1, 2], [5, 6])
    columns = [good.source, good.destination, good.release, good.flits, good.kind]
    with pytest.raises(ValueError, match=r"packets: are not sorted; allowed is"):
        Packets(*(c[::-1] for c in columns[:2]), good.release[::-1], *columns[3:])
    with pytest.raises(ValueError, match=r"flits: is int64 \(2,\); allowed is int16 \(2,\)"):
        Packets(*columns[:3], good.release, good.kind)
    with pytest.raises(ValueError, match=r"kind: is uint8 \(1,\); allowed is uint8 \(2,\)"):
        Packets(*columns[:4], good.kind[:1])
    with pytest.raises(ValueError, match="source: holds -1; allowed are"):
        Packets(good.source - 1, *columns[1:])


@given(st.lists(st.integers(0, 2)))
def test_places_in_runs(values):
    expected, run = [], 0
    for i, value in enumerate(values):
        run = run + 1 if i and values[i - 1] == value else 0
        expected.append(run)
    assert places_in_runs(np.array(values, dtype=np.int32)).tolist() == expected


# Lengths -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5", {5: 1}),
        ("1-4", {1: 0.25, 2: 0.25, 3: 0.25, 4: 0.25}),
        ("1,5:0.3", {1: 0.7, 5: 0.3}),
        ("1,5", {1: 0.5, 5: 0.5}),
        ("1:0.25,8:0.75", {1: 0.25, 8: 0.75}),
        ("1-2:0.5,8,9", {1: 0.25, 2: 0.25, 8: 0.25, 9: 0.25}),
        ("1-3:0.6,3:0.4", {1: 0.2, 2: 0.2, 3: 0.6}),
        ("3:0,4", {4: 1}),
        (" 1 - 2 : 0.5 , 7 ", {1: 0.25, 2: 0.25, 7: 0.5}),
        ("32767", {32767: 1}),
    ],
)
def test_lengths(text, expected):
    made = lengths(text)
    got = dict(zip(made.choice.values.tolist(), made.choice.shares.tolist(), strict=True))
    assert got == pytest.approx(expected)
    assert made.name == text
    assert made.mean == pytest.approx(sum(n * p for n, p in expected.items()))
    assert made.longest == max(expected)
    check_lengths(made, expected)


def check_lengths(made, expected, size=20_000):
    """What is drawn is as frequent as expected, within 5 sigma."""
    drawn = made.draw(np.random.default_rng(2), size)
    assert drawn.dtype == np.int16 and drawn.shape == (size,)
    assert set(drawn.tolist()) <= set(expected)
    for n, p in expected.items():
        assert abs(int((drawn == n).sum()) - size * p) <= 5 * (size * p * (1 - p)) ** 0.5


@pytest.mark.parametrize("wrong", ["1,5:0.35", "1-5", "1,6:0.3"])
def test_wrong_lengths_are_seen(wrong):
    with pytest.raises(AssertionError):
        check_lengths(lengths(wrong), {1: 0.7, 5: 0.3})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "length: is ''; allowed are 1 … 32767"),
        ("0", "length: is '0'; allowed are 1 … 32767"),
        ("32768", "length: is '32768'; allowed are 1 … 32767"),
        ("4-2", "length: is '2'; allowed are 4 … 32767"),
        ("1,", "length: is ''; allowed are 1 … 32767"),
        ("1-", "length: is ''; allowed are 1 … 32767"),
        ("-1", "length: is ''; allowed are 1 … 32767"),
        ("2.5", "length: is '2.5'; allowed are 1 … 32767"),
        ("1:", "probability: is ''; allowed are 0 … 1"),
        ("1:2", "probability: is '2'; allowed are 0 … 1"),
        ("1:0.3", "lengths: have probabilities that sum to 0.3; allowed is 1 in all"),
        ("1:0.6,2:0.6", "lengths: have probabilities that sum to 1.2; allowed is 1 in all"),
        ("1:0.5,2:0.5,3", "lengths: have probabilities that sum to 1; allowed is 1 in all"),
        ("1:0.9,2:0.9,3", "lengths: have probabilities that sum to 1.8; allowed is 1 in all"),
    ],
)
def test_refused_lengths(text, message):
    with pytest.raises(ValueError) as caught:
        lengths(text)
    assert str(caught.value) == message
