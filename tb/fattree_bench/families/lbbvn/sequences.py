"""Sequences of the bufferless fat-tree: the frames of the paper, and sets of messages."""

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from fattree_bench.bench.links.slot.frame import SlotFrame
from fattree_bench.bench.links.slot.traffic import Slots
from fattree_bench.bench.sequence import Sequence
from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_models import lbbvn
from fattree_models.common.checks import Int32Array


class PermutationFrame(Slots):
    """A frame of one's own: in each slot no two leaves send to the same one."""

    family: str = "permutations"

    def slots(self) -> Int32Array:
        dst = super().slots()
        for slot, row in enumerate(dst):
            goals = row[row >= 0]
            if len(np.unique(goals)) < len(goals):
                raise ValueError(f"{self.get_name()}: two leaves send to one in slot {slot}")
        return dst


class KnownFrame(PermutationFrame):
    """A frame that the model makes for so many bits of an address."""

    made: "ClassVar[staticmethod[[int], Int32Array]]"

    def slots(self) -> Int32Array:
        return type(self).made(self.network.n)


class BitReverseFrame(KnownFrame):
    """All N shifts of bit reversal in order, eq. (10)."""

    family: str = "bit-reverse shifts"
    made = staticmethod(lbbvn.bit_reverse_shifts)


class BitReverseXorFrame(KnownFrame):
    """Bit reversal followed by XOR i, the frame that needs no adder."""

    family: str = "bit-reverse XORs"
    made = staticmethod(lbbvn.bit_reverse_xors)


class InverseFrame(KnownFrame):
    """The inverses of the paper's frame: the switching phase of a folded switch."""

    family: str = "bit-reverse inverses"
    made = staticmethod(lambda n: lbbvn.inverse(lbbvn.bit_reverse_shifts(n)))


class RotatorFrame(KnownFrame):
    """Rotators x + t: pass on NONBLOCKING, conflict on LOWER_BOUND exactly as predicted."""

    family: str = "rotators"
    made = staticmethod(lbbvn.rotators)


class SymmetricTdmFrame(KnownFrame):
    """Symmetric TDM t - x: as the rotators."""

    family: str = "symmetric TDM"
    made = staticmethod(lbbvn.symmetric_tdm)


class XorFrame(KnownFrame):
    """Frame of involutions x XOR t, which cannot fit below the nonblocking degree."""

    family: str = "XORs"
    made = staticmethod(lbbvn.xor_frame)


class RandomPermutations(Sequence[Lbbvn, SlotFrame]):
    """Frames of fresh random permutations; of their packets a part, `load`, is sent."""

    frames: int = 1
    slots: int | None = None  # of a frame
    load: float = 1.0

    def items(self) -> Iterator[SlotFrame]:
        for _ in range(self.frames):
            dst = lbbvn.random_permutations(self.rng, self.slots or self.rows, self.network.leaves)
            if self.load < 1:
                dst = lbbvn.partial(self.rng, dst, self.load)
            yield SlotFrame(dst, f"{'partial' if self.load < 1 else 'random'} permutations")


class RandomMessages(Sequence[Lbbvn, SlotFrame]):
    """Arbitrary message sets: many-to-one, loop-backs; each leaf sends with probability `load`."""

    slots: int | None = None
    load: float = 1.0

    def items(self) -> Iterator[SlotFrame]:
        slots, leaves = self.slots or self.rows, self.network.leaves
        yield SlotFrame(lbbvn.random_messages(self.rng, slots, leaves, self.load), "messages")
