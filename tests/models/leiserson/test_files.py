"""Message files: what is read from them, and what is said about bad ones."""

import io
import zipfile

import numpy as np
import pytest
import scipy.io
import scipy.sparse

from fattree_models.leiserson.message_files import read_messages

PLACES = "(16 or external: the outside)"
MOST = 2**64 - 1


@pytest.fixture
def read(tmp_path):
    """`read(".csv", content)` writes a file and reads it for 16 processors."""

    def write_and_read(suffix, content, n=16):
        path = tmp_path / f"set{suffix}"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_messages(path, n)

    return write_and_read


@pytest.fixture
def fault(read, tmp_path):
    """`fault(".csv", content)` is the error message without the path in front."""

    def read_and_fail(suffix, content):
        with pytest.raises(ValueError) as caught:
            read(suffix, content)
        message = str(caught.value)
        assert "\n" not in message
        path, _, reason = message.partition(": ")
        assert path == str(tmp_path / f"set{suffix}")
        return reason

    return read_and_fail


def as_lists(messages):
    payload = None if messages.payload is None else messages.payload.tolist()
    return messages.src.tolist(), messages.dst.tolist(), payload, messages.local


# .csv ------------------------------------------------------------------------------------------


def test_csv(read):
    messages = read(".csv", "source,destination\n0,1\n15,3\n3,3\n16,2\n2,external\n")
    assert as_lists(messages) == ([0, 15, 16, 2], [1, 3, 2, 16], None, 1)
    assert messages.src.dtype == messages.dst.dtype == np.int32
    assert messages.name == "set.csv"


def test_csv_with_payload(read):
    text = (
        f"source,destination,payload\n0,1,0x1F\n1,1,7\n1,2,{MOST}\n2,3,0XffffFFFFffffFFFF\n3,4,007"
    )
    messages = read(".csv", text)
    assert as_lists(messages) == ([0, 1, 2, 3], [1, 2, 3, 4], [31, MOST, MOST, 7], 1)
    assert messages.payload.dtype == np.uint64


@pytest.mark.parametrize(
    "text",
    [
        "source,destination,payload\r\n1,2,3\r\nexternal,5,0x06\r\n",
        "\ufeffsource,destination,payload\n1,2,3\nexternal,5,6\n",
        " source , destination,payload\n\n 1 ,\t2, 3 \n  \nexternal , 5,6",
        "source,destination,payload\n1,2,3\n\x0bexternal,\u20075,0x0000000000000000000006\n",
    ],
)
def test_csv_layout_does_not_matter(read, text):
    assert as_lists(read(".csv", text)) == ([1, 16], [2, 5], [3, 6], 0)


def test_csv_of_many_lines(read):
    rng = np.random.default_rng(0)
    src, dst = rng.integers(0, 17, (2, 20000))
    keep = (src < 16) | (dst < 16)
    src, dst = src[keep], dst[keep]
    payload = rng.integers(0, 2**64, src.size, dtype=np.uint64)
    lines = [
        f"{'external' if a == 16 and c % 3 else a},{b},{hex(c) if c & 1 else c}"
        for a, b, c in zip(src.tolist(), dst.tolist(), payload.tolist(), strict=True)
    ]
    messages = read(".csv", "\n".join(["source,destination,payload", *lines]))
    away = src != dst
    assert (messages.src == src[away]).all()
    assert (messages.dst == dst[away]).all()
    assert (messages.payload == payload[away]).all()
    assert messages.local == np.count_nonzero(~away)


HEADERS = "allowed are source,destination and source,destination,payload"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", f"line 1: is ''; {HEADERS}"),
        ("\n\n", f"line 1: is ''; {HEADERS}"),
        ("0,1\n1,2\n", f"line 1: is '0,1'; {HEADERS}"),
        ("source\n0\n", f"line 1: is 'source'; {HEADERS}"),
        ("source,dest\n0,1\n", f"line 1: is 'source,dest'; {HEADERS}"),
        ("source,destination,payload,x\n", f"line 1: is 'source,destination,payload,x'; {HEADERS}"),
        ("x" * 90, f"line 1: is '{'x' * 40}…'; {HEADERS}"),
        ("source,destination", "line 1: no messages follow"),
        ("source,destination\n\n \n", "line 1: no messages follow"),
        ("source,destination\n0,1\n\n2\n", "line 4: has 1 field; allowed are 2"),
        ("source,destination\n0,1,2\n", "line 2: has 3 fields; allowed are 2"),
        ("source,destination,payload\n0,1,2\n0,1", "line 3: has 2 fields; allowed are 3"),
        ("source,destination\n0,1\n17,2\n", f"line 3: source is '17'; allowed are 0 … 16 {PLACES}"),
        ("source,destination\n0,-1\n", f"line 2: destination is '-1'; allowed are 0 … 16 {PLACES}"),
        ("source,destination\n0,\n", f"line 2: destination is ''; allowed are 0 … 16 {PLACES}"),
        (
            "source,destination\n0,1.0\n",
            f"line 2: destination is '1.0'; allowed are 0 … 16 {PLACES}",
        ),
        (
            "source,destination\n0,1_0\n",
            f"line 2: destination is '1_0'; allowed are 0 … 16 {PLACES}",
        ),
        ("source,destination\n0x1,2\n", f"line 2: source is '0x1'; allowed are 0 … 16 {PLACES}"),
        (
            "source,destination\nexternals,2\n",
            f"line 2: source is 'externals'; allowed are 0 … 16 {PLACES}",
        ),
        (
            "source,destination\n0,extern",
            f"line 2: destination is 'extern'; allowed are 0 … 16 {PLACES}",
        ),
        (
            f"source,destination\n0,{'9' * 5000}\n",
            f"line 2: destination is '{'9' * 40}…'; allowed are 0 … 16 {PLACES}",
        ),
        ("source,destination\n0,1\n16,external\n", "line 3: goes from the outside to itself"),
        # The first fault counts, whichever of the two readers finds it.
        (
            "source,destination\n0,99\n0,x\n",
            f"line 2: destination is '99'; allowed are 0 … 16 {PLACES}",
        ),
        (
            "source,destination\n0,x\n0,99\n",
            f"line 2: destination is 'x'; allowed are 0 … 16 {PLACES}",
        ),
        (
            f"source,destination,payload\n0,1,{MOST + 1}\n",
            f"line 2: payload is '{MOST + 1}'; allowed are 0 … {MOST}, decimal or 0x hexadecimal",
        ),
        (
            "source,destination,payload\n0,1,0x10000000000000000\n",
            f"line 2: payload is '0x10000000000000000'; allowed are 0 … {MOST}, "
            "decimal or 0x hexadecimal",
        ),
        (
            "source,destination,payload\n0,1,0x\n",
            f"line 2: payload is '0x'; allowed are 0 … {MOST}, decimal or 0x hexadecimal",
        ),
        (
            "source,destination,payload\n0,1,0xfg\n",
            f"line 2: payload is '0xfg'; allowed are 0 … {MOST}, decimal or 0x hexadecimal",
        ),
        (
            "source,destination,payload\n0,1,ff\n",
            f"line 2: payload is 'ff'; allowed are 0 … {MOST}, decimal or 0x hexadecimal",
        ),
        (
            b"source,destination\n0,1\n0,\xff\xfe\n",
            rf"line 3: destination is '\\xff\\xfe'; allowed are 0 … 16 {PLACES}",
        ),
    ],
)
def test_bad_csv(fault, text, reason):
    assert fault(".csv", text) == reason


def test_bad_line_far_down(fault):
    good = "0,1\n" * 5000
    assert fault(".csv", f"source,destination\n{good}0;1\n{good}") == (
        "line 5002: has 1 field; allowed are 2"
    )
    assert fault(".csv", f"source,destination\n{good}\n16,16\n{good}") == (
        "line 5003: goes from the outside to itself"
    )


# .npz ------------------------------------------------------------------------------------------


def archive(**arrays):
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def test_npz(read):
    data = archive(
        source=np.array([0, 16, 5], dtype=np.uint8),
        destination=np.array([1, 2, 5]),
        payload=np.array([1, MOST, 3], dtype=np.uint64),
    )
    assert as_lists(read(".npz", data)) == ([0, 16], [1, 2], [1, MOST], 1)
    messages = read(".NPZ", archive(source=[3], destination=[16]))
    assert as_lists(messages) == ([3], [16], None, 0)
    assert messages.src.dtype == np.int32
    assert as_lists(read(".npz", archive(source=[1], destination=[2], payload=[7])))[2] == [7]


def test_npz_compressed(read, tmp_path):
    np.savez_compressed(tmp_path / "set.npz", source=[0, 1], destination=[1, 0])
    assert as_lists(read_messages(tmp_path / "set.npz", 2)) == ([0, 1], [1, 0], None, 0)


@pytest.mark.parametrize(
    ("arrays", "reason"),
    [
        ({"source": [0]}, "has no array destination; it holds source"),
        ({"destination": [0]}, "has no array source; it holds destination"),
        ({}, "has no array source; it holds none"),
        (
            {"source": [0], "destination": [1], "payloads": [1]},
            "holds payloads; allowed are source, destination, payload",
        ),
        ({"source": [0.0], "destination": [1]}, "source has dtype float64; allowed are integers"),
        ({"source": [0], "destination": ["1"]}, "destination has dtype <U1; allowed are integers"),
        ({"source": [True], "destination": [1]}, "source has dtype bool; allowed are integers"),
        (
            {"source": [0, 1], "destination": [1]},
            "destination has shape (1,); allowed is [messages], as long as source",
        ),
        (
            {"source": [[0, 1]], "destination": [[1, 0]]},
            "source has shape (1, 2); allowed is [messages], as long as source",
        ),
        (
            {"source": [0], "destination": [1], "payload": [1, 2]},
            "payload has shape (2,); allowed is [messages], as long as source",
        ),
        (
            {"source": np.zeros(0, dtype=int), "destination": np.zeros(0, dtype=int)},
            "holds no messages",
        ),
        (
            {"source": [0, 17], "destination": [1, 1]},
            "source[1] is 17; allowed are 0 … 16 (16: the outside)",
        ),
        (
            {"source": [0, 1], "destination": [1, -1]},
            "destination[1] is -1; allowed are 0 … 16 (16: the outside)",
        ),
        (
            {"source": [0, 1], "destination": [1, 0], "payload": [0, -5]},
            f"payload[1] is -5; allowed are 0 … {MOST}",
        ),
        ({"source": [0, 16], "destination": [1, 16]}, "message 1 goes from the outside to itself"),
    ],
)
def test_bad_npz(fault, arrays, reason):
    assert fault(".npz", archive(**arrays)) == reason


def test_damaged_npz(fault):
    data = archive(source=np.arange(15), destination=np.arange(1, 16))
    assert fault(".npz", b"") == "is empty"
    broken = "is no .npz file, or damaged: "
    assert fault(".npz", b"source,destination\n0,1\n").startswith(broken)
    assert fault(".npz", data[: len(data) // 2]).startswith(broken)
    flipped = bytearray(data)
    flipped[data.index(b"\x0e\x00\x00\x00")] ^= 0xFF  # the last source: its checksum is wrong
    assert fault(".npz", bytes(flipped)) == f"{broken}Bad CRC-32 for file 'source.npy'"
    # One array alone, as np.save writes it, and pickled objects.
    buffer = io.BytesIO()
    np.save(buffer, np.arange(3))
    assert fault(".npz", buffer.getvalue()).startswith(broken)
    objects = archive(source=np.array([None, 1], dtype=object), destination=[1, 2])
    assert fault(".npz", objects).startswith(f"{broken}Object arrays cannot be loaded")
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as file:
        file.writestr("readme.txt", "no array")
    assert fault(".npz", other.getvalue()) == "has no array source; it holds readme.txt"


# .mtx ------------------------------------------------------------------------------------------

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
        "2 4 +7\n"  # and element 4 of 1: another message
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
        ("", "line 1: is ''; allowed is %%MatrixMarket matrix coordinate field symmetry"),
        (
            "5 5 1\n1 1 1\n",
            "line 1: is '5 5 1'; allowed is %%MatrixMarket matrix coordinate field symmetry",
        ),
        (
            "%%MatrixMarket vector coordinate real general\n",
            "line 1: is '%%MatrixMarket vector coordinate real ge…'; "
            "allowed is %%MatrixMarket matrix coordinate field symmetry",
        ),
        (
            "%%MatrixMarket matrix array real general\n1 1\n1\n",
            "line 1: says 'array'; allowed are coordinate",
        ),
        (
            "%%MatrixMarket matrix coordinate quaternion general\n",
            "line 1: says 'quaternion'; allowed are pattern, integer, real, complex",
        ),
        (
            "%%MatrixMarket matrix coordinate real odd\n",
            "line 1: says 'odd'; allowed are general, symmetric, skew-symmetric, hermitian",
        ),
        (GENERAL, "line 1: no sizes follow: rows columns entries"),
        (GENERAL + "% a\n\n", "line 3: no sizes follow: rows columns entries"),
        (GENERAL + "% a\n3 3\n", "line 3: is '3 3'; allowed is: rows columns entries"),
        (GENERAL + "3 3 -1\n", "line 2: is '3 3 -1'; allowed is: rows columns entries"),
        (GENERAL + "3 x 1\n", "line 2: is '3 x 1'; allowed is: rows columns entries"),
        (GENERAL + "0 0 0\n", "line 2: says 0 rows; allowed are 1 … 2147483647"),
        (
            GENERAL + "9999999999 9999999999 1\n",
            "line 2: says 9999999999 rows; allowed are 1 … 2147483647",
        ),
        (GENERAL + "3 4 1\n1 4 1\n", "line 2: says 3 rows and 4 columns; allowed are as many"),
        (GENERAL + "3 3 0\n", "line 2: says 0 entries; allowed is at least 1"),
        (GENERAL + "3 3 2\n1 2 1.0\n\n", "line 3: ends after 1 of 2 entries"),
        (GENERAL + "3 3 2\n", "line 2: ends after 0 of 2 entries"),
        (GENERAL + "3 3 1\n1 2 1\n\n2 1 1\n", "line 5: is one entry too many; line 2 says 1"),
        (GENERAL + "3 3 2\n1 2 1\n4 1 1\n", "line 4: row is '4'; allowed are 1 … 3"),
        (GENERAL + "3 3 2\n1 2 1\n1 0 1\n", "line 4: column is '0'; allowed are 1 … 3"),
        (GENERAL + "3 3 2\n1 -2 1\n1 1 1\n", "line 3: column is '-2'; allowed are 1 … 3"),
        (GENERAL + "3 3 2\n1 2.5 1\n1 1 1\n", "line 3: column is '2.5'; allowed are 1 … 3"),
        (GENERAL + "3 3 2\n1 2 1\na 1 1\n", "line 4: row is 'a'; allowed are 1 … 3"),
        (GENERAL + "3 3 2\n1 2\n1 1 1\n", "line 3: has 2 numbers; allowed are 3"),
        (GENERAL + "3 3 2\n1 2 1 1\n1 1 1\n", "line 3: has 4 numbers; allowed are 3"),
        (GENERAL + "3 3 2\n1 2 1\n1 1", "line 4: has 2 numbers; allowed are 3"),
        (GENERAL + "3 3 2\n1 2 x\n1 1 1\n", "line 3: value is 'x'; allowed are numbers"),
        (GENERAL + "3 3 2\n1 2 1e\n1 1 1\n", "line 3: value is '1e'; allowed are numbers"),
        (GENERAL + "3 3 2\n1 2 1_0\n1 1 1\n", "line 3: value is '1_0'; allowed are numbers"),
        (GENERAL + "3 3 2\n1 2 -.\n1 1 1\n", "line 3: value is '-.'; allowed are numbers"),
        (
            "%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 2 1.0\n",
            "line 3: value is '1.0'; allowed are numbers",
        ),
        (
            "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2 1\n",
            "line 3: has 3 numbers; allowed are 2",
        ),
    ],
)
def test_bad_mtx(fault, text, reason):
    assert fault(".mtx", text) == reason


# Files -----------------------------------------------------------------------------------------


def test_files_that_cannot_be_read(tmp_path):
    missing = tmp_path / "missing.csv"
    with pytest.raises(ValueError) as caught:
        read_messages(missing, 16)
    assert str(caught.value) == f"{missing}: No such file or directory"
    (tmp_path / "folder.npz").mkdir()
    with pytest.raises(ValueError) as caught:
        read_messages(str(tmp_path / "folder.npz"), 16)
    assert str(caught.value) == f"{tmp_path / 'folder.npz'}: Is a directory"


@pytest.mark.parametrize(("name", "suffix"), [("set.txt", ".txt"), ("set", "none")])
def test_suffix(name, suffix):
    with pytest.raises(ValueError) as caught:
        read_messages(name, 16)
    assert str(caught.value) == f"{name}: has the suffix {suffix}; allowed are .csv, .npz, .mtx"


def test_processors(tmp_path):
    with pytest.raises(ValueError, match=r"^processors: is 12; allowed are powers of two"):
        read_messages(tmp_path / "set.csv", 12)
