"""Which cables break, as a user says it: numbers of them, drawn by the seed, or a file."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fattree_bench.errors import UserError
from fattree_bench.paths import ROOT
from fattree_bench.settings import Settings, number, plain, plain_real, text, word
from fattree_models.common.checks import Int64Array
from fattree_models.common.fat_tree import Xgft
from fattree_models.wormhole.outages import NEVER, Cables, Outages, drawn

DRAWN = ("links", "switches", "rate")
ALLOWED = "links:3, switches:1, rate:0.01, each maybe as links:3@200 (clock 200), or a file"
COLUMNS = ["clock", "kind", "node", "port"]
MOST = 1_000_000  # clocks; no run of a test is so long


@dataclass(frozen=True)
class Event:
    """A line of a file: the cables that die, or come back, and where it stands."""

    line: int
    clock: int
    back: bool
    cables: Int64Array


class Faults(Settings):
    """What breaks, and what switches make of it."""

    what = text(
        "FAULTS", "", "cables that die: links:3, switches:1, rate:0.01, links:3@200, a file"
    )
    detect = number("DETECT", 4, 0, 1000, "clocks until both ends of a dead cable know")
    recover = word(
        "RECOVER",
        "NONE",
        {"NONE": "what comes to a dead port is lost", "LOCAL": "up by a live port, where one is"},
    )

    def check(self) -> None:
        """UserError for what is not allowed in any tree."""
        if not self.what:
            for name, value in self.changed().items():
                raise UserError(f"{name}={value}: only with FAULTS")
        elif self.kind:
            self._amount()

    @property
    def on(self) -> bool:
        return bool(self.what)

    @property
    def kind(self) -> str:
        """Of what is drawn; "" of a file."""
        kind, colon, _ = self.what.partition(":")
        return kind if colon and kind in DRAWN else ""

    def _amount(self) -> tuple[float, int]:
        """How many are drawn, or their share, and the clock in which they die."""
        given, at, clock = self.what.partition(":")[2].partition("@")
        try:
            amount = plain_real(given) if self.kind == "rate" else plain(given)
            when = plain(clock) if at else 0
        except ValueError:
            raise UserError(f"FAULTS={self.what}: must be {ALLOWED}") from None
        if self.kind == "rate" and not 0 <= amount <= 1:
            raise UserError(f"FAULTS={self.what}: the rate must be 0 … 1")
        if amount < 0 or not 0 <= when <= MOST:
            raise UserError(f"FAULTS={self.what}: must be {ALLOWED}; clocks 0 … {MOST}")
        return amount, when

    def outages(self, tree: Xgft, seed: int) -> Outages:
        """When each cable of a tree is dead; UserError for what it does not have."""
        cables = Cables(tree)
        found = Outages.none(cables, self.detect, self.recover == "LOCAL")
        if not self.kind:
            for event in self._events(cables):
                self._enter(found, cables, event)
            return found
        amount, when = self._amount()
        try:
            chosen = drawn(cables, self.kind, amount, np.random.default_rng([seed, 0xFA]))
        except ValueError as error:
            raise UserError(f"FAULTS={self.what}: {error}") from None
        found.break_(cables.both(chosen), when)
        return found

    # ---- files -----------------------------------------------------------------------------------

    def _wrong(self, line: int, why: str) -> UserError:
        return UserError(f"FAULTS={self.what}: line {line}: {why}")

    def _enter(self, found: Outages, cables: Cables, event: Event) -> None:
        """Let cables die, or come back."""
        ports = cables.both(event.cables)
        dead, back = found.dead[ports], found.back[ports]
        if event.back:
            if (dead == NEVER).any() or (back != NEVER).any():
                raise self._wrong(event.line, "back of what is not dead")
            if event.clock <= int(dead.max()) + self.detect:
                least = int(dead.max()) + self.detect + 1
                raise self._wrong(event.line, f"back in clock {event.clock}; allowed from {least}")
            found.back[ports] = event.clock
        else:
            if (dead != NEVER).any():
                raise self._wrong(event.line, "dead twice: a cable dies once in a run")
            found.dead[ports] = event.clock

    def _events(self, cables: Cables) -> list[Event]:
        """The lines of the file, in the order of their clocks."""
        path = Path(ROOT / self.what)
        try:
            lines = path.read_text(encoding="utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "is not a text"
            nearly = "" if path.suffix else f"; must be {ALLOWED}"
            raise UserError(f"FAULTS={self.what}: {why}{nearly}") from None
        rows = [(k, row) for k, row in enumerate(csv.reader(lines), 1) if row]
        if not rows or [x.strip() for x in rows[0][1]][:4] != COLUMNS:
            raise UserError(f"FAULTS={self.what}: line 1: must be {','.join(COLUMNS)}[,node,port]")
        events = [self._event(cables, k, [x.strip() for x in row]) for k, row in rows[1:]]
        return sorted(events, key=lambda event: event.clock)

    def _event(self, cables: Cables, line: int, row: list[str]) -> Event:
        """A line."""
        row = [*row, *[""] * (6 - len(row))]
        if len(row) > 6:
            raise self._wrong(line, f"has {len(row)} fields; allowed are 6 at most")
        try:
            clock = plain(row[0])
        except ValueError:
            clock = -1
        if not 0 <= clock <= MOST:
            raise self._wrong(line, f"clock is {row[0]!r}; allowed are 0 … {MOST}")
        if row[1] not in ("dead", "back"):
            raise self._wrong(line, f"kind is {row[1]!r}; allowed are dead, back")
        found = self._cables(cables, line, row[2], row[3])
        if row[4] or row[5]:
            other = self._cables(cables, line, row[4], row[5])
            if found.size != 1 or not np.array_equal(found, other):
                ends = f"{row[2]} port {row[3]} and {row[4]} port {row[5]}"
                raise self._wrong(line, f"no cable joins {ends}")
        return Event(line, clock, row[1] == "back", found)

    def _cables(self, cables: Cables, line: int, node: str, port: str) -> Int64Array:
        """The cable at a port of a node LEVEL.NUMBER, or without a port all of a switch."""
        level, dot, place = node.partition(".")
        try:
            k, s = plain(level), plain(place)
        except ValueError:
            k, s = -1, 0
        tree = cables.tree
        if not dot or not 0 <= k <= tree.height or not 0 <= s < tree.level_size(k):
            raise self._wrong(line, f"no node {node!r}: they are LEVEL.NUMBER, leaves 0.0, 0.1 …")
        if k not in cables.first:  # a leaf, whose only port is 0
            own = np.flatnonzero(cables.end == -1 - s)
        else:
            first, switch = int(cables.first[k][s]), int(cables.of[cables.first[k][s]])
            if not port:
                return cables.of_switch(switch)
            own = np.arange(first, first + int(np.count_nonzero(cables.of == switch)))
        try:
            at = plain(port) if port else 0
        except ValueError:
            at = -1
        if not 0 <= at < own.size:
            raise self._wrong(line, f"no port {port!r} of {node}; allowed are 0 … {own.size - 1}")
        end = int(cables.end[own[at]])
        return np.array([int(own[at]) if end < 0 else min(int(own[at]), end)], np.int64)
