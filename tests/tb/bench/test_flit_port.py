"""Python's side of the flit player, without a simulator."""

import numpy as np
import pytest

from fattree_bench.bench.links.flit.port import FlitPort

ROWS, NODES = 64, 9


class Memories:
    """Notes what was moved."""

    def __init__(self) -> None:
        self.flushed: list[tuple[str, int]] = []

    def flush(self, name: str, rows: int) -> None:
        self.flushed.append((name, rows))


@pytest.fixture
def port() -> FlitPort:
    """A port in the middle of a run in which everybody stalled all the time."""
    made = object.__new__(FlitPort)
    made.rows = ROWS
    made.transport = Memories()  # type: ignore[assignment]
    made.stim_stall = np.full((ROWS, 4), 255, np.uint8)
    made._stalls = True
    return made


def test_a_short_burst_without_stalls_leaves_none_for_a_long_one(port: FlitPort) -> None:
    port.stall(None, 10)
    port.stall(None, ROWS)
    assert not port.stim_stall.any()
    assert port.transport.flushed == [("stim_stall", ROWS)]  # type: ignore[attr-defined]


def test_stalls_are_moved_for_the_burst_alone(port: FlitPort) -> None:
    bits = np.zeros((10, NODES), np.bool_)
    bits[3, 8] = True
    port.stall(bits, 10)
    assert port.stim_stall[:10].sum() == port.stim_stall[3, 1] == 1
    assert port.transport.flushed == [("stim_stall", 10)]  # type: ignore[attr-defined]
