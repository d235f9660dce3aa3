"""Functional coverage: crosses, what exists, what is excluded, merging, exclusions of the file."""

import numpy as np
import pytest

from fattree_bench.bench.groups import (
    Group,
    Point,
    against_width,
    numbered,
    reachable_against_width,
)
from fattree_bench.coverage.functional import (
    BinExclusion,
    add_hits,
    exclude_bins,
    merge_earlier,
    report_group,
)
from fattree_bench.families import find
from fattree_bench.families.lbbvn import cover as slot
from fattree_bench.families.leiserson import cover as serial
from fattree_bench.report import regression as r
from fattree_models import lbbvn
from fattree_models import leiserson as lei


def cross() -> Group:
    group = Group("pair", (numbered("row", 2), Point("colour", ("red", "green", "blue"))))
    group.exists = np.array([[True, True, False], [True, True, True]])
    group.exclude("never green twice", [[False, False, False], [False, True, False]])
    return group


def test_bins_are_those_that_exist_and_can_be_hit() -> None:
    group = cross()
    assert group.bins == 4
    assert list(group.reasons()) == [(1, "never green twice")]
    group.add((np.array([0, 1, 1]), np.array([1, 2, 2])), 3)
    assert group.hits.tolist() == [[0, 3, 0], [0, 0, 6]]
    assert (group.covered, group.impossible()) == (2, 0)
    group.add((np.array([1]), np.array([1])), 1)
    assert group.impossible() == 1


def test_what_nobody_promises_may_happen() -> None:
    group = cross()
    group.exclude("red is luck", [[True, False, False], [True, False, False]], possible=True)
    group.add((np.array([1]), np.array([0])), 1)
    assert (group.bins, group.covered, group.impossible()) == (2, 0, 0)
    group.add((np.array([0]), np.array([2])), 1)  # a combination that does not exist
    assert group.impossible() == 1


def test_hits_are_the_same_one_by_one_and_in_bulk() -> None:
    rng = np.random.default_rng(5)
    rows, colours = rng.integers(0, 2, 500), rng.integers(0, 3, 500)
    bulk, single = cross(), cross()
    bulk.add((rows, colours), 2)
    for row, colour in zip(rows, colours, strict=True):
        single.add((np.array([row]), np.array([colour])), 2)
    assert np.array_equal(bulk.hits, single.hits) and bulk.hits.sum() == 1000


def test_against_width() -> None:
    assert against_width(np.arange(6), 3).tolist() == [0, 1, 1, 2, 3, 4]
    assert against_width(np.arange(4), 1).tolist() == [0, 2, 3, 4]
    for width in range(1, 5):
        for most in range(9):
            seen = set(against_width(np.arange(most + 1), width).tolist())
            assert [b in seen for b in range(5)] == reachable_against_width(most, width)


@pytest.mark.parametrize("words", ["N=2", "N=4", "N=8", "N=8 CAPACITY=2,2,1", "N=8 CAPACITY=1,2,1"])
def test_most_requests_by_brute_force(words: str) -> None:
    """No message set asks for more lanes of a channel than the bound; some ask for as many."""
    network = find("lbbvn").from_variables(dict(w.split("=") for w in words.split()))
    n, leaves = network.n, network.leaves
    rng = np.random.default_rng(3)
    sets = [rng.integers(-1, leaves, (20_000, leaves))]
    for first in range(leaves):  # everybody to the same subtree, and out of it
        for level in range(n + 1):
            inside = np.arange(leaves) >> (n - level) == first >> (n - level)
            sets.append(np.tile(np.where(inside, -1, first), (1, 1)))
            sets.append(np.tile(np.where(inside, (first + leaves // 2) % leaves, -1), (1, 1)))
    dst = np.concatenate(sets).astype(np.int32)
    outcome = lbbvn.predict(dst, network.lanes)
    up, down = outcome.used_up.astype(int), outcome.used_down.astype(int)
    for s, x in np.argwhere(outcome.lost_level):
        level, falls = outcome.lost_level[s, x], outcome.lost_down[s, x]
        if level <= n:
            end = dst[s, x] if falls else x
            (down if falls else up)[s, (leaves + end) >> (n - level)] += 1
    most = slot.most_requests(network)
    for j in range(1, n + 1):
        found = [int(t[:, 1 << j : 2 << j].max()) for t in (up, down)]
        assert found == most[j].tolist(), j


def test_most_messages_by_brute_force() -> None:
    network = find("leiserson").from_variables({"N": "4", "CAPACITY": "2,3,2"})
    tree, leaves = network.tree, network.leaves
    rng = np.random.default_rng(3)
    sender = lei.source_processor(tree)
    # Towards one subtree at a time, so that its channels meet all that can come.
    rows = []
    for _ in range(3000):
        goals = rng.integers(0, leaves + 1, network.wires)
        size = int(rng.choice([1, 2]))
        base = int(rng.integers(leaves)) // size * size
        goals = np.where(rng.random() < 0.6, base + goals % size, goals)
        rows.append(np.where(goals == sender, -1, goals))
    rows += [np.where(sender == goal, -1, goal) for goal in range(leaves + 1)]
    outcome = lei.deliver(tree, np.array(rows, np.int32))
    from fattree_bench.families.leiserson.plan import lost_by_channel

    up = outcome.used_up + lost_by_channel(outcome, 1)
    down = outcome.used_down + lost_by_channel(outcome, -1)
    most = serial.most_requests(network)
    for k in range(network.n + 1):
        found = [int(t[:, 1 << k : 2 << k].max()) for t in (up, down)]
        assert found == most[k].tolist(), k


def reported(hits: list[int]) -> r.Group:
    group = cross()
    return report_group(group, "lbbvn", "tree-4", {"pair": np.array(hits).reshape(2, 3)})


def test_a_reported_group_names_its_holes() -> None:
    group = reported([1, 0, 0, 0, 0, 5])
    assert (group.covered, group.bins) == (2, 4)
    assert group.holes() == ["row 0, colour green", "row 1, colour red"]
    assert [(e.count, e.reason) for e in group.excluded] == [(1, "never green twice")]


def test_hits_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="another shape"):
        report_group(cross(), "lbbvn", "tree-4", {"pair": np.zeros((3, 2), np.int64)})


def test_hits_are_added_over_files(tmp_path) -> None:
    total: dict = {}
    for times in (1, 2):
        np.savez(tmp_path / "hits.npz", pair=times * np.arange(6).reshape(2, 3))
        add_hits(total, tmp_path / "hits.npz")
    assert total["pair"].tolist() == [[0, 3, 6], [9, 12, 15]]


def test_damaged_hits_are_refused(tmp_path) -> None:
    """Cut off anywhere, or any byte changed: never other hits, never another exception."""
    path = tmp_path / "hits.npz"
    hits = np.arange(6).reshape(2, 3)
    np.savez_compressed(path, pair=hits)
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(ValueError, match="is not a file of hits"):
            add_hits({}, path)
    refused = 0
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        total: dict = {}
        try:
            add_hits(total, path)
            assert np.array_equal(total.get("pair", hits), hits)
        except ValueError as error:
            assert str(error).startswith(f"{path}: is not a file of hits")
            refused += 1
    assert refused > len(whole) // 2


def exclusion(bins: str, configuration: str = "*") -> BinExclusion:
    return BinExclusion("lbbvn", configuration, "pair", bins, "it is so")


def test_bins_are_excluded_by_name() -> None:
    group = reported([1, 0, 0, 0, 0, 5])
    assert exclude_bins([group], [exclusion("row *, colour green")]) == []
    assert group.holes() == ["row 1, colour red"]
    assert group.excluded[-1] == r.Exclusion(1, "it is so")


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (exclusion("row 7, *"), "matches nothing"),
        (exclusion("*", "tree-8"), "matches nothing"),
        (exclusion("row 1, colour green"), "matches nothing"),  # excluded already
        (exclusion("row 1, colour blue"), "needs no exclusion"),
    ],
)
def test_an_exclusion_that_excludes_nothing_is_wrong(entry: BinExclusion, message: str) -> None:
    problems = exclude_bins([reported([1, 0, 0, 0, 0, 5])], [entry])
    assert len(problems) == 1
    assert message in problems[0]


def report(groups: list[r.Group], code: list[r.CodeFile]) -> r.Report:
    return r.Report("smoke", 1, "make coverage", "", 0.0, "", {}, {}, [], groups=groups, code=code)


def test_an_earlier_run_is_merged() -> None:
    def point(line: int, hits: int) -> r.CodePoint:
        return r.CodePoint("line", line, 0, "block", hits)

    now = report(
        [reported([1, 0, 0, 0, 0, 5])],
        [
            r.CodeFile("a.v", ["a", "b"], [point(1, 1), point(2, 0)]),
            r.CodeFile("b.v", ["new"], [point(1, 1)]),
        ],
    )
    other = reported([1, 1, 0, 0, 0, 0])
    another = r.Group("lbbvn", "tree-8", "pair", [("row", ["0"])], [4], [True])
    earlier = report(
        [other, another],
        [
            r.CodeFile("a.v", ["a", "b"], [point(2, 3)]),
            r.CodeFile("b.v", ["old"], [point(1, 7)]),
            r.CodeFile("c.v", ["c"], [point(1, 1)]),
        ],
    )
    assert merge_earlier(now, earlier) == [
        "b.v: another source in the earlier run, its hits are left out"
    ]
    assert [g.hits for g in now.groups] == [[2, 1, 0, 0, 0, 5], [4]]
    assert [[p.hits for p in f.points] for f in now.code] == [[1, 3], [1], [1]]
