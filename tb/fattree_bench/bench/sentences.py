"""What went wrong, in a few lines: for a terminal, a log, JUnit, Markdown and the page alike."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from fattree_bench.bench import faults as kind
from fattree_bench.bench.failure import Failure, Parcel, Sighting, Trait
from fattree_bench.bench.ledger import DELIVERED, INSIDE
from fattree_bench.bench.result import ScenarioResult, Test
from fattree_bench.words import number

VIEWS = (".sucl", ".gtkw")  # of waves, for surfer and gtkwave
FIRST, BALANCE, KNOWN, REPLAY = "first fault", "balance", "known then", "replay"
# What became of packets, where the name of a fault alone would not say it.
ENDS = {
    kind.LOST: "lost without a reason",
    kind.MISDELIVERED: "at a wrong place",
    kind.LATE: "late",
    kind.EARLY: "early",
    kind.UNPREDICTED: "delivered though to be lost",
}


class Line(NamedTuple):
    """A line of a summary, and what it is about."""

    head: str
    text: str


def summary(test: Test) -> list[Line]:
    """Of a test that failed: the earliest fault, what is common, the sums, how to look at it."""
    lines = list(told(test.result)) if test.result else []
    if test.failure is not None:
        noun = "packets" if test.stopped is None else test.stopped.noun
        lines += _first(test.failure, noun)
        if test.message not in lines[0].text:
            lines.append(Line("ended by", test.message))
    if not any(line.head == FIRST for line in lines) and test.message:
        lines.insert(0, Line(FIRST, test.message))
    if test.stopped is not None:
        lines.append(Line(KNOWN, known(test.stopped)))
    return [*lines, *([Line(REPLAY, replayed(test.replay))] if test.replay else [])]


def replayed(replay: str) -> str:
    """The command that repeats a test, with waves where a simulator runs."""
    return f"{replay} WAVES=1" if replay.startswith("make sim ") else replay


def failure_of(test: Test) -> Failure | None:
    """Where to look first."""
    return test.result.failure if test.result is not None else test.failure


def packets_of(test: Test) -> str:
    """The file with a line a faulty packet, next to the log of a test; "" if there is none."""
    failure = failure_of(test)
    if failure is None or not (failure.packets and test.log):
        return ""
    return str(Path(test.log).with_name(failure.packets))


def opened(waves: str) -> list[str]:
    """The commands that open waves with their views; none if there are no waves."""
    if not waves:
        return []
    surfer, gtkwave = (shlex.quote(str(Path(waves).with_suffix(suffix))) for suffix in VIEWS)
    file = shlex.quote(waves)
    return [f"surfer --command-file {surfer} {file}", f"gtkwave {file} {gtkwave}"]


def told(result: ScenarioResult) -> Iterator[Line]:
    """The same of a result alone."""
    if result.failure is not None:
        yield from _first(result.failure, result.noun)
    if result.faults:
        yield Line(BALANCE, balance(result))


def _first(failure: Failure, noun: str) -> Iterator[Line]:
    """The earliest fault, and what the faulty ones share."""
    if failure.first is not None:
        yield Line(FIRST, sighted(failure.first, noun))
    yield from _common(failure, noun)
    yield from _spread(failure, noun)


def headline(result: ScenarioResult) -> str:
    """The earliest fault, in a line; "" if there is none."""
    first = result.failure.first if result.failure is not None else None
    return "" if first is None else sighted(first, result.noun)


def sighted(seen: Sighting, noun: str = "packets") -> str:
    """As in "leaf 1, clock 7: expected packet 0→1 of slot 4, got 1→9 of slot 4 (misdelivered)"."""
    where = []
    if seen.place is not None:
        number_ = "" if seen.place.number is None else f" {seen.place.number}"
        where.append(f"{seen.place.kind}{number_}")
    if seen.time is not None:
        where.append(f"{seen.unit} {seen.time}")
    if seen.since is not None:
        where.append(f"sent in {seen.unit} {seen.since}")
    if seen.family:
        where.append(f"of “{seen.family}”")
    example = seen.example
    for said in (seen.family, f"{seen.unit} {seen.time}", where[0] if seen.place else ""):
        example = example.removeprefix(f"{said}: ")
    if seen.expected is None and seen.got is None:
        return f"{', '.join(where)}: {seen.kind}: {example}" if where else example
    expected = "nothing" if seen.expected is None else f"{noun[:-1]} {packet(seen.expected)}"
    if seen.got is not None and seen.got != seen.expected:
        what = f"expected {expected}, got {packet(seen.got)} ({seen.kind})"
    elif seen.kind == kind.LOST:
        which = f"; {seen.missing}" if seen.missing else ", which"
        what = f"expected {expected}{which} never came ({seen.kind})"
    else:
        what = f"{expected}: {seen.kind}: {example}"
    return f"{', '.join(where)}{': ' if where else ''}{what}"


def packet(parcel: Parcel) -> str:
    """As in "0→1 of slot 4", "5→9, number 3 of leaf 5"."""
    ends = f"{parcel.source}→{parcel.destination}"
    if parcel.of == "number":
        return f"{ends}, number {parcel.number} of leaf {parcel.source}"
    return f"{ends} of {parcel.of} {parcel.number}"


def _common(failure: Failure, noun: str) -> Iterator[Line]:
    if not failure.traits:
        if failure.faulty > 1:
            told = f"nothing that sound {noun} do not share"
            yield Line("in common", told if failure.sound else f"all {noun} compared are faulty")
        return
    of = failure.traits[0].of
    which = noun if of > 1 else noun.removesuffix("s")
    word = failure.kind or "faulty"
    which = f"{word} {which}" if failure.kind in kind.WORDS else f"{which} ({word})"
    head = f"the {number(of)} {which}" if of > 1 else f"the {which}"
    yield Line("in common", f"{head}: {'; '.join(trait(each) for each in failure.traits)}")


def trait(of: Trait) -> str:
    """As in "turned at level 2 (all; 3 of 40 sound ones)"."""
    value = of.words[of.value] if of.words else str(of.value)
    share = "all" if of.faulty == of.of else f"{number(of.faulty)} of them"
    sound = f"{number(of.sound)} of {number(of.among)}" if of.sound else "no"
    return f"{of.says.format(value)} ({share}; {sound} sound ones)"


def _spread(failure: Failure, noun: str) -> Iterator[Line]:
    """Who sends and who gets the faulty ones, if there are several of both."""
    for way, leaves in (("source", failure.sources), ("destination", failure.destinations)):
        if len(leaves) > 1 and leaves[0][1] > 2 * leaves[-1][1]:
            counts = ", ".join(f"{leaf}: {number(count)}" for leaf, count in leaves)
            yield Line(f"by {way}", f"faulty {noun} {counts}")


def balance(result: ScenarioResult) -> str:
    """As in "512 sent = 336 delivered + 176 lost without a reason"."""
    parts = [f"{number(count)} {ended(name)}" for name, count in result.ends.items()]
    return f"{number(result.sent)} sent = {' + '.join(parts)}"


def known(result: ScenarioResult) -> str:
    """What was judged of a test when its simulation ended before its time, and what was not."""
    stop = result.stop
    judged = balance(result) if result.sent else f"no {result.noun} judged"
    if stop is None:
        return judged
    if not stop.family:
        return f"{judged}; no traffic was under way"
    return f"{judged}; “{stop.family}” from {stop.unit} {stop.first} on was not judged"


def ended(name: str) -> str:
    """What became of packets of an account."""
    as_said = (DELIVERED, INSIDE, kind.CORRUPTED, *ENDS)
    return ENDS.get(name, name) if name in as_said else f"lost {name}, as predicted"
