"""How soon tests end behind one that has failed: a broken design takes no longer than a sound one.

A test of a design in which nothing moves waits in every item until it is sure of that.
"""

import os
import stat

from fattree_bench.bench.faults import DEADLOCK, STUCK, Faults

# Of bench.limits.Limits, behind the first test that failed.
BROKEN = {"faults": 1_000, "stuck": 3}


def standing(faults: Faults, most: int) -> str:
    """Why a test ends after so many items in which nothing moved any more; "" if it does not."""
    count = faults.counts[STUCK] + faults.counts[DEADLOCK]
    return f"stopped after {count:,} items in which nothing moved" if count >= most else ""


def log_size() -> int:
    """Bytes that this process has written to the file that is its output; 0 if it is none."""
    try:
        output = os.fstat(1)
    except OSError:
        return 0
    return output.st_size if stat.S_ISREG(output.st_mode) else 0
