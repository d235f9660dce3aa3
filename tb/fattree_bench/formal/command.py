"""`make formal`: proves what the catalogue lists, prints a table, keeps what breaks a rule."""

import fnmatch
import hashlib
import json
import os
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from fattree_bench.errors import UserError
from fattree_bench.families.proof import BOUNDED, FAILED, PROVED, UNDECIDED, Proof
from fattree_bench.formal.catalogue import PROOFS
from fattree_bench.jobs.pool import LocalPool, Task
from fattree_bench.paths import ROOT
from fattree_bench.regress import assemble
from fattree_bench.report.evidence import Evidence, show, store
from fattree_bench.report.files import write_text
from fattree_bench.settings import Parameter, choice, integer
from fattree_bench.sim import variables as v

TIERS = ("small", "default", "full")
PARAMETERS = (
    Parameter("NETWORK", "", "proofs of one folder of rtl/; empty: all"),
    Parameter("TASK", "*", "proofs, by name or glob, comma-separated (DRYRUN=1 lists them)"),
    Parameter("TIER", "default", "small (as make test), default, or full: what takes an hour, too"),
    Parameter("JOBS", "", "proofs at once; empty: one a core"),
    Parameter("DRYRUN", "0", "1: list the proofs, and prove nothing"),
    Parameter("RESUME", "0", "1: keep what is proved already and has not changed"),
    *v.FOLDERS,
)
JOB = (sys.executable, "-m", "fattree_bench.formal.job")
TIMEOUT = 4 * 3600.0  # seconds of a whole proof; each rule has its own limit
COLUMNS = ["network", "block", "rule", "property", "sizes", "engine", "result", "time"]
MOST = 12  # sizes that a cell lists
ENGINE_NAMES = {"smt": "bitwuzla", "bdd": "CUDD", "pdr": "ABC pdr"}


@dataclass(frozen=True)
class Request:
    """The checked variables."""

    proofs: list[Proof]
    jobs: int
    dry_run: bool
    resume: bool
    rtl: Path
    build: Path
    command: str


def request(arguments: list[str]) -> Request:
    """The checked variables; UserError names the first that is wrong."""
    value = {p.name: p.default for p in PARAMETERS}
    for argument in arguments:
        name, equals, text = argument.partition("=")
        if not equals:
            raise UserError(f"{argument}: variables are given as NAME=value")
        if name not in value and name not in v.IGNORED:
            raise UserError(f"{name}: no such variable; there is {', '.join(value)}")
        value[name] = text
    networks = tuple(dict.fromkeys(p.network for p in PROOFS.values()))
    if value["NETWORK"]:
        choice("NETWORK", value["NETWORK"], networks)
    tier = TIERS.index(choice("TIER", value["TIER"], TIERS))
    patterns = [word.strip() for word in value["TASK"].split(",")]
    named = [
        proof
        for proof in PROOFS.values()
        if value["NETWORK"] in ("", proof.network)
        and any(fnmatch.fnmatchcase(proof.name, pattern) for pattern in patterns)
    ]
    chosen = [
        p for p in named if p.small or (tier and not p.long) or tier == 2 or p.name in patterns
    ]
    if not chosen:
        more = f"; TIER=full has {len(named)} more" if named else "; DRYRUN=1 lists them"
        raise UserError(f"TASK={value['TASK']}: no such proof{more}")
    rtl = (ROOT / value["RTL"]).resolve()
    if not (rtl / "common").is_dir():
        raise UserError(f"RTL={value['RTL']}: no such folder, or no common/ in it")
    cores = len(os.sched_getaffinity(0))
    given = [a for a in arguments if not a.startswith(("BUILD=", "RESUME="))]
    return Request(
        proofs=chosen,
        jobs=integer("JOBS", value["JOBS"] or str(cores), "1 … 1000", 1, 1000),
        dry_run=v.flag("DRYRUN", value["DRYRUN"]),
        resume=v.flag("RESUME", value["RESUME"]),
        rtl=rtl,
        build=v.writable(value["BUILD"]),
        command=" ".join(["make formal", *given]),
    )


def fingerprint(proof: Proof, rtl: Path) -> str:
    """A hash of what decides a proof: its sources and its description."""
    made = hashlib.sha256(repr(proof).encode())
    headers = {header for f in proof.files(rtl) for header in f.parent.glob("*.vh")}
    for path in [*proof.files(rtl), *sorted(headers | set((rtl / "common").glob("*.vh")))]:
        made.update(path.read_bytes())
    return made.hexdigest()[:16]


def result_file(build: Path, proof: Proof) -> Path:
    return build / "formal" / proof.name / "result.json"


def known(build: Path, proof: Proof, rtl: Path) -> dict[str, Any] | None:
    """What an earlier run found, if nothing has changed since."""
    try:
        result: dict[str, Any] = json.loads(result_file(build, proof).read_text())
    except (OSError, ValueError):
        return None
    return result if result.get("fingerprint") == fingerprint(proof, rtl) else None


def settled(result: dict[str, Any] | None) -> bool:
    """Whether another run would find the same."""
    return (
        result is not None
        and not result["error"]
        and all(one["result"] != UNDECIDED for one in result["verdicts"])
    )


@dataclass
class Session:
    """A run under way: hears of the proofs (`jobs.pool.Sink`) and keeps their results."""

    console: Console
    request: Request
    results: dict[str, dict[str, Any]] = field(default_factory=dict)

    def run(self) -> int:
        """0: all proved; 1: a rule is broken or not proved; 130: interrupted."""
        wanted = self.request
        if wanted.resume:
            for proof in wanted.proofs:
                if settled(result := known(wanted.build, proof, wanted.rtl)):
                    self.results[proof.name] = result or {}
        left = [p for p in wanted.proofs if p.name not in self.results]
        if len(left) < len(wanted.proofs):
            self.console.print(f"continuing: {len(self.results)} proofs are done")
        tasks = [Task(p.name, self.payload(p), seconds=p.seconds) for p in left]
        self.console.print(f"{len(tasks)} proofs, {wanted.jobs} at once …")
        stopped = False
        try:
            LocalPool(wanted.jobs, TIMEOUT, JOB).run(tasks, self)
        except (KeyboardInterrupt, SystemExit):
            stopped = True
        evidence = report(wanted, self.results)
        page = store(evidence, wanted.build)
        show(evidence, self.console)
        self.console.print(f"report: {page}", soft_wrap=True)
        if stopped:
            self.console.print("the same with RESUME=1 continues")
            return 130
        return 0 if evidence.passed else 1

    def payload(self, proof: Proof) -> dict[str, Any]:
        folder = result_file(self.request.build, proof).parent
        return {
            "proof": proof.name,
            "rtl": str(self.request.rtl),
            "folder": str(folder),
            "fingerprint": fingerprint(proof, self.request.rtl),
        }

    def started(self, key: str) -> None:
        """A result of before is no result of this run."""
        result_file(self.request.build, PROOFS[key]).unlink(missing_ok=True)

    def ended(self, key: str, result: dict[str, Any]) -> bool:
        if "vanished" in result:
            result = {"error": result["vanished"], "verdicts": [], "seconds": 0.0}
        else:
            write_text(result_file(self.request.build, PROOFS[key]), json.dumps(result))
        self.results[key] = result
        told = [f"{one['rule']} {one['result']}" for one in result["verdicts"]]
        if all(one["result"] == PROVED for one in result["verdicts"]):
            told = [f"{len(told)} rules proved"]
        if result["error"]:
            told.append(result["error"])
        bad = result["error"] or any(one["result"] == FAILED for one in result["verdicts"])
        mark = "[red]FAIL[/]" if bad else "[green]ok[/]  "
        line = escape(f"{key} ({PROOFS[key].size}): {', '.join(told)}; {result['seconds']:.1f} s")
        self.console.print(f"{mark} {line}", soft_wrap=True)
        for rule, path in result.get("witnesses", {}).items():
            self.console.print(f"     {rule} again: make sim WITNESS={path}", soft_wrap=True)
        return True


def report(wanted: Request, results: dict[str, dict[str, Any]]) -> Evidence:
    """The table: a row a rule, engine and result, with all sizes; what is known of others, too."""
    everything = {}
    for proof in PROOFS.values():
        found = results.get(proof.name) or known(wanted.build, proof, wanted.rtl)
        if found is not None:
            everything[proof.name] = found
    rows: dict[tuple[str, ...], tuple[list[str], float]] = {}
    trouble, counts = [], dict.fromkeys((PROVED, FAILED, BOUNDED, UNDECIDED), 0)
    for name, result in everything.items():
        proof = PROOFS[name]
        texts = proof.texts()
        if result["error"]:
            trouble.append(f"{name}: {result['error']}")
        for one in result["verdicts"]:
            counts[one["result"]] += 1
            text = texts.get(one["rule"].split(".")[-1], "")
            key = (proof.network, proof.top, one["rule"], text, proof.engine, one["result"])
            sizes, seconds = rows.get(key, ([], 0.0))
            rows[key] = ([*sizes, proof.size], seconds + one["seconds"])
            if one["result"] != PROVED and not (proof.bounded and one["result"] == BOUNDED):
                trouble.append(f"{name}, rule {one['rule']}: {one['result']} ({one['note']})")
    cells = [
        [
            network,
            top.removesuffix("_proof"),
            rule,
            text,
            listed(sizes),
            ENGINE_NAMES[engine],
            result,
            f"{seconds:.1f} s",
        ]
        for (network, top, rule, text, engine, result), (sizes, seconds) in sorted(
            rows.items(), key=lambda row: place(row[0])
        )
    ]
    total = sum(counts.values())
    others = [f"{count} {name}" for name, count in counts.items() if count and name != PROVED]
    missing = len(PROOFS) - len(everything)
    summary = [
        f"{counts[PROVED]} of {total} rules proved, each for all inputs of its block and size"
        + (f"; {', '.join(others)}" if others else "")
        + (f"; {missing} proofs of the catalogue were not run" if missing else "")
        + "."
    ]
    return Evidence(
        kind="formal",
        title="Proofs",
        command=wanted.command,
        commit=assemble.commit(),
        summary=summary,
        columns=COLUMNS,
        rows=cells,
        right=["time"],
        trouble=trouble,
    )


def listed(sizes: list[str]) -> str:
    """Sizes in a cell; of very many the first and the last."""
    if len(sizes) <= MOST:
        return "; ".join(sizes)
    return f"{len(sizes)} sizes: {sizes[0]}; …; {sizes[-1]}"


def place(key: tuple[str, ...]) -> tuple[str, str, str, int]:
    """Where a row stands: by network, wrapper, letter and number of the rule."""
    network, top, rule = key[:3]
    found = re.fullmatch(r"(.*?)(\d+)", rule)
    return (network, top, found[1], int(found[2])) if found else (network, top, rule, 0)


def run(console: Console, arguments: list[str]) -> int:
    """Prove."""
    wanted = request(arguments)
    if wanted.dry_run:
        for proof in wanted.proofs:
            told = f"{proof.name}: {proof.network}, {proof.size}, {ENGINE_NAMES[proof.engine]}: "
            console.print(escape(told + ", ".join(proof.texts())), soft_wrap=True)
        console.print(f"{len(wanted.proofs)} proofs; nothing was run")
        return 0
    return Session(console, wanted).run()
