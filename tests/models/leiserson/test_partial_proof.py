"""Guarantees of partial concentrators by other exact methods, and wrong tables refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array, hstack, identity

from fattree_models.leiserson import partial, partial_proof
from tests.models.refused import refused

# Guarantees, exactly, without the search of `verify_row`


def least_violation_by_subsets(graph, s):
    """Return the least |X| with |N(X)| < |X|: all sets of inputs, s + 1 if no smaller one."""
    reach = np.zeros(1, dtype=np.int32)
    size = np.zeros(1, dtype=np.int8)
    for outputs in graph.tolist():
        bits = np.int32(sum(1 << output for output in set(outputs)))
        reach = np.concatenate((reach, reach | bits))
        size = np.concatenate((size, size + np.int8(1)))
    return int(size[np.bitwise_count(reach) < size].min())


def least_violation_by_milp(graph, s):
    """Return the least |X| with |N(X)| < |X|: y_j >= x_i for each edge, sum x >= 1 + sum y."""
    r = graph.shape[0]
    edges = sorted({(i, j) for i, row in enumerate(graph.tolist()) for j in row})
    picks = csr_array(identity(r))[[i for i, _ in edges]]
    outs = csr_array(identity(s))[[j for _, j in edges]]
    answer = milp(
        np.concatenate((np.ones(r), np.zeros(s))),
        integrality=np.ones(r + s),
        bounds=Bounds(0, 1),
        constraints=[
            LinearConstraint(hstack((picks, -outs)), ub=0),
            LinearConstraint(np.concatenate((np.ones(r), -np.ones(s)))[None, :], lb=1),
        ],
    )
    assert answer.status == 0
    return round(answer.fun)


@pytest.mark.parametrize("r", range(8, 22))
def test_guarantees_exhaustively(r):
    for s in range(partial.first_outputs(r), r):
        least = least_violation_by_subsets(partial.adjacency(r, s), s)
        assert partial.guarantee(r, s) == least - 1 >= 3 * s // 4


@pytest.mark.parametrize(("r", "s"), [(16, 11), (24, 16), (28, 19), (32, 22), (36, 24), (36, 27)])
def test_guarantees_by_milp(r, s):
    assert partial.guarantee(r, s) == least_violation_by_milp(partial.adjacency(r, s), s) - 1


@pytest.mark.parametrize("r", [*range(8, 65), 72])
def test_table(r):
    assert partial_proof.verify_row(r, partial.table_rows()[r]) > 0


@settings(max_examples=100)
@given(st.data())
def test_search_on_random_graphs(data):
    r = data.draw(st.integers(2, 11))
    s = data.draw(st.integers(1, r - 1))
    degree = data.draw(st.integers(1, 6))
    edges = st.lists(st.integers(0, s - 1), min_size=degree, max_size=degree)
    graph = np.array(data.draw(st.lists(edges, min_size=r, max_size=r)))
    # With k the least violation, the largest set that the search can find has s - k + 1 outputs.
    most = s - least_violation_by_subsets(graph, s) + 1
    assert partial_proof.hall_violation(graph, s, most + 1)[0] is None
    if most:
        found, _ = partial_proof.hall_violation(graph, s, most)
        near = np.isin(graph, found).any(axis=1).sum()
        assert found.size == most
        assert near <= r - s - 1 + most


# A wrong table is refused


def test_equal_permutations_are_refused():
    row = partial.table_rows()[24]
    equal = row._replace(multipliers=(1,) * 6, shifts=(0, 16, 8, 0, 16, 8))
    with pytest.raises(ValueError, match=r"^table: \(24, 16\) does not guarantee 16: only the out"):
        partial_proof.verify_row(24, equal)


@pytest.mark.parametrize("r", [12, 33, 48])
def test_wrong_guarantees_are_refused(r):
    row = partial.table_rows()[r]
    for place, digit in enumerate(row.shortfalls):
        s = partial.first_outputs(r) + place
        worse = (*row.shortfalls[:place], digit + 1, *row.shortfalls[place + 1 :])
        with pytest.raises(ValueError, match=rf"^table: \({r}, {s}\) guarantees more than"):
            partial_proof.verify_row(r, row._replace(shortfalls=worse))
        if digit:
            better = (*row.shortfalls[:place], digit - 1, *row.shortfalls[place + 1 :])
            with pytest.raises(ValueError, match=rf"^table: \({r}, {s}\) does not guarantee"):
                partial_proof.verify_row(r, row._replace(shortfalls=better))


def test_low_guarantees_are_refused():
    row = partial.table_rows()[12]
    with pytest.raises(ValueError, match=r"^table: \(12, 8\) guarantees 5; allowed are at least f"):
        partial_proof.verify_row(12, row._replace(shortfalls=(3, 0, 0, 0)))


def test_multipliers_that_do_not_permute_are_refused():
    row = partial.table_rows()[12]
    with pytest.raises(
        ValueError, match=r"^table: r = 12 has multiplier 3; allowed are numbers pr"
    ):
        partial_proof.verify_row(12, row._replace(multipliers=(1, 1, 3, 1, 1, 1)))


def test_one_damaged_number_is_noticed():
    """Most damage keeps floor(3s/4), but not every exact guarantee of the line."""
    row = partial.table_rows()[48]
    noticed = 0
    for e in range(6):
        shifts = [shift + 5 * (at == e) for at, shift in enumerate(row.shifts)]
        try:
            partial_proof.verify_row(48, row._replace(shifts=tuple(shifts)))
        except ValueError:
            noticed += 1
    assert noticed > 0


def test_command(capsys):
    assert partial_proof.main(["8", "20"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in printed[:2]] == ["r = 8", "r = 20"]
    assert printed[2].startswith("verified in ")


def test_command_with_a_damaged_table(capsys, monkeypatch):
    rows = dict(partial.table_rows())
    rows[20] = rows[20]._replace(multipliers=(1,) * 6, shifts=(0,) * 6)
    monkeypatch.setattr(partial_proof, "table_rows", lambda: rows)
    assert partial_proof.main(["20"]) == 1
    assert capsys.readouterr().err.startswith("error: table: (20, 14) does not guarantee")


@pytest.mark.parametrize("word", ["7", "97", "20.0", "all"])
def test_command_for_what_is_not_in_the_table(capsys, word):
    """A user's mistake: exit status 2 and one line, before anything is proved."""
    assert partial_proof.main(["8", word]) == 2
    printed = capsys.readouterr()
    assert printed.err == f"error: r: is {word}; allowed are 8 … 96\n"
    assert not printed.out


test_errors = refused(
    (lambda: partial_proof.hall_violation([[0]], 1, 1), r"graph: has shape \(1, 1\), s = 1"),
    (lambda: partial_proof.hall_violation([[0], [2]], 1, 1), "graph: holds 2; allowed are 0 … 0"),
)
