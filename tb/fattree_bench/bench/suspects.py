"""What faulty packets have in common that sound ones do not: counted, and judged by chance."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fattree_bench.bench.astray import BY_CHANCE, hint
from fattree_bench.bench.failure import Trait
from fattree_bench.bench.faults import CORRUPTED
from fattree_models.common.checks import BoolArray, Int64Array, UInt64Array

ROOM = 1 << 17  # packets that are compared; more would tell no more
KEPT = 4  # items without a fault whose packets are also compared
NEARLY = 0.9  # of faulty packets have a trait that is named
MOSTLY = 0.5  # of sound ones may have it at most
CHANCE = 1e-3  # that some trait of sound packets would be shared as often, at most
TOLD = 5
FLIPPED = "have bit {} of a word wrong"
ASTRAY = "came out where they should, XOR {}"


@dataclass(frozen=True)
class Attribute:
    """A number of each packet of an item; -1 of one that has none.

    `says` has a place for the number, or for its word where `words` are given.
    """

    says: str
    values: Int64Array
    words: tuple[str, ...] = ()


# The attributes of an item's packets, and which of them were sent; None: all.
Sound = tuple[Callable[[], Sequence[Attribute]], BoolArray | None]


def flag(which: BoolArray) -> Int64Array:
    """Values of an attribute that packets have or have not."""
    return np.where(which, np.int64(1), np.int64(-1))


def bits(says: str, words: UInt64Array, width: int) -> Iterable[Attribute]:
    """Each bit of a word as an attribute: `says` has places for the bit's number and its value."""
    for bit in range(width):
        value = (words >> np.uint64(bit)).astype(np.int64) & 1
        yield Attribute(says.replace("{bit}", str(bit)), value)


class Suspects:
    """Counts attributes of sound packets and of faulty ones, by kinds of faults."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, int], Counter[str]] = {}  # kind "": sound
        self._words: dict[str, tuple[str, ...]] = {}
        self._packets: Counter[str] = Counter()
        self._flips = self._flipped = 0  # words with wrong bits, and those that all have wrong
        self._any = self._bits = 0  # bits that some have wrong; how many in all words together
        self._sound: deque[Sound] = deque(maxlen=KEPT)

    def flip(self, mask: int) -> None:
        """A word came with these bits wrong."""
        self._flipped = mask if not self._flips else self._flipped & mask
        self._flips += 1
        self._any |= mask
        self._bits += mask.bit_count()

    def sound(
        self, attributes: Callable[[], Sequence[Attribute]], known: BoolArray | None = None
    ) -> None:
        """An item had no fault; the attributes of its packets, should anybody ask for them."""
        self._sound.append((attributes, known))

    def item(
        self,
        packets: int,
        attributes: Callable[[], Sequence[Attribute]],
        wrong: Mapping[int, tuple[str, int]],
        known: BoolArray | None = None,
    ) -> None:
        """An item with so many packets; `wrong`: kinds of faults of some, by number in it.

        With it the difference (XOR) of the leaves where it came and should have; 0: unknown.

        `known`: packets that were sent; others are not compared.
        """
        if not wrong:
            self.sound(attributes, known)
        elif sum(self._packets.values()) < ROOM:
            at = np.array(list(wrong))
            names = ["", *dict.fromkeys(name for name, _ in wrong.values())]
            kinds, astray = np.zeros(packets, np.int64), np.full(packets, -1)
            kinds[at] = [names.index(name) for name, _ in wrong.values()]
            astray[at] = [difference or -1 for _, difference in wrong.values()]
            if known is not None:
                kinds[~known & (kinds == 0)] = -1
            self._count([*attributes(), Attribute(ASTRAY, astray)], kinds, names)

    def _count(self, attributes: Sequence[Attribute], kinds: Int64Array, names: list[str]) -> None:
        for number, name in enumerate(names):
            self._packets[name] += int(np.count_nonzero(kinds == number))
        for attribute in attributes:
            self._words[attribute.says] = attribute.words
            good = (attribute.values >= 0) & (kinds >= 0)
            pairs = np.stack([attribute.values[good], kinds[good]])
            found, count = np.unique(pairs, axis=1, return_counts=True)
            for (value, kind), times in zip(found.T.tolist(), count.tolist(), strict=True):
                key = attribute.says, value
                self._counts.setdefault(key, Counter())[names[kind]] += times

    @property
    def faulty(self) -> int:
        return sum(count for name, count in self._packets.items() if name)

    @property
    def healthy(self) -> int:
        """Sound packets that were compared."""
        return self._packets[""]

    def found(self) -> tuple[str, list[Trait]]:
        """What all faulty packets share, or else those of one kind, which is named."""
        if self.faulty:
            for attributes, known in self._sound:
                if values := attributes():
                    compared = np.zeros(len(values[0].values), np.int64)
                    if known is not None:
                        compared[~known] = -1
                    self._count(values, compared, [""])
            self._sound.clear()
        kinds = [name for name, _ in self._packets.most_common() if name]
        groups = [("", kinds), *((name, [name]) for name in kinds if len(kinds) > 1)]
        if self._flips > 1 and 0 < self._flipped.bit_count() <= TOLD:
            places = [bit for bit in range(64) if self._flipped >> bit & 1]
            of = self._packets[CORRUPTED] or self._flips  # packets, of words that came wrong
            width = self._any.bit_length()
            chance = width * (self._bits / self._flips / width) ** self._flips
            says = FLIPPED + BY_CHANCE * (chance > CHANCE and self._any != self._flipped)
            made = [Trait(says, bit, of, of, 0, self.healthy) for bit in places]
            _, traits = self._best(groups)
            return CORRUPTED, [*made, *traits]
        kind, traits = self._best(groups)
        if traits or not kinds:
            return kind, traits
        return "", hint(self._counts, self._words, self._packets, MOSTLY)

    def _best(self, groups: Sequence[tuple[str, Sequence[str]]]) -> tuple[str, list[Trait]]:
        """The group whose traits fewest sound packets have."""
        shared = [(name, traits) for name, group in groups if (traits := self._shared(group))]
        return min(shared, key=lambda found: _share(found[1][0]), default=("", []))

    def _shared(self, kinds: Sequence[str]) -> list[Trait]:
        """Traits of packets with faults of these kinds."""
        total, among = sum(self._packets[kind] for kind in kinds), self.healthy
        made = []
        for (says, value), counts in self._counts.items():
            hit, sound = sum(counts[kind] for kind in kinds), counts[""]
            if hit < NEARLY * total or sound > MOSTLY * among:
                continue
            if not among and says != ASTRAY:  # none to compare with
                continue
            if tail(hit, total, (sound + 1) / (among + 2)) * len(self._counts) < CHANCE:
                trait = Trait(says, value, hit, total, sound, among, self._words[says])
                made.append(trait)
        made.sort(key=lambda trait: (_share(trait), -trait.faulty))
        # Next to what all faulty packets have, and no sound one, the rest is noise.  No sound one
        # can have come out astray, so that says nothing of the rest.
        perfect = [trait for trait in made if trait.faulty == trait.of and not trait.sound]
        telling = any(trait.says != ASTRAY for trait in perfect)
        return (perfect if telling else made)[:TOLD]


def _share(trait: Trait) -> float:
    """Of sound packets that have it."""
    return trait.sound / max(1, trait.among)


def tail(hits: int, of: int, share: float) -> float:
    """A bound (Chernoff) of the chance that so many of a sample, at least, have what `share` has.

    >>> tail(10, 10, 0.5) == 2**-10, tail(5, 10, 0.5)
    (True, 1.0)
    """
    part = hits / max(1, of)
    if part <= share:
        return 1.0
    rest = (1 - share) / (1 - part) if part < 1 else 1.0
    return float((share / part) ** hits * rest ** (of - hits))
