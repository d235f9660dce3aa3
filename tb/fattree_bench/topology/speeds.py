"""Speeds of cables as files state them: `4xEDR`, or Gb/s."""

import re

from fattree_bench.topology.files import Wrong, shown

LANES = {  # Gb/s of a lane, each way
    **{"SDR": 2.5, "DDR": 5.0, "QDR": 10.0, "FDR10": 10.0, "FDR": 14.0},
    **{"EDR": 25.0, "HDR": 50.0, "NDR": 100.0, "XDR": 200.0},
}
WIDTHS = (1, 2, 4, 8, 12)
WORD = re.compile(r"(\d+)x([A-Za-z]\w*)")
NUMBER = re.compile(r"\d{1,6}(?:\.\d{1,6})?")


def gigabits(line: int, word: str) -> float:
    """Gb/s of a cable; 0 for an empty word: not stated."""
    word = word.strip()
    if not word:
        return 0.0
    if found := WORD.fullmatch(word):
        width, lane = int(found[1]), LANES.get(found[2].upper())
        if lane is not None and width in WIDTHS:
            return width * lane
    elif NUMBER.fullmatch(word) and float(word) > 0:
        return float(word)
    known = f"{'x, '.join(map(str, WIDTHS))}x {', '.join(LANES)}"
    raise Wrong(line, f"{shown(word)} is not a speed; known: {known}; Gb/s")


def signalled(line: int, width: int, rate: float) -> float:
    """Gb/s of a cable of so many lanes; FDR and later signal somewhat more than they carry."""
    lane = [lane for lane in LANES.values() if lane <= rate <= lane * 1.07]
    if not lane or width not in WIDTHS:
        raise Wrong(line, f"'{width}X {rate:g} Gbps' is not a speed of InfiniBand")
    return width * lane[-1]
