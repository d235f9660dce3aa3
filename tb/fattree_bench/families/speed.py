"""What `make bench` plays through the networks of a family, and what it counts."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.table import Table

from fattree_bench.bench.scenario import Stimulus
from fattree_bench.families import family, has, part, scenarios
from fattree_models.common.checks import Int32Array


@dataclass(frozen=True)
class Case:
    """A network and simulator to measure, and with which kinds of stimulus."""

    sim: str
    network: str
    values: Mapping[str, str]
    kinds: tuple[str, ...] = ("repeated", "fresh")  # and "classic", where there is such an agent


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
    """

    cases: tuple[Case, ...] = ()
    counted = "packets"
    sizes: tuple[tuple[str, str], ...] = (("leaves", "N"),)
    note = ""
    load = "load"
    checks: tuple[str, ...] = ("write",)
    every_leaf = False
    schedule: Callable[[Stimulus], Int32Array] | None = None

    def repeated(self, s: Stimulus) -> Iterator[Any]:
        """The same items again and again: what costs least."""
        yield from cycle(list(self._default_test(s)))

    def fresh(self, s: Stimulus) -> Iterator[Any]:
        """New random items without end."""
        while True:
            yield from self._default_test(s)

    def _default_test(self, s: Stimulus) -> Iterator[Any]:
        return scenarios(s.network.name)[s.network.default_test].frames(s)

    def rows(self, network: Any, rows: int) -> int:
        """Slots or delivery cycles of an item, if `rows` are asked for."""
        return rows

    def warm(self, network: Any, rows: int) -> int:
        """Items that are not counted, for they find nothing prepared."""
        return 2

    def amount(self, network: Any, item: Any) -> int:
        """How many of what is counted an item brings."""
        return int(np.count_nonzero(item.dst >= 0))

    def image(self, network: Any) -> bytes:
        """The stimulus of hdl/bare.cpp, in its own format; empty: there is no such loop."""
        return b""

    def tables(self) -> Iterator[Table]:
        """What else is measured of the family."""
        yield from ()


def speed_of(network: str) -> Speed:
    """How a network is measured: as its family says, or by the defaults."""
    own = family(network)
    found: Speed = part(own, "speed").SPEED if has(own, "speed") else Speed()
    return found


class Image:
    """A file of counts and images of ports, as speed/bare.h reads it."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def word(self, number: int) -> None:
        self.parts.append(np.uint32(number).tobytes())

    def port(self, bits: npt.NDArray[Any]) -> None:
        packed = np.packbits(bits, bitorder="little").tobytes()
        self.word(len(packed))
        self.parts.append(packed)

    def fields(self, values: npt.NDArray[Any], bits: int) -> None:
        """A port of one field of so many bits per leaf."""
        self.port((values[:, None] >> np.arange(bits, dtype=values.dtype) & 1).astype(np.bool_))

    def bytes(self) -> bytes:
        return b"".join(self.parts)
