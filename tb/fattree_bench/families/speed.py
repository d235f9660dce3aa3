"""What `make bench` plays through the networks of a family, and what it counts."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.table import Table

from fattree_bench.bench.scenario import Stimulus, generator
from fattree_bench.families import family, has, part, scenarios
from fattree_models.common.checks import Int32Array

FRESH = 4  # new items that a bare model plays, again and again


@dataclass(frozen=True)
class Case:
    """A network and simulator to measure, and with which kinds of stimulus."""

    sim: str
    network: str
    values: Mapping[str, str]
    kinds: tuple[str, ...] = ("repeated", "fresh")  # and "classic", where there is such an agent


@dataclass(frozen=True)
class Loop:
    """How bench/interface/bare.cpp drives a network, by the names of its ports.

    Attributes
    ----------
    driven : inputs with an image in each step.
    sent, received : ports whose ones are counted, at the end of a step.
    setup : inputs with an image in each clock of a reset at the start.
    clocks : of a step.
    until : the output that shows the last clock of a step, if steps differ.
    """

    driven: tuple[str, ...]
    sent: tuple[str, ...]
    received: tuple[str, ...]
    setup: tuple[str, ...] = ()
    clocks: int = 1
    until: str = ""

    def header(self, inputs: list[str], outputs: list[str]) -> str:
        """The macros that bare.cpp is written with."""
        step = "clock(top); " * self.clocks + "seen(); ended();"
        if self.until:
            last = f"top.{self.until}"
            step = f"while (!{last}) {{ clock(top); seen(); }} ended(); clock(top);"
        listed = {"INPUTS": inputs, "SETUP": self.setup, "DRIVEN": self.driven}
        counted = {"SENT": self.sent, "RECEIVED": self.received}
        lines = [f"{name}(X) {' '.join(f'X({x})' for x in xs)}" for name, xs in listed.items()]
        lines += [f"{k} ({' + '.join(f'ones(top.{x})' for x in xs)})" for k, xs in counted.items()]
        lines += [f"OUTPUTS(top) {', '.join(f'(top).{x}' for x in outputs)}", f"STEP {step}"]
        return "".join(f"#define {line}\n" for line in lines)


class Speed:
    """What is measured of a family, and how: these are the defaults, its speed.py may say better.

    Attributes
    ----------
    cases : without NETWORK=…, or with one of theirs, these are measured.
    counted : what rates are of.
    sizes : columns of its table: title, variable.
    note : a line below the table.
    load : method of the port that puts an item into the memories of the player.
    checks : methods of the scoreboard that compare.
    every_leaf : its loop in C++ sends a packet per leaf and step, and says so; else what it
        counted itself is taken.
    schedule : what a SCHEDULED network is programmed with.
    loop : how its bare model is driven; None: there is none.
    """

    cases: tuple[Case, ...] = ()
    counted = "packets"
    sizes: tuple[tuple[str, str], ...] = (("leaves", "N"),)
    note = ""
    load = "load"
    checks: tuple[str, ...] = ("write",)
    every_leaf = False
    schedule: Callable[[Stimulus], Int32Array] | None = None
    loop: Loop | None = None

    def repeated(self, s: Stimulus) -> Iterator[Any]:
        """The same items again and again: what costs least."""
        yield from cycle(list(self._default_test(s)))

    def fresh(self, s: Stimulus) -> Iterator[Any]:
        """New random items without end."""
        while True:
            yield from self._default_test(s)

    def items(self, kind: str, s: Stimulus) -> Iterator[Any]:
        """What is played as this kind of stimulus."""
        return self.fresh(s) if kind == "fresh" else self.repeated(s)

    def _default_test(self, s: Stimulus) -> Iterator[Any]:
        from fattree_bench.bench.sequence import Pulled, sequence_of

        default = scenarios(s.network.name)[s.network.default_test]
        return Pulled(s).items(sequence_of(default.body)())

    def rows(self, network: Any, rows: int) -> int:
        """Slots or delivery cycles of an item, if `rows` are asked for."""
        return rows

    def warm(self, network: Any, rows: int) -> int:
        """Items that are not counted, for they find nothing prepared."""
        return 2

    def amount(self, network: Any, item: Any) -> int:
        """How many of what is counted an item brings."""
        return int(np.count_nonzero(item.dst >= 0))

    def bare(self, network: Any, kind: str) -> bytes:
        """What the bare model plays again and again: the first items of the same stimulus."""
        rows = self.rows(network, network.traffic_rows("verilator"))
        s = Stimulus(network, generator(1, f"bench_{kind}"), rows)
        count = max(FRESH if kind == "fresh" else 1, self.warm(network, rows))
        return self.image(network, list(islice(self.items(kind, s), count)))

    def image(self, network: Any, items: list[Any]) -> bytes:
        """Items as bare.cpp reads them, where there is a loop."""
        raise NotImplementedError

    def tables(self) -> Iterator[Table]:
        """What else is measured of the family."""
        yield from ()


def speed_of(network: str) -> Speed:
    """How a network is measured: as its family says, or by the defaults."""
    own = family(network)
    return part(own, "speed").SPEED if has(own, "speed") else Speed()


class Image:
    """A file of counts and images of ports, as speed/bare.h reads it."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def word(self, number: int) -> None:
        self.parts.append(np.uint32(number).tobytes())

    def number(self, value: int) -> None:
        """A port of one number."""
        self.port(value >> np.arange(max(1, value.bit_length())) & 1)

    def port(self, bits: npt.NDArray[Any]) -> None:
        packed = np.packbits(bits, bitorder="little").tobytes()
        self.word(len(packed))
        self.parts.append(packed)

    def fields(self, values: npt.NDArray[Any], bits: int) -> None:
        """A port of one field of so many bits per leaf."""
        self.port((values[:, None] >> np.arange(bits, dtype=values.dtype) & 1).astype(np.bool_))

    def slots(self, network: Any, frames: list[Any]) -> None:
        """A set of slots: how many, and the ports of each."""
        slots = np.concatenate([frame.dst for frame in frames])
        words = network.layout.payload.base(len(slots)).astype(np.uint64)
        self.word(1)
        self.word(len(slots))
        for dst, data in zip(slots, words, strict=True):
            self.port(dst >= 0)
            self.fields(np.maximum(dst, 0), network.n)
            self.fields(data, network.width)

    def bytes(self) -> bytes:
        return b"".join(self.parts)
