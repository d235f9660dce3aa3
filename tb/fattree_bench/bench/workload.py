"""Traffic of the command line: what a user wants to be sent, and how it is to be measured."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import TypeVar

import numpy as np

from fattree_bench.bench.loads import load_list
from fattree_bench.bench.messages import MESSAGES, read
from fattree_bench.errors import UserError
from fattree_bench.settings import Settings, number, parsed, plain_real, text
from fattree_models import traffic
from fattree_models.common.checks import Int32Array
from fattree_models.traffic.packet_files import FIELDS

Made = TypeVar("Made")
# A pattern, lengths, a load, clocks, and maybe an injection: see Workload.drawn.
What = tuple[str, str, float, int, *tuple[str, ...]]


def _load(text: str) -> float:
    try:
        load = plain_real(text)
    except ValueError:
        load = 0.0
    if not 0 < load <= 1:
        raise ValueError("must be a number > 0 … 1")
    return load


def _split_lengths(text: str) -> list[str]:
    """A comma in FLITS mixes packets of different lengths, so lists of FLITS use a slash."""
    return [word.strip() for word in text.split("/")]


class Workload(Settings):
    """What is sent into a network of so many leaves.

    `radix` is for the patterns that have one (children of a lowest switch); packets have at
    most `max_flits` flits.
    """

    leaves: int
    radix: int
    max_flits: int

    pattern_text = text(
        "TRAFFIC", "uniform", "where packets go: {allowed}", traffic.PATTERN_FORMS
    ).but(split=traffic.split_list)
    load = parsed("LOAD", "0.3", "flits per leaf and clock, > 0 … 1", _load, "{:g}".format).but(
        per_run=True
    )
    flits = text("FLITS", "1-16", "packet lengths, as 4, 1-16 or 1:0.8,9:0.2").but(
        labelled=True, split=_split_lengths
    )
    injection = text(
        "INJECTION", "bernoulli", "when packets are created: {allowed}", traffic.INJECTION_FORMS
    ).but(split=traffic.split_list)
    warm_up = number("WARMUP", 3, 0, 1000, "periods before the measurement")
    periods = number("PERIODS", 7, 1, 1000, "periods that are measured")
    period = number(
        "PERIOD", 1000, 10, 1_000_000, "clocks of a period, {allowed}; few where Icarus runs"
    )
    loads_text = text("LOADS", "", "loads of TEST=sweep, ascending, as 0.05,0.1:1:0.1").but(
        per_run=True
    )
    refine = number(
        "REFINE", 0, 0, 10, "TEST=sweep halves so often the interval in which it saturates"
    ).but(per_run=True)
    file = MESSAGES.but(per_run=True)

    @property
    def least_flits(self) -> int:
        """Of a packet whose file does not say it."""
        return 1

    def check(self) -> None:
        """Mistakes of the user are found before anything is built."""
        _ = self.pattern, self.packets
        if self.lengths.longest > self.max_flits:
            raise UserError(f"FLITS={self.flits}: packets of at most {self.max_flits} flits")
        for name, load in (("LOAD", self.load), *(("LOADS", load) for load in self.loads)):
            told = f"{name}={load:g} INJECTION={self.injection} FLITS={self.flits}"
            if load * self.leaves * self.window.end < self.lengths.mean:
                least = self.lengths.mean / (self.leaves * self.window.end)
                brings = f"brings no packet in {self.window.end} clocks"
                raise UserError(f"{name}={load:g}: {brings}; must be {least:.2g} … 1")
            _made(told, partial(self._try, load))

    def _try(self, load: float) -> None:
        """ValueError for a load that the injection cannot make."""
        self.process(np.random.default_rng(0), self.pattern, self.lengths, load, 0)

    def refuse_own(self, leaf: str, alone: bool = False) -> None:
        """UserError for packets to their own sender; `alone`: if a leaf has no others."""
        if self.packets is not None and (self.packets.source == self.packets.destination).any():
            raise UserError(f"MESSAGES={self.file}: a {leaf} sends to itself")
        shares = np.diagonal(self.pattern.matrix())
        if (own := np.flatnonzero(shares == 1 if alone else shares)).size:
            told = f"{leaf} {own[0]} sends to itself{' alone' * alone}"
            raise UserError(f"TRAFFIC={self.pattern_text}: {told}")

    def drawn(
        self,
        rng: np.random.Generator,
        pattern: str,
        lengths: str,
        load: float,
        cycles: int,
        injection: str = "bernoulli",
    ) -> traffic.Packets:
        """Random packets.

        Parameters
        ----------
        pattern, lengths, injection : as a user writes them, see fattree_models.traffic.
        load : flits a leaf and clock.
        cycles : clocks in which packets are created.
        """
        process = traffic.injection(injection)
        return process(rng, self.pattern_of(pattern), traffic.lengths(lengths), load, cycles)

    def to_others(self, rng: np.random.Generator, *what: *What) -> traffic.Packets:
        """Those of `drawn` that are not to their own sender."""
        made = self.drawn(rng, *what)
        return made.select(made.source != made.destination)

    @cached_property
    def window(self) -> traffic.Window:
        return traffic.Window(self.warm_up, self.periods, self.period)

    @cached_property
    def pattern(self) -> traffic.Pattern:
        return self.pattern_of(self.pattern_text)

    def pattern_of(self, text: str) -> traffic.Pattern:
        """A pattern by its name; UserError says what there is."""
        return _made(f"TRAFFIC={text}", lambda: self._pattern(text))

    def fixed_pattern(self, text: str) -> Int32Array | None:
        """Where each leaf sends under a permutation; None if it does not exist for these leaves."""
        try:
            return self._pattern(text).fixed
        except ValueError:
            return None

    def _pattern(self, text: str) -> traffic.Pattern:
        return traffic.pattern(text, self.leaves, radix=self.radix)

    @cached_property
    def lengths(self) -> traffic.Lengths:
        return _made(f"FLITS={self.flits}", lambda: traffic.lengths(self.flits))

    @cached_property
    def process(self) -> traffic.Injection:
        return _made(f"INJECTION={self.injection}", lambda: traffic.injection(self.injection))

    @cached_property
    def loads(self) -> tuple[float, ...]:
        """Loads of a sweep, ascending; none if no list is given."""
        if not self.loads_text:
            return ()
        return _made(f"LOADS={self.loads_text}", lambda: load_list(self.loads_text))

    @cached_property
    def packets(self) -> traffic.Packets | None:
        """The packets of the file MESSAGES."""
        if not self.file:
            return None
        found = read(self.file, self.leaves, *FIELDS).packets(self.least_flits)
        if int(found.flits.max()) > self.max_flits:
            raise UserError(f"MESSAGES={self.file}: packets of at most {self.max_flits} flits")
        if int(found.kind.max()) > 1:
            raise UserError(f"MESSAGES={self.file}: kind {found.kind.max()}; allowed are 0 and 1")
        return found


def _made(told: str, make: Callable[[], Made]) -> Made:
    """What `make` makes of a variable; UserError, which names it, for its ValueError or OSError."""
    try:
        return make()
    except (OSError, ValueError) as error:
        raise UserError(f"{told}: {error}") from None
