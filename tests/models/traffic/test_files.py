"""Files of packets: what is read from them, and what is said about bad ones."""

import time

import numpy as np
import pytest

from fattree_models.traffic import Packets, bernoulli, lengths, pattern, read_packets, write_packets

HEADER = "source,destination,release"
ALLOWED = "allowed are source,destination[,release][,flits][,kind]"


def rows(packets):
    columns = (packets.source, packets.destination, packets.release, packets.flits, packets.kind)
    return list(zip(*(c.tolist() for c in columns), strict=True))


@pytest.fixture
def read(tmp_path):
    """`read(content)` writes a file and reads it for 8 nodes."""

    def write_and_read(content):
        path = tmp_path / "list.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_packets(path, 8)

    return write_and_read


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{HEADER}\n0,1,5\n7,7,0\n", [(0, 1, 5, 1, 0), (7, 7, 0, 1, 0)]),
        (f"{HEADER}\n3,1,5\n0,2,9\n3,4,5\n", [(0, 2, 9, 1, 0), (3, 1, 5, 1, 0), (3, 4, 5, 1, 0)]),
        (f"{HEADER},flits\n1,2,3,16\n", [(1, 2, 3, 16, 0)]),
        (f"{HEADER},flits,kind\n1,2,3,32767,255", [(1, 2, 3, 32767, 255)]),
        (f"{HEADER}\n0,0,{2**40 - 1}\n", [(0, 0, 2**40 - 1, 1, 0)]),
        (f"\ufeff{HEADER}\r\n 1 ,\t2, 003 \r\n\r\n", [(1, 2, 3, 1, 0)]),
        ("source,destination\n1,2\n", [(1, 2, 0, 1, 0)]),
        ("source,destination,kind,flits\n1,2,3,4\n", [(1, 2, 0, 4, 3)]),
        ("source, destination , release\n1,2,3\n\n\x0b4,5,6", [(1, 2, 3, 1, 0), (4, 5, 6, 1, 0)]),
    ],
)
def test_read(read, text, expected):
    packets = read(text)
    assert isinstance(packets, Packets)
    assert rows(packets) == expected


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", f"line 1: is ''; {ALLOWED}"),
        ("source,release\n", f"line 1: is 'source,release'; {ALLOWED}"),
        ("destination,source\n", f"line 1: is 'destination,source'; {ALLOWED}"),
        (f"{HEADER},release\n", f"line 1: is '{HEADER},release'; {ALLOWED}"),
        (f"{HEADER},payload\n", f"line 1: is '{HEADER},payload'; {ALLOWED}"),
        (HEADER, "line 1: no messages follow"),
        (f"{HEADER}\n\n", "line 1: no messages follow"),
        (f"{HEADER}\n0,1,2\n8,1,2\n", "line 3: source is '8'; allowed are 0 … 7"),
        (f"{HEADER}\n\n0,8,2\n", "line 3: destination is '8'; allowed are 0 … 7"),
        (f"{HEADER}\n0,-1,2\n", "line 2: destination is '-1'; allowed are 0 … 7"),
        (f"{HEADER}\n0,external,2\n", "line 2: destination is 'external'; allowed are 0 … 7"),
        (f"{HEADER}\n0,1,{2**40}\n", f"line 2: release is '{2**40}'; allowed are 0 … {2**40 - 1}"),
        (f"{HEADER}\n0,1,1.5\n", f"line 2: release is '1.5'; allowed are 0 … {2**40 - 1}"),
        (f"{HEADER}\n0,1,\n", f"line 2: release is ''; allowed are 0 … {2**40 - 1}"),
        (f"{HEADER},flits\n0,1,2,0\n", "line 2: flits is '0'; allowed are 1 … 32767"),
        (f"{HEADER},flits\n0,1,2,32768\n", "line 2: flits is '32768'; allowed are 1 … 32767"),
        (f"{HEADER},flits,kind\n0,1,2,1,256\n", "line 2: kind is '256'; allowed are 0 … 255"),
        (f"{HEADER}\n0,1\n", "line 2: has 2 fields; allowed are 3"),
        (f"{HEADER}\n0,1,2,3\n", "line 2: has 4 fields; allowed are 3"),
        (f"{HEADER}\n0;1;2\n", "line 2: has 1 field; allowed are 3"),
        (f"{HEADER}\n".encode() + b"\xff,1,2\n", r"line 2: source is '\\xff'; allowed are 0 … 7"),
        (f"{HEADER}\n0,{'9' * 60},2\n", f"line 2: destination is '{'9' * 40}…'; allowed are 0 … 7"),
    ],
)
def test_refused(read, tmp_path, content, reason):
    with pytest.raises(ValueError) as caught:
        read(content)
    assert str(caught.value) == f"{tmp_path / 'list.csv'}: {reason}"


def test_no_file(tmp_path):
    with pytest.raises(ValueError, match=r"missing\.csv: No such file or directory"):
        read_packets(tmp_path / "missing.csv", 8)
    (folder := tmp_path / "folder.csv").mkdir()
    with pytest.raises(ValueError, match="is a directory"):
        read_packets(folder, 8)
    with pytest.raises(ValueError, match="nodes: is 1; allowed are"):
        read_packets(tmp_path, 1)


def test_written_and_read_again(tmp_path):
    rng = np.random.default_rng(1)
    packets = bernoulli(rng, pattern("uniform", 16), lengths("1-16"), 0.5, 2000)
    kind = rng.integers(256, size=len(packets))
    columns = (packets.source, packets.destination, packets.release, packets.flits)
    packets = Packets.of(*columns, kind)
    write_packets(tmp_path / "list.csv", packets)
    assert rows(read_packets(tmp_path / "list.csv", 16)) == rows(packets)
    lines = (tmp_path / "list.csv").read_text().splitlines()
    assert lines[0] == f"{HEADER},flits,kind" and len(lines) == len(packets) + 1


def test_speed(tmp_path):
    """200,000 lines: 0.1 s; a reader in Python alone would take a second or two."""
    count = 200_000
    packets = Packets.of(np.arange(count) % 8, 1, np.arange(count))
    write_packets(tmp_path / "list.csv", packets)
    read_packets(tmp_path / "list.csv", 8)  # compiled
    begin = time.process_time()
    assert len(read_packets(tmp_path / "list.csv", 8)) == count
    assert time.process_time() - begin < 1.0
