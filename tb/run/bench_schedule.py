"""Schedules random messages off-line and prints load factor, cycles, CPU seconds, peak MiB."""

import resource
import sys
import time

import numpy as np

from models import leiserson as lei

PROCESSORS = 1 << 16


def main(scheduler: str, count: int) -> None:
    """`count` random messages on the smallest universal fat-tree of 65,536 processors."""
    rng = np.random.default_rng(1)
    cap = lei.universal(PROCESSORS, lei.least_root(PROCESSORS))
    lei.schedule(np.array([0, 2]), np.array([1, 0]), lei.universal(4, 4), scheduler)  # compiles
    src = rng.integers(0, PROCESSORS, count)
    dst = rng.integers(0, PROCESSORS - 1, count)
    dst += dst >= src
    start = time.process_time()
    schedule = lei.schedule(src, dst, cap, scheduler)
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{float(schedule.load_factor):.1f} {schedule.cycles} {seconds:.2f} {peak:.0f}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
