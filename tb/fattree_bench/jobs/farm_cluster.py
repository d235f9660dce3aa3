"""A dask cluster on the jobs of a farm, or on processes of this machine: made, filled, closed."""

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

# The command that submits a job, and what dask-jobqueue calls the account.
SUBMIT = {"slurm": "sbatch", "lsf": "bsub", "pbs": "qsub", "sge": "qsub"}
ACCOUNT = {"slurm": "account", "lsf": "project", "pbs": "account", "sge": "project"}
KINDS = (*SUBMIT, "local-cluster")

CLOSING = 30.0  # seconds that the farm may take to cancel its jobs
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
        # dask_jobqueue 0.9 makes Ctrl-C exit with status 0 in whoever imports it.
        for number, handler in signals.items():
            signal.signal(number, handler)


# dask's scheduler and workers also speak HTTP, dashboard or not: without pages, to this host alone.
NO_PAGES: dict[str, list[str]] = {
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}
HERE = "127.0.0.1:0"


def make_cluster(kind: str, jobs: int, options: FarmOptions, logs: Path) -> Any:
    """Of so many jobs, or worker processes; a farm is not asked for them yet.

    Whoever reaches dask's scheduler may run code as this user: it speaks TLS only, and only with
    those that have the key of this run.
    """
    return _local(jobs, options) if kind == "local-cluster" else _jobqueue(kind, options, logs)


def _local(jobs: int, options: FarmOptions) -> Any:
    """Worker processes of this machine, each with a nanny that replaces it."""
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
        raise UserError(f"FARM={kind}: {logs}: a farm's jobs take no folder with a blank")
    walltime = clock(options.walltime)
    names = {
        "queue": options.queue,
        ACCOUNT[kind]: options.account,
        "interface": options.interface,
        # LSF takes hours and minutes only.
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
        # The key of this run: a file that only this user may read, gone with the cluster.
        shared_temp_directory=str(logs),
        scheduler_options={"dashboard": False, "dashboard_address": HERE},
        **{name: value for name, value in names.items() if value},
    )


def submit_workers(cluster: Any, kind: str, jobs: int) -> None:
    """Ask the farm for all its jobs, or for those that are gone; UserError if it refuses."""
    from distributed import Status

    async def settle() -> None:
        # As cluster.scale(jobs=…), which tells nobody when the farm refuses.
        while len(cluster.worker_spec) < jobs:
            cluster.worker_spec.update(cluster.new_worker_spec())
        try:
            await cluster
        finally:
            # dask counts those that were refused, too, and closes only what has failed.
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
    """What the farm's command said, in one line."""
    text = str(error)
    said = text.partition("stderr:\n")[2] or text
    return " ".join(said.split()) or "the submission failed: " + " ".join(text.split())


def close_cluster(cluster: Any, kind: str, say: Callable[[str], None]) -> None:
    """Cancel the farm's jobs."""
    from distributed import Status

    if kind in SUBMIT:
        # dask cancels them, forgets to note it, and stumbles over those it still knows.
        for job in cluster.workers.values():
            job.status = Status.closing
    try:
        cluster.close(timeout=CLOSING)
    except TimeoutError:
        say(
            f"FARM={kind}: did not answer for {CLOSING:g} s; "
            f"see that no job named {JOB_NAME} is left"
        )
    finally:
        for name in ("ca_file", "cert", "key"):  # else they are gone when Python collects them
            if file := getattr(cluster, f"_job_{name}", None):
                file.close()


@contextlib.contextmanager
def quiet() -> Iterator[None]:
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
