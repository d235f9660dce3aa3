"""SPIN's words and packets: 36 bits a word, a header, a trailer with a check; what errors show.

    bit   35     34   33      32     31 ... 0
          begin  end  parity  error  data

(order of the marks: ours).  Parity makes the number of ones of a word even.  Error says that a
router found the word wrong.  The first word of a packet, with begin, is the header:

    data bits 31 ... 27 (ours)   26 ... 8        7 ... 0
              words of packet    of the users    destination

The last, with end, is the trailer; its data is the check of all words before: beginning with 1, for
each word, the check is rotated left by a place and the word's data exclusive-ored to it (ours).  A
packet has 2 ... 18 words, so 0 ... 16 of payload.

A single flipped bit is found by parity, if not sooner, as are two in different words; two in a word
by the check, the framing or the error mark.  For that the check is not enough: a mark and a bit of
data together can make of a packet's front or rear a packet with a good check.  So the header tells
the length, and a packet that begins where none was due is not trusted.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import Int64Array, check_integer, check_integers

WORD_BITS = 36
MOST_WORDS = 18
MOST_PAYLOAD = MOST_WORDS - 2
BEGIN, END, PARITY, ERROR = 1 << 35, 1 << 34, 1 << 33, 1 << 32
DATA = (1 << 32) - 1
LENGTH = 27  # its lowest bit in the header
HEADER = (1 << LENGTH) - 1
FLAGS = ("parity", "trailer", "framing", "error")


@dataclass(frozen=True)
class Received:
    """A packet as received.

    Parameters
    ----------
    header : int
        Data of the first word, without the length.
    payload : tuple of int
        Data of the words between header and trailer.
    flags : tuple of str
        What is wrong with it, of "parity", "trailer", "framing" and "error"; sound if empty.
    """

    header: int
    payload: tuple[int, ...]
    flags: tuple[str, ...]

    @property
    def dst(self) -> int:
        """Destination, the low byte of the header."""
        return self.header & 255


def parity_word(marks: int, data: int) -> int:
    """Return a word with its parity.

    Parameters
    ----------
    marks : int
        Of BEGIN, END and ERROR, added.
    data : int
        0 ... 2^32 - 1.

    Examples
    --------
    >>> hex(parity_word(BEGIN, 0))
    '0xa00000000'
    """
    marks = check_integer("marks", marks, 0, BEGIN | END | ERROR)
    if marks & ~(BEGIN | END | ERROR):
        raise ValueError(f"marks: is {marks}; allowed are sums of BEGIN, END, ERROR")
    word = marks | check_integer("data", data, 0, DATA)
    return word | (PARITY if word.bit_count() % 2 else 0)


def check_of(data: npt.ArrayLike) -> int:
    """Return the check of the data of header and payload.

    Examples
    --------
    >>> check_of([0]), check_of([0, 5])
    (2, 1)
    """
    check = 1
    for each in check_integers("data", data, 0, DATA).tolist():
        check = ((check << 1 | check >> 31) & DATA) ^ each
    return check


def encode(header: int, payload: npt.ArrayLike) -> Int64Array:
    """Return the words of a packet.

    Parameters
    ----------
    header : int
        27 bits; the low byte is the destination.
    payload : int array [words]
        0 ... 16 words of 32 bits.

    Returns
    -------
    int64 array [words + 2]

    Examples
    --------
    >>> [hex(word) for word in encode(0x2A, [7]).tolist()]
    ['0x81800002a', '0x200000007', '0x430000057']
    """
    inside = check_integers("payload", payload, 0, DATA)
    if inside.ndim != 1 or inside.size > MOST_PAYLOAD:
        raise ValueError(f"payload: has shape {inside.shape}; allowed are 0 … {MOST_PAYLOAD} words")
    first = check_integer("header", header, 0, HEADER) | (inside.size + 2) << LENGTH
    data = [first, *inside.tolist()]
    marks = [BEGIN] + [0] * inside.size + [END]
    words = zip(marks, [*data, check_of(data)], strict=True)
    return np.array([parity_word(mark, each) for mark, each in words], dtype=np.int64)


def receive(words: npt.ArrayLike) -> list[Received]:
    """Return the packets in a row of words, sound or not, with what is wrong.

    A packet ends with its end mark, with as many words as its header says, before the next begin
    mark, or where the words end; words outside of a packet make one that is flagged "framing".

    Parameters
    ----------
    words : int array [words]
        Words of a link, 36 bits each.

    Examples
    --------
    >>> packet = encode(0x2A, [7])
    >>> receive(packet)
    [Received(header=42, payload=(7,), flags=())]
    >>> receive(packet ^ [0, 1, 0])[0].flags, receive(packet ^ [0, 3, 0])[0].flags
    (('parity', 'trailer'), ('trailer',))
    """
    given = np.ravel(check_integers("words", words, 0, (1 << WORD_BITS) - 1)).tolist()
    found: list[Received] = []
    early = False
    for start, stop in spans(given):
        packet = given[start:stop]
        found.append(_received(packet, early))
        early = bool(packet[0] & BEGIN) and not ended(packet)
    return found


def spans(words: list[int]) -> list[tuple[int, int]]:
    """Return where each packet in a row of words starts, and where the next one does.

    Examples
    --------
    >>> spans([*encode(1, [7]).tolist(), *encode(2, []).tolist()])
    [(0, 3), (3, 5)]
    """
    found = []
    start = 0
    for at, word in enumerate(words):
        if at > start and word & BEGIN:
            found.append((start, at))
            start = at
        if ended(words[start : at + 1]):
            found.append((start, at + 1))
            start = at + 1
    return [*found, (start, len(words))] if start < len(words) else found


def ended(packet: list[int]) -> bool:
    """Tell whether the words of a packet are all that it has: by its end mark, or its length."""
    return bool(packet[-1] & END or (packet[0] & BEGIN and len(packet) == _length(packet)))


def _length(packet: list[int]) -> int:
    """Return the words that a packet should have."""
    return (packet[0] & DATA) >> LENGTH


def _received(words: list[int], early: bool) -> Received:
    """Return a packet of at least one word; only its first word may have the mark of a begin."""
    data = [word & DATA for word in words]
    good = words[0] & BEGIN and words[-1] & END and 2 <= len(words) <= MOST_WORDS
    wrong = {
        "parity": any(word.bit_count() % 2 for word in words),
        "trailer": check_of(data[:-1]) != data[-1],
        "framing": not good or early or len(words) != _length(words),
        "error": any(word & ERROR for word in words),
    }
    flags = tuple(flag for flag in FLAGS if wrong[flag])
    return Received(data[0] & HEADER, tuple(data[1:-1]), flags)


def flip(words: npt.ArrayLike, bits: Iterable[int]) -> Int64Array:
    """Return words with bits flipped, 36 w + b for bit b of word w.

    Examples
    --------
    >>> [hex(word) for word in flip([0, 0], [35, 36]).tolist()]
    ['0x800000000', '0x1']
    """
    changed = check_integers("words", words, 0, (1 << WORD_BITS) - 1).astype(np.int64).copy()
    for bit in bits:
        place = check_integer("bits", bit, 0, WORD_BITS * changed.size - 1)
        changed[place // WORD_BITS] ^= 1 << place % WORD_BITS
    return changed
