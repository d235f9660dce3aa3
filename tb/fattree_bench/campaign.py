"""A campaign: a command that runs jobs in parallel, from its variables to its exit status.

regress, coverage, explore, formal, mutate, area and universality are subclasses of `Campaign`.
Each defines its variables, its jobs and its report.

RESUME=1 continues the same command and keeps results that are still valid.  A campaign with one
hash of all sources refuses to continue after a change.  A campaign whose jobs have sources of their
own (a "fingerprint" in the payload) repeats the changed ones and keeps results of other jobs in the
journal.
"""

import os
import shlex
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from rich.console import Console
from rich.markup import escape

from fattree_bench.bench.result import Test
from fattree_bench.errors import UserError
from fattree_bench.jobs.child import JOB, TIMEOUT
from fattree_bench.jobs.journal import Journal, JournalFull
from fattree_bench.jobs.pool import LocalPool, Pool, Task, terminable
from fattree_bench.jobs.progress import Progress
from fattree_bench.settings import Variable, collect, flag, number
from fattree_bench.sim import variables as v
from fattree_bench.sim.interrupt import answered
from fattree_bench.sim.pulse import doing
from fattree_bench.sim.sources import commit
from fattree_bench.words import plural

Result = dict[str, Any]


class Common(v.Folders):
    """The variables of every command that runs jobs."""

    jobs = number(
        *("JOBS", "", 1, 10_000, "parallel jobs, {allowed}; empty: one per core"),
        usual=lambda _: len(os.sched_getaffinity(0)),
    )
    dry_run = flag("DRYRUN", 0, "print what would run, and run nothing")
    resume = flag("RESUME", 0, "continue the same command; keep valid results")


HOW = ("JOBS", "DRYRUN", "RESUME", "BUILD", "SHRINK")  # how and where it runs, not what it does
SWITCHES = {"--dry-run": "DRYRUN=1", "--fail-fast": "FAILFAST=1", "--resume": "RESUME=1"}


class Campaign(ABC):
    """A command, and the `Sink` of its jobs.

    Raises
    ------
    UserError : a variable is wrong.
    """

    target: ClassVar[str]  # make target
    things: ClassVar[str] = "runs"  # what its results are called
    variables: ClassVar[type[Common]]
    lasting: tuple[str, ...] = ()  # variables that RESUME=1 takes from the journal
    file: ClassVar[str] = "results.jsonl"  # the journal
    job: ClassVar[Sequence[str]] = JOB
    timeout: ClassVar[float] = TIMEOUT  # seconds for a job whose payload has no limit
    breaks: ClassVar[tuple[type[Exception], ...]] = (JournalFull,)  # errors that end it
    begins = True  # whether a run without RESUME=1 starts a new journal
    fail_fast = False

    def __init__(
        self, console: Console, given: Mapping[str, str], usual: Mapping[str, str] | None = None
    ) -> None:
        """`usual`: variables that are not given, where they differ from the default."""
        self.console = console
        values = {**(usual or {}), **given}
        self.text = {**{p.name: p.default for p in self.declared(given)}, **values}
        self.asked = self.variables.from_variables(values)
        own = {k: x for k, x in given.items() if k not in HOW}
        self.command = v.command(self.target, own, shlex.quote)
        self.progress = Progress(console)
        self.results: dict[str, Result] = {}  # by key of the job
        self.others: list[dict[str, Any]] = []  # journal lines of jobs of other commands
        self.broken: dict[str, str] = {}  # messages of failed builds
        self.stopped = ""  # why it ended early
        self.trouble: list[str] = []  # reasons for failure, one line each
        self.commit = ""  # at the start

    # ---- what a command defines ------------------------------------------------------------------

    @classmethod
    def declared(cls, given: Mapping[str, str]) -> tuple[Variable[Any], ...]:
        """The variables of the command."""
        return cls.variables.parameters

    @property
    def folder(self) -> Path:
        """Folder of the journal and of generated files."""
        return self.asked.build / self.target

    @abstractmethod
    def tasks(self) -> list[Task]:
        """The jobs; those whose payload has "kind": "build" have no result of their own."""

    def sources(self) -> str:
        """A hash of everything that decides results; empty: each job has its own fingerprint."""
        return ""

    def continued(self, how: str) -> str:
        """The command that continues this one; the journal holds its variables."""
        design = {k: x for k, x in self.text.items() if k == "DESIGN" and x}
        return v.command(self.target, {**design, how: "1"}, shlex.quote)

    @property
    def follows(self) -> str:
        """The variable that makes it continue from the last journal, or ""."""
        return "RESUME" if self.asked.resume else ""

    def noted(self) -> dict[str, Any]:
        """Further entries of the journal's header."""
        return {}

    def recall(  # noqa: B027  # most have nothing to recall
        self, header: Mapping[str, Any], lines: Sequence[dict[str, Any]]
    ) -> None:
        """Restore state from the journal's header and lines."""

    def idle(self) -> str:
        """Why there is nothing to do, as a success; empty: there is work."""
        return ""

    @abstractmethod
    def show(self) -> None:
        """Print what would run."""

    def settled(self, task: Task, result: Result) -> bool:
        """Whether the result is final, so that RESUME=1 keeps it."""
        return True

    def done(self) -> str:
        """What RESUME=1 found finished, in words."""
        return f"{plural(len(self.results), self.things.removesuffix('s'))} done"

    def pool(self) -> Pool:
        """The pool for the jobs, not started yet."""
        return LocalPool(self.asked.jobs, self.timeout, self.job)

    def work(self, pool: Pool) -> None:
        """Run the remaining jobs."""
        tasks = self.by_key.values()
        left = [t for t in tasks if not is_build(t) and t.key not in self.results]
        needed = {task.after for task in left}
        todo = [*(t for t in tasks if is_build(t) and t.key in needed), *left]
        with self.progress.watch(todo, self.asked.jobs):
            pool.run(todo, self)

    def heard(self, task: Task, result: Result) -> list[Test]:
        """The tests of a result; prints at once what the user should know: here, failures."""
        if not self.settled(task, result):
            why = result.get("failed") or result.get("vanished") or result.get("blocked", "?")
            self.trouble.append(f"{task.key}: {why}")
            self.progress.say(f"[red]FAIL[/] {escape(self.trouble[-1])}")
        return []

    @abstractmethod
    def report(self) -> bool:
        """Write and print the results; whether all is well.  OSError: the disk is full."""

    # ---- while it runs ---------------------------------------------------------------------------

    @cached_property
    def by_key(self) -> dict[str, Task]:
        return {task.key: task for task in self.tasks()}

    def run(self, journal: Journal, header: dict[str, Any], pool: Pool) -> int:
        """Run the remaining jobs and report; the exit status."""
        self.journal, self.header, self.commit = journal, header, commit()
        interrupted = False
        try:
            with pool:
                self.work(pool)
        except (KeyboardInterrupt, SystemExit):
            answered()
            interrupted = True
            self.stopped = "interrupted: the same command with RESUME=1 continues"
        except self.breaks as error:
            self.stopped = str(error)
        try:
            with doing("writing the report"):
                passed = self.report()
        except OSError as error:
            self.console.print(f"[red]no report: {escape(str(error))}[/]", soft_wrap=True)
            return 1
        return 130 if interrupted else int(not passed or bool(self.stopped))

    def keep(self, lines: Sequence[dict[str, Any]]) -> None:
        """Take over valid results."""
        for line in lines:
            task, result = self.by_key.get(line["key"]), line["result"]
            if task is None:
                self.others.append(line)
                continue
            same = line.get("fingerprint") == task.payload.get("fingerprint")
            if same and self.settled(task, result):
                self.results[task.key] = result

    def started(self, key: str) -> None:
        self.progress.started(key)

    def ended(self, key: str, result: Result) -> bool:
        """Keep a result, on disk first; False to stop after a failure."""
        task = self.by_key[key]
        if is_build(task):
            self.broken[key] = result.get("message", "")
            self.progress.ended(key)
            return True  # the jobs that wait for it are reported next
        if "blocked" in result and (why := self.broken.get(task.after or "")):
            result = {"blocked": f"{result['blocked']}: {why}"}
        made_of = {k: x for k, x in task.payload.items() if k == "fingerprint"}
        self.journal.append({"key": key, **made_of, "result": result})
        self.results[key] = result
        tests = self.heard(task, result)
        self.progress.ended(key, tests)
        return not self.fail_fast or all(test.passed for test in tests)


def is_build(task: Task) -> bool:
    """Whether a job only builds what others need."""
    return task.payload.get("kind") == "build"


def run(console: Console, kind: type[Campaign], arguments: Sequence[str]) -> int:
    """Run a campaign; 0: all is well, 1: something failed or is missing, 130: interrupted."""
    given = read(kind, arguments)
    campaign = kind(console, given)
    follows, path = campaign.follows, campaign.folder / kind.file
    dry = campaign.asked.dry_run
    if dry and follows and not path.exists():
        raise UserError(f"{follows}=1: {path}: no such file: no earlier run")
    if dry and not follows:
        campaign.pool()
        campaign.show()
        return 0
    with Journal(path, kind.target) as journal:
        header, old = journal.resume() if follows else ({}, [])
        if follows:
            campaign = kind(console, continued(given, header, follows))
            campaign.recall(header, old)
        if campaign.asked.resume:
            if header.get("sources") != campaign.sources():
                raise UserError("RESUME=1: the sources have changed; start again without it")
            campaign.keep(old)
            console.print(f"continuing: {campaign.done()}")
        if idle := campaign.idle():
            console.print(idle, markup=False, soft_wrap=True)
            return 0
        pool = campaign.pool()  # before the journal: a mistake in FARM… leaves the old one alone
        if dry:
            campaign.show()
            return 0
        if campaign.begins and not campaign.asked.resume:
            header = begin(campaign, journal)
        try:
            with terminable():
                return campaign.run(journal, header, pool)
        except SystemExit:  # SIGTERM while it reports
            raise KeyboardInterrupt from None


def read(kind: type[Campaign], arguments: Sequence[str]) -> dict[str, str]:
    """The given variables, also from the environment; UserError for an undeclared one."""
    words = [SWITCHES.get(argument, argument) for argument in arguments]
    network = collect(words, kind.variables.parameters, others=True)
    return collect(words, kind.declared(network))


def continued(
    given: Mapping[str, str], header: Mapping[str, Any], how: str = "RESUME"
) -> dict[str, str]:
    """The variables of the interrupted command; UserError names one that differs."""
    values: dict[str, str] = header.get("values", {})
    for name, value in given.items():
        if value != values.get(name, value):
            raise UserError(
                f"{name}={value}: {how}=1 continues {header['command']!r}: it must be "
                f"{values[name] or 'empty'}"
            )
    return {**given, **values}


def begin(campaign: Campaign, journal: Journal) -> dict[str, Any]:
    """Start a journal whose header holds everything needed to continue."""
    header = {
        "values": {name: campaign.text[name] for name in campaign.lasting},
        "command": campaign.command,
        "sources": campaign.sources(),
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        **campaign.noted(),
    }
    own = campaign.by_key  # a mistake in what makes them leaves the old journal alone
    if not header["sources"]:
        with suppress(UserError):  # missing or damaged
            _, old = journal.resume()
            campaign.others = [line for line in old if "result" in line and line["key"] not in own]
    journal.start(header, campaign.others)
    return header
