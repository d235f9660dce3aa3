"""Toggles of wide vectors, counted right.

For a vector of more than 64 bits Verilator 5.48 looks at every word of 32 bits beyond its end, so
that a bit which toggles is also counted for all those 32, 64 ... places above it: bits that never
moved seem covered.  A build with code coverage takes the header where that happens from its own
folder, mended.
"""

from pathlib import Path

HEADER = "verilated_cov.h"
WRONG = "j < width - i * VL_EDATASIZE;"
RIGHT = "j < VL_EDATASIZE && j < width - i * VL_EDATASIZE;"


def mend(include: Path, folder: Path) -> None:
    """Put the header of Verilator's folder `include`, mended, where the build finds it first."""
    (folder / HEADER).write_text((include / HEADER).read_text().replace(WRONG, RIGHT))
