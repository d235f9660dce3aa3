"""A sound switch on the cell link in software: what it shows of frames, to be doctored."""

import json
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

import numpy as np

from fattree_bench.bench.faults import Faults
from fattree_bench.bench.limits import Limits, Watch
from fattree_bench.bench.links.slot.frame import Captured
from fattree_bench.families.lbbvn_switch.cells import CellFrame, Run
from fattree_bench.families.lbbvn_switch.feedback import Feedback
from fattree_bench.families.lbbvn_switch.network import LbbvnSwitch
from fattree_bench.families.lbbvn_switch.plan import Predictor
from fattree_bench.families.lbbvn_switch.scoreboard import CellScoreboard
from fattree_bench.families.lbbvn_switch.traffic import drain
from fattree_models.common.checks import Int32Array
from tests.tb.bench.alone import alone

Place = tuple[int, int]  # row, output


def switch(**variables: object) -> LbbvnSwitch:
    """A switch of 4 line cards, unless `variables` say otherwise."""
    given = {"N": 4} | variables
    return LbbvnSwitch.from_variables({name: str(value) for name, value in given.items()})


def random_cells(
    rng: np.random.Generator, network: LbbvnSwitch, slots: int, load: float
) -> Int32Array:
    """Cells for all outputs alike, int32 [slots, N]."""
    dst = rng.integers(0, network.leaves, (slots, network.leaves)).astype(np.int32)
    dst[rng.random(dst.shape) >= load] = -1
    return dst


def frames(dst: Int32Array, **options: Any) -> list[CellFrame]:
    """Slots cut into frames of 64, shorter than a player could hold."""
    return [CellFrame(dst[i : i + 64], "by hand", **options) for i in range(0, len(dst), 64)]


class Stream:
    """Some frames, a drain, and what a sound switch shows of them; `watch` sees each at once.

    Attributes
    ----------
    items : all frames, with their plans.
    valid, data : what stands at the outputs, [slots, N]; row t is the t-th slot.
    counters : uint32 [frames, network.layout.counters], after each frame.
    first : number of the slot of row 0.
    finished : measured runs that have come to their end.
    faults : limits that the drain has reached.
    """

    def __init__(
        self,
        network: LbbvnSwitch,
        frames: Iterable[CellFrame],
        drained: bool = True,
        first: int = 0,
        watch: Callable[[Captured], None] | None = None,
        limits: Limits = Limits(),  # noqa: B008  it is frozen
    ) -> None:
        self.network = network
        self.first = first
        self.items: list[CellFrame] = []
        self.valid = np.zeros((0, network.leaves), np.bool_)
        self.data = np.zeros((0, network.leaves), network.layout.payload.dtype)
        self.counters = np.zeros((0, network.layout.counters), np.uint32)
        self.finished: list[Run] = []
        self.faults = Faults()
        predict, feedback = Predictor(network), Feedback(network, self.finished.append)
        idle = drain(network, feedback, Watch(limits, self.faults)) if drained else ()
        for item in chain(frames, idle):
            item.sequence = first + len(self.valid)
            predict(item)
            self.items.append(item)
            self._append(item)
            captured = self.captured(len(self.items) - 1)
            feedback.write(captured)
            if watch is not None:
                watch(captured)

    def _append(self, item: CellFrame) -> None:
        """What left `latency` slots ago, unless a reset came since."""
        late = self.network.latency
        plans = [i.plan for i in self.items]
        words = np.concatenate([plan.words for plan in plans])
        source = np.concatenate([plan.source for plan in plans])
        held = np.concatenate(
            [np.zeros(i.slots, np.bool_) if i.reset is None else i.reset for i in self.items]
        )
        valid = np.zeros(item.dst.shape, np.bool_)
        data = np.zeros(item.dst.shape, self.data.dtype)
        for row, slot in enumerate(range(len(self.valid), len(words))):
            if slot >= late and not held[slot - late : slot + 1].any():
                valid[row], data[row] = source[slot - late] >= 0, words[slot - late]
        self.valid = np.concatenate([self.valid, valid])
        self.data = np.concatenate([self.data, data])
        self.counters = np.append(self.counters, np.uint32([item.plan.counters]), axis=0)

    def at(self, number: int) -> Place:
        """Where the n-th cell that leaves stands at an output."""
        slot, output = np.argwhere(self.valid)[number].tolist()
        return slot, output

    def put(self, place: Place, word: int) -> None:
        """Let a word leave."""
        self.valid[place], self.data[place] = True, word

    def take(self, place: Place) -> int:
        """Let nothing leave; the word that did."""
        word = int(self.data[place])
        self.valid[place], self.data[place] = False, 0
        return word

    def move(self, place: Place, goal: Place) -> None:
        """Let a word leave elsewhere, or at another time."""
        self.put(goal, self.take(place))

    def swap(self, one: Place, two: Place) -> None:
        """Two words change places."""
        word = self.take(one)
        self.put(one, self.take(two))
        self.put(two, word)

    def cell(self, place: Place) -> tuple[int, int]:
        """Slot of arrival and source of the cell that leaves there."""
        return self.network.layout.payload.decode(int(self.data[place]))

    def captured(self, number: int) -> Captured:
        """What is seen of the n-th frame."""
        item = self.items[number]
        begin = item.sequence - self.first
        rows = slice(begin, begin + item.slots)
        packed = np.packbits(self.valid[rows], axis=1, bitorder="little")
        return Captured(item, packed, self.data[rows], self.counters[number])


class Bench:
    """A scoreboard that is shown streams."""

    def __init__(self, network: LbbvnSwitch) -> None:
        self.board = alone(CellScoreboard, network)

    def names(self, stream: Stream) -> dict[str, int]:
        """Show a stream, to its end: the faults that are named, and how often."""
        for number in range(len(stream.items)):
            self.board.write(stream.captured(number))
        self.board.check_phase()
        found = dict(self.board.faults.counts)
        assert json.loads(json.dumps(found)) == found  # as whoever started the simulation reads it
        return found


Make = Callable[[LbbvnSwitch], Bench]
