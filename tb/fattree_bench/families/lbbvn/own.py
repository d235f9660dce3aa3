"""Traffic of a user's own: frames, the shifts of a permutation, messages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from fattree_bench.bench.messages import MESSAGES, Rows, read_rows
from fattree_bench.bench.result import Head, Heads, Quantity, Table, table
from fattree_bench.errors import UserError
from fattree_bench.paths import ROOT
from fattree_bench.settings import Settings, plain, text
from fattree_models import lbbvn, traffic
from fattree_models.common.checks import Int32Array
from fattree_models.traffic.frame_files import repeated

NEEDS: Heads = {
    "level": Head("level", "level"),
    "bound": Head("lanes per channel", "Lemma 1"),
    "up": Head("lanes", "needs up"),
    "down": Head("lanes", "needs down"),
}


class Frames(Settings):
    """A frame: slots in which each input sends to at most one output, and each output gets one.

    Attributes
    ----------
    leaves : as of the network.
    """

    leaves: int

    file = text(
        "FRAMES",
        "",
        "frame to play: a .csv, one slot per line, the output of each input, empty or -1: idle; or "
        "such an array in .npy",
    )
    sigma = text("SIGMA", "", "a permutation, as 0,2,1,3; its N circular shifts are the frame")

    def check(self) -> None:
        """Mistakes of the user are found before anything is built."""
        _ = self.frame

    @property
    def name(self) -> str:
        """As a user gave it; "" without one."""
        return f"FRAMES={self.file}" if self.file else f"SIGMA={self.sigma}" if self.sigma else ""

    @cached_property
    def frame(self) -> Int32Array | None:
        """Destinations, -1 idle, int32 [slots, N]; None without one."""
        if self.file and self.sigma:
            raise UserError(f"SIGMA={self.sigma}: makes a frame, and so does FRAMES={self.file}")
        try:
            if self.file:
                return traffic.read_frame(ROOT / self.file, self.leaves, self.name)
            return lbbvn.shifts(self._numbers()) if self.sigma else None
        except ValueError as error:
            raise UserError(str(error)) from None

    def _numbers(self) -> list[int]:
        """The permutation SIGMA."""
        words = self.sigma.split(",")
        if len(words) != self.leaves:
            raise UserError(f"{self.name}: has {len(words)} numbers; N={self.leaves} needs as many")
        try:
            found = [plain(word.strip()) for word in words]
            outside = [x for x in found if not 0 <= x < self.leaves]
        except ValueError:
            outside = found = []
        if not found or outside:
            raise UserError(f"{self.name}: must be numbers 0 … {self.leaves - 1}, each once")
        if twice := repeated(np.array([found])):
            raise UserError(f"{self.name}: {twice.partition(': ')[2]}")
        return found

    @cached_property
    def assessed(self) -> lbbvn.Assessment:
        """What the paper asks of the frame, answered."""
        return lbbvn.assess(self.frame if self.frame is not None else [[-1] * self.leaves])


class Own(Frames):
    """Frames, and messages; many of these may go to one place.

    Attributes
    ----------
    width : as of the network.
    """

    width: int

    messages = MESSAGES

    def check(self) -> None:
        super().check()
        _ = self.rows
        if self.messages and self.name:
            raise UserError(f"MESSAGES={self.messages}: goes without {self.name}")

    @cached_property
    def rows(self) -> Rows | None:
        """The messages slot by slot; None if there are none."""
        return read_rows(self.messages, self.leaves, self.width) if self.messages else None

    @property
    def test(self) -> str:
        """What plays it; "" if there is nothing."""
        return "own_frame" if self.name else "file" if self.messages else ""


def no_frame(network: Any) -> str | None:
    """Why `own_frame` cannot run, or None."""
    return None if network.own.name else "it needs FRAMES=file or SIGMA"


def sums(found: lbbvn.Assessment) -> str:
    """Whether a frame sums to the all-ones matrix."""
    if found.unmet is None:
        return "it sums to the all-ones matrix, eq. (1): every pair meets once"
    source, output, times = found.unmet
    met = {0: "never", 1: "once", 2: "twice"}.get(times, f"{times} times")
    return (
        f"it does not sum to the all-ones matrix, eq. (1): input {source} meets output {output} "
        f"{met}"
    )


def answers(frames: Frames) -> Iterator[str]:
    """What the model says of a frame before it is played, a sentence each."""
    found, leaves = frames.assessed, frames.leaves
    yield f"{frames.name}: a frame of {found.slots} slots"
    yield sums(found)
    if found.uneven is None:
        yield "every slot maps uniformly, Definition 3"
    else:
        slot, j, k, other, count = found.uneven
        n = leaves.bit_length() - 1
        yield (
            f"{int(found.uniform.sum())} of {found.slots} slots map uniformly, Definition 3; "
            f"slot {slot} does not: {count} of the inputs S({j}, {k}) go to the outputs "
            f"S({n - j}, {other}), j = {j}, k = {k}"
        )
    fit = int(found.fitting.sum())
    if fit == found.slots:
        yield "it fits the lanes of Lemma 1"
    else:
        first = int(found.fitting.argmin())
        yield f"{fit} of {found.slots} slots fit the lanes of Lemma 1; slot {first} does not"


def needs(frames: Frames) -> Table:
    """Lanes that each level needs for a frame, up and down."""
    found, n = frames.assessed, frames.leaves.bit_length() - 1
    columns = lbbvn.lower_bound(n), found.up, found.down
    return table(NEEDS, [(j, *(int(x[j]) for x in columns)) for j in range(1, n + 1)])


def figures(frames: Frames) -> dict[str, Quantity]:
    """The same answers as numbers."""
    found = frames.assessed
    return {
        "frame_slots": Quantity(found.slots, "slots"),
        "frame_sums_to_ones": Quantity(int(found.unmet is None), "yes"),
        "frame_uniform": Quantity(int(found.uniform.sum()), "slots"),
        "frame_fits_lemma_1": Quantity(int(found.fitting.sum()), "slots"),
    }


def untitled(numbers: Table) -> Table:
    """A table that was printed already: reports keep it, the console does not repeat it."""
    return {name: replace(column, title="") for name, column in numbers.items()}
