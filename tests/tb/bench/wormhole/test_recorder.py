"""Rows of a flit_recorder, taken apart."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from fattree_bench.bench.links.flit.network import Recording
from fattree_bench.bench.links.flit.recorder import Recorder
from fattree_bench.bench.links.transport import Bytes, packed

ROWS, LINKS = 5, 19


class Memories:
    """Random bits in each memory, as rows of zeros and ones."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(1)
        self.bits: dict[str, Any] = {}

    def memory(self, name: str, rows: int, bits: int) -> Bytes:
        self.bits[name] = self.rng.integers(0, 2, (rows, bits)).astype(np.bool_)
        made = packed(self.bits[name])
        return np.pad(made, ((0, 0), (0, -made.shape[1] % 4)))

    def fetch(self, name: str, rows: int) -> None:
        """They are there."""


def number(bits: Any) -> int:
    return sum(int(bit) << place for place, bit in enumerate(bits))


@pytest.mark.parametrize(
    ("width", "hops", "vcs"), [(32, 12, 2), (64, 58, 4), (17, 1, 1), (33, 7, 3)]
)
def test_rows_bit_by_bit(width: int, hops: int, vcs: int) -> None:
    """Data, marks, hops of heads alone, VCs and credits, from any bit on; 0 where no VC is."""
    recorded = Recording(LINKS, (width, hops), 7 * width + LINKS, compared=True)
    layout: Any = SimpleNamespace(recorded=recorded, vcs=vcs, rows=ROWS)
    memories: Any = Memories()
    seen = Recorder(memories, layout).recorded(ROWS - 1)
    each = width + 2 + hops
    assert seen.states.shape == (ROWS - 1, (7 * width + LINKS + 63) // 64)
    flits = iter(memories.bits["seen_flit"])
    for row in range(ROWS - 1):
        shown = number(memories.bits["seen_shown"][row])
        assert int.from_bytes(seen.states[row].tobytes(), "little") == shown
        for link in range(LINKS):
            of = slice(link * vcs, (link + 1) * vcs)
            valid = number(memories.bits["seen_valid"][row, of])
            flit = np.zeros(each, np.bool_)
            for _ in range(valid.bit_count()):  # a row for each VC, while there are any
                flit = next(flits, flit)
            head = int(flit[width + 1])
            side = (
                number(flit[width : width + 2]) | valid << 2 | head * number(flit[width + 2 :]) << 6
            )
            assert int(seen.data[row, link]) == (number(flit[:width]) if valid else 0)
            assert int(seen.side[row, link]) == (side if valid else 0)
            assert int(seen.credits[row, link]) == number(memories.bits["seen_credit"][row, of])
    some = LINKS - 4
    heads = [
        (number(flit[:width]), clock, *divmod(lane, vcs))
        for (clock, lane), flit in zip(
            np.argwhere(memories.bits["seen_valid"][:-1]), memories.bits["seen_flit"], strict=False
        )
        if flit[width + 1] and lane < some * vcs
    ]
    assert list(zip(*seen.heads(some), strict=True)) == heads
