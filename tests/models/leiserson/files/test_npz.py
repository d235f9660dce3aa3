"""Message files in .npz: what is read from them, and what is said about bad ones."""

import io
import zipfile

import numpy as np
import pytest

from fattree_models.leiserson.message_files import read_messages
from tests.models.leiserson.files.words import MOST, as_lists


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
        ({"source": [0.0], "destination": [1]}, "source holds real numbers; allowed are integers"),
        (
            {"source": [0], "destination": ["1"]},
            "destination holds no numbers; allowed are integers",
        ),
        ({"source": [True], "destination": [1]}, "source holds truth values; allowed are integers"),
        (
            {"source": [0, 1], "destination": [1]},
            "destination has shape [1]; allowed is [messages], as long as source",
        ),
        (
            {"source": [[0, 1]], "destination": [[1, 0]]},
            "source has shape [1, 2]; allowed is [messages], as long as source",
        ),
        (
            {"source": [0], "destination": [1], "payload": [1, 2]},
            "payload has shape [2]; allowed is [messages], as long as source",
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
    broken = "is not an .npz file, or damaged"
    assert fault(".npz", b"source,destination\n0,1\n") == broken
    assert fault(".npz", data[: len(data) // 2]) == broken
    flipped = bytearray(data)
    flipped[data.index(b"\x0e\x00\x00\x00")] ^= 0xFF  # the last source: its checksum is wrong
    assert fault(".npz", bytes(flipped)) == broken
    # One array alone, as np.save writes it, and pickled objects.
    buffer = io.BytesIO()
    np.save(buffer, np.arange(3))
    assert fault(".npz", buffer.getvalue()) == broken
    objects = archive(source=np.array([None, 1], dtype=object), destination=[1, 2])
    assert fault(".npz", objects) == "source holds objects; allowed are integers"
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as file:
        file.writestr("readme.txt", "no array")
    assert fault(".npz", other.getvalue()) == "has no array source; it holds readme.txt"


def test_members_that_are_no_arrays(fault):
    """Whatever they hold is reported in one line, without what Python or numpy would say."""
    header = archive(source=[0], destination=[1])
    whole = {"source": "no array", "destination": header}
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as file:
        for name, text in whole.items():
            file.writestr(f"{name}.npy", text)
    assert fault(".npz", other.getvalue()) == "source is not an array of numbers"


def test_a_file_may_hold_more_than_its_size_tells(fault):
    """80 million messages of zeros, in 80 kB; refused before there is room made for them."""
    other, count = io.BytesIO(), 80_000_000
    head = io.BytesIO()
    array = {"descr": "|u1", "fortran_order": False, "shape": (count,)}
    np.lib.format.write_array_header_1_0(head, array)
    with zipfile.ZipFile(other, "w", zipfile.ZIP_DEFLATED) as file:
        for name in ("source", "destination"):
            file.writestr(f"{name}.npy", head.getvalue() + bytes(1000))
    assert fault(".npz", other.getvalue()) == (
        f"source holds {count} numbers; allowed are at most {2**22}"
    )
