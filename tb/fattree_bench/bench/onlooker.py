"""What is kept of a run that is to be shown: part of what was captured, and of what was expected.

A run may be long; a page holds some of it.  Kept are the frames about a wanted time or, if none is
given, those about the first fault and those at the beginning.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from cocotb.utils import get_sim_time

from fattree_bench.bench.faults import Faults
from fattree_bench.bench.tlm import Burst

Array = npt.NDArray[np.generic]
MOST = 8_000_000  # numbers in the arrays that are kept of the beginning, and as many of a fault
BEFORE = 64  # rows before the wanted one that are also kept


class Frame(NamedTuple):
    """Rows of time that were captured together.

    Attributes
    ----------
    first, rows : time of the first row since the start of the run, and how many.
    clocks : of the simulation that they took.
    arrays : by name; the first axis is a list of rows, or of events that carry their time.
    """

    first: int
    rows: int
    clocks: int
    arrays: dict[str, Array]


class Onlooker:
    """Sees all that is captured, after the scoreboard; `keep` says what of it matters."""

    def __init__(
        self, keep: Callable[..., Frame], faults: Faults, wanted: int | None, most: int = MOST
    ) -> None:
        self._keep, self._faults, self._wanted, self._room = keep, faults, wanted, most
        self._most = most
        self._frames: list[tuple[Frame, int]] = []  # and the time of the simulation at its end
        self._recent: list[tuple[Frame, int]] = []  # beyond what there is room for
        self._found = False

    def write(self, captured: Burst) -> None:
        """Keep a frame, if there is reason to."""
        frame = self._keep(captured)
        ended = frame, int(get_sim_time("step"))
        if self._wanted is not None:
            reach = self._wanted - BEFORE < frame.first + frame.rows
            if reach and self._room > 0:
                self._add(*ended)
            return
        if self._faults and not self._found:  # of this frame, or of the one before
            self._found, self._room = True, self._most
            for one in self._recent:
                self._add(*one)
        if self._room > 0:
            self._add(*ended)
        elif not self._found:
            self._recent = [*self._recent[-1:], ended]

    def _add(self, frame: Frame, end: int) -> None:
        copied = frame._replace(arrays={k: np.array(a) for k, a in frame.arrays.items()})
        self._frames.append((copied, end))
        self._room -= sum(a.size for a in frame.arrays.values())

    def save(self, path: Path) -> None:
        """Write the kept frames: arrays by name, and `frames` [frames, 4]: see `Frame`, end."""
        table = [(f.first, f.rows, f.clocks, end) for f, end in self._frames]
        made: dict[str, Array] = {"frames": np.array(table, np.int64).reshape(-1, 4)}
        for number, (frame, _) in enumerate(self._frames):
            made |= {f"{number}/{name}": array for name, array in frame.arrays.items()}
        np.savez_compressed(path, allow_pickle=False, **made)
