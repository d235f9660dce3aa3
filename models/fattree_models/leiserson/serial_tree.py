"""The bit-serial fat-tree: its parameters, the sizes and times that follow, what its sources say.

A message is M = 1, address bits, data bits, one bit a tick (Leiserson 1985, Section II, Fig. 2; the
bits are those of `encode`).  Each node on the way strips one address bit, and 3
decision bits for every stage of a partial concentrator at the port it turns to (Section IV): that
is what addresses are long for, and nodes slow.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import (
    Int32Array,
    IntegerArray,
    UInt8Array,
    check_integer,
    check_integers,
    check_range,
    check_word,
)
from fattree_models.leiserson.capacity import check_capacity, processors_of
from fattree_models.leiserson.partial import stages

IDLE = -1
FIRST_FREE = 7
"""Decision of a stage: take the first edge whose output is free."""
DECISION_BITS = 3
MAX_DATA_BITS = 64
CONCENTRATORS = ("IDEAL", "PARTIAL")
NODES = ("ONLINE", "OFFLINE")
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
    nodes : str
        "ONLINE", or "OFFLINE": nodes with settings from outside (`offline_nodes`), which read no
        address and acknowledge nothing; of partial concentrators.

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
    nodes: str = "ONLINE"

    def __post_init__(self) -> None:
        """Check the parameters and make `cap` a tuple of Python ints."""
        wires = check_capacity(processors_of(self.cap), self.cap)
        check_word("concentrator", self.concentrator, *CONCENTRATORS)
        check_word("priority", self.priority, *PRIORITIES)
        check_word("nodes", self.nodes, *NODES)
        if self.offline and self.concentrator != "PARTIAL":
            raise ValueError("nodes: is OFFLINE; allowed with PARTIAL concentrators only")
        object.__setattr__(self, "cap", tuple(wires.tolist()))
        object.__setattr__(self, "pipeline", check_integer("pipeline", self.pipeline, 0, 1))
        data_bits = check_integer("data_bits", self.data_bits, 1, MAX_DATA_BITS)
        object.__setattr__(self, "data_bits", data_bits)

    @property
    def offline(self) -> bool:
        """Nodes have settings from outside."""
        return self.nodes == "OFFLINE"

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
        return tuple(self._read(st) + self.pipeline for st in self.stages_up)

    @cached_property
    def delay_down(self) -> tuple[int, ...]:
        """Ticks that a down port of a node adds, by level."""
        return tuple(self._read(st) + self.pipeline for st in self.stages_down)

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
        up = tuple(self._read(st) for st in self.stages_up)
        return self._most(up, tuple(self._read(st) for st in self.stages_down))

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
        back = 0 if self.offline else self.pipeline * (2 * self.h - 1)
        return 3 + self.latency_most + self.data_bits + back

    def _read(self, stage_count: int) -> int:
        """Bits of an address that a port reads: its node's, and the decisions of its stages."""
        return 0 if self.offline else 1 + DECISION_BITS * stage_count

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


def check_destinations(tree: SerialTree, dst: npt.ArrayLike) -> Int32Array:
    """Return what the sources send, cycle by cycle, as compiled code wants it.

    Parameters
    ----------
    dst : int array [C, S]

    Returns
    -------
    int32 array [C, S]
        Contiguous and writable.  A number may still be one that `refuse_destination` has to refuse:
        to find it is left to code that goes through all of them anyway.

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


def check_edges(
    tree: SerialTree, edges: npt.ArrayLike | None, shape: tuple[int, ...]
) -> UInt8Array:
    """Return the decisions of messages of a `shape` as uint8 [..., E], [..., 0] for None.

    Examples
    --------
    >>> check_edges(SerialTree((1, 1)), None, (2,)).shape
    (2, 0)
    """
    if edges is None:
        return np.zeros((*shape, 0), dtype=np.uint8)
    decision: IntegerArray = np.asarray(edges)
    if decision.dtype != np.uint8:  # there may be too many to make them wider
        decision = check_integers("edges", edges)
    wanted = (*shape, tree.stages_most)
    if decision.shape != wanted:
        raise ValueError(f"edges: has shape {decision.shape}; allowed is {wanted}")
    check_range("edges", decision, 0, FIRST_FREE)
    return np.require(decision, dtype=np.uint8, requirements=["C", "W"])
