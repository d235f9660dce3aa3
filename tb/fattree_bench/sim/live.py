"""How far a simulation is, for a terminal: its tests one by one, and those that have failed."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path


class Live:
    """Looks at the results of a running simulation, and tells when there are more of them."""

    def __init__(self, names: Sequence[str], tell: Callable[[str], None]) -> None:
        self._names, self._tell = names, tell
        self._done = 0

    def look(self, results: Path) -> None:
        """Tell what runs now, if that has changed; the last line may be half written."""
        lines = results.read_bytes().split(b"\n")[:-1] if results.exists() else []
        if len(lines) == self._done:
            return
        self._done = len(lines)
        failed = [found["scenario"] for found in map(json.loads, lines) if found["faults"]]
        left = self._names[self._done : self._done + 1]
        now = f"running {left[0]}" if left else "ending"
        told = f"{now}, {self._done} of {len(self._names)} tests done"
        self._tell(told + (f"; failed: {', '.join(failed)}" if failed else ""))
