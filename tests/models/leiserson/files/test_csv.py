"""Message files in .csv: what is read from them, and what is said about bad ones."""

import numpy as np
import pytest

from tests.models.leiserson.files.words import MOST, PLACES, as_lists


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


HEADERS = "allowed are source,destination[,payload]"


def place(line, column, value):
    return f"line {line}: {column} is '{value}'; allowed are 0 … 16 {PLACES}"


def payload(value):
    return f"line 2: payload is '{value}'; allowed are 0 … {MOST}, decimal or 0x hexadecimal"


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
        ("source,destination\n0,1\n17,2\n", place(3, "source", "17")),
        ("source,destination\n0,-1\n", place(2, "destination", "-1")),
        ("source,destination\n0,\n", place(2, "destination", "")),
        ("source,destination\n0,1.0\n", place(2, "destination", "1.0")),
        ("source,destination\n0,1_0\n", place(2, "destination", "1_0")),
        ("source,destination\n0x1,2\n", place(2, "source", "0x1")),
        ("source,destination\nexternals,2\n", place(2, "source", "externals")),
        ("source,destination\n0,extern", place(2, "destination", "extern")),
        (f"source,destination\n0,{'9' * 5000}\n", place(2, "destination", f"{'9' * 40}…")),
        ("source,destination\n0,1\n16,external\n", "line 3: goes from the outside to itself"),
        # The first fault counts, whichever of the two readers finds it.
        ("source,destination\n0,99\n0,x\n", place(2, "destination", "99")),
        ("source,destination\n0,x\n0,99\n", place(2, "destination", "x")),
        (f"source,destination,payload\n0,1,{MOST + 1}\n", payload(MOST + 1)),
        ("source,destination,payload\n0,1,0x10000000000000000\n", payload("0x10000000000000000")),
        ("source,destination,payload\n0,1,0x\n", payload("0x")),
        ("source,destination,payload\n0,1,0xfg\n", payload("0xfg")),
        ("source,destination,payload\n0,1,ff\n", payload("ff")),
        (b"source,destination\n0,1\n0,\xff\xfe\n", place(3, "destination", r"\\xff\\xfe")),
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
