"""SPIN's routers to the clock: what each shows, and how a recording differs from that.

A model made from docs/spin.md, "A router clock by clock", alone.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from fattree_models.common.checks import BoolArray, Int64Array, UInt8Array, UInt64Array
from fattree_models.common.fat_tree import Xgft
from fattree_models.spin import router_kernel as kernel
from fattree_models.spin.topology import BUFFERS, tree

Kind = Literal["word", "credit", "stored", "state", "home"]

KINDS: tuple[Kind, ...] = ("word", "credit", "stored", "state", "home")


@dataclass(frozen=True)
class Shown:
    """What the routers show in a clock.

    Parameters
    ----------
    valid, word : bool, uint64 arrays [outputs]
        Words on the outputs' links.
    credit : bool array [links]
        Credits that inputs give, by the link on which they go back.
    state, home : bool arrays [places]
    stored : bool array [routers]
    """

    valid: BoolArray
    word: UInt64Array
    credit: BoolArray
    state: BoolArray
    home: BoolArray
    stored: BoolArray


@dataclass(frozen=True)
class Difference:
    """Where a recording differs from the model.

    Parameters
    ----------
    row : int
        The clock.
    what : {"word", "credit", "stored", "state", "home"}
    at : int
        Number of the link, of the router if "stored", of the place if "state" or "home".
    expected, seen : int or None
        Words, None for no word; else 0 or 1.
    router : int
        That which should have shown what was expected.
    """

    row: int
    what: Kind
    at: int
    expected: int | None
    seen: int | None
    router: int


class Routers:
    """All routers of one SPIN tree, clock by clock.

    Parameters
    ----------
    terminals : int
        16, 32 or 64.
    shared : bool
        Whether routers have shared buffers.

    Attributes
    ----------
    routers : int64 array [routers, 2]
        Level, 1 ... height, and number of each router.
    links : int64 array [links, 3]
        Level, router and port of each output; after these 0, g, 0 for the link of each terminal g
        into the network.
    outputs : int
        Links that are outputs of routers.
    to_terminals : int64 array [terminals]
        Which of them leads to each terminal.
    places : int64 array [places, 3]
        Level, router and, inside of that, number of each place: the ports, then the buffers.

    Examples
    --------
    >>> routers = Routers(64, True)
    >>> len(routers.routers), routers.outputs, len(routers.links), len(routers.places)
    (48, 320, 384, 416)
    """

    def __init__(self, terminals: int, shared: bool) -> None:
        network = tree(terminals)
        self.terminals, self.shared = network.leaves, bool(shared)
        self.routers, self.links, self.places, self._plan = _plan(network, self.shared)
        self.outputs = len(self.links) - self.terminals
        leaf, children = np.arange(self.terminals), network.m[0]
        self.to_terminals = self._plan[leaf // children, kernel.LINK] + leaf % children
        self._registers = np.zeros((len(self.routers), kernel.COLUMNS), dtype=np.int64)

    @cached_property
    def _ends(self) -> Int64Array:
        """From which output to which input each link leads, as the kernel has it."""
        ends = np.full((-(-len(self.links) // 64) * 64, 2), -1)
        for router, row in enumerate(self._plan):
            ports = np.arange(row[kernel.RADIX])
            ends[row[kernel.LINK] + ports, 0] = kernel.PORTS * router + ports
            ends[row[kernel.SOURCE + ports], 1] = kernel.PORTS * router + ports
        return ends

    def reset(self) -> None:
        """Make all registers what they are at first."""
        self._registers[:] = 0

    def shown(self) -> Shown:
        """Return what is shown in this clock; credits of outputs to terminals are not: False."""
        shown = Shown(
            np.zeros(self.outputs, dtype=np.bool_),
            np.zeros(self.outputs, dtype=np.uint64),
            np.zeros(len(self.links), dtype=np.bool_),
            np.zeros(len(self.places), dtype=np.bool_),
            np.zeros(len(self.places), dtype=np.bool_),
            np.zeros(len(self.routers), dtype=np.bool_),
        )
        word = shown.word.view(np.int64)
        rest = (shown.credit, shown.state, shown.home, shown.stored)
        kernel.show(self._plan, self._registers, shown.valid, word, *rest)
        return shown

    def step(self, valid: npt.ArrayLike, word: npt.ArrayLike, credit: npt.ArrayLike) -> Shown:
        """Move on by a clock; return what was shown in it.

        Parameters
        ----------
        valid, word, credit : bool, uint64, bool arrays [terminals]
            Words that come from terminals in this clock, and credits.
        """
        shown = self.shown()
        credits = shown.credit.copy()
        credits[self.to_terminals] = credit
        self.check(
            np.concatenate([shown.valid, np.asarray(valid, dtype=np.bool_)])[None],
            np.concatenate([shown.word, np.asarray(word, dtype=np.uint64)])[None],
            credits[None],
            shown.state[None],
            shown.home[None],
            shown.stored[None],
            np.zeros(1, dtype=np.bool_),
        )
        return shown

    def check(
        self,
        valid: npt.ArrayLike,
        word: npt.ArrayLike,
        credit: npt.ArrayLike,
        state: npt.ArrayLike,
        home: npt.ArrayLike,
        stored: npt.ArrayLike,
        resets: npt.ArrayLike,
    ) -> Difference | None:
        """Compare a recording with what the registers say is shown; they move on with it.

        Parameters
        ----------
        valid, word, credit : bool, uint64, bool arrays [clocks, links]
            What stood on the links: a word, that word, a credit on its way to the link's sender.
        state, home, stored : bool arrays [clocks, places], the same, [clocks, routers]
        resets : bool array [clocks]
            Clocks in which reset was set.

        Returns
        -------
        Difference or None
            The first: of the earliest clock in it the first kind, in it the first number.  After
            one the registers mean nothing.

        Notes
        -----
        Registers take what was recorded, not what should have been: so a fault is reported where it
        arises.  O(clocks routers).
        """
        clocks = np.shape(resets)[0]
        links, places = (clocks, len(self.links)), (clocks, len(self.places))
        there = _array("valid", valid, np.bool_, links)
        shown = (
            _array("state", state, np.bool_, places),
            _array("home", home, np.bool_, places),
            _array("stored", stored, np.bool_, (clocks, len(self.routers))),
        )
        return self.check_bits(
            _bits(there),
            _array("word", word, np.uint64, links)[there],
            _bits(_array("credit", credit, np.bool_, links)),
            _bits(np.concatenate(shown, axis=1)),
            resets,
        )

    def check_bits(
        self,
        valid: UInt8Array,
        words: UInt64Array,
        credit: UInt8Array,
        shown: UInt8Array,
        resets: npt.ArrayLike,
    ) -> Difference | None:
        """Do as `check` with a recording as hardware makes it: faster.

        Parameters
        ----------
        valid, credit, shown : uint8 arrays [clocks, bytes]
            Bits, the first of a byte the lowest, the rest 0: of links, of links, and of all
            places' states, their homes, and of routers, behind one another.
        words : uint64 array [words]
            Those of valid links, clock by clock, of a clock link by link.
        resets : bool array [clocks]
        """
        clocks, places = np.shape(resets)[0], len(self.places)
        word = _array("words", words, np.uint64, (int(np.bitwise_count(valid).sum()),))
        there = _rows("valid", valid, clocks, len(self.links))
        given = _rows("credit", credit, clocks, len(self.links))
        more = _rows("shown", shown, clocks, 2 * places + len(self.routers))
        reset = _array("resets", resets, np.bool_, (clocks,))
        first, last = np.array([kernel.NONE, 0, 0, 0]), np.zeros(len(self._ends), dtype=np.int64)
        row = kernel.check(
            *(self._plan, self._ends, self._registers, there, word.view(np.int64), given, more),
            *(places, reset, last, np.empty((3, len(self.routers)), dtype=np.int64), first),
        )
        if row < 0:
            return None
        kind, at, due, router = first.tolist()
        if kind == kernel.WORD:
            saw = int(last.view(np.uint64)[at]) if _bit(there, row, at) else None
            return Difference(row, "word", at, None if due == kernel.NO_WORD else due, saw, router)
        before = {kernel.STATE: 0, kernel.HOME: places, kernel.STORED: 2 * places}
        seen = _bit(given, row, at) if kind == kernel.CREDIT else _bit(more, row, before[kind] + at)
        return Difference(row, KINDS[kind], at, due, seen, router)


def _array(name: str, values: npt.ArrayLike, kind: type, shape: tuple[int, ...]) -> Any:
    """Return `values` as the kernel takes them, or raise `ValueError`."""
    array: npt.NDArray[Any] = np.ascontiguousarray(values, dtype=kind)
    if array.shape != shape:
        raise ValueError(f"{name}: has shape {array.shape}; allowed is {shape}")
    return array


def _rows(name: str, rows: UInt8Array, clocks: int, bits: int) -> UInt64Array:
    """Return rows of bits with a number more at the end, as the kernel takes them."""
    size = -(-bits // 8)
    if rows.ndim != 2 or len(rows) != clocks or rows.shape[1] < size:
        raise ValueError(f"{name}: has shape {rows.shape}; allowed is ({clocks}, {size}) or more")
    made = np.zeros((clocks, -(-bits // 64) + 1), dtype=np.uint64)
    made.view(np.uint8)[:, :size] = rows[:, :size]
    return made


def _bits(rows: BoolArray) -> UInt8Array:
    """Return rows as bits."""
    return np.packbits(rows, axis=1, bitorder="little")


def _bit(rows: UInt64Array, row: int, at: int) -> int:
    """Return a bit of a row."""
    return int(rows[row, at >> 6]) >> (at & 63) & 1


def _plan(network: Xgft, shared: bool) -> tuple[Int64Array, Int64Array, Int64Array, Int64Array]:
    """Return routers, links and places as `Routers` has them, and what the kernel needs."""
    levels = range(1, network.height + 1)
    routers = [(level, node) for level in levels for node in range(network.level_size(level))]
    links = [(*each, port) for each in routers for port in range(network.radix(each[0]))]
    number = {link: at for at, link in enumerate(links)}
    extra = BUFFERS if shared else 0
    places = [(*each, at) for each in routers for at in range(network.radix(each[0]) + extra)]
    first_place = {place[:2]: at for at, place in reversed(list(enumerate(places)))}
    plan = np.zeros((len(routers), kernel.SOURCE + kernel.PORTS), dtype=np.int64)
    for row, (level, node) in zip(plan, routers, strict=True):
        below, above = network.subtree_leaves(level - 1), network.subtree_leaves(level)
        row[: kernel.SOURCE] = (
            number[level, node, 0],
            first_place[level, node],
            network.radix(level),
            network.down_ports(level),
            below.bit_length() - 1,
            above.bit_length() - 1,
            node // network.w_span(level),
            network.leaves - 1,
            shared,
        )
        for child in range(network.down_ports(level)):
            lower = int(network.down(level, node, child))
            if level == 1:
                row[kernel.SOURCE + child] = len(links) + lower
            else:
                port = network.down_ports(level - 1) + int(network.arrival(level, node))
                row[kernel.SOURCE + child] = number[level - 1, lower, port]
        for parent in range(network.up_ports(level)):
            upper, place = network.up(level, node, parent)
            at = kernel.SOURCE + network.down_ports(level) + parent
            row[at] = number[level + 1, int(upper), int(place)]
    links += [(0, terminal, 0) for terminal in range(network.leaves)]
    return np.array(routers), np.array(links), np.array(places), plan
