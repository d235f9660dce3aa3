"""Accounts of what was sent, which add up, and when a clock was in the simulation's own time."""

from collections import deque
from collections.abc import Container, Hashable, Mapping
from typing import NamedTuple

DELIVERED = "delivered"
INSIDE = "still inside"
SPANS = 10_000  # bursts whose times are kept


class Ledger:
    """What was foreseen of packets that came to another end: each is moved, once."""

    def __init__(self) -> None:
        self._moved: dict[Hashable, tuple[str, str]] = {}

    def move(self, packet: Hashable, foreseen: str, seen: str) -> None:
        """A packet of an account belongs to another; the last word on it counts."""
        foreseen, _ = self._moved.get(packet, (foreseen, ""))
        self._moved[packet] = foreseen, seen

    def foresee(self, packet: Hashable, foreseen: str) -> None:
        """What was foreseen of a packet that had been moved before anybody could say."""
        if packet in self._moved:
            self._moved[packet] = foreseen, self._moved[packet][1]

    def __contains__(self, packet: Hashable) -> bool:
        return packet in self._moved

    def again(self, packet: Hashable, seen: str) -> None:
        """A packet that had been moved came after all."""
        if packet in self._moved:
            self.move(packet, "", seen)

    def settled(self, foreseen: Mapping[str, int]) -> dict[str, int]:
        """Accounts by what was seen: their sum equals what was foreseen."""
        made = dict(foreseen)
        for start, end in self._moved.values():
            made[start] = made.get(start, 0) - 1
            made[end] = made.get(end, 0) + 1
        return {name: count for name, count in made.items() if count or name == DELIVERED}


def balanced(accounts: Mapping[str, int], seen: Container[str]) -> dict[str, int]:
    """The same sum without a count below 0: a run that was cut foresaw more than came to pass.

    What is short is taken from what was foreseen, the largest count first, and last from `seen`.
    """
    made = {name: max(0, count) for name, count in accounts.items()}
    short = sum(made.values()) - sum(accounts.values())
    for name in sorted(made, key=lambda name: (name in seen, -made[name])):
        made[name] -= (taken := min(short, made[name]))
        short -= taken
    return made


class Span(NamedTuple):
    """A burst: its first clock, how many there were, and the simulation's steps at its ends."""

    first: int
    clocks: int
    began: int
    ended: int


class Timing:
    """Steps of the simulation at which clocks of the bench were, as bursts tell."""

    def __init__(self) -> None:
        self._spans: deque[Span] = deque(maxlen=SPANS)

    def clear(self) -> None:
        """Clocks are counted from 0 again."""
        self._spans.clear()

    def note(self, first: int, clocks: int, began: int, ended: int) -> None:
        """A burst is over; one that continues the last, as fast, becomes a part of it."""
        if self._spans:
            last = self._spans[-1]
            even = (last.ended - last.began) * clocks == (ended - began) * last.clocks
            if even and (last.first + last.clocks, last.ended) == (first, began):
                self._spans[-1] = Span(last.first, last.clocks + clocks, last.began, ended)
                return
        self._spans.append(Span(first, clocks, began, ended))

    def step(self, clock: int) -> int | None:
        """The step at which a clock begins; None if unknown."""
        for span in reversed(self._spans):
            if 0 <= clock - span.first < span.clocks:
                part = (clock - span.first) * (span.ended - span.began)
                return span.began + part // span.clocks
        return None
