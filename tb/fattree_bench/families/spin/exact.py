"""The clock-exact model of SPIN's routers, compared with those of plane 0."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.failure import Place
from fattree_bench.bench.faults import Finding, Where
from fattree_bench.bench.links.flit.packets import Burst
from fattree_bench.families.spin.network import SpinNetwork
from fattree_models import spin
from fattree_models.spin.routers import Difference, Routers

NONE = Finding("", "")
MARKS = (("begin", spin.BEGIN), ("end", spin.END), ("error", spin.ERROR), ("parity", spin.PARITY))


class RouterCheck:
    """Runs the model on what was on the links, and compares what routers made of it.

    Each router of the model gets what the recorded links brought to its likeness, so that a fault
    is reported where it arises.  After a difference nothing more is reported until the next reset.
    """

    def __init__(self, network: SpinNetwork) -> None:
        self.network = network
        self.routers = Routers(network.terminals, network.shared)
        self.clocks = 0  # in which all was compared
        self._agrees = False

    def check(self, bursts: Sequence[Burst], first: int) -> Finding:
        """Report the first difference in bursts; the last one is of an item's clock `first` on.

        It has no name if there is none.
        """
        found = [self._compare(burst, first if burst is bursts[-1] else None) for burst in bursts]
        return next((one for one in found if one != NONE), NONE)

    def _compare(self, burst: Burst, first: int | None) -> Finding:
        """A burst, of an item's clock `first` on; None: of none."""
        start = 0
        if not self._agrees:
            if not burst.resets:
                return NONE
            start = burst.resets[0] + 1  # what was there before is unknown
            self.routers.reset()
            self._agrees = True
        assert burst.recorded is not None
        seen = burst.recorded()
        resets = np.isin(np.arange(burst.clocks), burst.resets)
        before = int(np.bitwise_count(seen.valid[:start]).sum())
        found = self.routers.check_bits(
            *(seen.valid[start:], seen.words[before:], seen.credit[start:], seen.shown[start:]),
            resets[start:],
        )
        self.clocks += burst.clocks - start
        if found is None:
            return NONE
        self._agrees = False
        name = kind.LINK if found.what in ("word", "credit") else kind.STATE
        if first is None:
            return Finding(name, f"after the last item, or in its reset, {self._told(found)}")
        clock = first + start + found.row
        where = Where(clock, Place(self._router(found)))
        told = f"clock {clock}: {self._told(found)}; decided in clock {clock - 1} or before"
        return Finding(name, f"{told} by {_decision(found)}", where)

    def _router(self, found: Difference) -> str:
        level, node = self.network.nodes[found.router]
        return f"level {level} router {node}"

    def _told(self, found: Difference) -> str:
        expected, seen = found.expected, found.seen
        if found.what == "word":
            place = f"{self._router(found)} output {self.network.outputs[found.at][2]}"
            return f"{place}: expected {_word(expected)}, seen {_word(seen)}"
        if found.what == "credit":
            count = len(self.network.outputs)
            if found.at < count:
                level, node, port = self.network.outputs[found.at]
                sender = f"level {level} router {node} output {port}"
            else:
                sender = f"terminal {found.at - count}"
            told = "a credit" if expected else "no credit"
            return f"{self._router(found)}: expected {told} for {sender}, seen {seen}"
        shown = {"state": "holds words", "home": "is as at first", "stored": "stores a packet"}
        place = self._router(found) if found.what == "stored" else self.network.places[found.at]
        return f"{place}: expected {expected} for “{shown[found.what]}”, seen {seen}"


def _word(word: int | None) -> str:
    if word is None:
        return "nothing"
    marks = " ".join(name for name, bit in MARKS if word & bit)
    return f"{word & spin.codec.DATA:#010x} ({marks or 'no marks'})"


def _decision(found: Difference) -> str:
    """What decides it, after docs/spin.md."""
    if found.what == "credit":
        return "the queue of the input"
    if found.what != "word":
        return "what the router shows of itself"
    expected, seen = found.expected, found.seen
    if expected is not None and seen is not None and not (expected ^ seen) & spin.codec.DATA:
        return "the input: it repairs marks"
    if any(word is not None and word & spin.BEGIN for word in (expected, seen)):
        return "who gets an output, or a shared buffer"
    return "queue, shared buffer, or credits"
