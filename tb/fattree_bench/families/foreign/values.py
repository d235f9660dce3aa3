"""Fields of accesses take all values of any eight neighbouring bits; counts whether they did."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.interface.buses import BYTE, mask
from fattree_bench.bench.interface.mapped import MappedDesign
from fattree_bench.bench.links.flit.promises import Findings
from fattree_bench.bench.links.payload import MIX
from fattree_bench.bench.scenario import Stimulus
from fattree_bench.bench.suspects import Attribute
from fattree_bench.families.foreign.accesses import Access
from fattree_bench.families.foreign.network import ForeignNetwork
from fattree_bench.families.foreign.traffic import ForeignSet, lengths, spread

PARTS, WINDOW = 24, 8  # of the test, at most; neighbouring bits
APART = 0x2545F4914F6CDD1D  # odd: the parts of 64 bits of a number are not alike


class Spread:
    """Numbers whose neighbouring bits soon take all values: multiples of the golden ratio."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self._next: dict[Hashable, int] = {}

    def __call__(self, bits: int, *of: Hashable, free: bool = False) -> int:
        """The next number of so many bits of a sequence; if `free`, at random as often."""
        if free and self.rng.random() < 0.5:
            return int.from_bytes(self.rng.bytes(bits // BYTE), "little")
        number = self._next.setdefault(of, int(self.rng.integers(1 << 62)))
        self._next[of] = number + 1
        parts = (((number + at * APART) * MIX % (1 << 64)) << at for at in range(0, bits, 64))
        return sum(parts) & ((1 << bits) - 1)


def due(values: list[range], at: int) -> set[int]:
    """Those that a window from bit `at` on may have."""
    spans = [range(x.start >> at, (x[-1] >> at) + 1, max(1, x.step >> at)) for x in values]
    return {x & 0xFF for span in spans for x in span[: 1 << WINDOW]}


def fields(design: MappedDesign, access: Access) -> Iterator[tuple[str, list[int]]]:
    """What an access showed of each field."""
    words = [x & mask(y) for x, y in zip(access.data, access.strobes, strict=True)] or access.due
    yield from (("address", [access.address]), ("words", words), ("last words", words[-1:]))
    yield from [("strobes", access.strobes)] * access.write
    yield from [("ID", [access.tag])] * design.speaks.sized
    yield from [("prot", [access.extra])] * ("prot" in design.said.link.extra)


class Values:
    """The values that were seen at each manager and memory, of accesses that are over."""

    def __init__(self, design: MappedDesign) -> None:
        self.design = design
        self.seen: dict[tuple[str, bool, str], set[int]] = {}  # leaf, whether of writes, field

    def add(self, access: Access) -> None:
        """Note an access; of last words those of all leaves together."""
        for leaf in (f"manager {access.manager}", f"memory {access.memory}", "any leaf"):
            for name, values in fields(self.design, access):
                self.seen.setdefault((leaf, access.write, name), set()).update(values)

    def _every(self) -> Iterator[tuple[tuple[str, bool, str], tuple[int, list[range]]]]:
        """All fields of all leaves: bits, and the values that they may have."""
        design, said, room = self.design, self.design.said, self.design.room
        link, width = said.link, said.design.width
        usual = {"words": width, "strobes": width // BYTE, "ID": link.id_bits, "prot": 3}
        every = {name: (bits, [range(1 << bits)]) for name, bits in usual.items()}
        legal = design.legal
        owners = {f"manager {i}": np.flatnonzero(x) for i, x in enumerate(legal) if x.any()}
        owners |= {f"memory {i}": np.array([i]) for i, x in enumerate(legal.T) if x.any()}
        for write in (False, True):
            one = Access(0, 0, 0, write, 0, 0, 0, 0, 1)
            for leaf, owned in owners.items():
                spans = [(link.addresses[x], link.spans[x] // room * room) for x in owned]
                step = (1 if design.speaks.sized else width // BYTE) if 1 in design.flits else room
                windows = [range(at, at + span, step) for at, span in spans]
                every["address"] = link.address_bits, windows
                for name in (x for x, _ in fields(design, one) if x in every):
                    yield (leaf, write, name), every[name]
            yield ("any leaf", write, "last words"), every["words"]

    def missing(self) -> list[str]:
        """What did not come, by leaf and field."""
        found = []
        for (leaf, write, name), (bits, values) in self._every():
            came = self.seen.get((leaf, write, name), ())
            for at in range(max(1, bits - WINDOW + 1)):
                if lacks := due(values, at) - {x >> at & 0xFF for x in came}:
                    what = f"{name} of {'writes' if write else 'reads'} at {leaf}"
                    found.append(f"{what}: {len(lacks)} values from bit {at} on never came")
                    break
        return found

    def check(self, plan: object) -> Findings:
        """A fault if values are missing, where a test has no more clocks."""
        yield from ((kind.UNCHECKED, told) for told in self.missing()[:1])


def fits(network: ForeignNetwork) -> str | None:
    """Why `values` cannot run, or None."""
    return None if isinstance(network.design, MappedDesign) else "its packets are not accesses"


def values(s: Stimulus) -> Iterator[ForeignSet]:
    """Accesses until any eight neighbouring bits of their fields had all values at each leaf."""
    seen = Values(s.network.design)
    for part in range(PARTS):
        packets = spread(s.rng, s.network, "uniform", lengths(s.network), 1.0, 2 * s.rows)
        item = ForeignSet(packets, f"values, part {part}")
        item.values, item.check = seen, seen.check if part == PARTS - 1 else None
        yield item
        if not seen.missing():
            return


def attributes(design: Any, packets: dict[int, Access], count: int) -> list[Attribute]:
    """Of the accesses of an item's packets, by their numbers."""
    every, said = [*packets.values()], design.said
    width, words = said.design.width, [x.data or x.due or [0] for x in every]

    def made(says: str, values: Any, words: tuple[str, ...] = ()) -> Attribute:
        found = np.full(count, -1, np.int64)
        found[[*packets]] = values
        return Attribute(says, found, words)

    return [
        made("come from manager {}", [x.manager for x in every]),
        made("are for memory {}", [x.memory for x in every]),
        made("are {}", [x.write for x in every], ("reads", "writes")),
        made("have bursts {}", [x.burst for x in every], ("FIXED", "INCR", "WRAP")),
        made("have {} beats", [x.beats for x in every]),
        made("have ID {}", [x.tag for x in every]),
        *(
            made(f"have bit {bit} of their {what} {{}}", [x >> bit & 1 for x in values])
            for what, values, bits in (
                ("address", [x.address for x in every], said.link.address_bits),
                ("first word of data", [x[0] for x in words], width),
                ("last word of data", [x[-1] for x in words], width),
            )
            for bit in range(bits)
        ),
    ]
