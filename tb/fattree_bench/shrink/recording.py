"""In a simulator: writes a line for each item that a test sends, as messages of a file."""

import json
from collections import defaultdict
from collections.abc import Callable
from functools import singledispatch
from pathlib import Path
from typing import Any

import numpy as np

from fattree_bench.bench.links.agent import FrameDriver
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.pauses import runs
from fattree_bench.bench.links.flit.playing import Playing
from fattree_bench.bench.links.serial.messages import MessageSet
from fattree_bench.bench.links.slot.frame import SlotFrame
from fattree_bench.bench.tlm import Played

FLITS = ("source", "destination", "release", "flits", "kind")
# Of a packet set: what its messages do not say, and a shrunken test can.
LASTING = ("alone", "corners", "reset", "shape", "answers", "gap", "hold", "shy")


def record(path: Path) -> None:
    """From now on note in a file what drivers play, and when receivers pause."""
    begin, stalls = FrameDriver.__init__, Playing.stalls
    items: list[Played] = []

    def write(line: dict[str, Any]) -> None:
        with path.open("a") as file:
            file.write(json.dumps(line) + "\n")

    def started(self: Any, name: str, parent: Any, port: Any, predict: Callable[..., Any]) -> None:
        def noted(item: Played) -> Any:
            took = (x.plan.seen.now if isinstance(x, PacketSet) else x.slots for x in items)
            write(messages(item, port.network) | {"at": int(sum(took))})
            items.append(item)
            return predict(item)

        begin(self, name, parent, port, noted)

    def paused(self: Playing, cycles: int) -> Any:
        bits, now = stalls(self, cycles), self.seen.now
        if bits is not None and bits.any():
            waits: dict[int, list[int]] = defaultdict(list)
            for clock, leaf in zip(*np.nonzero(bits), strict=True):
                waits[int(leaf)].append(now + int(clock))
            write({"pauses": runs(waits)})
        return bits

    FrameDriver.__init__ = started  # type: ignore[method-assign]
    Playing.stalls = paused  # type: ignore[method-assign]


@singledispatch
def messages(item: Played, network: Any) -> dict[str, Any]:
    """Columns, messages and settings of an item; no message file holds such items."""
    return {"columns": [], "messages": [], "settings": {}}


@messages.register
def _(item: PacketSet, network: Any) -> dict[str, Any]:
    table = [getattr(item.packets, name).astype(np.int64) for name in FLITS]
    usual = vars(type(item)(item.packets, item.family))
    own = {k: x for k, x in vars(item).items() if k in LASTING and x != usual[k]}
    return {
        "columns": FLITS,
        "messages": np.column_stack(table).tolist(),
        "settings": {k: repr(x) for k, x in own.items()},
    }


@messages.register
def _(item: SlotFrame, network: Any) -> dict[str, Any]:
    slot, source = np.nonzero(item.dst >= 0)
    table = [source, item.dst[slot, source], slot]
    return _with_words(item, ["source", "destination", "release"], table, (slot, source))


@messages.register
def _(item: MessageSet, network: Any) -> dict[str, Any]:
    row, wire = np.nonzero(item.dst >= 0)
    source = np.minimum(wire // int(network.cap[-1]), network.leaves)
    return _with_words(item, ["source", "destination"], [source, item.dst[row, wire]], (row, wire))


def _with_words(item: Any, columns: list[str], table: list[Any], at: Any) -> dict[str, Any]:
    rows = np.column_stack(table).tolist()
    if item.words is not None:
        columns = [*columns, "payload"]
        words = np.asarray(item.words)[at].tolist()
        rows = [[*row, word] for row, word in zip(rows, words, strict=True)]
    return {"columns": columns, "messages": rows, "settings": {}}
