"""Schedules random messages off-line; prints cycles, ceil(load factor), CPU seconds, peak MiB.

A process of its own for each run, so that the peak is that run's.
"""

import resource
import sys

from fattree_models.leiserson import least_root
from fattree_models.leiserson.measure import time_schedulers

PROCESSORS = 1 << 16


def main(scheduler: str, messages: int) -> None:
    """Random messages on the smallest universal fat-tree of 65,536 processors."""
    root = least_root(PROCESSORS)
    [run] = time_schedulers(PROCESSORS, root, [messages], [scheduler], seed=1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{run.least} {run.cycles} {run.seconds:.2f} {peak:.0f}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
