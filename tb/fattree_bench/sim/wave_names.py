"""Names of the signals in a file of waves: VCD as Verilator writes it, FST as Icarus does."""

import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

HIERARCHY = 4  # block of an FST that holds the names, compressed by gzip
MOST = 64 << 20  # bytes of names that are read
SCOPE, UP, ATTRIBUTE, END = 254, 255, 252, 253  # tags of the names of an FST
RANGE = re.compile(r"\s*(\[[^\]]*:[^\]]*\])$")
VCD = re.compile(r"\$(scope|upscope|var)\b(.*?)\$end", re.DOTALL)


@dataclass(frozen=True)
class Signal:
    """A signal: scopes from the top, its name without a range, the range or "", its bits."""

    scopes: tuple[str, ...]
    name: str
    range: str
    width: int

    @property
    def path(self) -> str:
        """As viewers write it, without the range."""
        return ".".join((*self.scopes, self.name))


def signals(path: Path) -> list[Signal]:
    """All signals of a file; ValueError if it is no file of waves, or a damaged one."""
    try:
        with path.open("rb") as file:
            first = file.read(1)
            file.seek(0)
            found = list(_fst(file) if first == b"\0" else _vcd(file))
    except (OSError, struct.error, zlib.error, IndexError, ValueError) as error:
        raise ValueError(f"{path}: holds no waves that can be read ({error})") from None
    if not found:
        raise ValueError(f"{path}: holds no signals")
    return found


def _signal(scopes: list[str], name: str, width: int) -> Signal:
    found = RANGE.search(name)
    plain = name[: found.start()] if found else name
    return Signal(tuple(scopes), plain.rstrip(), found[1] if found else "", width)


def _vcd(file: BinaryIO) -> Iterator[Signal]:
    """Names stand in front, up to $enddefinitions."""
    parts = []
    size = 0
    for line in file:
        parts.append(line)
        size += len(line)
        if b"$enddefinitions" in line or size > MOST:
            break
    scopes: list[str] = []
    for word, rest in VCD.findall(b"".join(parts).decode(errors="replace")):
        values = rest.split()
        if word == "scope":
            scopes.append(values[1])
        elif word == "upscope":
            scopes.pop()
        elif word == "var":
            yield _signal(scopes, " ".join(values[3:]), int(values[1]))


def _fst(file: BinaryIO) -> Iterator[Signal]:
    """Blocks of a type and a length; one of them holds the names."""
    while head := file.read(9):
        kind, length = head[0], struct.unpack(">Q", head[1:])[0]
        if kind == HIERARCHY:
            size = struct.unpack(">Q", file.read(8))[0]
            if size > MOST:
                raise IndexError(f"{size} bytes of names")
            unpack = zlib.decompressobj(wbits=31)
            yield from _names(unpack.decompress(file.read(length - 16), MOST))
            return
        file.seek(length - 8, 1)


def _names(data: bytes) -> Iterator[Signal]:
    """The names of an FST: tags, texts that a zero ends, numbers of seven bits a byte."""
    at = 0

    def text() -> str:
        nonlocal at
        end = data.index(b"\0", at)
        found, at = data[at:end].decode(errors="replace"), end + 1
        return found

    def number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    scopes: list[str] = []
    while at < len(data):
        tag = data[at]
        at += 1
        if tag == SCOPE:
            at += 1  # its type
            scopes.append(text())
            text()  # of a component
        elif tag == UP:
            scopes.pop()
        elif tag == ATTRIBUTE:
            at += 2  # type, subtype
            text()
            number()
        elif tag != END:
            at += 1  # direction
            name, width = text(), number()
            number()  # of another with the same values
            yield _signal(scopes, name, width)
