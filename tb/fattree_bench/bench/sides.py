"""A virtual sequence: several sequences at once, each on a sequencer and for senders of its own."""

from collections.abc import Iterable
from itertools import zip_longest
from typing import Protocol, TypeVar

import numpy as np

from fattree_bench.bench.network import Network
from fattree_bench.bench.sequence import Pulled, Sequence
from fattree_models.common.checks import BoolArray, Int32Array

Item = TypeVar("Item", bound="Shared")
Net = TypeVar("Net", bound=Network)


class Shared(Protocol):
    """An item that several sequences can make together."""

    def only(self: Item, senders: BoolArray) -> Item:
        """What these senders send, bool [senders]; everything else as it is."""

    def beside(self: Item, other: Item) -> Item:
        """What both send, from different senders; everything else is of the first."""


def joined(one: Int32Array, other: Int32Array) -> Int32Array:
    """Rows of destinations, -1 none, of two tables; the shorter one ends idle."""
    rows = max(len(one), len(other))
    padded = [np.pad(x, ((0, rows - len(x)), (0, 0)), constant_values=-1) for x in (one, other)]
    return np.maximum(*padded)


class Sides(Sequence[Net, Item]):
    """Runs each sequence on a sequencer of its own; a burst has the next item of all of them.

    Attributes
    ----------
    sides : sequences with the numbers of those who send what they say: leaves, or, on the serial
        link, wires.  No sender is on two sides; what others would send is left out.
    senders : how many there are; None: the leaves.
    """

    sides: Iterable[tuple[Iterable[int], Sequence[Net, Item]]] = ()
    senders: int | None = None

    async def body(self) -> None:
        sides = [(self._mask(own), sequence) for own, sequence in self.sides]
        taken = sum((mask.astype(np.int64) for mask, _ in sides), np.int64(0))
        if np.any(taken > 1):
            twice = int(np.argmax(taken > 1))
            raise ValueError(f"{self.get_name()}: sender {twice} is on two sides")
        running = [Pulled(self.stimulus).items(sequence) for _, sequence in sides]
        for found in zip_longest(*running):
            item: Item | None = None
            for (mask, _), own in zip(sides, found, strict=True):
                if own is not None:
                    item = own.only(mask) if item is None else item.beside(own.only(mask))
            await self.start_item(item)
            await self.finish_item(item)

    def _mask(self, own: Iterable[int]) -> BoolArray:
        mask = np.zeros(self.network.leaves if self.senders is None else self.senders, np.bool_)
        mask[list(own)] = True
        return mask
