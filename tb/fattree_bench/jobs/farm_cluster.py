"""Creates, fills and closes a dask cluster on farm jobs or on processes of this machine."""

import contextlib
import logging
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fattree_bench.errors import UserError
from fattree_bench.extras import missing
from fattree_bench.jobs.farm_options import FarmOptions, clock
from fattree_bench.paths import ROOT

# The command that submits a job, and the name of the account in dask-jobqueue.
SUBMIT = {"slurm": "sbatch", "lsf": "bsub", "pbs": "qsub", "sge": "qsub"}
ACCOUNT = {"slurm": "account", "lsf": "project", "pbs": "account", "sge": "project"}
KINDS = (*SUBMIT, "local-cluster")

CLOSING = 30.0  # seconds for the farm to cancel its jobs
JOB_NAME = "tb-regress"


def require_dask(kind: str) -> None:
    """UserError unless dask is installed."""
    signals = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        import cryptography  # noqa: F401
        import dask_jobqueue  # noqa: F401
        import distributed  # noqa: F401
    except ImportError as error:
        raise UserError(f"FARM={kind}: {missing(str(error.name))}") from None
    finally:
        # Importing dask_jobqueue 0.9 makes Ctrl-C exit with status 0.
        for number, handler in signals.items():
            signal.signal(number, handler)


# dask's scheduler and workers serve HTTP even without a dashboard: no pages, only on this host.
NO_PAGES: dict[str, list[str]] = {
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}
HERE = "127.0.0.1:0"


def make_cluster(kind: str, jobs: int, options: FarmOptions, logs: Path) -> Any:
    """A cluster of `jobs` farm jobs, not yet requested, or worker processes.

    Access to dask's scheduler means running code as this user, so it speaks only TLS, and only
    with holders of the key of this run.
    """
    return _local(jobs, options) if kind == "local-cluster" else _jobqueue(kind, options, logs)


def _local(jobs: int, options: FarmOptions) -> Any:
    """Worker processes on this machine, each with a nanny that restarts it."""
    from distributed import LocalCluster, Security

    return LocalCluster(
        n_workers=jobs,
        threads_per_worker=options.cores,
        processes=True,
        host="127.0.0.1",
        security=Security.temporary(),
        dashboard_address=HERE,
        scheduler_kwargs={"dashboard": False},
        memory_limit=0,
        silence_logs=logging.CRITICAL,
    )


def _jobqueue(kind: str, options: FarmOptions, logs: Path) -> Any:
    import dask_jobqueue
    from distributed import Security

    logs.mkdir(parents=True, exist_ok=True)
    if " " in str(logs):
        raise UserError(f"FARM={kind}: {logs}: farm jobs accept no folder with a blank")
    walltime = clock(options.walltime)
    names = {
        "queue": options.queue,
        ACCOUNT[kind]: options.account,
        "interface": options.interface,
        # LSF accepts only hours and minutes.
        "walltime": walltime.rpartition(":")[0] if kind == "lsf" else walltime,
    }
    make = getattr(dask_jobqueue, f"{kind.upper()}Cluster")
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
        job_script_prologue=[
            options.prologue,
            "export DASK_DISTRIBUTED__WORKER__HTTP__ROUTES='[]'",
            f"cd {shlex.quote(str(ROOT))}",
        ],
        worker_extra_args=["--no-dashboard", "--dashboard-address", HERE],
        log_directory=str(logs),
        local_directory="${TMPDIR:-/tmp}",
        security=Security.temporary(),
        # The key of this run is a file readable only by this user, removed with the cluster.
        shared_temp_directory=str(logs),
        scheduler_options={"dashboard": False, "dashboard_address": HERE},
        **{name: value for name, value in names.items() if value},
    )


def submit_workers(cluster: Any, kind: str, jobs: int) -> None:
    """Request missing farm jobs; UserError if the farm refuses."""
    from distributed import Status

    async def settle() -> None:
        # As cluster.scale(jobs=…), which ignores refusals.
        while len(cluster.worker_spec) < jobs:
            cluster.worker_spec.update(cluster.new_worker_spec())
        try:
            await cluster
        finally:
            # dask counts refused jobs as workers and closes only failed ones.
            for name, job in list(cluster.workers.items()):
                if job.job_id is None:
                    job.status = Status.failed
                    del cluster.workers[name]

    if kind in SUBMIT:
        try:
            cluster.sync(settle)
        except (RuntimeError, ValueError, OSError) as error:
            raise UserError(f"FARM={kind}: {_refusal(error)}") from None


def _refusal(error: Exception) -> str:
    """The message of the farm's command in one line."""
    text = str(error)
    said = text.partition("stderr:\n")[2] or text
    return " ".join(said.split()) or "the submission failed: " + " ".join(text.split())


def close_cluster(cluster: Any, kind: str, say: Callable[[str], None]) -> None:
    """Cancel the farm's jobs."""
    from distributed import Status

    if kind in SUBMIT:
        # dask cancels them without updating their status and then fails on them.
        for job in cluster.workers.values():
            job.status = Status.closing
    try:
        cluster.close(timeout=CLOSING)
    except TimeoutError:
        say(f"FARM={kind}: no answer for {CLOSING:g} s; check that no job named {JOB_NAME} is left")
    finally:
        for name in ("ca_file", "cert", "key"):  # otherwise they stay until Python collects them
            if file := getattr(cluster, f"_job_{name}", None):
                file.close()


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Silence dask's tracebacks about lost workers; `say` reports them in one line."""
    loggers = [logging.getLogger(name) for name in ("distributed", "dask_jobqueue", "tornado")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
