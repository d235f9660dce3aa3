"""`make area`: synthesizes networks, counts what they are made of, judges what papers say of it."""

import hashlib
import json
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from fattree_bench.area.designs import (
    KINDS,
    NETWORKS,
    blocks_of,
    chosen_designs,
    compared,
    judge,
)
from fattree_bench.area.pnr import place_and_route
from fattree_bench.area.synthesis import SECONDS
from fattree_bench.area.table import COLUMNS, TEXT, lines_of, picture, rows
from fattree_bench.errors import UserError
from fattree_bench.families import files
from fattree_bench.families.design import WIDTH, Block, Cost, Design, Measured
from fattree_bench.jobs.journal import Journal, JournalFull
from fattree_bench.jobs.pool import LocalPool, Task
from fattree_bench.jobs.progress import Progress
from fattree_bench.paths import ROOT
from fattree_bench.regress import assemble
from fattree_bench.regress.expand import fingerprint
from fattree_bench.report.evidence import Evidence, show, store
from fattree_bench.settings import Parameter, integer
from fattree_bench.sim import variables as v

PARAMETERS = (
    Parameter("NETWORK", "", f"{', '.join(NETWORKS)}; empty: all"),
    Parameter("N", "8,16,32,64", "leaves: 4, 8, 16, 32, 64, 128, comma-separated"),
    Parameter("DESIGNS", "", f"of {', '.join(KINDS)}; empty: all"),
    Parameter("PNR", "0", "1: place and route small networks on an iCE40, too"),
    Parameter("JOBS", "", "runs of Yosys at once; empty: one a core"),
    Parameter("RESUME", "0", "1: keep what was synthesized before from the same sources"),
    *v.FOLDERS,
)
JOB = (sys.executable, "-m", "fattree_bench.area.job")


@dataclass(frozen=True)
class Request:
    """The checked variables."""

    designs: list[Design]
    network: str
    pnr: bool
    jobs: int
    resume: bool
    rtl: Path
    build: Path
    command: str


def request(arguments: list[str]) -> Request:
    """The checked variables; UserError names the first that is wrong."""
    given = v.collect(arguments)
    for name in v.FROM_ENVIRONMENT:  # of the environment, for make sim
        if not any(argument.startswith(f"{name}=") for argument in arguments):
            given.pop(name, None)
    value = {p.name: p.default for p in PARAMETERS}
    for name in given:
        if name not in value:
            raise UserError(f"{name}: no such variable; there is {', '.join(value)}")
    value |= given
    designs = chosen_designs(value["NETWORK"], value["DESIGNS"], value["N"])
    cores = len(os.sched_getaffinity(0))
    words = [f"{k}={shlex.quote(x)}" for k, x in given.items() if k not in ("BUILD", "RESUME")]
    pnr, resume = v.flag("PNR", value["PNR"]), v.flag("RESUME", value["RESUME"])
    jobs = integer("JOBS", value["JOBS"] or str(cores), "1 … 1000", 1, 1000)
    checked = v.check({"RTL": value["RTL"], "BUILD": value["BUILD"]})
    return Request(
        designs=designs,
        network=value["NETWORK"],
        pnr=pnr,
        jobs=jobs,
        resume=resume,
        rtl=checked.rtl,
        build=checked.build,
        command=" ".join(["make area", *words]),
    )


def key_of(block: Block, sources: str) -> str:
    """What a cost is known by: the block, and the sources that it was made from."""
    return hashlib.sha256(json.dumps([asdict(block), sources]).encode()).hexdigest()[:16]


def sources_of(rtl: Path) -> dict[str, str]:
    """A hash by family of what decides a cost."""
    own = fingerprint([Path(__file__).with_name("synthesis.py"), *files("hdl/area_*.v")])
    gates = fingerprint([Path(__file__).with_name("gates.genlib"), rtl / "common"])
    families = sorted(path.name for path in rtl.iterdir() if path.is_dir())
    return {name: own + gates + fingerprint([rtl / name]) for name in families}


def run(console: Console, arguments: list[str]) -> int:
    """Synthesize; 0: done, 1: a synthesis failed or a claim is a surprise, 130: interrupted."""
    wanted = request(arguments)
    with Journal(folder_of(wanted.build) / "blocks.jsonl", "area") as journal:
        session = Session(console, wanted, journal, Progress(console))
        if wanted.resume:
            _, old = journal.resume()
            session.keep(old)
        else:
            journal.start({"command": wanted.command})
        return session.run()


def folder_of(build: Path) -> Path:
    """Where Yosys works, and the journal is."""
    folder = build / "area"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@dataclass
class Session:
    """Hears of the blocks (`fattree_bench.jobs.pool.Sink`), keeps their costs, reports."""

    console: Console
    request: Request
    journal: Journal
    progress: Progress
    known: dict[str, Cost] = field(default_factory=dict)  # by key
    trouble: list[str] = field(default_factory=list)
    commit: str = field(default_factory=assemble.commit)  # when it began

    def __post_init__(self) -> None:
        sources = sources_of(self.request.rtl)
        self.keys = {
            block: key_of(block, "".join(sources.get(name, "") for name in block.families))
            for block in blocks_of(self.request.designs)
        }
        self.by_task = {name_of(block, key): block for block, key in self.keys.items()}

    def keep(self, old: Sequence[dict[str, Any]]) -> None:
        """Take over what was synthesized from the same sources; the rest stays in the journal."""
        self.known |= {line["key"]: Cost(**line["cost"]) for line in old}
        done = sum(key in self.known for key in self.keys.values())
        self.console.print(f"continuing: {done} of {len(self.keys)} blocks are known")

    def run(self) -> int:
        """Synthesize what is not known yet, report, and return the exit status."""
        left = [self._task(b, k) for b, k in self.keys.items() if k not in self.known]
        stopped = ""
        try:
            pool = LocalPool(self.request.jobs, command=JOB)
            with pool, self.progress.watch(left, self.request.jobs):
                pool.run(left, self)
        except (KeyboardInterrupt, SystemExit):
            stopped = "interrupted: the same with RESUME=1 continues"
        except JournalFull as full:
            stopped = str(full)
        routed = self._routed() if self.request.pnr and not stopped else []
        evidence = self.evidence(routed, [stopped] if stopped else [])
        page = store(evidence, self.request.build)
        show(evidence, self.console)
        self.console.print(str(page), soft_wrap=True)
        if stopped.startswith("interrupted"):
            return 130
        return 0 if evidence.passed else 1

    def _task(self, block: Block, key: str) -> Task:
        name = name_of(block, key)
        payload = {
            "block": asdict(block),
            "rtl": str(self.request.rtl),
            "folder": str(folder_of(self.request.build) / name),
            "timeout": SECONDS + 60,
        }
        return Task(name, payload, seconds=block.seconds)

    def _routed(self) -> list[str]:
        sentences = []
        for one in place_and_route(self.request.network, self.request.rtl, self.request.build):
            sentences += [one.says] if not one.failed else []
            self.trouble += [one.says] if one.failed else []
        return sentences

    # ---- Sink ----------------------------------------------------------------------------------

    def started(self, key: str) -> None:
        self.progress.started(key)

    def ended(self, key: str, result: dict[str, Any]) -> bool:
        """Keep a cost; a failure is told at once."""
        if "cost" in result:
            known = self.keys[self.by_task[key]]
            self.journal.append({"key": known, "cost": result["cost"]})
            self.known[known] = Cost(**result["cost"])
        else:
            why = result.get("failed") or result.get("vanished") or result.get("blocked", "?")
            self.trouble.append(f"{key}: {why}")
            self.progress.say(f"[red]FAIL[/] {escape(self.trouble[-1])}")
        self.progress.ended(key, [])
        return True

    # ---- report --------------------------------------------------------------------------------

    def measured(self) -> Measured:
        """The designs whose blocks are all known."""
        costs = {block: self.known[key] for block, key in self.keys.items() if key in self.known}
        whole = [d for d in self.request.designs if all(x.block in costs for x in d.nodes)]
        return Measured(whole, costs)

    def evidence(self, routed: list[str], stopped: list[str]) -> Evidence:
        """Table, picture, claims."""
        measured = self.measured()
        sizes = sorted({design.leaves for design in measured.designs})
        first = (
            f"{len(measured.designs)} designs of {', '.join(map(str, sizes))} leaves, "
            f"{len(measured.costs)} blocks synthesized; words of {WIDTH} bits."
        )
        method = (
            "Gates in NAND2 equivalents (transistors of static CMOS / 4), enables and resets of "
            "flip-flops included; delay lines of more than one clock and memories are counted in "
            "bits, without gates; counters of losses and network interfaces are left out."
        )
        return Evidence(
            kind="area",
            title="Area",
            command=self.request.command,
            commit=self.commit,
            summary=[
                *(first, method),
                *lines_of([design.kind for design in measured.designs]),
                *compared(measured),
                *routed,
            ],
            columns=list(COLUMNS),
            rows=rows(measured),
            right=[name for name in COLUMNS if name not in TEXT],
            trouble=[*stopped, *self.trouble],
            claims=judge(measured),
            svg=picture(measured, ROOT / self.request.build / "matplotlib"),
        )


def name_of(block: Block, key: str) -> str:
    """What a block is called while it is synthesized, and its folder."""
    shown = ("N_LOG", "LEVEL", "R", "C_UP", "C_DOWN", "BELOW", "CONTROL", "CONCENTRATOR")
    words = [str(x).strip('"') for k, x in block.parameters if k in shown]
    return "-".join([block.top, *words, key[:6]])
