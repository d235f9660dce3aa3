"""Sums up what a scoreboard has seen go wrong, and leaves a line a faulty packet in a file."""

import csv
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from fattree_bench.bench.failure import Failure, Parcel, Sighting
from fattree_bench.bench.faults import Faults
from fattree_bench.bench.suspects import Suspects

BUSIEST = 8  # sources and destinations of faulty packets that are kept
COLUMNS = (
    *("fault", "item", "traffic", "time", "unit", "place", "number"),
    *("expected_source", "expected_destination", "expected_number"),
    *("got_source", "got_destination", "got_number", "counted_in", "example"),
)


def failure(
    faults: Faults, suspects: Suspects, scenario: str, folder: Path | None = None
) -> Failure:
    """The summary of a scenario with faults; `folder`: of the run, for the file of packets."""
    kind, traits = suspects.found()
    # One may have several faults.
    packets = {(x.item, p): p for x in faults.seen if (p := culprit(x)) is not None}.values()
    return Failure(
        first=faults.first,
        kind=kind,
        traits=traits,
        faulty=suspects.faulty,
        sound=suspects.healthy,
        sources=_most(packet.source for packet in packets),
        destinations=_most(packet.destination for packet in packets),
        packets=_written(faults.seen, scenario, folder),
    )


def culprit(seen: Sighting) -> Parcel | None:
    """The packet that a fault is about: that which came, or which did not."""
    return seen.expected if seen.got is None else seen.got


def _most(leaves: Iterable[int]) -> list[tuple[int, int]]:
    counts = Counter(leaf for leaf in leaves if leaf >= 0)
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:BUSIEST]


def _written(seen: list[Sighting], scenario: str, folder: Path | None) -> str:
    """The name of the file with one line per fault, in the folder of the run; "" without one."""
    if folder is None or not seen:
        return ""
    path = folder / f"faulty-{scenario}.csv"
    try:
        with path.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([COLUMNS, *map(_line, seen)])
    except OSError:  # a full disk is reported where results are written
        return ""
    return path.name


def _line(seen: Sighting) -> list[object]:
    place = ("", "") if seen.place is None else (seen.place.kind, seen.place.number)
    of = seen.got or seen.expected
    return [
        *(seen.kind, seen.item, seen.family, seen.time, seen.unit, *place),
        *_packet(seen.expected),
        *_packet(seen.got),
        *("" if of is None else of.of, seen.example),
    ]


def _packet(packet: Parcel | None) -> tuple[object, ...]:
    return ("", "", "") if packet is None else (packet.source, packet.destination, packet.number)
