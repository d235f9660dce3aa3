"""`make mutate`: faults in a network one by one, how many the bench kills, what survives."""

import hashlib
import json
import os
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from fattree_bench.errors import UserError
from fattree_bench.families import DEFAULT, NETWORKS, find
from fattree_bench.jobs.journal import Journal, JournalFull, same_sources
from fattree_bench.jobs.pool import LocalPool, Task
from fattree_bench.mutate import equivalence as eq
from fattree_bench.mutate import verdict as vd
from fattree_bench.mutate.design import build_mutants, stimulus
from fattree_bench.mutate.equivalence import Finding
from fattree_bench.mutate.netlist import Netlist, make_netlist, write_terms
from fattree_bench.mutate.report import Score, publish
from fattree_bench.mutate.simulation import ServerError, Simulation, cpu_limit
from fattree_bench.mutate.verdict import Verdict
from fattree_bench.paths import MODELS, PACKAGE
from fattree_bench.regress.expand import fingerprint
from fattree_bench.settings import Parameter, choice, integer
from fattree_bench.sim import variables as v
from fattree_bench.sim.build import BuildError
from fattree_bench.sim.yosys import YosysError

PARAMETERS = (
    Parameter("NETWORK", DEFAULT, "with all its variables; those not given make some 16 leaves"),
    Parameter("COUNT", "300", "faults, 1 … 5000"),
    Parameter("SEED", "1", "which faults, and the stimulus"),
    Parameter("MUTANT", "", "a number: only this one, told in full"),
    Parameter("SECONDS", "20", "CPU time for the proof of each survivor, 1 … 3600"),
    Parameter("JOBS", "", "simulators at once; empty: one a core"),
    Parameter("RESUME", "0", "1: keep the verdicts of the same run that are there already"),
    *v.FOLDERS,
)
PROVE = (sys.executable, "-m", "fattree_bench.mutate.prove")
BATCH = 6  # survivors a process
# What of tb/ decides the verdicts: reports and other commands do not.
DECIDING = ("bench", "families", "mutate", "sim")
EVERY = 15.0  # seconds between lines of progress where there is no terminal


@dataclass(frozen=True)
class Request:
    """The checked variables of a run."""

    settings: v.Variables
    values: dict[str, str]  # of a simulation, as on a command line
    count: int
    mutant: int | None
    seconds: int
    jobs: int
    resume: bool
    command: str

    @cached_property
    def folder(self) -> Path:
        """Where everything of such a run lies; another network or count has another folder."""
        network, settings = self.settings.network, self.settings
        made_of = [network.variables(), self.count, settings.seed, str(settings.rtl)]
        key = hashlib.sha256(json.dumps(made_of).encode()).hexdigest()[:8]
        return settings.build / "mutate" / f"{network.name}-{key}"

    def replay(self, number: int) -> str:
        """The command that runs one mutant again."""
        return f"{self.command} MUTANT={number}"


def request(arguments: list[str]) -> Request:
    """The checked variables; UserError names the first that is wrong."""
    given = v.collect(arguments)
    for name in ("TEST", "WAVES", "SIM"):  # of the environment
        if not any(argument.startswith(f"{name}=") for argument in arguments):
            given.pop(name, None)
    own = {p.name: p.default for p in PARAMETERS}
    network = find(choice("NETWORK", given.get("NETWORK", own["NETWORK"]), tuple(NETWORKS)))
    usual = {p.name: p.default for p in network.parameters} | network.small
    for name in given:
        if name not in own and name not in usual:
            raise UserError(f"{name}: no such variable; there is {', '.join([*own, *usual])}")
    value = {**own, **usual, **given}
    cores = len(os.sched_getaffinity(0))
    count = integer("COUNT", value["COUNT"], "1 … 5000", 1, 5000)
    mutant = value["MUTANT"]
    said = ("BUILD", "RESUME", "MUTANT", "JOBS")
    values = {
        "NETWORK": network.name,
        **{name: value[name] for name in usual},
        **{name: value[name] for name in ("SEED", "RTL", "BUILD")},
    }
    return Request(
        settings=v.check(values),
        values=values,
        count=count,
        mutant=integer("MUTANT", mutant, f"1 … {count}", 1, count) if mutant else None,
        seconds=integer("SECONDS", value["SECONDS"], "1 … 3600", 1, 3600),
        jobs=integer("JOBS", value["JOBS"] or str(cores), "1 … 1000", 1, 1000),
        resume=v.flag("RESUME", value["RESUME"]),
        command=" ".join(
            ["make mutate", *(f"{k}={shlex.quote(x)}" for k, x in given.items() if k not in said)]
        ),
    )


def run(console: Console, arguments: list[str]) -> int:
    """Run; 0: every mutant killed or equivalent, 1: one survives or the tools fail."""
    wanted = request(arguments)
    wanted.folder.mkdir(parents=True, exist_ok=True)
    with Journal(wanted.folder / "journal.jsonl", "mutate") as journal:
        header = {"command": wanted.command, "sources": _sources(wanted)}
        old: list[dict[str, Any]] = []
        if wanted.resume:
            before, old = journal.resume()
            same_sources(before, header["sources"])
        elif wanted.mutant is None:
            journal.start(header)
        session = Session(console, wanted, journal)
        session.keep(old)
        try:
            return session.run() if wanted.mutant is None else session.run_one(wanted.mutant)
        except (BuildError, YosysError, ServerError, JournalFull) as error:
            console.print(f"[red]{escape(str(error))}[/]", soft_wrap=True, emoji=False)
            return 1


def _sources(wanted: Request) -> str:
    """A hash of what decides the verdicts."""
    return fingerprint([MODELS, *(PACKAGE / p for p in DECIDING), wanted.settings.rtl])


@dataclass
class Session:
    """A run under way."""

    console: Console
    request: Request
    journal: Journal
    verdicts: dict[int, Verdict] = field(default_factory=dict)
    findings: dict[int, Finding] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)  # by part of the work
    said: float = 0.0

    def keep(self, old: list[dict[str, Any]]) -> None:
        """Take over what an interrupted run has found."""
        for line in old:
            if "verdict" in line:
                verdict = Verdict.from_json(line["verdict"])
                self.verdicts[verdict.number] = verdict
            else:
                finding = Finding.from_json(line["finding"])
                self.findings[finding.number] = finding
        if old:
            self.console.print(f"continuing: {len(self.verdicts)} mutants have been run")

    def run(self) -> int:
        """All mutants, the proofs, the report."""
        netlist, simulation = self.prepare()
        sound = self.verdicts.get(0) or self.sound(simulation)
        if sound.how != vd.SURVIVED:
            self.console.print(f"[red]the netlist without a fault fails: {_told(sound)}[/]")
            return 1
        left = [m.number for m in netlist.mutants if m.number not in self.verdicts]
        with self.part("mutants"):
            self.simulate(simulation, left, cpu_limit(sound))
        with self.part("equivalence"):
            self.prove(netlist, self.survivors())
        return publish(self.console, self.score(netlist))

    def run_one(self, number: int) -> int:
        """One mutant, told in full; 0 if it is killed or equivalent."""
        netlist, simulation = self.prepare()
        if number > len(netlist.mutants):
            raise UserError(f"MUTANT={number}: there are only {len(netlist.mutants)} faults")
        mutant = netlist.mutants[number - 1]
        self.console.print(
            escape(f"{mutant.source}: {mutant.place} {mutant.kind}"), soft_wrap=True, emoji=False
        )
        simulation.run([number], 1, 0, self._note)
        self.console.print(escape(_told(self.verdicts[number])), soft_wrap=True, emoji=False)
        if self.verdicts[number].killed:
            return 0
        self.prove(netlist, [number])
        finding = self.findings[number]
        self.console.print(escape(f"{finding.what}: {finding.how}"), soft_wrap=True, emoji=False)
        for clock, inputs in enumerate(finding.inputs):
            self.console.print(escape(f"  clock {clock}: {inputs}"), soft_wrap=True, emoji=False)
        return 0 if finding.what == eq.EQUIVALENT else 1

    # ---- parts -----------------------------------------------------------------------------------

    def prepare(self) -> tuple[Netlist, Simulation]:
        """The netlist and the bench round it."""
        wanted = self.request
        settings = wanted.settings
        with self.part("netlist"):
            netlist = make_netlist(
                settings.network, settings.rtl, wanted.count, settings.seed, wanted.folder
            )
        with self.part("build"):
            mutated, built = build_mutants(settings, netlist)
        scenarios = stimulus(settings.network)
        return netlist, Simulation(mutated, wanted.values, built, scenarios, wanted.folder)

    def sound(self, simulation: Simulation) -> Verdict:
        """The netlist without a fault, which must pass."""
        with self.part("sound"):
            simulation.run([0], 1, 0, self.hear)
        return self.verdicts[0]

    def simulate(self, simulation: Simulation, numbers: Sequence[int], limit: int) -> None:
        """Run mutants."""
        if numbers:
            simulation.run(numbers, self.request.jobs, limit, self.hear)

    def survivors(self) -> list[int]:
        """Mutants that no test killed and of which nothing is proved yet."""
        lived = [n for n, x in self.verdicts.items() if n and not x.killed]
        return sorted(set(lived) - self.findings.keys())

    def prove(self, netlist: Netlist, numbers: Sequence[int]) -> None:
        """Find out of survivors whether they can be told from the sound network."""
        clocks = [n for n in numbers if eq.has_clock_fault(netlist.mutants[n - 1].port)]
        for number in clocks:
            self.found(Finding(number, eq.UNDECIDED, "a fault in a clock: terms have none"))
        numbers = [n for n in numbers if n not in clocks]
        if not numbers:
            return
        write_terms(netlist, [0, *numbers])
        batches = [list(numbers[i : i + BATCH]) for i in range(0, len(numbers), BATCH)]
        tasks = [
            Task(
                f"proof {batch[0]}",
                {
                    "folder": str(netlist.folder),
                    "mutants": batch,
                    "seconds": self.request.seconds,
                },
            )
            for batch in batches
        ]
        with LocalPool(self.request.jobs, command=PROVE) as pool:
            pool.run(tasks, _Proofs(self, {t.key: t.payload["mutants"] for t in tasks}))

    # ---- what comes in ---------------------------------------------------------------------------

    def _note(self, verdict: Verdict) -> None:
        self.verdicts[verdict.number] = verdict

    def hear(self, verdict: Verdict) -> None:
        """Keep a verdict, on the disk, too."""
        self.journal.append({"verdict": verdict.to_json()})
        self._note(verdict)
        if time.monotonic() - self.said > EVERY:
            self.said = time.monotonic()
            self.console.print(f"  {len(self.verdicts) - 1} of {self.request.count} mutants")

    def found(self, finding: Finding) -> None:
        """The same for a proof."""
        if self.request.mutant is None:
            self.journal.append({"finding": finding.to_json()})
        self.findings[finding.number] = finding

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Times a part of the work, and tells of it."""
        self.said = start = time.monotonic()
        self.console.print(f"{name} …")
        yield
        self.seconds[name] = time.monotonic() - start
        self.console.print(f"{name}: {self.seconds[name]:.1f} s")

    def score(self, netlist: Netlist) -> Score:
        """All that came of it."""
        return Score(
            network=self.request.settings.network,
            build=self.request.settings.build,
            folder=self.request.folder,
            command=self.request.command,
            mutants=netlist.mutants,
            verdicts=self.verdicts,
            findings=self.findings,
            seconds=self.seconds,
        )


@dataclass
class _Proofs:
    """Hears of the processes that prove (`fattree_bench.jobs.pool.Sink`)."""

    session: Session
    mutants: dict[str, list[int]]

    def started(self, key: str) -> None:
        """Nothing to tell."""

    def ended(self, key: str, result: dict[str, Any]) -> bool:
        """What a process that broke down does not say is not known."""
        told = {data["number"]: Finding.from_json(data) for data in result.get("findings", ())}
        for number in self.mutants[key]:
            lost = Finding(number, eq.UNDECIDED, f"the proof ended: {result.get('vanished', '')}")
            self.session.found(told.get(number, lost))
        return True


def _told(verdict: Verdict) -> str:
    """A verdict in a line."""
    where = f" in {verdict.scenario}" if verdict.scenario else ""
    example = f": {verdict.example}" if verdict.example else ""
    return f"{verdict.how} {verdict.told}{where}{example}".replace("  ", " ")
