"""A pool on a farm through dask: Slurm, LSF, PBS, SGE or local processes.

Every host of the farm must see this project, its `build/venv` (farm jobs run the same Python) and
the build folders under the same paths.  dask's scheduler runs in this process and speaks TLS with a
key made for the run.

dask is imported only when a FarmPool is made.
"""

import contextlib
import queue
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

from fattree_bench.errors import UserError
from fattree_bench.jobs.child import CHILDREN, JOB, TIMEOUT, run_task
from fattree_bench.jobs.farm_cluster import (
    KINDS,
    NO_PAGES,
    SUBMIT,
    close_cluster,
    make_cluster,
    quiet,
    require_dask,
    submit_workers,
)
from fattree_bench.jobs.farm_options import FarmOptions, clock
from fattree_bench.jobs.pool import Dispatcher, Result, Sink, Task, terminable
from fattree_bench.settings import choice

LOST_WORKERS = 3  # lost workers after which their task counts as vanished
LOOK = 0.5  # seconds between counts of workers
KILLING = 5.0  # seconds for workers to react to a kill
REPLACE = 15.0  # seconds between replacements of ended farm jobs


class FarmPool:
    """Runs tasks on `jobs` farm jobs (local-cluster: worker processes) of options.cores each.

    They are requested on the first `run` and kept until `close` or an exception.

    Parameters
    ----------
    kind : one of KINDS.
    logs : folder for logs of farm jobs, on the shared file system.
    timeout : seconds per task without a limit in its payload.
    say : called with one-line messages for the user.

    Raises
    ------
    UserError : unknown kind, dask or the farm's commands not installed, walltime not long enough.
    """

    def __init__(
        self,
        kind: str,
        jobs: int,
        options: FarmOptions | None = None,
        *,
        logs: Path,
        timeout: float = TIMEOUT,
        command: Sequence[str] = JOB,
        say: Callable[[str], None] = lambda line: None,
    ) -> None:
        choice("FARM", kind, KINDS)
        if kind in SUBMIT and shutil.which(SUBMIT[kind]) is None:
            raise UserError(f"FARM={kind}: {SUBMIT[kind]} is not on PATH; run on a submit host")
        require_dask(kind)
        self.kind = kind
        self.jobs = jobs
        self.options = options or FarmOptions.from_variables({})
        self.logs = logs.resolve()
        self.timeout = timeout
        self.command = tuple(command)
        self.say = say
        self._farm: _Farm | None = None
        self._check_walltime(timeout)

    def run(self, tasks: Sequence[Task], sink: Sink) -> None:
        """See `fattree_bench.jobs.pool.Pool.run`."""
        times = (float(t.payload.get("timeout", self.timeout)) for t in tasks)
        self._check_walltime(max(times, default=0.0))
        with terminable():
            try:
                if self._farm is None:
                    self._farm = _Farm(self)
                Dispatcher(tasks, sink, self._farm).run()
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """Kill running tasks and release the farm jobs."""
        if self._farm is not None:
            farm, self._farm = self._farm, None
            farm.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with terminable():
            self.close()

    def _check_walltime(self, longest: float) -> None:
        """A task that outlives a farm job would start over forever."""
        if self.kind in SUBMIT and longest >= self.options.walltime:
            raise UserError(
                f"FARM_WALLTIME={clock(self.options.walltime)}: must be longer than a run may "
                f"take: {clock(int(longest))}"
            )


class _Farm:
    """A dask cluster as a backend of the dispatcher."""

    def __init__(self, pool: FarmPool) -> None:
        self._pool = pool
        self._ended: queue.SimpleQueue[tuple[Task, Any]] = queue.SimpleQueue()
        self._futures: dict[str, Any] = {}  # dask cancels a task whose future is collected
        self._starts = 0
        self._workers = self._slots = 0
        self._looked = self._replaced = self._seen = time.monotonic()
        with contextlib.ExitStack() as stack:
            stack.enter_context(quiet())
            self._connect(stack)
            self._undo = stack.pop_all()

    def _connect(self, stack: contextlib.ExitStack) -> None:
        import dask
        import distributed

        settings = {
            "distributed.scheduler.allowed-failures": LOST_WORKERS - 1,
            "distributed.scheduler.worker-saturation": 1.0,  # no task waits behind another
            "distributed.deploy.lost-worker-timeout": REPLACE,
            **NO_PAGES,
        }
        stack.enter_context(dask.config.set(settings))
        pool = self._pool
        self._cluster = make_cluster(pool.kind, pool.jobs, pool.options, pool.logs)
        stack.callback(close_cluster, self._cluster, pool.kind, pool.say)
        self._client = stack.enter_context(distributed.Client(self._cluster))
        submit_workers(self._cluster, pool.kind, pool.jobs)
        stack.callback(self._kill_tasks)

    def slots(self) -> int:
        """Threads of all connected workers."""
        now = time.monotonic()
        if now - self._looked >= LOOK or not self._slots:
            self._looked = now
            threads = self._client.nthreads()
            self._slots = sum(threads.values())
            if len(threads) != self._workers:
                self._workers = len(threads)
                self._pool.say(
                    f"FARM={self._pool.kind}: {self._workers} of {self._pool.jobs} workers"
                )
        return self._slots

    def start(self, task: Task) -> None:
        """Hand a task to dask."""
        self._starts += 1
        pool = self._pool
        future = self._client.submit(
            run_task,
            task.payload,
            pool.timeout,
            pool.command,
            key=f"{task.key}-{self._starts}",
            pure=False,
        )
        self._futures[task.key] = future
        future.add_done_callback(lambda done: self._ended.put((task, done)))

    def wait(self) -> tuple[Task, Result] | None:
        """See `fattree_bench.jobs.pool.Backend`."""
        self._look_after_workers()
        try:
            task, future = self._ended.get(timeout=LOOK)
        except queue.Empty:
            return None
        del self._futures[task.key]
        return task, _result(future)

    def _look_after_workers(self) -> None:
        """Replace ended farm jobs; UserError if there was no worker for too long."""
        pool, now = self._pool, time.monotonic()
        if self.slots():
            self._seen = now
        elif 0 < pool.options.wait < now - self._seen:
            raise UserError(
                f"FARM_WAIT={pool.options.wait}: no worker came for so long; "
                f"the farm's logs: {pool.logs}"
            )
        if now - self._replaced >= REPLACE:
            self._replaced = now
            try:
                submit_workers(self._cluster, pool.kind, pool.jobs)
            except UserError as refusal:
                pool.say(f"{refusal}; trying again")

    def close(self) -> None:
        """Kill running tasks, cancel farm jobs, release everything."""
        self._undo.close()

    def _kill_tasks(self) -> None:
        """Kill tasks, because workers wait for them before they close."""

        async def kill() -> None:
            await self._client.run(_kill_children, on_error="ignore")

        if self._futures:
            with contextlib.suppress(TimeoutError):
                self._cluster.sync(kill, callback_timeout=KILLING)


def _kill_children() -> None:
    """Runs in a worker: kill all its jobs."""
    CHILDREN.kill()


def _result(future: Any) -> Result:
    from distributed import KilledWorker

    try:
        result: Result = future.result()
    except KilledWorker:
        return {"vanished": f"{LOST_WORKERS} workers died while running it", "final": True}
    except Exception as error:
        return {"vanished": f"the farm could not run it: {type(error).__name__}: {error}"}
    return result
