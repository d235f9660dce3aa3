"""Messages as the bits on a wire, from and to the frames that hardware gets.

A message is M = 1, address bits, data bits (MSB first), one bit a tick (Leiserson 1985, Section II,
Fig. 2).  Each node on the way strips one address bit, and 3 decision bits for every stage of a
partial concentrator at the port it turns to (Section IV).  The address of a message from processor
i to j, whose lowest common ancestor has height d, is d-1 ones (go on up), a zero (turn to the other
child), and the d-1 low bits of j: at most 2 lg n - 1 bits, one for each node passed (the paper only
says "at most 2 lg n"; the encoding is ours).
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from fattree_models.common.checks import (
    Int64Array,
    UInt8Array,
    UInt64Array,
    check_integer,
    check_integers,
)
from fattree_models.leiserson.serial_tree import (
    DECISION_BITS,
    FIRST_FREE,
    IDLE,
    SerialTree,
    check_edges,
    refuse_destination,
)


def encode(
    tree: SerialTree,
    source: npt.ArrayLike,
    dst: npt.ArrayLike,
    words: npt.ArrayLike,
    edges: npt.ArrayLike | None = None,
) -> UInt8Array:
    """Return the frames of messages, as hardware gets them.

    Parameters
    ----------
    source : int array [m]
        Source numbers, 0 ... S-1.
    dst : int array [m]
        Destinations: processors, n = external, -1 = no message.
    words : int array [m]
        Data, 0 ... 2^data_bits - 1; of no account where `dst` is -1.
    edges : uint8 array [m, E], optional
        Decision of each successive stage on the way, 0 ... 7; what lies beyond the last stage of
        a path is of no account.  Without it all are 7, the first free edge.

    Returns
    -------
    uint8 array [m, ceil(frame_bits / 8)]
        Little-endian image of the frame: bit frame_bits - 1 is M, below it the address, below that
        the data; the rest is 0, and so is all of it where `dst` is -1.

    Notes
    -----
    O(m (nodes + stages of a path)) time, tens of nanoseconds per message.

    Examples
    --------
    M, the address 1 0 0 from processor 0 to 2, and the data 1:

    >>> frame = encode(SerialTree((1, 1, 1), data_bits=4), [0, 1], [2, -1], [1, 0])
    >>> [format(int(byte), "08b") for byte in frame[:, 0]]
    ['11000001', '00000000']
    """
    q = np.ascontiguousarray(check_integers("source", source), dtype=np.int64)
    j = np.ascontiguousarray(check_integers("dst", dst), dtype=np.int64)
    if q.ndim != 1 or j.shape != q.shape:
        raise ValueError(f"dst: has shape {j.shape}, source {q.shape}; allowed is [m] for both")
    word = _check_words(words, q.shape)
    decision = check_edges(tree, edges, q.shape)
    frames = np.zeros((q.size, tree.frame_bytes), dtype=np.uint8)
    address = int(not tree.offline)
    size = np.array([tree.h, tree.ports, tree.cap[0], tree.frame_bits, tree.data_bits, address])
    st_up, st_down = address * np.array(tree.stages_up), address * np.array(tree.stages_down)
    wrong = _encode(size, st_up, st_down, q, j, word.view(np.int64), decision, frames)
    if wrong >= 0:
        _refuse(tree, int(q[wrong]), int(j[wrong]), int(word[wrong]))
    return frames


def decode(tree: SerialTree, source: int, frame: npt.ArrayLike) -> tuple[int, int, tuple[int, ...]]:
    """Read a frame back (one at a time; for tests).

    Parameters
    ----------
    source : int
        Source number, 0 ... S-1; without it the address says nothing.
    frame : uint8 array [ceil(frame_bits / 8)]

    Returns
    -------
    (int, int, tuple of int)
        Destination, word, and the decisions of the stages on the way; (-1, 0, ()) for an all-zero
        frame.

    Raises
    ------
    ValueError
        If no message has this frame.

    Examples
    --------
    >>> decode(SerialTree((1, 1, 1), data_bits=4), 0, [0b11000001])
    (2, 1, ())
    """
    source = check_integer("source", source, 0, tree.sources - 1)
    if tree.offline:
        raise ValueError("tree: has off-line nodes; allowed are nodes that read addresses")
    image = check_integers("frame", frame, 0, 255)
    if image.shape != (tree.frame_bytes,):
        raise ValueError(f"frame: has shape {image.shape}; allowed is [{tree.frame_bytes}]")
    whole = int.from_bytes(image.astype(np.uint8).tobytes(), "little")
    if whole == 0:
        return IDLE, 0, ()
    if whole.bit_length() != tree.frame_bits:
        raise ValueError(f"frame: is {whole:#x}; allowed are M = bit {tree.frame_bits - 1} or 0")
    bits = _Bits(whole, tree.frame_bits)
    bits.take(1)
    edges: list[int] = []

    def node(stage_count: int) -> int:
        bit = bits.take(1)
        edges.extend(bits.take(DECISION_BITS) for _ in range(stage_count))
        return bit

    h = tree.h
    i = source // tree.ports if source < tree.n * tree.ports else tree.external
    turn, j = -1, 0
    if i != tree.external:
        turn, j = _climb(tree, bits, edges, i)
    if j != tree.external:
        for level in range(turn + 1, h):
            j = 2 * j + node(tree.stages_down[level])
    word = bits.take(tree.data_bits)
    if bits.rest():
        raise ValueError(f"frame: is {whole:#x}; allowed are zeros behind the data")
    return j, word, tuple(edges)


class _Bits:
    """Reads a number from its most significant bit on."""

    def __init__(self, whole: int, width: int) -> None:
        self.whole = whole
        self.left = width

    def take(self, width: int) -> int:
        """Return the next `width` bits."""
        self.left -= width
        return self.whole >> self.left & (1 << width) - 1

    def rest(self) -> int:
        """Return what has not been taken."""
        return self.whole & (1 << self.left) - 1


def _climb(tree: SerialTree, bits: _Bits, edges: list[int], i: int) -> tuple[int, int]:
    """Read the way up of processor i; return the level it turns at and the child it turns to.

    The child is a number within its level.  Out of the machine: (-1, n).
    """
    for level in range(tree.h - 1, -1, -1):
        goes_up = bits.take(1)
        count = tree.stages_up[level] if goes_up else tree.stages_down[level]
        edges.extend(bits.take(DECISION_BITS) for _ in range(count))
        if not goes_up:
            return level, (i >> (tree.h - 1 - level)) ^ 1
    return -1, tree.external


def _check_words(words: npt.ArrayLike, shape: tuple[int, ...]) -> UInt64Array:
    """Return the words as uint64; refuse what is negative (too long is found where it is used)."""
    word = np.asarray(words)
    if word.dtype != np.uint64:  # the only type whose numbers may be beyond those of int64
        word = check_integers("words", words)
    if word.shape != shape:
        raise ValueError(f"words: has shape {word.shape}; allowed is {shape}")
    if word.size and word.dtype.kind == "i" and int(word.min()) < 0:
        raise ValueError(f"words: holds {int(word.min())}; allowed are integers from 0")
    return np.ascontiguousarray(word, dtype=np.uint64)


def _refuse(tree: SerialTree, source: int, destination: int, word: int) -> None:
    """Raise `ValueError` for a message that `_encode` found wrong."""
    if not 0 <= source < tree.sources:
        raise ValueError(f"source: holds {source}; allowed are 0 … {tree.sources - 1}")
    refuse_destination(tree, source, destination)
    raise ValueError(f"words: holds {word}; allowed are 0 … 2^{tree.data_bits} - 1")


@njit(cache=True)
def _put(row: UInt8Array, top: int, value: int, width: int) -> None:
    """Write the low `width` <= 56 bits of `value`, the highest of them at bit `top` of the row."""
    low = top - width + 1
    byte = low >> 3
    rest = value << (low & 7)
    while rest:
        row[byte] |= rest & 0xFF
        rest >>= 8
        byte += 1


@njit(cache=True)
def _length(value: int) -> int:
    """Return the bits that a number has."""
    length = 0
    while value >> length:
        length += 1
    return length


@njit(cache=True)
def _encode(
    size: Int64Array,
    st_up: Int64Array,
    st_down: Int64Array,
    source: Int64Array,
    dst: Int64Array,
    words: Int64Array,
    edges: UInt8Array,
    frames: UInt8Array,
) -> int:
    """Fill the frames (all 0 before); return the first wrong message, or -1.

    `size`: h, P, external wires, frame_bits, data_bits, 1 if nodes read addresses.  Words are the
    bits of a uint64.
    """
    h, ports, wires, frame_bits, data_bits, address = size
    n = 1 << h
    told = edges.shape[1] > 0
    for m in range(source.size):
        q, j = source[m], dst[m]
        own = n if q >= n * ports else q // ports
        if q < 0 or q >= n * ports + wires or j < IDLE or j > n or j == own:
            return m
        if j == IDLE:
            continue
        word = words[m]
        if data_bits < 64 and word >> data_bits != 0:
            return m
        row = frames[m]
        # Bits wait in `pending` so that most messages are written in three pieces.
        top, pending, count = frame_bits - 1, 1, 1
        edge = 0
        # One round a node: up ports from the leaves, then down ports from `turn`.
        level, going_up = (0, False) if own == n else (h - 1, True)
        turn = h - _length(own ^ j) if own < n and j < n else -1
        while 0 <= level < h:
            if going_up and level > turn:
                bit, stage_count = 1, st_up[level]
            elif going_up:
                going_up = False
                bit, stage_count = 0, st_down[level]
            else:
                bit, stage_count = (j >> (h - 1 - level)) & 1, st_down[level]
            level += -1 if going_up else 1
            pending = pending << address | bit & address
            count += address
            for _ in range(stage_count):
                pending = pending << 3 | (int(edges[m, edge]) if told else FIRST_FREE)
                count += 3
                edge += 1
                if count >= 32:
                    _put(row, top, pending, count)
                    top, pending, count = top - count, 0, 0
            if count >= 32:
                _put(row, top, pending, count)
                top, pending, count = top - count, 0, 0
        if count:
            _put(row, top, pending, count)
            top -= count
        if data_bits > 32:
            _put(row, top, (word >> 32) & 0xFFFFFFFF, data_bits - 32)
            _put(row, top - (data_bits - 32), word & 0xFFFFFFFF, 32)
        else:
            _put(row, top, word & 0xFFFFFFFF, data_bits)
    return -1
