"""`make formal`: runs the proofs of the catalogue, prints a table, keeps counter-examples."""

import fnmatch
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from fattree_bench.bench.result import Test
from fattree_bench.campaign import Campaign, Common, Result
from fattree_bench.errors import UserError
from fattree_bench.families.proof import BOUNDED, FAILED, PROVED, UNDECIDED, Proof
from fattree_bench.formal.catalogue import PROOFS
from fattree_bench.jobs.pool import Task
from fattree_bench.report.evidence import Evidence, publish
from fattree_bench.settings import choice, parsed, text, word
from fattree_bench.sim.sources import fingerprint
from fattree_bench.words import plural

TIERS = {"small": "as in make test", "default": "", "full": "with proofs that take an hour"}
COLUMNS = ["network", "block", "rule", "property", "sizes", "engine", "result", "time"]
MOST = 12  # sizes listed in a cell
NO_VERDICT = "without a verdict"
EARLIER = "in an earlier run: "
ENGINE_NAMES = {"smt": "bitwuzla", "bdd": "CUDD", "pdr": "ABC pdr"}


def family(name: str) -> str:
    """Check the name of a family with proofs, or "common"; may be empty."""
    known = tuple(dict.fromkeys(proof.network for proof in PROOFS.values()))
    return name and choice("NETWORK", name, known)


class Wanted(Common):
    """Which proofs to run."""

    network = parsed("NETWORK", "", "proofs of one family, or `common`; empty: all", family)
    names = text("TASK", "*", "names or globs of proofs, comma-separated (DRYRUN=1 lists them)")
    tier = word("TIER", "default", TIERS)


class Formal(Campaign):
    """Runs proofs, each in a separate process."""

    target = "formal"
    things = "proofs"
    variables = Wanted
    asked: Wanted
    job = (sys.executable, "-m", "fattree_bench.formal.job")
    timeout = 4 * 3600.0  # seconds of a whole proof; each rule has its own limit

    def __init__(self, console: Console, given: Mapping[str, str]) -> None:
        super().__init__(console, given)
        network, tier = self.asked.network, list(TIERS).index(self.asked.tier)
        patterns = [pattern.strip() for pattern in self.asked.names.split(",")]
        named = [
            proof
            for proof in PROOFS.values()
            if network in ("", proof.network)
            and any(fnmatch.fnmatchcase(proof.name, pattern) for pattern in patterns)
        ]
        self.proofs = [
            p for p in named if p.small or (tier and not p.long) or tier == 2 or p.name in patterns
        ]
        if not self.proofs:
            more = f"; TIER=full has {len(named)} more" if named else "; DRYRUN=1 lists them"
            raise UserError(f"TASK={self.asked.names}: no such proof{more}")

    def show(self) -> None:
        for proof in self.proofs:
            told = f"{proof.name}: {proof.network}, {proof.size}, {ENGINE_NAMES[proof.engine]}: "
            self.console.print(escape(told + ", ".join(proof.texts())), soft_wrap=True)
        self.console.print(f"{plural(len(self.proofs), 'proof')}; nothing was run")

    def tasks(self) -> list[Task]:
        return [Task(p.name, self._payload(p), seconds=p.seconds) for p in self.proofs]

    def _payload(self, proof: Proof) -> Result:
        return {
            "proof": proof.name,
            "rtl": str(self.asked.rtl),
            "folder": str(self.folder / proof.name),
            "fingerprint": made_of(proof, self.asked.rtl),
        }

    def settled(self, task: Task, result: Result) -> bool:
        return not result["error"] and all(x["result"] != UNDECIDED for x in result["verdicts"])

    def ended(self, key: str, result: Result) -> bool:
        if "vanished" in result:
            result = {"error": result["vanished"], "verdicts": [], "seconds": 0.0}
        return super().ended(key, result)

    def heard(self, task: Task, result: Result) -> list[Test]:
        told = [f"{one['rule']} {one['result']}" for one in result["verdicts"]]
        if all(one["result"] == PROVED for one in result["verdicts"]):
            told = [f"{len(told)} rules proved"]
        if result["error"]:
            told.append(result["error"])
        bad = result["error"] or any(one["result"] == FAILED for one in result["verdicts"])
        mark = "[red]FAIL[/]" if bad else "[green]ok[/]  "
        name = f"{task.key} ({PROOFS[task.key].size})"
        self.progress.say(mark + escape(f" {name}: {', '.join(told)}; {result['seconds']:.1f} s"))
        for rule, path in result.get("witnesses", {}).items():
            self.progress.say(f"     replay {rule}: make sim WITNESS={escape(path)}")
        return []

    def report(self) -> bool:
        """Show what is known of all proofs; those of this run decide."""
        evidence = self.evidence()
        publish(evidence, self.asked.build, self.console)
        return all(line.startswith(EARLIER) for line in evidence.trouble)

    def everything(self) -> dict[str, Result]:
        """Results of this run, and of earlier runs where nothing has changed."""
        found = {
            line["key"]: line["result"]
            for line in self.others
            if (proof := PROOFS.get(line["key"]))
            and line.get("fingerprint") == made_of(proof, self.asked.rtl)
        } | self.results
        return {name: found[name] for name in PROOFS if name in found}

    def evidence(self) -> Evidence:
        """The table: one row per rule, engine and result, with all sizes."""
        everything = self.everything()
        rows: dict[tuple[str, ...], tuple[list[str], float]] = {}
        trouble = [self.stopped] if self.stopped else []
        counts = dict.fromkeys((PROVED, FAILED, BOUNDED, UNDECIDED, NO_VERDICT), 0)
        for name, found in everything.items():
            proof = PROOFS[name]
            texts = proof.texts()
            called = name if name in self.results else EARLIER + name
            if found["error"]:
                trouble.append(f"{called}: {found['error']}")
            counts[NO_VERDICT] += max(0, len(texts) - len(found["verdicts"]))
            for one in found["verdicts"]:
                counts[one["result"]] += 1
                text = texts.get(one["rule"].split(".")[-1], "")
                key = (proof.network, proof.top, one["rule"], text, proof.engine, one["result"])
                sizes, seconds = rows.get(key, ([], 0.0))
                rows[key] = ([*sizes, proof.size], seconds + one["seconds"])
                if one["result"] != PROVED:
                    trouble.append(f"{called}, rule {one['rule']}: {one['result']} ({one['note']})")
        cells = []
        for row in sorted(rows, key=place):
            network, top, rule, text, engine, result = row
            sizes, seconds = rows[row]
            block, shown = top.removesuffix("_proof"), listed(sizes)
            cells.append([network, block, rule, text, shown, ENGINE_NAMES[engine], result])
            cells[-1].append(f"{seconds:.1f} s")
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
            command=self.command,
            commit=self.commit,
            summary=summary,
            columns=COLUMNS,
            rows=cells,
            right=["time"],
            trouble=trouble,
        )


def made_of(proof: Proof, rtl: Path) -> str:
    """A hash of the sources and the description of a proof."""
    headers = [header for folder in proof.includes(rtl) for header in sorted(folder.glob("*.vh"))]
    return fingerprint([*proof.files(rtl), *headers], repr(proof))


def listed(sizes: list[str]) -> str:
    """Sizes in a cell; of many, the first and the last."""
    if len(sizes) <= MOST:
        return "; ".join(sizes)
    return f"{len(sizes)} sizes: {sizes[0]}; …; {sizes[-1]}"


def place(key: tuple[str, ...]) -> tuple[str, str, str, int]:
    """Sort key of a row: network, wrapper, letter and number of the rule."""
    network, top, rule = key[:3]
    found = re.fullmatch(r"(.*?)(\d+)", rule)
    return (network, top, found[1], int(found[2])) if found else (network, top, rule, 0)
