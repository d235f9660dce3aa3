"""Whether senders did what their draws say, draw by draw, and what would explain it if not.

A draw is judged by what was seen before it: how many messages wait at a wire follows from its
acknowledges.  So a wrong one is told once, and those that it leads to are judged for themselves.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.links.serial.messages import SerialCaptured
from fattree_bench.families.leiserson.network import Leiserson
from fattree_models.common.checks import BoolArray, Int64Array
from fattree_models.leiserson.draws import MOST_EXPONENT, guess_exponents, lfsr, lucky

Bits = npt.NDArray[np.uint8]
FEW = 8  # draws that must agree before one cause is named for them


class Tosses:
    """The draws of a queue, from the burst on in which senders differ from the plan."""

    def __init__(self, network: Leiserson, captured: SerialCaptured) -> None:
        self.network = network
        self._waiting: Int64Array = captured.item.plan.waiting[captured.first]
        self._told = False

    def compare(self, captured: SerialCaptured, sent: Bits, acked: Bits) -> Iterator[
        tuple[int, int, str]
    ]:
        """Cycle of the burst, wire and sentence of each draw that was not kept to."""
        plan, rows = captured.item.plan, len(sent)
        number = plan.number[captured.first : captured.first + rows]
        waiting = self._messages(captured, acked.astype(np.int64))
        words = lfsr(plan.seed, self.network.wires, int(number.max()) + 1)
        exponents = guess_exponents(self.network.n, len(words))[number]
        seen = sent.astype(np.bool_)
        wrong = lucky(words[number], exponents[:, None], waiting) != seen
        for cycle, wire in np.argwhere(wrong).tolist():
            word, e, count = int(words[number[cycle], wire]), exponents[cycle], waiting[cycle, wire]
            did = "sent, due silent" if seen[cycle, wire] else "was silent, due to send"
            told = (
                f"{did}: draw {number[cycle]} is {word:#010x}, modulo the guess 2^{e} that is "
                f"{word & ((1 << e) - 1)}, with {count} waiting"
            )
            if not self._told:
                self._told = True
                told += self._cause(cycle, wire, words, number, exponents, waiting, seen)
            yield cycle, wire, told

    def _messages(self, captured: SerialCaptured, acked: Int64Array) -> Int64Array:
        """Messages of each wire in each cycle of the burst, [cycles, wires], by what was seen."""
        before = np.cumsum(acked, axis=0) - acked
        waiting = np.maximum(self._waiting - before, 0)
        if captured.item.reset is not None and captured.first == 0:
            at = captured.item.reset[0]
            waiting[at:] -= waiting[at] > 0  # what it held
            np.maximum(waiting, 0, out=waiting)
        self._waiting = np.maximum(waiting[-1] - acked[-1], 0)
        return np.asarray(waiting)

    def _cause(
        self,
        cycle: int,
        wire: int,
        words: npt.NDArray[np.uint32],
        number: Int64Array,
        exponents: Int64Array,
        waiting: Int64Array,
        seen: BoolArray,
    ) -> str:
        """One cause that would explain all draws of the burst from the wrong one on; or nothing."""
        rest = slice(cycle, cycle + int(np.argmin(number[cycle:] >= number[cycle]) or len(number)))
        same = np.flatnonzero(exponents[rest] == exponents[cycle]) + cycle
        busy = waiting[same] > 0
        for e in range(MOST_EXPONENT + 1):
            if np.count_nonzero(busy) < FEW:
                break
            if np.array_equal(lucky(words[number[same]], e, waiting[same]), seen[same]):
                return f"; as they all do with a guess of 2^{e}"
        count, own, e = waiting[rest, wire], seen[rest, wire], exponents[rest]
        if np.count_nonzero(count > 0) < FEW:
            return ""
        drawn = words[number[rest]]
        for other in range(self.network.wires):
            if np.array_equal(lucky(drawn[:, other], e, count), own):
                return f"; so would the generator of wire {other}"
        for step in range(int(number[cycle]), -1, -1):
            if np.array_equal(lucky(np.full(len(own), words[step, wire]), e, count), own):
                return f"; as if its generator stood still from draw {step} on"
        return ""
