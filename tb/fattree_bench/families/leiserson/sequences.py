"""Sequences of the serial link: delivery cycles, and message sets, on-line or scheduled."""

from collections.abc import Iterable, Iterator

import numpy as np

from fattree_bench.bench.links.serial.messages import MessageSet
from fattree_bench.bench.sequence import Sequence
from fattree_bench.families.leiserson.network import Leiserson
from fattree_bench.families.leiserson.traffic import Pairs, WordTable, cut, scheduled, spread
from fattree_bench.paths import ROOT
from fattree_models import leiserson
from fattree_models.common.checks import Int32Array, IntegerArray


class DeliveryCycles(Sequence[Leiserson, MessageSet]):
    """Delivery cycles that are given: each message is sent once, whatever becomes of it.

    Attributes
    ----------
    dst : int32 [cycles, wires], destination of what each wire sends, leaves = outside, -1 = none.
    family, words, lossless, restart : as of bench.links.serial.messages.MessageSet.
    """

    dst: Int32Array | None = None
    family: str = "delivery cycles"
    words: WordTable = None
    lossless: bool = False
    restart: bool = True

    def cycles(self) -> Int32Array:
        """Destinations, as of `dst`."""
        if self.dst is None:
            raise ValueError(f"{self.get_name()}: no delivery cycles are given")
        return self.dst

    def items(self) -> Iterator[MessageSet]:
        options = self.family, False, self.words, self.lossless, self.restart
        yield from cut(self.network, self.cycles(), *options)


class OneCycleEach(DeliveryCycles):
    """Message sets (source, destination), each sent once, in a delivery cycle of its own."""

    sets: Iterable[Pairs] = ()

    def cycles(self) -> Int32Array:
        rows = [spread(self.network, *pairs)[0] for pairs in self.sets]
        if any(len(row) != 1 for row in rows):
            raise ValueError(f"{self.get_name()}: a source has more messages than wires")
        return np.concatenate(rows)


class Messages(Sequence[Leiserson, MessageSet]):
    """A message set: on-line its senders repeat what is lost; off-line it has a schedule.

    Attributes
    ----------
    src, dst : int [messages], processors, leaves = outside.
    words : uint64 [messages] or None, data bits.
    family : what kind of traffic this is; else the name of the sequence.
    offline : as SCHEDULER schedules it; no message may be lost.  Off-line nodes know no other way.
    restart, behind : as of bench.links.serial.messages.MessageSet.
    """

    src: IntegerArray | None = None
    dst: IntegerArray | None = None
    words: WordTable = None
    family: str = ""
    offline: bool = False
    restart: bool = True
    behind: int = 0

    def pairs(self) -> Pairs:
        """Sources and destinations, drawn if there is something random about them."""
        if self.src is None or self.dst is None:
            raise ValueError(f"{self.get_name()}: no messages are given")
        return self.src, self.dst

    def items(self) -> Iterator[MessageSet]:
        src, dst = self.pairs()
        family = self.family or self.get_name()
        if self.offline or self.network.tree.offline:
            yield from scheduled(self.network, src, dst, family, self.words)
            return
        table, data = spread(self.network, src, dst, self.words)
        for item in cut(self.network, table, family, True, data, restart=self.restart):
            item.behind = self.behind
            yield item


class Permutation(Messages):
    """A random permutation of the processors."""

    family: str = "permutation"

    def pairs(self) -> Pairs:
        return leiserson.permutation(self.network.leaves, self.rng)


class KRelation(Messages):
    """Every processor sends and receives `each` messages."""

    each: int = 4

    def pairs(self) -> Pairs:
        self.family = self.family or f"{self.each}-relation"
        return leiserson.k_relation(self.network.leaves, self.each, self.rng)


class AllToOne(Messages):
    """Every processor sends to the same one."""

    family: str = "all to one"
    goal: int = 0

    def pairs(self) -> Pairs:
        return leiserson.all_to_one(self.network.leaves, self.goal)


class AllToAll(Messages):
    """Every processor sends to every other, `times` over."""

    family: str = "all to all"
    times: int = 1

    def pairs(self) -> Pairs:
        src, dst = leiserson.all_to_all(self.network.leaves)
        return np.tile(src, self.times), np.tile(dst, self.times)


class Local(Messages):
    """Neighbours talk more: `each` messages a processor, half as many a level further up."""

    family: str = "local traffic"
    each: int = 4

    def pairs(self) -> Pairs:
        leaves = self.network.leaves
        return leiserson.local(leaves, self.each * leaves, self.rng)


class Uniform(Messages):
    """Random messages, `each` a processor in the mean, from and to outside as well."""

    family: str = "random messages"
    each: int = 4

    def pairs(self) -> Pairs:
        leaves = self.network.leaves
        return leiserson.uniform(leaves, self.each * leaves, self.rng, outside=True)


class MessageFile(Messages):
    """The message set of a file in the format of MESSAGES; else of MESSAGES or EMULATE."""

    path: str = ""

    def items(self) -> Iterator[MessageSet]:
        found = self.network.offline.message_set
        if self.path:
            found = leiserson.read_messages(ROOT / self.path, self.network.leaves, self.path)
        if found is None:
            raise ValueError(f"{self.get_name()}: no file is given")
        self.src, self.dst, self.words = found.src, found.dst, found.payload
        self.family = found.name
        for item in super().items():
            item.kept = found.local if self.offline else 0
            yield item
