"""What routers show of themselves, against the words that go in and out of them, in each clock."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from fattree_bench.bench import faults as kind
from fattree_models import spin
from fattree_models.common.checks import BoolArray, Int64Array

if TYPE_CHECKING:
    from fattree_bench.bench.links.flit.packets import FlitCaptured
    from fattree_bench.families.spin.network import SpinNetwork


class States:
    """Plane 0 in an item that begins with an empty network, and in which no bits change.

    A word on a link in clock t is in the router behind it from t + 1 on, until it is on the next
    link.  While a router has words, an input or a buffer holds some; while it has none, no input
    does, but a buffer may have an owner.  An output that sends is not as at first.  A buffer holds
    a packet or is as at first; it gets one in the clock that `stored_o` tells.
    """

    def __init__(self, network: SpinNetwork) -> None:
        self.network = network
        tree, shared = network.tree, spin.topology.BUFFERS * network.shared
        self._shared = shared  # buffers of a router
        level, node, port = np.array(network.outputs, np.int64).T
        sizes = [tree.level_size(k) for k in range(1, tree.height + 1)]
        before = np.cumsum([0, 0, *sizes])  # routers below a level
        self.routers = [(k, n) for k, size in enumerate(sizes, 1) for n in range(size)]
        owner = before[level] + node  # of each output
        goal = np.full(len(level), -1)  # the router that it leads to
        for k in range(1, tree.height + 1):
            downs = tree.down_ports(k)
            down, up = ((level == k) & at for at in (port < downs, port >= downs))
            if k > 1:
                goal[down] = before[k - 1] + tree.down(k, node[down], port[down])
            if k < tree.height:
                goal[up] = before[k + 1] + tree.up(k, node[up], port[up] - downs)[0]
        each = np.arange(len(self.routers))
        self._out = (owner[:, None] == each).astype(np.float32)
        self._into = (goal[:, None] == each).astype(np.float32)
        leaves = np.arange(tree.leaves) // tree.m[0]
        self._sent = (leaves[:, None] == each).astype(np.float32)
        # Places of outputs and of buffers; a router's buffers stand behind its ports.
        self._ports = np.arange(len(owner)) + shared * owner
        ends = np.cumsum(np.bincount(owner))
        last = ends[:, None] + shared * each[:, None] + np.arange(shared)
        self._buffers = last.ravel()
        self._first = ends - np.bincount(owner)
        self._held = np.zeros(len(self.routers), np.int64)  # words before the next row
        self._home: BoolArray | None = None  # buffers in the last row,
        self._stored: BoolArray | None = None  # and who got one then

    def check(self, captured: FlitCaptured) -> Iterator[tuple[str, str]]:
        """Names of faults in a burst, and the first of each kind."""
        assert captured.recorded is not None
        seen = captured.recorded()
        bits = np.unpackbits(seen.states.view(np.uint8), axis=1, bitorder="little").astype(bool)
        places, routers = len(self.network.places), len(self.routers)
        ends = np.cumsum([0, places, places, routers, self.network.terminals])
        shown, home, stored, sent = (bits[:, a:b] for a, b in pairwise(ends))
        leaves = seen.side != 0
        into = (leaves @ self._into + sent @ self._sent).astype(np.int64)
        out = (leaves @ self._out).astype(np.int64)
        rows, reset = len(bits), captured.item.reset
        cut = rows if reset is None else min(max(reset + 1 - captured.first, 0), rows)
        for part in (slice(0, cut), slice(cut, rows)):
            first = captured.first + part.start
            if reset is not None and first == reset + 1:
                self._held[:], self._home = 0, None
            if part.start < part.stop:
                words = self._words(into[part], out[part])
                of = shown[part], home[part]
                yield from self._holding(first, words, of[0])
                yield from self._outputs(first, leaves[part], of[1])
                yield from self._storing(first, stored[part], *of)

    def _words(self, into: Int64Array, out: Int64Array) -> Int64Array:
        """Words in each router, int64 [rows, routers]."""
        came = self._held + np.cumsum(into, axis=0)
        went = np.cumsum(out, axis=0)
        words = came - into - went
        self._held = came[-1] - went[-1]
        return np.asarray(words)

    def _holding(
        self, first: int, words: Int64Array, shown: BoolArray
    ) -> Iterator[tuple[str, str]]:
        """Whether routers show that they hold words."""
        inputs = np.logical_or.reduceat(shown[:, self._ports], self._first, axis=1)
        buffers = shown[:, self._buffers].reshape(*words.shape, self._shared).any(axis=2)
        for wrong, told in (
            ((words > 0) & ~(inputs | buffers), "neither an input nor a buffer shows any"),
            ((words <= 0) & inputs, "an input shows some"),
        ):
            for row, router in _one(wrong):
                level, node = self.routers[router]
                count = words[row, router]
                place = f"clock {first + row}: level {level} router {node}"
                yield kind.STATE, f"{place} holds {count} words, and {told}"

    def _outputs(
        self, first: int, sends: npt.NDArray[np.bool_], home: BoolArray
    ) -> Iterator[tuple[str, str]]:
        """Who sends a word has given a credit away."""
        for row, port in _one(sends & home[:, self._ports]):
            name = self.network.places[self._ports[port]]
            yield kind.STATE, f"clock {first + row}: {name} sends, and is shown as at first"

    def _storing(
        self, first: int, stored: BoolArray, shown: BoolArray, home: BoolArray
    ) -> Iterator[tuple[str, str]]:
        """Buffers, and who is told to get one."""
        for row, at in _one(shown[:, self._buffers] == home[:, self._buffers]):
            name = self.network.places[self._buffers[at]]
            told = (
                "holds a packet, and is" if shown[row, self._buffers[at]] else "is neither so nor"
            )
            yield kind.STATE, f"clock {first + row}: {name} {told} as at first"
        empty = home[:, self._buffers].reshape(*stored.shape, self._shared)
        if self._home is not None and self._stored is not None:
            empty = np.concatenate([self._home[None], empty])
            stored = np.concatenate([self._stored[None], stored])
            first -= 1
        got: BoolArray = np.asarray((empty[:-1] & ~empty[1:]).any(axis=2))
        for row, router in _one(got != stored[:-1]):
            level, node = self.routers[router]
            told = (
                "gets a packet, and tells none" if got[row, router] else "tells one and gets none"
            )
            yield kind.STATE, f"clock {first + row}: a buffer of level {level} router {node} {told}"
        self._home, self._stored = empty[-1], stored[-1]


def _one(wrong: npt.NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """The first place of those that are wrong, if any is."""
    if wrong.any():
        row, at = divmod(int(np.argmax(wrong)), wrong.shape[1])
        yield row, at
