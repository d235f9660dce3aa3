"""The compiled network, run burst by burst."""

from collections.abc import Collection
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np

from fattree_models.common.checks import (
    BoolArray,
    Int64Array,
    UInt64Array,
    check_integer,
    check_integers,
)
from fattree_models.traffic import Packets
from fattree_models.wormhole import kernel
from fattree_models.wormhole.arrays import leaves, links, map_of, packets, rules, scratch, state
from fattree_models.wormhole.generator import Generator
from fattree_models.wormhole.item import Answer, Item
from fattree_models.wormhole.network import Network
from fattree_models.wormhole.showing import Showing
from fattree_models.wormhole.trace import Fates, Shown, Trace
from fattree_models.wormhole.wiring import UP, wire
from fattree_models.wormhole.words import Hasher, Words

LOG_ROWS = 1 << 18
NO_SHOWING = kernel.Showing(
    lane=np.empty((0, 3), np.int64),
    home=np.empty(0, np.int64),
    row=np.empty(0, np.uint64),
    total=np.empty(0, np.uint64),
    rows=np.empty((0, 0), np.uint64),
)
NO_LOG = kernel.Log(  # leaves and switches alone put something on links
    *(np.empty(shape, np.int64) for shape in ((0, 2), 0, 2, (0, 2)))
)
LIST = [kernel.HERE, kernel.END, kernel.DUE_AT]

Registers = tuple[int, kernel.State, kernel.Leaves, kernel.Links]
Part = TypeVar("Part", bound=tuple[Any, ...])


class Simulation:
    """A wormhole network that runs, fast.

    Parameters
    ----------
    network : Network
    seed : int
        32 bits, of the random numbers.
    answer : Answer, optional
        Leaves answer packets of kind 0.

    Attributes
    ----------
    seed, answer : as above
        Others count from the next reset, and from the next item.
    item : Item
        The packets, with their replies.
    clock : int
        Clocks run so far.
    total : uint64 array [words]
        What was shown in the last burst that `hashed` ran: the sum of rows of its clocks,
        after `Showing`, each times `kernel.weight`.
    worked : int
        Those of them that were not skipped because nothing moved.

    Examples
    --------
    A packet of four flits crosses one switch in 1 + (3 + 1) + 3 clocks:

    >>> from fattree_models.common.fat_tree import kary
    >>> run = Simulation(Network(tree=kary(4, 3)))
    >>> run.load(Packets.of(0, 3, [10], 4))
    >>> run.run(50, record=False)
    >>> int(run.fates.tail[0]) - 10
    8
    """

    def __init__(self, network: Network, seed: int = 1, answer: Answer | None = None) -> None:
        self.seed = check_integer("seed", seed, 0, 2**32 - 1)
        self.network, self.answer = network, answer
        self.wiring = wire(network)
        self.rules = rules(network, self.wiring, answer)
        self.map = map_of(network, self.wiring, self.rules)
        self.scratch = scratch(self.wiring, self.rules)
        self.node = self.wiring.switches.node
        self.view = Showing(network, self.wiring)
        self.clock, self.worked = 0, 0
        self._reset(first=True)
        self.load(Packets.of([], [], []))

    def load(self, listed: Packets, data: UInt64Array | None = None) -> None:
        """Begin an item: the next clock is its clock 0.

        Parameters
        ----------
        listed : Packets
        data : uint64 array [flits], optional
            For `hashed`: what is written in the flits, if it is not as in `Words`; see `Hasher`.

        Raises
        ------
        ValueError
            If packets of the last item are in the network, or these cannot be sent.
        """
        if self.inside:
            raise ValueError("packets: the last ones are in the network; allowed after a reset")
        self.item, self.data = Item.of(self.network, listed, self.answer), data
        self.rules = rules(self.network, self.wiring, self.answer)
        self.first, self.listed = self.clock, len(listed)
        self.hasher: Hasher | None = None
        self.packet, self.fate = packets(self.item, self.first)
        starts = np.searchsorted(listed.source, np.arange(self.network.leaves + 1))
        due = self.packet[starts[:-1], kernel.RELEASE]
        due[starts[:-1] == starts[1:]] = kernel.NEVER
        self.leaves.leaf[:, LIST] = np.stack((starts[:-1], starts[1:], due), 1)

    @property
    def inside(self) -> bool:
        """Whether a flit or a reply is in the network or in a leaf."""
        leaf, links = self.leaves.leaf, self.links
        parts = (self.state.waiting, leaf[:, [kernel.HOLDS, kernel.WAITING]], links.counts[0])
        return any(part.any() for part in parts) or bool((links.far[..., 0] >= 0).any())

    @property
    def fates(self) -> Fates:
        """What became of the packets of the item so far."""
        return Fates(*(np.where(each < 0, -1, each - self.first) for each in self.fate.T))

    @property
    def hops(self) -> Int64Array:
        """Switches that the head of each packet has passed so far; a turn-back node may be two."""
        return self.packet[: len(self.fate), kernel.HOPS]

    @property
    def came(self) -> int:
        """Clock of the item in which a flit was last on a link to its leaf; negative: none was."""
        return int(self.leaves.leaf[:, kernel.CAME].max()) - self.first

    def registers(self) -> Registers:
        """Return a copy of all registers, for `put_back`."""
        return self.clock, _copied(self.state), _copied(self.leaves), _copied(self.links)

    def put_back(self, registers: Registers) -> None:
        """Go back to the clock in which `registers` was called, of this item; fates stay."""
        self.clock, self.state, self.leaves, self.links = registers

    def drop(self) -> None:
        """Forget the packets that are not begun."""
        leaf = self.leaves.leaf
        leaf[:, kernel.HERE], leaf[:, kernel.DUE_AT] = leaf[:, kernel.END], kernel.NEVER

    def run(
        self,
        clocks: int,
        resets: Collection[int] = (),
        stall: BoolArray | None = None,
        may_send: bool = True,
        record: bool = True,
    ) -> Trace | None:
        """Run a burst.

        Parameters
        ----------
        clocks : int
        resets : collection of int
            Rows of the burst in which the reset is set.
        stall : bool array [clocks, leaves], optional
            Who gives no credits.
        may_send : bool
            Whether leaves send flits.
        record : bool
            Whether to return a trace.

        Raises
        ------
        ValueError
            If rows of resets are not of the burst, or stalls have another shape.
        """
        clocks = check_integer("clocks", clocks, 0)
        trace = self._empty(clocks) if record else None
        self._burst(clocks, resets, stall, may_send, trace, None)
        if trace is not None and not self.network.long:
            self._copy_far(trace)
        return trace

    def hashed(
        self,
        clocks: int,
        resets: Collection[int] = (),
        stall: BoolArray | None = None,
        may_send: bool = True,
    ) -> UInt64Array:
        """Run a burst as `run` does; return its `hashes`.

        All bursts of an item must be run so: hops of packets are remembered from one to the next.
        """
        if self.hasher is None:
            words = Words(self.network, self.wiring, self.item)
            self.hasher = Hasher(words, self.rules, self.data)
        self._showing.total[:] = 0
        self._burst(clocks, resets, stall, may_send, None, self.hasher)
        self.total = self._showing.total.copy()
        return self.hasher.result()

    def _burst(
        self,
        clocks: int,
        resets: Collection[int],
        stall: BoolArray | None,
        may_send: bool,
        trace: Trace | None,
        hasher: Hasher | None,
    ) -> None:
        """Run a burst, from one reset to the next, in pieces that fit into a log."""
        clocks = check_integer("clocks", clocks, 0)
        check_integers("resets", list(resets), 0, clocks - 1)
        if stall is None:
            stall = np.zeros((0, self.network.leaves), np.bool_)
        elif stall.shape != (clocks, self.network.leaves) or stall.dtype != np.bool_:
            raise ValueError(
                f"stall: is {stall.dtype} {stall.shape}; "
                f"allowed is bool {(clocks, self.network.leaves)}"
            )
        begin, logs = self.clock, trace is not None or hasher is not None
        showing = self._showing if logs else NO_SHOWING
        if trace is not None:
            showing = showing._replace(rows=trace.states)
        ends = sorted({*resets, *(row + 1 for row in resets), clocks - 1, clocks})
        row = 0
        for end in ends:
            if trace is not None and row == clocks - 1:
                object.__setattr__(trace, "shown", self._shown())
            while row < end:
                step = min(end - row, self._chunk) if logs else end - row
                if trace is not None:
                    self._write_draws(trace, row, step)
                self._part(
                    step, row in resets, stall[row : row + step], may_send, logs, showing, begin
                )
                if trace is not None:
                    self._write(trace, row, step)
                if hasher is not None:
                    hasher.add(self._log, row, step)
                row += step

    def _part(
        self,
        clocks: int,
        reset: bool,
        stall: BoolArray,
        may_send: bool,
        logged: bool,
        showing: kernel.Showing,
        begin: int,
    ) -> None:
        """Run clocks of a burst: one in which there is a reset, or some without."""
        if reset:
            kernel.observe(
                *(self.rules, self.map, self.state, self.leaves, self.links),
                *(self._log, logged, showing, begin, self.clock),
            )
        else:
            self.worked += kernel.run(
                *(self.rules, self.map, self.state, self.leaves, self.links),
                *(self.packet, self.fate),
                self.listed,
                *(self._log, logged),
                showing,
                self.scratch,
                *(begin, self.clock, clocks),
                stall,
                may_send,
                NO_LOG,
            )
        self.clock += clocks
        if reset:
            self._reset()

    def _reset(self, first: bool = False) -> None:
        """Set everything that has a reset value."""
        self.state = state(self.network, self.wiring, self.rules)
        self.state.random[:, 1] = self.clock
        for s in np.flatnonzero(self.node >= 0):
            self.state.random[s, 0] = Generator(self.seed, int(self.node[s])).word
        made = leaves(self.network, self.rules)
        if not first:
            made.leaf[:, LIST] = self.leaves.leaf[:, LIST]
        self.leaves = made
        self.links = links(self.network, self.wiring)

    @property
    def _chunk(self) -> int:
        """Clocks that fit into a log."""
        return max(1, LOG_ROWS // self._beyond)

    @property
    def _beyond(self) -> int:
        """Links of a trace."""
        return self.wiring.links + self.network.leaves

    @cached_property
    def _log(self) -> kernel.Log:
        """Room for what is on all links in `_chunk` clocks: mostly a burst, for calls also cost."""
        rows = (self._chunk + 1) * self._beyond  # the last clock leaves what comes after it
        flits = np.empty((rows, 2), np.int64)
        credits = np.empty(rows * self.network.vcs, np.int64)
        ends = np.zeros((self._chunk + 1, 2), np.int64)
        return kernel.Log(flits, credits, np.zeros(2, np.int64), ends)

    @cached_property
    def _showing(self) -> kernel.Showing:
        return self.view.empty(self.rules.shift)

    def _empty(self, clocks: int) -> Trace:
        generators = int((self.node >= 0).sum())
        first = self.clock - self.first
        return Trace.empty(first, clocks, self._beyond, generators, self._shown(), self.view.words)

    def _write(self, trace: Trace, row: int, clocks: int) -> None:
        """Write so many clocks, which were logged, from a row of the trace on."""
        log = self._log
        shift, place = self.rules.shift, np.arange(self._beyond)
        place[self.wiring.told_out] = np.arange(self.wiring.told_out.size)
        counts = np.diff(log.ends[: clocks + 1], axis=0)
        rows = np.arange(row, row + clocks)
        lane, flit = log.flits[: log.ends[clocks, 0]].T
        at = np.repeat(rows, counts[:, 0]), place[lane >> shift]
        trace.packet[at] = flit >> kernel.PACKET
        trace.index[at] = flit >> kernel.INDEX & 0x7FFF
        trace.vc[at] = lane & (1 << shift) - 1
        lane = log.credits[: log.ends[clocks, 1]]
        bits = (1 << (lane & (1 << shift) - 1)).astype(np.uint8)
        np.bitwise_or.at(trace.credits, (np.repeat(rows, counts[:, 1]), place[lane >> shift]), bits)

    def _copy_far(self, trace: Trace) -> None:
        """Write the far ends of links that are not long."""
        told = np.empty_like(self.wiring.told_out)
        told[self.wiring.told_out] = np.arange(told.size)
        near = told[self.wiring.feeder[-self.network.leaves :]]
        for part in (trace.packet, trace.index, trace.vc, trace.credits):
            part[:, self.wiring.links :] = part[:, near]

    def _write_draws(self, trace: Trace, row: int, clocks: int) -> None:
        drawing = np.flatnonzero(self.node >= 0)
        for column, s in enumerate(drawing[np.argsort(self.node[drawing])]):
            word, clock = (int(each) for each in self.state.random[s])
            kernel.words(
                kernel.advance(word, self.clock - clock), trace.draws[row : row + clocks, column]
            )

    def _shown(self) -> Shown:
        """Return what the switches show, in the clock to come."""
        vcs, shift = np.arange(self.network.vcs), self.rules.shift
        ins = ((self.wiring.told_in << shift)[:, None] + vcs).reshape(-1)
        outs = self.wiring.told_out.repeat(vcs.size)
        vc = np.tile(vcs, self.wiring.told_out.size)
        bit = self.map.bit[ins >> shift] + (ins & (1 << shift) - 1)
        owner = self.wiring.switches
        of = np.repeat(np.arange(len(owner)), owner.ins)[ins >> shift]
        more = np.where(owner.role[of] == UP, owner.children[of], 0)
        lane = self.state.lane.reshape(-1, 1 << int(kernel.ROW_OF_LANE))[ins]
        return Shown(
            _bit(self.state.waiting, bit),
            _bit(self.state.active, bit),
            (lane[:, kernel.PORT] + more).astype(np.int16),
            lane[:, kernel.VC].astype(np.int8),
            (self.state.link[outs, kernel.FREE] >> vc & 1).astype(np.bool_),
            self.state.left[outs << shift | vc] == self.network.depth,
        )


def _bit(words: UInt64Array, place: Int64Array) -> BoolArray:
    """Return bits of a row of words."""
    bits = words[place >> 6] >> (place & 63).astype(np.uint64) & np.uint64(1)
    return np.asarray(bits != 0)


def _copied(part: Part) -> Part:
    copied: Part = cast(Any, type(part))(*(each.copy() for each in part))
    return copied
