"""Reads, merges and writes Verilator's coverage files (.dat): one line a point.

A point is known by its place and name, without hierarchy: instances, parameters and runs add up.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

HEADER = b"# SystemC::Coverage-3\n"
REMEMBERED = 500_000  # texts of points; bounds the memory, not the result


class Key(NamedTuple):
    """A point: `page` is Verilator's kind ("line", "branch", "toggle", "expr") or one of ours.

    `span` are the lines that it stands for, as "71-72,80"; empty where there are none.
    """

    file: str
    line: int
    column: int
    page: str
    name: str
    span: str


Points = dict[Key, int]


def read(path: Path) -> Points:
    """Points of one file, with their hits; ValueError names path and line of a malformed point."""
    return merge([path])


def merge(paths: Iterable[Path]) -> Points:
    """Points of all files, hits added up; ValueError as in `read`."""
    cells: dict[Key, list[int]] = {}
    known: dict[bytes, list[int]] = {}  # a point's text is the same in every run of a build
    for path in paths:
        with path.open("rb") as file:
            if file.readline() != HEADER:
                raise ValueError(f"{path}:1: no coverage file of Verilator")
            for number, line in enumerate(file, 2):
                text, _, hits = line.rpartition(b"' ")
                cell = known.get(text)
                try:
                    if cell is None:
                        cell = known[text] = cells.setdefault(_parse(text), [0])
                    cell[0] += _count(hits)
                except (ValueError, KeyError):
                    raise ValueError(f"{path}:{number}: cut off, or no point") from None
        if len(known) > REMEMBERED:
            known.clear()
    return {key: cell[0] for key, cell in cells.items()}


def write(points: Mapping[Key, int], path: Path) -> None:
    """A file that `read` reads back as `points`."""
    path.write_bytes(HEADER + b"".join(format_point(k, hits) for k, hits in points.items()))


def format_point(key: Key, hits: int) -> bytes:
    """A point's line in the file, newline included."""
    fields = {
        "f": key.file,
        "l": str(key.line),
        "n": str(key.column),
        "page": f"v_{key.page}/",
        "o": key.name,
        "S": key.span,
    }
    text = "".join(f"\1{name}\2{_escape(value)}" for name, value in fields.items() if value)
    return f"C '{text}' {hits}\n".encode()


def _count(hits: bytes) -> int:
    if not hits.endswith(b"\n"):
        raise ValueError
    return int(hits)


def _parse(text: bytes) -> Key:
    start, *fields = text.split(b"\1")
    if start != b"C '":
        raise ValueError
    value = dict(field.split(b"\2", 1) for field in fields)
    page, _, _ = value[b"page"].removeprefix(b"v_").partition(b"/")
    return Key(
        _plain(value[b"f"]),
        int(value[b"l"]),
        int(value.get(b"n", b"0")),
        page.decode(),
        _plain(value.get(b"o", b"")),
        value.get(b"S", b"").decode(),
    )


def _plain(value: bytes) -> str:
    return unquote_to_bytes(value).decode(errors="replace")


def _escape(value: str) -> str:
    """As Verilator does: all that could end a field or a line stands as %XX."""
    return "".join(
        chr(byte) if 0x20 <= byte < 0x7F and chr(byte) not in '%"' else f"%{byte:02X}"
        for byte in value.encode()
    )
