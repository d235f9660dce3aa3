"""`driver.py KIND FOLDER`: a pool that runs jobs which never end, for the tests to interrupt."""

import signal
import sys
from pathlib import Path

from fattree_bench.jobs.pool import LocalPool
from tests.tb.jobs.harness import COMMAND, make_task


class Printer:
    def started(self, key: str) -> None:
        print("started", key, flush=True)

    def ended(self, key: str, result: dict) -> bool:
        print("ended", key, result, flush=True)
        return True


def main(kind: str, folder: Path) -> None:
    # The tests may run under nohup or in the background of a script, where these are ignored.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    tasks = [make_task(folder, f"t{i}", sleep=600, child=True) for i in range(3)]
    if kind == "local":
        pool = LocalPool(2, command=COMMAND)
    else:
        from fattree_bench.jobs.farm import FarmPool

        pool = FarmPool(kind, 2, logs=folder / "logs", command=COMMAND)
    try:
        with pool:
            pool.run(tasks, Printer())
    except KeyboardInterrupt:
        sys.exit("interrupted")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
