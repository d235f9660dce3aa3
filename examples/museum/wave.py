"""Prints signals of waves, a column a clock: what they are just before its edge.

build/venv/bin/python examples/museum/wave.py FOLDER SIGNAL…  (its last waves; a signal is the end
of a name, as u_x.count_q; count_q:0 is a bit)
"""

import re
import sys
from bisect import bisect_left
from pathlib import Path
from typing import Any

import pywellen
from exhibit import refuse


def ending(signals: dict[str, Any], name: str) -> Any:
    """The first signal with such an end of its name."""
    found = (var for whole, var in signals.items() if f".{whole}".endswith(f".{name}"))
    return next(found, None) or refuse(f"{name}: the waves have no such signal")


def value(var: Any, bit: str, time: int) -> str:
    """What a signal is just before a time, in hexadecimal; x: not known."""
    before = bisect_left(var.tv, time, key=lambda change: change[0]) - 1
    found = var.tv[before][1] if before >= 0 else "x"
    text = found if isinstance(found, str) else f"{found:064b}"
    text = text[::-1][int(bit) : int(bit) + 1] or text[0] if bit else text
    return f"{int(text, 2):x}" if set(text) <= {"0", "1"} else "x"


def main(folder: str = "", *given: str) -> None:
    """Print a line a signal."""
    paths = sorted(Path(folder).rglob("*.vcd"), key=lambda path: path.stat().st_mtime)
    if not paths or not given:
        refuse(f"wave.py FOLDER SIGNAL…: {folder or 'FOLDER'}: no waves there, or no signal given")
    signals = {var.full_name: var for var in pywellen.Waveform(str(paths[-1])).all_vars()}
    edges = [time for time, level in ending(signals, "clk").tv if level == 1]
    edges.append(max(var.tv[-1][0] for var in signals.values() if var.tv) + 1)
    rows = [("clock", [str(clock) for clock in range(len(edges))])]
    for name in (re.sub(r":(\d+)", r"[\1]", one) for one in given):
        base, _, bit = name[:-1].rpartition("[") if name.endswith("]") else (name, "", "")
        var = ending(signals, base)
        rows.append((name, [value(var, bit, time) for time in edges]))
    wide, long = (max(len(x) for _, row in rows for x in row), max(len(name) for name, _ in rows))
    for name, row in rows:
        print(name.ljust(long), *(x.rjust(wide) for x in row))


if __name__ == "__main__":
    main(*sys.argv[1:])
