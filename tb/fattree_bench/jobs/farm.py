"""The pool of a farm: the same jobs through dask, on Slurm, LSF, PBS, SGE or local processes.

Every host of the farm must see the same file system under the same paths: this project, its
`build/venv` (the farm's jobs run this very Python) and the build folders.  dask's scheduler runs in
this process and trusts its network, as dask does: whoever reaches its port may run code.

dask is imported when a FarmPool is made, not before.
"""

import contextlib
import logging
import queue
import re
import shlex
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from fattree_bench.errors import UserError
from fattree_bench.jobs.child import CHILDREN, JOB, TIMEOUT, run_task
from fattree_bench.jobs.pool import Dispatcher, Result, Sink, Task, terminable
from fattree_bench.paths import ROOT
from fattree_bench.settings import Settings, choice, number, parsed

# The command that submits a job, and what dask-jobqueue calls the account.
SUBMIT = {"slurm": "sbatch", "lsf": "bsub", "pbs": "qsub", "sge": "qsub"}
ACCOUNT = {"slurm": "account", "lsf": "project", "pbs": "account", "sge": "project"}
KINDS = (*SUBMIT, "local-cluster")

LOST_WORKERS = 3  # a task that was on so many when they died is told as vanished
LOOK = 0.5  # seconds between looks at who is there
KILLING = 5.0  # seconds that workers may take to hear that they shall stop
CLOSING = 30.0  # seconds that the farm may take to cancel its jobs
JOB_NAME = "tb-regress"
REPLACE = 15.0  # seconds between replacements of farm jobs that are gone


def _word(value: str) -> str:
    if value and not re.fullmatch(r"[\w.,:@/+-]+", value):
        raise ValueError("must be one word")
    return value


def _line(value: str) -> str:
    if len(value.splitlines()) > 1:
        raise ValueError("must be one line")
    return value


def _directives(value: str) -> tuple[str, ...]:
    return tuple(d.strip() for d in _line(value).split(";") if d.strip())


def _walltime(value: str) -> int:
    """Seconds."""
    parts = re.fullmatch(r"(\d{1,4}):([0-5]\d)(?::([0-5]\d))?", value)
    hours, minutes, rest = (int(part or 0) for part in parts.groups()) if parts else (0, 0, 0)
    if (seconds := 3600 * hours + 60 * minutes + rest) < 60:
        raise ValueError("must be HH:MM or HH:MM:SS, at least a minute")
    return seconds


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _memory(value: str) -> str:
    if not re.fullmatch(r"0*[1-9]\d*(\.\d+)? ?[KMGT]i?B", value):
        raise ValueError("must be a number with its unit, as 4GB or 500MB")
    return value


class FarmOptions(Settings):
    """What to ask the farm for."""

    queue = parsed("FARM_QUEUE", "", "queue or partition; empty: the farm's default", _word)
    account = parsed("FARM_ACCOUNT", "", "account or project to charge", _word)
    walltime = parsed(
        *("FARM_WALLTIME", "04:00:00", "of a farm job, HH:MM:SS; it is replaced when it ends"),
        _walltime,
        _clock,
    )
    memory = parsed("FARM_MEMORY", "4GB", "of a farm job, all its cores together", _memory)
    cores = number("FARM_CORES", 1, 1, 1024, "of a farm job: so many runs at once in it")
    directives = parsed(
        *("FARM_DIRECTIVES", "", "more options for the farm, separated by ;"),
        _directives,
        "; ".join,
    )
    prologue = parsed(
        "FARM_PROLOGUE", "", "shell commands before a worker starts, as module load …", _line
    )
    interface = parsed(
        "FARM_INTERFACE", "", "network interface that the farm's hosts reach, as ib0", _word
    )
    wait = number(
        *("FARM_WAIT", 3600, 0, 10**7),
        "seconds without any worker after which to give up; 0: never",
    )


class FarmPool:
    """Runs tasks on `jobs` farm jobs (worker processes, for local-cluster) of options.cores each.

    The farm is asked for them on the first `run` and keeps them until `close` or an exception.

    Parameters
    ----------
    kind : one of KINDS.
    logs : folder for the farm's logs of its jobs, on the common file system.
    timeout : seconds that a task may take whose payload does not say.
    say : hears, in a line, what the user should know.

    Raises
    ------
    UserError : kind unknown, dask or the farm's commands not installed, too short a walltime.
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
        _require_dask(kind)
        if kind in SUBMIT and shutil.which(SUBMIT[kind]) is None:
            raise UserError(f"FARM={kind}: {SUBMIT[kind]} is not on PATH: is this a host of it?")
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
        """Give the farm its jobs back; kill what runs in them."""
        if self._farm is not None:
            farm, self._farm = self._farm, None
            farm.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with terminable():
            self.close()

    def _check_walltime(self, longest: float) -> None:
        """A task that may take longer than a farm job lives would be started for ever."""
        if self.kind in SUBMIT and longest >= self.options.walltime:
            raise UserError(
                f"FARM_WALLTIME={_clock(self.options.walltime)}: must be longer than a run may "
                f"take: {_clock(int(longest))}"
            )


def _require_dask(kind: str) -> None:
    signals = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        import dask_jobqueue  # noqa: F401
        import distributed  # noqa: F401
    except ImportError as error:
        raise UserError(
            f"FARM={kind}: {error.name} is not installed; make setup-farm installs "
            "requirements-farm.txt"
        ) from None
    finally:
        # dask_jobqueue 0.9 makes Ctrl-C exit with status 0 in whoever imports it.
        for number, handler in signals.items():
            signal.signal(number, handler)


class _Farm:
    """A dask cluster as a backend of the dispatcher."""

    def __init__(self, pool: FarmPool) -> None:
        self._pool = pool
        self._ended: queue.SimpleQueue[tuple[Task, Any]] = queue.SimpleQueue()
        self._futures: dict[str, Any] = {}  # dask cancels a task whose future is let go
        self._starts = 0
        self._workers = self._slots = 0
        self._looked = self._replaced = self._seen = time.monotonic()
        with contextlib.ExitStack() as stack:
            stack.enter_context(_quiet())
            self._connect(stack)
            self._undo = stack.pop_all()

    def _connect(self, stack: contextlib.ExitStack) -> None:
        import dask
        import distributed

        settings = {
            "distributed.scheduler.allowed-failures": LOST_WORKERS - 1,
            "distributed.scheduler.worker-saturation": 1.0,  # no task waits behind another
            "distributed.deploy.lost-worker-timeout": REPLACE,
        }
        stack.enter_context(dask.config.set(settings))
        make = self._local if self._pool.kind == "local-cluster" else self._jobqueue
        self._cluster = make()
        stack.callback(self._close_cluster)
        self._client = stack.enter_context(distributed.Client(self._cluster))
        self._submit_workers()
        stack.callback(self._kill_tasks)

    def _local(self) -> Any:
        """Worker processes of this machine, each with a nanny that replaces it."""
        from distributed import LocalCluster

        return LocalCluster(
            n_workers=self._pool.jobs,
            threads_per_worker=self._pool.options.cores,
            processes=True,
            host="127.0.0.1",
            dashboard_address=":0",  # any port: the usual one may be another's
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        )

    def _jobqueue(self) -> Any:
        import dask_jobqueue

        pool, options = self._pool, self._pool.options
        walltime = _clock(options.walltime)
        names = {
            "queue": options.queue,
            ACCOUNT[pool.kind]: options.account,
            "interface": options.interface,
            # LSF takes hours and minutes only.
            "walltime": walltime.rpartition(":")[0] if pool.kind == "lsf" else walltime,
        }
        make = getattr(dask_jobqueue, f"{pool.kind.upper()}Cluster")
        return make(
            cores=options.cores,
            # When one of several processes dies, dask never replaces the farm job (distributed
            # issue 9102).
            processes=1,
            memory=options.memory,
            python=shlex.quote(sys.executable),
            job_name=JOB_NAME,
            job_extra_directives=list(options.directives),
            # Some farms start a job in the user's home.
            job_script_prologue=[options.prologue, f"cd {shlex.quote(str(ROOT))}"],
            log_directory=str(pool.logs),
            local_directory="${TMPDIR:-/tmp}",
            scheduler_options={"dashboard_address": ":0"},
            **{name: value for name, value in names.items() if value},
        )

    def _submit_workers(self) -> None:
        """Ask the farm for all its jobs, or for those that are gone; UserError if it refuses."""
        from distributed import Status

        cluster = self._cluster

        async def settle() -> None:
            # As cluster.scale(jobs=…), which tells nobody when the farm refuses.
            while len(cluster.worker_spec) < self._pool.jobs:
                cluster.worker_spec.update(cluster.new_worker_spec())
            try:
                await cluster
            finally:
                # dask counts those that were refused, too, and closes only what has failed.
                for name, job in list(cluster.workers.items()):
                    if job.job_id is None:
                        job.status = Status.failed
                        del cluster.workers[name]

        if self._pool.kind in SUBMIT:
            try:
                cluster.sync(settle)
            except (RuntimeError, ValueError, OSError) as error:
                raise UserError(f"FARM={self._pool.kind}: {_refusal(error)}") from None

    def slots(self) -> int:
        """Threads of the workers that are there."""
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
        """Replace farm jobs that came to their end; UserError when there was none for too long."""
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
                self._submit_workers()
            except UserError as refusal:
                pool.say(f"{refusal}; trying again")

    def close(self) -> None:
        """Kill what runs, cancel the farm's jobs, give everything back."""
        self._undo.close()

    def _kill_tasks(self) -> None:
        """Else workers wait for what runs in them before they close."""

        async def kill() -> None:
            await self._client.run(_kill_children, on_error="ignore")

        if self._futures:
            with contextlib.suppress(TimeoutError):
                self._cluster.sync(kill, callback_timeout=KILLING)

    def _close_cluster(self) -> None:
        from distributed import Status

        if self._pool.kind in SUBMIT:
            # dask cancels them, forgets to note it, and stumbles over those it still knows.
            for job in self._cluster.workers.values():
                job.status = Status.closing
        try:
            self._cluster.close(timeout=CLOSING)
        except TimeoutError:
            self._pool.say(
                f"FARM={self._pool.kind}: did not answer for {CLOSING:g} s; "
                f"see that no job named {JOB_NAME} is left"
            )


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """What dask says of lost workers, with tracebacks, `say` tells in a line."""
    loggers = [logging.getLogger(name) for name in ("distributed", "dask_jobqueue", "tornado")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _kill_children() -> None:
    """In a worker: end all its jobs."""
    CHILDREN.kill()


def _refusal(error: Exception) -> str:
    """What the farm's command said, in one line."""
    text = str(error)
    said = text.partition("stderr:\n")[2] or text
    return " ".join(said.split()) or "the submission failed: " + " ".join(text.split())


def _result(future: Any) -> Result:
    from distributed import KilledWorker

    try:
        result: Result = future.result()
    except KilledWorker:
        return {"vanished": f"{LOST_WORKERS} workers died of it, or with it", "final": True}
    except Exception as error:
        return {"vanished": f"the farm could not run it: {type(error).__name__}: {error}"}
    return result
