"""Message files in .mtx: what is read from them, and what is said about bad ones."""

import numpy as np
import pytest
import scipy.io
import scipy.sparse

from fattree_models.leiserson.message_files import read_messages
from tests.models.leiserson.files.words import as_lists

GENERAL = "%%MatrixMarket matrix coordinate real general\n"


def test_mtx(read):
    # Blocks of 2 rows: processor 0 has rows 1, 2; 1 has rows 3, 4; 2 has row 5.
    text = GENERAL + (
        "% any comment, Gr\u00f6\u00dfe\n"
        "\n"
        "5 5 8\n"
        "1 1 4.0\n"  # local to 0
        "2 1 -1e-3\n"  # the same column, the same processor: the same element
        "1 3 .5\n"  # 0 needs element 3 of 1
        "2 3 1.\n"  # ... once
        "2 4 7\n"  # and element 4 of 1: another message
        "5 1 1E5\n"  # 2 needs element 1 of 0
        "5 2 1\n"
        "3 4 1"  # local to 1
    )
    messages = read(".mtx", text, n=4)
    assert as_lists(messages) == ([1, 1, 0, 0], [0, 0, 2, 2], None, 2)
    assert messages.src.dtype == np.int32


def test_mtx_symmetric(read):
    text = "%%MatrixMarket Matrix Coordinate PATTERN Symmetric\n4 4 3\n2 1\n4\t1\n3  3\n"
    assert as_lists(read(".mtx", text, n=4)) == ([1, 3, 0, 0], [0, 0, 1, 3], None, 1)


def test_mtx_with_fewer_rows_than_processors(read):
    text = "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 3\n3 2\n"
    assert as_lists(read(".mtx", text, n=16)) == ([2, 1], [0, 2], None, 0)


@pytest.mark.parametrize("field", ["real", "integer", "complex", "pattern"])
@pytest.mark.parametrize("symmetry", ["general", "symmetric", "skew-symmetric", "hermitian"])
def test_mtx_like_scipy(read, tmp_path, field, symmetry):
    """The same entries as scipy's reader finds, dealt out here one by one."""
    rng = np.random.default_rng(1)
    rows, n = 50, 8
    row, column = np.divmod(rng.choice(rows * rows, 300, replace=False), rows)
    if symmetry != "general":
        below = row > column if symmetry == "skew-symmetric" else row >= column
        row, column = row[below], column[below]
    value = {"complex": "{0:.3g} -{0}e-2", "pattern": "", "integer": "-{1}"}.get(field, "{0!r}")
    lines = [
        f"{i + 1} {j + 1} {value.format(float(x), int(9 * x))}".rstrip()
        for i, j, x in zip(row, column, rng.random(row.size), strict=True)
    ]
    text = f"%%MatrixMarket matrix coordinate {field} {symmetry}\n{rows} {rows} {row.size}\n"
    messages = read(".mtx", text + "\n".join(lines) + "\n", n)
    matrix = scipy.io.mmread(tmp_path / "set.mtx")
    block = -(-rows // n)
    needed = {
        (i // block, j) for i, j in zip(matrix.row.tolist(), matrix.col.tolist(), strict=True)
    }
    expected = sorted((p, j // block) for p, j in needed if j // block != p)
    found = sorted(zip(messages.dst.tolist(), messages.src.tolist(), strict=True))
    assert found == expected
    assert messages.local == len(needed) - len(expected)


def test_mtx_written_by_scipy(read, tmp_path):
    matrix = scipy.sparse.diags([1.5, -2, np.inf], [-1, 0, 9], shape=(64, 64))
    scipy.io.mmwrite(tmp_path / "written.mtx", matrix)
    messages = read_messages(tmp_path / "written.mtx", 8)
    assert messages.src.size == 7 + 55  # each needs one element of its left neighbour, …


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line 1: Not a Matrix Market file. Missing banner"),
        (GENERAL.replace("coordinate", "array") + "1 1\n1\n", "has the format array; allowed is"),
        (GENERAL.replace("real", "odd"), "line 1: Invalid MatrixMarket header element: odd"),
        (GENERAL + "% a\n\n", "line 4: Invalid MatrixMarket header: Premature EOF"),
        (GENERAL + "3 x 1\n", "invalid integer value"),
        (GENERAL + "0 0 0\n", "has 0 rows and 0 columns; allowed are as many, 1 … 2147483647"),
        (GENERAL + "9999999999 9999999999 1\n", "has 9999999999 rows and 9999999999 columns; "),
        (GENERAL + "3 4 1\n1 4 1\n", "has 3 rows and 4 columns; "),
        (GENERAL + "3 3 0\n", "announces 0 entries; allowed are as many as follow, at least 1"),
        (GENERAL + "3 3 999999999999\n1 1 1\n", "announces 999999999999 entries; "),
        (GENERAL + "3 3 2\n1 2 1.0\n\n", "truncated file. Expected another 1 lines"),
        (GENERAL + "3 3 1\n1 2 1\n\n2 1 1\n", "line 5: Too many lines in file"),
        (GENERAL + "3 3 2\n1 2 1\n4 1 1\n", "line 4: Row index out of bounds"),
        (GENERAL + "3 3 2\n1 -2 1\n1 1 1\n", "line 3: Column index out of bounds"),
        (GENERAL + "3 3 2\n1 2 1\na 1 1\n", "line 4: Invalid integer value"),
        (GENERAL + "3 3 2\n1 2 x\n1 1 1\n", "line 3: Invalid floating-point value"),
    ],
)
def test_bad_mtx(fault, text, reason):
    assert fault(".mtx", text).startswith(reason)
