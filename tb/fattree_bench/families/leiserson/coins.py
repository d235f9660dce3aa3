"""Whether senders did what their draws say, draw by draw, and what would explain it if not.

A draw is judged by what was seen before it: how many messages wait at a wire follows from its
acknowledges.  So a wrong one is reported once, and later ones are judged for themselves;
and so is the network, by who really sent.
"""

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.links.serial.messages import SerialCaptured
from fattree_bench.families.leiserson.network import Leiserson
from fattree_bench.families.leiserson.plan import Plan, visible
from fattree_models import leiserson as lei
from fattree_models.common.checks import BoolArray, Int64Array
from fattree_models.leiserson.draws import MOST_EXPONENT, lucky

Bits = npt.NDArray[np.uint8]
FEW = 8  # draws that must agree before one cause is named for them


class Tosses:
    """The draws of a queue, from the burst on in which it leaves its plan.

    `left` : int64 [wires], messages that wait when the last burst so far ended, by what was seen.
    """

    def __init__(self, network: Leiserson, captured: SerialCaptured) -> None:
        self.network = network
        self.left: Int64Array = captured.item.plan.waiting[captured.first]
        self._waiting = self.left[None]
        self._told = False

    def compare(
        self, captured: SerialCaptured, sent: Bits, acked: Bits
    ) -> Iterator[tuple[int, int, str]]:
        """Cycle of the burst, wire and sentence of each draw that was not kept to."""
        plan: Plan = captured.item.plan
        self._waiting = self._messages(captured, acked.astype(np.int64))
        waiting = self._waiting + captured.item.behind * (self._waiting > 0)
        number = plan.number[captured.first : captured.first + len(sent)]
        most = int(number.max(initial=0)) + 1
        words = lei.lfsr(plan.seed, self.network.wires, most)
        exponents = lei.guess_exponents(self.network.n, most)[number]
        seen = sent.astype(np.bool_)
        wrong = lucky(words[number], exponents[:, None], waiting) != seen
        for cycle, wire in np.argwhere(wrong).tolist():
            word, e = int(words[number[cycle], wire]), exponents[cycle]
            did = "sent, due silent" if seen[cycle, wire] else "was silent, due to send"
            told = (
                f"{did}: draw {number[cycle]} is {word:#010x}, modulo the guess 2^{e} that is "
                f"{word & ((1 << e) - 1)}, with {waiting[cycle, wire]} waiting"
            )
            if not self._told:
                self._told = True
                told += _cause(cycle, wire, words, number, exponents, waiting, seen)
            yield cycle, wire, told

    def plan(self, captured: SerialCaptured, sent: Bits) -> Plan:
        """What shows of a sound network in the burst that was compared, if those send who did."""
        item = captured.item
        plan: Plan = item.plan
        part = slice(captured.first, captured.first + len(sent))
        queued = np.count_nonzero(item.dst >= 0, axis=0)
        row = np.where((sent > 0) & (self._waiting > 0), queued - self._waiting, -1)
        goal = np.where(row >= 0, np.take_along_axis(item.dst, np.maximum(row, 0), axis=0), -1)
        outcome = lei.deliver(self.network.tree, goal, None, plan.number[part])
        row = row.astype(np.int32)
        shown = visible(self.network, item, row, outcome)
        changes: dict[str, Any] = {
            name: _put(getattr(plan, name), part, own) for name, own in shown.items()
        }
        of_all = {
            f.name: _put(getattr(plan.outcome, f.name), part, getattr(outcome, f.name))
            for f in fields(outcome)
        }
        own_row = _put(plan.row, part, row)
        return replace(plan, row=own_row, outcome=lei.CycleOutcome(**of_all), **changes)

    def _messages(self, captured: SerialCaptured, acked: Int64Array) -> Int64Array:
        """Messages of each wire in each cycle of the burst, [cycles, wires], by what was seen."""
        waiting = np.maximum(self.left - (np.cumsum(acked, axis=0) - acked), 0)
        if captured.item.reset is not None and captured.first == 0:
            at = captured.item.reset[0]
            held = waiting[at : at + 1] > 0
            waiting[at:] = np.maximum(waiting[at:] - held, 0)
        if len(waiting):
            self.left = np.maximum(waiting[-1] - acked[-1], 0)
        return waiting


def _put(whole: npt.NDArray[Any], part: slice, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A copy with other values in some rows."""
    copy = whole.copy()
    copy[part] = values
    return copy


def _cause(
    cycle: int,
    wire: int,
    words: npt.NDArray[np.uint32],
    number: Int64Array,
    exponents: Int64Array,
    waiting: Int64Array,
    seen: BoolArray,
) -> str:
    """One cause that would explain all draws of the burst from the wrong one on; or nothing."""
    same = np.arange(cycle, len(number))
    same = same[(number[same] >= number[cycle]) & (exponents[same] == exponents[cycle])]
    busy = waiting[same] > 0
    coins = seen[same][busy]
    if len(coins) >= FEW and coins.any() and not coins.all():
        for e in range(MOST_EXPONENT + 1):
            if np.array_equal(lucky(words[number[same]], e, waiting[same]), seen[same]):
                return f"; as they all do with a guess of 2^{e}"
    rest = np.arange(cycle, len(number))
    rest = rest[(number[rest] >= number[cycle]) & (waiting[rest, wire] > 0)]
    count, own, e, drawn = waiting[rest, wire], seen[rest, wire], exponents[rest], number[rest]
    if len(rest) >= FEW and own.any() and not own.all():
        for other in range(words.shape[1]):
            if np.array_equal(lucky(words[drawn, other], e, count), own):
                return f"; so it would with the draws of wire {other}"
    if len(rest) >= FEW:
        for step in range(int(number[cycle])):
            still = np.full(len(rest), words[step, wire])
            if np.array_equal(lucky(still, e, count), own):
                return "; as if its generator stood still"
    return ""
