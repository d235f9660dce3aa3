"""How far a simulation is: a file in the folder of its run, where it runs."""

import time
from pathlib import Path

FILE = "clock"


class Progress:
    """Writes the clock, once a second at most."""

    def __init__(self) -> None:
        self._told = 0.0

    def write(self, clock: int) -> None:
        if time.monotonic() - self._told >= 1:
            self._told = time.monotonic()
            Path(FILE).write_text(f"{clock}\n")


def read(run: Path) -> str:
    """As in ", clock 4,100,000"; "" if nothing is known."""
    path = run / FILE
    clock = path.read_text().strip() if path.exists() else ""
    return f", clock {int(clock):,}" if clock else ""
