"""Packets with which something was wrong: a table of them, their sums, what they have in common."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from fattree_bench.bench.links.flit.sent import FlitPlan

MOST = 100_000  # packets that are remembered
MANY = 3  # packets of a kind from which on it is worth saying what they have in common
TOLD = 4  # leaves that are named, those with most packets first


@dataclass(frozen=True)
class Culprit:
    """A packet and what was wrong with it; clocks of the item, -1: never."""

    fault: str
    item: str
    packet: int  # of its source's list
    source: int
    destination: int
    flits: int
    kind: int
    created: int
    begun: int
    arrived: int


class Culprits:
    """Packets with faults, in the order in which they were found."""

    def __init__(self) -> None:
        self.packets: list[Culprit] = []

    def add(self, fault: str, plan: FlitPlan, i: int) -> None:
        """Remember packet i of an item."""
        if len(self.packets) >= MOST:
            return
        sent, seen = plan.sent, plan.seen
        listed = i if i < sent.packets else i - sent.packets
        owner = int(sent.source[listed])
        self.packets.append(
            Culprit(
                fault,
                plan.item.family,
                listed - int(sent.starts[owner]),
                int(sent.source[i]),
                int(sent.destination[i]),
                int(sent.flits[i]),
                int(sent.kinds[i]),
                int(seen.created[i]),
                int(seen.injected[i]),
                int(seen.arrival[sent.first_flit[i + 1] - 1]),
            )
        )

    def told(self) -> Iterator[tuple[str, str]]:
        """(fault, a sentence): how many by source and destination, and what is common to them."""
        by_fault: dict[str, list[Culprit]] = defaultdict(list)
        for one in dict.fromkeys(self.packets):
            by_fault[one.fault].append(one)
        for fault, packets in by_fault.items():
            if len(packets) >= MANY:
                sums = f"{_sums(packets, 'source')}; {_sums(packets, 'destination')}"
                common = _common(packets)
                also = f"; all {', '.join(common)}" if common else ""
                yield fault, f"{len(packets)} packets: {sums}{also}"

    def write(self, file: Path) -> None:
        """All of them, as a table of commas."""
        with file.open("w", newline="") as out:
            lines = csv.writer(out, lineterminator="\n")
            lines.writerow(field.name for field in fields(Culprit))
            lines.writerows(map(astuple, self.packets))


def _sums(packets: list[Culprit], name: str) -> str:
    """As in "by source 3: 12, 0: 1"."""
    counts = Counter(getattr(one, name) for one in packets).most_common()
    told = ", ".join(f"{leaf}: {count}" for leaf, count in counts[:TOLD])
    return f"by {name} {told}{' …' if len(counts) > TOLD else ''}"


TRAITS: tuple[tuple[str, str, Callable[[Culprit], bool]], ...] = (  # leaf that differs, trait
    ("", "never arrived", lambda p: p.arrived < 0),
    ("source", "go to the leaf that they come from", lambda p: p.source == p.destination),
    ("source", "come from even leaves", lambda p: p.source % 2 == 0),
    ("source", "come from odd leaves", lambda p: p.source % 2 == 1),
    ("destination", "go to even leaves", lambda p: p.destination % 2 == 0),
    ("destination", "go to odd leaves", lambda p: p.destination % 2 == 1),
)


def _common(packets: list[Culprit]) -> list[str]:
    """What all of them are; one source or destination stands in the sums."""
    flits = {one.flits for one in packets}
    found = [f"have {next(iter(flits))} flits"] if len(flits) == 1 else []
    found += [f"have {min(flits)} flits or more"] if len(flits) > 1 and min(flits) > 1 else []
    several = [n for n in ("source", "destination") if len({getattr(p, n) for p in packets}) > 1]
    for leaf, told, trait in TRAITS:
        if (not leaf or leaf in several) and all(map(trait, packets)):
            found.append(told)
    return found
