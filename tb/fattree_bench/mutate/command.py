"""`make mutate`: injects faults into a network one by one and counts those the bench kills."""

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from fattree_bench.bench.form import SYNTHESIZED
from fattree_bench.campaign import Campaign, Result
from fattree_bench.errors import UserError
from fattree_bench.families import DESCRIBED
from fattree_bench.jobs.journal import JournalFull
from fattree_bench.jobs.pool import Pool, Task
from fattree_bench.mutate import verdict as vd
from fattree_bench.mutate.asked import Asked
from fattree_bench.mutate.bench import build_mutants, stimulus
from fattree_bench.mutate.netlist import MutatedNetlist, make_netlist, write_terms
from fattree_bench.mutate.report import Score, publish
from fattree_bench.mutate.simulation import ServerError, Simulation, cpu_limit
from fattree_bench.mutate.verdict import Verdict
from fattree_bench.paths import MODELS, PACKAGE
from fattree_bench.settings import Variable
from fattree_bench.sim import variables as v
from fattree_bench.sim.build import BuildError
from fattree_bench.sim.sources import fingerprint, key
from fattree_bench.sim.yosys import YosysError
from fattree_prover import equivalence as eq
from fattree_prover.equivalence import Finding
from fattree_prover.known import write
from fattree_prover.lemmas import Vacuous

LEARNING = 600  # CPU seconds to find the lemmas of a network
STARTING = 60  # CPU seconds beyond its own limit after which a proof is killed
PATIENCE = 20  # wall seconds per CPU second after which a proof counts as hung
DECIDING = ("bench", "families", "mutate", "sim")  # folders of tb/ that decide verdicts


class Mutate(Campaign):
    """Simulates all mutants, then runs a proof for each survivor.

    The journal has one line per verdict and one per finding.
    """

    target = "mutate"
    variables = Asked
    asked: Asked
    file = "journal.jsonl"
    job = (sys.executable, "-m", "fattree_prover.job")
    breaks = (JournalFull, BuildError, YosysError, ServerError, Vacuous)

    def __init__(self, console: Console, given: Mapping[str, str]) -> None:
        super().__init__(console, given)
        # Variables of a simulation, as on a command line.
        names = [p.name for p in self.asked.network.parameters]
        self.values = {k: self.text[k] for k in ("NETWORK", *names, "SEED", "RTL", "BUILD")}
        self.settings = v.check(self.values)
        self.begins = not self.asked.mutant
        self.verdicts: dict[int, Verdict] = {}
        self.findings: dict[int, Finding] = {}
        self.seconds: dict[str, float] = {}  # wall time by phase
        self.whole: MutatedNetlist | None = None  # set when all mutants have a verdict
        self.passed = False
        self.proofs: dict[str, int] = {}  # mutant by key of the job under way
        self.refused = ""  # why the rules were refused

    @classmethod
    def declared(cls, given: Mapping[str, str]) -> tuple[Variable[Any], ...]:
        network = Asked.network.read_from(given, None)
        if network.name == DESCRIBED and not given.get("DESIGN"):
            raise UserError(f"NETWORK={DESCRIBED}: needs DESIGN=file, which describes your design")
        small = {**network.about.small, **SYNTHESIZED}
        own = (p.but(default=small.get(p.name, p.default)) for p in network.parameters)
        return (*Asked.parameters, *own)

    @property
    def folder(self) -> Path:
        """Folder of the run, one per network, count, seed and RTL folder."""
        network = self.settings.network
        made_of = [network.variables(), self.asked.count, self.asked.seed, str(self.asked.rtl)]
        return self.asked.build / "mutate" / f"{network.name}-{key(made_of)[:8]}"

    def sources(self) -> str:
        ours = (PACKAGE / p for p in DECIDING)
        return fingerprint([MODELS, Path(eq.__file__).parent, *ours, self.asked.rtl])

    def tasks(self) -> list[Task]:
        return []  # mutants are known only after the netlist is made

    def show(self) -> None:
        network = self.settings.network
        tests = ", ".join(s.name for s in stimulus(network))
        self.console.print(f"{self.asked.count} mutants of {network.name}, each run with {tests}")
        self._say("nothing was run")

    def keep(self, lines: Sequence[dict[str, Any]]) -> None:
        verdicts = [Verdict(**x["verdict"]) for x in lines if "verdict" in x]
        self.verdicts = {verdict.number: verdict for verdict in verdicts}
        self.findings = {x["mutant"]: Finding(**x["finding"]) for x in lines if "finding" in x}

    def done(self) -> str:
        return f"{len(self.verdicts)} mutants have been run"

    def work(self, pool: Pool) -> None:
        netlist, simulation = self.prepare()
        if self.asked.mutant:
            self.passed = self.alone(self.asked.mutant, netlist, simulation, pool)
            return
        sound = self.verdicts.get(0) or self.sound(simulation)
        if sound.how != vd.SURVIVED:
            self.console.print(f"[red]the fault-free netlist fails: {_line(sound)}[/]")
            return
        left = [m.number for m in netlist.mutants if m.number not in self.verdicts]
        with self.part("mutants"):
            self.simulate(simulation, left, sound)
        with self.part("equivalence"):
            self.prove(netlist, self.survivors(), pool)
        self.whole = netlist

    def report(self) -> bool:
        if self.stopped:
            self.console.print(f"[red]{escape(self.stopped)}[/]", soft_wrap=True)
        return self.passed if self.whole is None else publish(self.console, self.score(self.whole))

    def alone(
        self, number: int, netlist: MutatedNetlist, simulation: Simulation, pool: Pool
    ) -> bool:
        """Report one mutant in full; whether it is killed or equivalent."""
        if number > len(netlist.mutants):
            raise UserError(f"MUTANT={number}: there are only {len(netlist.mutants)} faults")
        mutant = netlist.mutants[number - 1]
        self._say(f"{mutant.source}: {mutant.place} {mutant.kind}")
        simulation.run([number], 1, 0, self.note)
        self._say(_line(self.verdicts[number]))
        if self.verdicts[number].killed:
            return True
        self.prove(netlist, [number], pool)
        finding = self.findings[number]
        self._say(f"{finding.what}: {finding.how}")
        for clock, inputs in enumerate(finding.inputs):
            self._say(f"  clock {clock}: {inputs}")
        return finding.what in eq.SAME

    def _say(self, line: str) -> None:
        self.console.print(escape(line), soft_wrap=True)

    # ---- phases ----------------------------------------------------------------------------------

    def prepare(self) -> tuple[MutatedNetlist, Simulation]:
        """Make the netlist and build the bench around it."""
        s, folder = self.settings, self.folder
        with self.part("netlist"):
            netlist = make_netlist(s.network, s.rtl, self.asked.count, s.seed, folder)
        with self.part("build"):
            mutated, built = build_mutants(s, netlist)
        scenarios = stimulus(s.network)
        return netlist, Simulation(mutated, self.values, built, scenarios, folder)

    def sound(self, simulation: Simulation) -> Verdict:
        """Run the fault-free netlist, which must pass."""
        with self.part("sound"):
            simulation.run([0], 1, 0, self.note)
        return self.verdicts[0]

    def simulate(self, simulation: Simulation, numbers: Sequence[int], sound: Verdict) -> None:
        """Run mutants."""
        tasks = [Task(f"mutant {number}", {}, seconds=sound.seconds) for number in numbers]

        def hear(verdict: Verdict) -> None:
            self.note(verdict)
            self.progress.ended(f"mutant {verdict.number}")

        if numbers:
            with self.progress.watch(tasks, self.asked.jobs):
                simulation.run(numbers, self.asked.jobs, cpu_limit(sound), hear)

    def survivors(self) -> list[int]:
        """Mutants that no test killed and that have no finding yet."""
        lived = [n for n, x in self.verdicts.items() if n and not x.killed]
        return sorted(set(lived) - self.findings.keys())

    def prove(self, netlist: MutatedNetlist, numbers: Sequence[int], pool: Pool) -> None:
        """Compare survivors with the sound network."""
        clocks = [n for n in numbers if netlist.mutants[n - 1].clocked]
        for number in clocks:
            self.found(number, Finding(eq.UNDECIDED, "a fault in a clock: terms have none"))
        if not (numbers := [n for n in numbers if n not in clocks]):
            return
        write_terms(netlist, [0, *numbers])
        self.learn(netlist, pool)
        payloads = {}
        for number in numbers:
            payload = self.payload(netlist, self.asked.seconds)
            payloads[f"proof {number}"] = payload | {"mutant": str(netlist.terms(number))}
        self.proofs = dict(zip(payloads, numbers, strict=True))
        self.run_proofs(pool, payloads, self.asked.jobs)

    def learn(self, netlist: MutatedNetlist, pool: Pool) -> None:
        """Find the lemmas that the proofs use, once."""
        write(netlist.lemmas, [])  # in case the job dies
        self.proofs, self.refused = {}, ""
        self.run_proofs(pool, {"lemmas": self.payload(netlist, LEARNING)}, 1)
        if self.refused:
            raise Vacuous(self.refused)

    def payload(self, netlist: MutatedNetlist, seconds: int) -> Result:
        """Payload of a job.  Limits are CPU time, so that other load does not change a verdict."""
        cpu = STARTING + 2 * seconds
        return {
            "sound": str(netlist.terms(0)),
            "lemmas": str(netlist.lemmas),
            "hints": dict(self.settings.network.rtl.hints),
            "seconds": seconds,
            "cpu": cpu,
            "timeout": PATIENCE * cpu,
        }

    def run_proofs(self, pool: Pool, payloads: Mapping[str, Result], jobs: int) -> None:
        tasks = [Task(key, x, seconds=x["seconds"]) for key, x in payloads.items()]
        with self.progress.watch(tasks, jobs):
            pool.run(tasks, self)

    # ---- results ---------------------------------------------------------------------------------

    def note(self, verdict: Verdict) -> None:
        """Keep a verdict, also on disk."""
        if not self.asked.mutant:
            self.journal.append({"verdict": asdict(verdict)})
        self.verdicts[verdict.number] = verdict

    def found(self, number: int, finding: Finding) -> None:
        """Keep a finding, also on disk."""
        if not self.asked.mutant:
            self.journal.append({"mutant": number, "finding": asdict(finding)})
        self.findings[number] = finding

    def ended(self, key: str, result: Result) -> bool:
        """Keep the finding of a job; without one RESUME=1 runs the job again."""
        self.refused = result.get("refused", "")
        if "finding" in result:
            self.found(self.proofs[key], Finding(**result["finding"]))
        if "vanished" in result:
            self._say(f"{key}: no result: {result['vanished']}")
            if key in self.proofs:
                why = f"the proof ended early: {result['vanished']}"
                self.findings[self.proofs[key]] = Finding(eq.UNDECIDED, why)
        self.progress.ended(key)
        return True

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Time a phase and print it."""
        start = time.monotonic()
        self.console.print(f"{name} …")
        yield
        self.seconds[name] = time.monotonic() - start
        self.console.print(f"{name}: {self.seconds[name]:.1f} s")

    def score(self, netlist: MutatedNetlist) -> Score:
        """All results."""
        return Score(
            network=self.settings.network,
            build=self.asked.build,
            folder=self.folder,
            command=self.command,
            commit=self.commit,
            mutants=netlist.mutants,
            verdicts=self.verdicts,
            findings=self.findings,
            seconds=self.seconds,
        )


def _line(verdict: Verdict) -> str:
    """A verdict in one line."""
    where = f" in {verdict.scenario}" if verdict.scenario else ""
    example = f": {verdict.example}" if verdict.example else ""
    return f"{verdict.how} {verdict.told}{where}{example}".replace("  ", " ")
