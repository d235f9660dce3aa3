"""The bit-serial protocol: sizes and times of a tree, and messages as the bits on a wire.

A message is M = 1, address bits, data bits (MSB first), one bit a tick (Leiserson 1985, Section II,
Fig. 2).  Each node on the way strips one address bit, and 3 decision bits for every stage of a
partial concentrator at the port it turns to (Section IV).  The address of a message from processor
i to j, whose lowest common ancestor has height d, is d-1 ones (go on up), a zero (turn to the other
child), and the d-1 low bits of j: at most 2 lg n - 1 bits, one for each node passed (the paper only
says "at most 2 lg n"; the encoding is ours).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from numba import njit

from models.checks import Int32Array, Int64Array, check_integers, check_range
from models.leiserson.capacity import check_capacity, processors
from models.leiserson.partial import stages

UInt8Array = npt.NDArray[np.uint8]
UInt64Array = npt.NDArray[np.uint64]

IDLE = -1
FIRST_FREE = 7
"""Decision of a stage: take the first edge whose output is free."""
DECISION_BITS = 3
MAX_DATA_BITS = 64
CONCENTRATORS = ("IDEAL", "PARTIAL")
PRIORITIES = ("FIXED", "ROTATING")


@dataclass(frozen=True)
class SerialTree:
    """A bit-serial fat-tree: its parameters, and the sizes and times that follow from them.

    Attributes
    ----------
    cap : tuple of int, length h + 1
        Wires, each way, of every channel of a level, at least 1; `cap[0]`: the external channel
        above the root; `cap[h]`: the wires of a processor.  Any sequence of integers is taken.
    concentrator : str
        "IDEAL" or "PARTIAL".
    priority : str
        "FIXED" or "ROTATING".
    pipeline : int
        Registers at the outputs of a node, 0 or 1.
    data_bits : int
        Data bits of a message, 1 ... 64.

    Raises
    ------
    ValueError
        If a parameter is not one of those.

    Notes
    -----
    Source q < n P is wire q % P of processor q // P; source n P + e is wire e of the external
    channel.  Sinks have the same numbers.  Ports are named by the level of their node: `up` leads
    to the parent's side (U_o), `down` to a child (L_o, R_o).

    Examples
    --------
    >>> tree = SerialTree((7, 5, 4, 2, 1), data_bits=8)
    >>> tree.n, tree.sources, tree.address_bits, tree.frame_bits, tree.cycle_ticks
    (16, 23, 7, 16, 32)
    """

    cap: tuple[int, ...]
    concentrator: str = "IDEAL"
    priority: str = "FIXED"
    pipeline: int = 1
    data_bits: int = 32

    def __post_init__(self) -> None:
        """Check the parameters and make `cap` a tuple of Python ints."""
        wires = check_capacity(processors(self.cap), self.cap)
        if self.concentrator not in CONCENTRATORS:
            raise ValueError(f"concentrator: is {self.concentrator}; allowed are IDEAL, PARTIAL")
        if self.priority not in PRIORITIES:
            raise ValueError(f"priority: is {self.priority}; allowed are FIXED, ROTATING")
        object.__setattr__(self, "cap", tuple(wires.tolist()))
        object.__setattr__(self, "pipeline", _check_scalar("pipeline", self.pipeline, 0, 1))
        data_bits = _check_scalar("data_bits", self.data_bits, 1, MAX_DATA_BITS)
        object.__setattr__(self, "data_bits", data_bits)

    @property
    def h(self) -> int:
        """Levels of nodes: lg n."""
        return len(self.cap) - 1

    @property
    def n(self) -> int:
        """Processors."""
        return 1 << self.h

    @property
    def ports(self) -> int:
        """Wires of a processor each way, P."""
        return self.cap[-1]

    @property
    def sources(self) -> int:
        """Sources, and sinks, S = n P + cap[0]."""
        return self.n * self.ports + self.cap[0]

    @property
    def external(self) -> int:
        """The number that stands for the external interface where processors have theirs: n."""
        return self.n

    @cached_property
    def shape_up(self) -> tuple[tuple[int, int], ...]:
        """Inputs and outputs of the up port of a node, by level 0 ... h-1."""
        return tuple((2 * self.cap[k + 1], self.cap[k]) for k in range(self.h))

    @cached_property
    def shape_down(self) -> tuple[tuple[int, int], ...]:
        """Inputs and outputs of each of the two down ports of a node, by level 0 ... h-1."""
        return tuple((self.cap[k] + self.cap[k + 1], self.cap[k + 1]) for k in range(self.h))

    @cached_property
    def stages_up(self) -> tuple[int, ...]:
        """Stages of the up port of a node, by level 0 ... h-1; 0 for ideal concentrators."""
        return tuple(len(self.plan(*shape)) for shape in self.shape_up)

    @cached_property
    def stages_down(self) -> tuple[int, ...]:
        """Stages of each of the two down ports of a node, by level 0 ... h-1."""
        return tuple(len(self.plan(*shape)) for shape in self.shape_down)

    @cached_property
    def delay_up(self) -> tuple[int, ...]:
        """Ticks that the up port of a node adds, D = 1 + 3 stages + pipeline, by level."""
        return tuple(1 + DECISION_BITS * st + self.pipeline for st in self.stages_up)

    @cached_property
    def delay_down(self) -> tuple[int, ...]:
        """Ticks that a down port of a node adds, by level."""
        return tuple(1 + DECISION_BITS * st + self.pipeline for st in self.stages_down)

    @cached_property
    def stages_most(self) -> int:
        """Most stages on the path of any message, E."""
        return self._most(self.stages_up, self.stages_down)

    @cached_property
    def latency_most(self) -> int:
        """Most ticks that the ports on the path of any message add, Dmax."""
        return self._most(self.delay_up, self.delay_down)

    @cached_property
    def address_bits(self) -> int:
        """Bits of the longest address, decision bits among them, A."""
        up = tuple(1 + DECISION_BITS * st for st in self.stages_up)
        down = tuple(1 + DECISION_BITS * st for st in self.stages_down)
        return self._most(up, down)

    @property
    def frame_bits(self) -> int:
        """Bits of a message as hardware gets it: M, the longest address, data."""
        return 1 + self.address_bits + self.data_bits

    @property
    def frame_bytes(self) -> int:
        """Bytes that hold a frame."""
        return (self.frame_bits + 7) // 8

    @property
    def cycle_ticks(self) -> int:
        """Ticks of a delivery cycle, T: load, the longest way there, and the acknowledge back."""
        return 3 + self.latency_most + self.data_bits + self.pipeline * (2 * self.h - 1)

    def plan(self, r: int, s: int) -> tuple[tuple[int, int], ...]:
        """Return the (inputs, outputs) of the stages of a port; none if it is ideal or s >= r."""
        return stages(r, s) if self.concentrator == "PARTIAL" else ()

    def _most(self, up: tuple[int, ...], down: tuple[int, ...]) -> int:
        """Return the most that any path adds up to, if its ports count `up` and `down`.

        A processor's message that turns at level p passes the up ports of the levels below p, and
        the down ports of level p and below; traffic out of the machine passes all the up ports,
        traffic into it all the down ports.
        """
        turning = (sum(up[p + 1 :]) + sum(down[p:]) for p in range(self.h))
        return max(*turning, sum(up), sum(down))


def source_processor(tree: SerialTree) -> Int32Array:
    """Return the processor of each source, n for the wires of the external channel.

    Returns
    -------
    int32 array [S]

    Examples
    --------
    >>> source_processor(SerialTree((3, 2)))
    array([0, 0, 1, 1, 2, 2, 2], dtype=int32)
    """
    counts = np.full(tree.n + 1, tree.ports)
    counts[tree.n] = tree.cap[0]
    return np.repeat(np.arange(tree.n + 1, dtype=np.int32), counts)


def path_latency(
    tree: SerialTree, source_processor: npt.ArrayLike, destination: npt.ArrayLike
) -> Int64Array:
    """Return the ticks that the ports on the way from source to destination add up to.

    Parameters
    ----------
    tree : SerialTree
    source_processor, destination : int arrays
        Processors, or n for the external interface; they are broadcast against each other.

    Returns
    -------
    int64 array
        The sum of D: M is on the sink wire in tick 1 + that.

    Raises
    ------
    ValueError
        If one is no processor and not n, or both are the same.

    Examples
    --------
    Siblings, the far side, out of the machine and into it:

    >>> path_latency(SerialTree((1, 1, 1), pipeline=0), [0, 0, 0, 4], [1, 2, 4, 0])
    array([1, 3, 2, 2])
    """
    i = check_integers("source_processor", source_processor)
    j = check_integers("destination", destination)
    check_range("source_processor", i, 0, tree.n)
    check_range("destination", j, 0, tree.n)
    if np.any(i == j):
        own = int(np.broadcast_to(i, np.broadcast_shapes(i.shape, j.shape))[i == j][0])
        raise ValueError(f"destination: holds {own}, the source itself; allowed are others")
    h, n = tree.h, tree.n
    # Sums from a level down to the leaves; one entry more for "no port at all".
    up = np.array([sum(tree.delay_up[k:]) for k in range(h + 1)], dtype=np.int64)
    down = np.array([sum(tree.delay_down[k:]) for k in range(h + 1)], dtype=np.int64)
    height = np.frexp((i ^ j).astype(np.float64))[1]
    turn = h - np.minimum(height, h)
    inside = up[np.minimum(turn + 1, h)] + down[turn]
    return np.asarray(np.where(i == n, down[0], np.where(j == n, up[0], inside)), dtype=np.int64)


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
    tree : SerialTree
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

    Raises
    ------
    ValueError
        If shapes or values are wrong, or a message goes where it comes from.

    Notes
    -----
    O(m (nodes + stages of a path)) time, tens of nanoseconds a message.

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
    size = np.array([tree.h, tree.ports, tree.cap[0], tree.frame_bits, tree.data_bits])
    st_up, st_down = np.array(tree.stages_up), np.array(tree.stages_down)
    wrong = _encode(size, st_up, st_down, q, j, word.view(np.int64), decision, frames)
    if wrong >= 0:
        _refuse(tree, int(q[wrong]), int(j[wrong]), int(word[wrong]))
    return frames


def decode(tree: SerialTree, source: int, frame: npt.ArrayLike) -> tuple[int, int, tuple[int, ...]]:
    """Read a frame back (one at a time; for tests).

    Parameters
    ----------
    tree : SerialTree
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
    _check_scalar("source", source, 0, tree.sources - 1)
    image = check_integers("frame", frame)
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


def check_edges(
    tree: SerialTree, edges: npt.ArrayLike | None, shape: tuple[int, ...]
) -> UInt8Array:
    """Return the decisions of messages of a `shape` as uint8 [..., E], [..., 0] for None.

    Raises
    ------
    ValueError
        If the shape is wrong or a decision is not 0 ... 7.

    Examples
    --------
    >>> check_edges(SerialTree((1, 1)), None, (2,)).shape
    (2, 0)
    """
    if edges is None:
        return np.zeros((*shape, 0), dtype=np.uint8)
    decision = check_integers("edges", edges)
    wanted = (*shape, tree.stages_most)
    if decision.shape != wanted:
        raise ValueError(f"edges: has shape {decision.shape}; allowed is {wanted}")
    check_range("edges", decision, 0, FIRST_FREE)
    return np.require(decision, dtype=np.uint8, requirements=["C", "W"])


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


def _check_scalar(name: str, value: int, low: int, high: int) -> int:
    """Return `value` as an int if it is an integer in low ... high."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not (whole and low <= value <= high):
        raise ValueError(f"{name}: is {value}; allowed are integers {low} … {high}")
    return int(value)


def _check_words(words: npt.ArrayLike, shape: tuple[int, ...]) -> UInt64Array:
    """Return the words as uint64; refuse what is negative (too long is found where it is used)."""
    word = check_integers("words", words)
    if word.shape != shape:
        raise ValueError(f"words: has shape {word.shape}; allowed is {shape}")
    if word.size and word.dtype.kind == "i" and int(word.min()) < 0:
        raise ValueError(f"words: holds {int(word.min())}; allowed are integers from 0")
    return np.ascontiguousarray(word, dtype=np.uint64)


def check_destinations(tree: SerialTree, dst: npt.ArrayLike) -> Int32Array:
    """Return what the sources send, cycle by cycle, as compiled code wants it.

    Parameters
    ----------
    tree : SerialTree
    dst : int array [C, S]

    Returns
    -------
    int32 array [C, S]
        Contiguous and writable.  A number may still be one that `refuse_destination` has to refuse:
        to find it is left to whoever goes through them all anyway.

    Raises
    ------
    ValueError
        If the shape or the type is wrong, or a number might not fit 32 bits.

    Examples
    --------
    >>> check_destinations(SerialTree((1, 1)), [[1, -1, 0]])
    array([[ 1, -1,  0]], dtype=int32)
    """
    wanted = check_integers("dst", dst)
    if wanted.ndim != 2 or wanted.shape[1] != tree.sources:
        raise ValueError(f"dst: has shape {wanted.shape}; allowed is [cycles, {tree.sources}]")
    if wanted.dtype != np.int32:
        # A number that does not fit must not wrap round to one that does.
        check_range("dst", wanted, IDLE, tree.n)
    return np.require(wanted, dtype=np.int32, requirements=["C", "W"])


def refuse_destination(tree: SerialTree, source: int, destination: int) -> None:
    """Raise `ValueError` if this message may not be; says which and why.

    Examples
    --------
    >>> refuse_destination(SerialTree((1, 1)), 0, 0)
    Traceback (most recent call last):
    ...
    ValueError: dst: is 0 for source 0 of processor 0; allowed are others
    """
    if not IDLE <= destination <= tree.n:
        raise ValueError(f"dst: holds {destination}; allowed are -1 … {tree.n}")
    inside = source < tree.n * tree.ports
    own = source // tree.ports if inside else tree.external
    if destination == own:
        whose = f"processor {own}" if inside else "the external channel"
        raise ValueError(
            f"dst: is {destination} for source {source} of {whose}; allowed are others"
        )


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

    `size`: h, P, external wires, frame_bits, data_bits.  Words are the bits of a uint64.
    """
    h, ports, wires, frame_bits, data_bits = size
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
            pending = pending << 1 | bit
            count += 1
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
