"""Frames from files: what is read from them, and what is said about bad ones."""

import io

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fattree_models.traffic import read_frame


def npy(array, **options):
    buffer = io.BytesIO()
    np.save(buffer, np.asarray(array), **options)
    return buffer.getvalue()


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """`read(".csv", content)` writes a file and reads it for 4 leaves."""
    folder = tmp_path_factory.mktemp("frames")

    def write_and_read(suffix, content, leaves=4):
        path = folder / f"frame{suffix}"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_frame(path, leaves, "FRAMES=x").tolist()

    return write_and_read


def fault(read, suffix, content):
    """What is said of a file: one line, in which its name stands once."""
    with pytest.raises(ValueError) as caught:
        read(suffix, content)
    name, _, reason = str(caught.value).partition(": ")
    assert name == "FRAMES=x" and "\n" not in reason and "FRAMES" not in reason
    return reason


CELL = "allowed are 0 … 3, -1, empty"
BAD_CSV = {
    "": "holds no slots",
    "\n \r\n": "holds no slots",
    ",,,\n-1,-1,-1,-1\n": "is idle in all slots",
    "0,1,2\n": "line 1: has 3 columns; allowed are 4",
    "0,1,2,3\n\n0,1,2,3,0\n": "line 3: has 5 columns; allowed are 4",
    "0;1;2;3\n": "line 1: has 1 column; allowed are 4",
    "0,1,2,4\n": f"line 1: output of input 3 is '4'; {CELL}",
    "0,1,-2,3\n": f"line 1: output of input 2 is '-2'; {CELL}",
    "0,1,x,3\n": f"line 1: output of input 2 is 'x'; {CELL}",
    "0,1.0,2,3\n": f"line 1: output of input 1 is '1.0'; {CELL}",
    "0,1_0,2,3\n": f"line 1: output of input 1 is '1_0'; {CELL}",
    "0,٣,2,3\n": f"line 1: output of input 1 is '٣'; {CELL}",
    f"{2**64 - 1},1,2,3\n": f"line 1: output of input 0 is '{2**64 - 1}'; {CELL}",
    "0,0,1,2\n": "line 1: slot 0: output 0 twice, from inputs 0 and 1",
    "input,output\n0,1\n": "line 1: has 2 columns; allowed are 4",
    "0,1,2,3\n\n1,2,3,2\n": "line 3: slot 1: output 2 twice, from inputs 1 and 3",
    "3,3,x,0\n0,1,2,3\n": f"line 1: output of input 2 is 'x'; {CELL}",
    b"\xff\xfe0\x00,\x001\x00": "line 1: has 2 columns; allowed are 4",
    b"\x00\x01\x02\x80": "line 1: has 1 column; allowed are 4",
}


@pytest.mark.parametrize(("content", "reason"), BAD_CSV.items(), ids=range(len(BAD_CSV)))
def test_bad_csv(read, content, reason):
    assert fault(read, ".csv", content) == reason


GOOD = [[0, 1, 2, 3], [3, 2, 1, 0]]
BAD_NPY = [
    (b"", "is not an array of numbers"),
    (b"0,1,2,3\n", "is not an array of numbers"),
    (npy(GOOD)[:-1], "is cut off, or too long"),
    (npy(GOOD) + b"0", "is cut off, or too long"),
    (npy([[None, 1, 2, 3]], allow_pickle=True), "holds objects; allowed are integers"),
    (npy([[0.0, 1, 2, 3]]), "holds real numbers; allowed are integers"),
    (npy([["0", "1", "2", "3"]]), "holds no numbers; allowed are integers"),
    (npy([[True, False, False, False]]), "holds truth values; allowed are integers"),
    (npy(np.zeros(4, [("a", int)])), "holds no numbers; allowed are integers"),
    (npy([0, 1, 2, 3]), "has shape [4]; allowed is [slots, 4]"),
    (npy(3), "has shape []; allowed is [slots, 4]"),
    (npy([GOOD]), "has shape [1, 2, 4]; allowed is [slots, 4]"),
    (npy(np.zeros((2, 8), int)), "has shape [2, 8]; allowed is [slots, 4]"),
    (npy(np.zeros((0, 4), int)), "holds no slots"),
    (npy(np.full((1, 4), -1)), "is idle in all slots"),
    (npy([[0, 1, 2, -2]]), "slot 0: output of input 3 is -2; allowed are 0 … 3, -1"),
    (npy([[0, 1, 2, 4]]), "slot 0: output of input 3 is 4; allowed are 0 … 3, -1"),
    (
        npy(np.array([[0, 1, 2, 2**63]], np.uint64)),
        f"slot 0: output of input 3 is {2**63}; allowed are 0 … 3, -1",
    ),
    (npy([*GOOD, [1, 2, 3, 1]]), "slot 2: output 1 twice, from inputs 0 and 3"),
]


@pytest.mark.parametrize(("content", "reason"), BAD_NPY, ids=range(len(BAD_NPY)))
def test_bad_npy(read, content, reason):
    assert fault(read, ".npy", content) == reason


def test_a_header_may_announce_more_than_follows(read):
    head = io.BytesIO()
    array = {"descr": "|i1", "fortran_order": False, "shape": (1 << 40, 4)}
    np.lib.format.write_array_header_1_0(head, array)
    told = f"holds {1 << 42} numbers; allowed are at most {2**22}"
    assert fault(read, ".npy", head.getvalue()) == told


def test_too_long(read):
    assert fault(read, ".csv", "0,1,2,3\n" * (2**20 + 1)) == (
        f"has {2**20 + 1} slots; allowed are at most {2**20}"
    )


def test_other_names(tmp_path):
    with pytest.raises(ValueError, match=r"^FRAMES=x: has the suffix \.txt; allowed are \.csv"):
        read_frame(tmp_path / "frame.txt", 4, "FRAMES=x")
    missing = tmp_path / "frame.npy"
    with pytest.raises(ValueError) as caught:
        read_frame(missing, 4)
    assert str(caught.value) == f"{missing}: No such file or directory"


@pytest.mark.parametrize("dtype", ["<i8", ">i2", "|i1", "<u4"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_npy(read, dtype, order):
    assert read(".npy", npy(np.array(GOOD, dtype=dtype, order=order))) == GOOD


@st.composite
def frames(draw):
    """Slots of 4 leaves, some idle, and not idle throughout."""
    slots = draw(st.lists(st.permutations(range(4)), min_size=1, max_size=5))
    idle = draw(st.lists(st.booleans(), min_size=4 * len(slots), max_size=4 * len(slots)))
    rows = np.where(np.reshape(idle, (-1, 4)), -1, slots)
    rows[0, 0] = slots[0][0]
    return rows.tolist()


BLANKS = st.sampled_from(["", " ", "\t"])


@given(rows=frames(), data=st.data())
def test_csv_as_anybody_may_write_it(read, rows, data):
    draw = data.draw
    end = draw(st.sampled_from(["\n", "\r\n"]))
    lines = []
    for row in rows:
        cells = [draw(st.sampled_from(["", "-1"])) if x < 0 else f"{x}" for x in row]
        lines += [",".join(draw(BLANKS) + cell + draw(BLANKS) for cell in cells)]
        lines += [""] * draw(st.integers(0, 1))
    text = (
        draw(st.sampled_from(["", "\ufeff"])) + end.join(lines) + draw(st.sampled_from(["", end]))
    )
    assert read(".csv", text) == rows
    assert read(".npy", npy(rows)) == rows


@given(
    suffix=st.sampled_from([".csv", ".npy"]),
    content=st.one_of(st.binary(max_size=60), st.text("0123,-\n x", max_size=40).map(str.encode)),
    head=st.sampled_from([b"", b"\x93NUMPY\x01\x00", npy(GOOD)[:100], b"0,1,2,3\n"]),
)
@example(suffix=".npy", content=bytes(27) + b"{", head=npy(GOOD)[:100])
def test_any_bytes_are_a_frame_or_one_line(read, suffix, content, head):
    try:
        rows = read(suffix, head + content)
    except ValueError as error:
        assert str(error).startswith("FRAMES=x: ") and "\n" not in str(error)
        return
    for row in rows:
        sends = [x for x in row if x >= 0]
        assert len(row) == 4 and set(sends) <= set(range(4)) and len(set(sends)) == len(sends)
