"""The mutation score of a network, as a table and as evidence for the report."""

import csv
import io
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from fattree_bench.bench.network import Network
from fattree_bench.mutate import verdict as vd
from fattree_bench.mutate.mutant import Mutant
from fattree_bench.mutate.verdict import Verdict
from fattree_bench.report.evidence import Evidence, collect, show, store
from fattree_bench.report.files import write_text
from fattree_prover import equivalence as eq
from fattree_prover.equivalence import Finding

KIND = "mutate"
COLUMNS = (
    "network",
    "mutants",
    "killed",
    "by scoreboard",
    "by assertion",
    "crash",
    "time-out",
    *eq.SAME,
    "survived",
    "undecided",
    "score",
    "seconds",
)
DETAILS = ("mutant", "source", "place", "kind", "verdict", "told", "scenario", "proof")


@dataclass(frozen=True)
class Score:
    """The results of all mutants of a network."""

    network: Network
    build: Path
    folder: Path
    command: str
    commit: str
    mutants: tuple[Mutant, ...]
    verdicts: dict[int, Verdict]
    findings: dict[int, Finding]
    seconds: dict[str, float]

    @property
    def survivors(self) -> list[Mutant]:
        """Mutants neither killed nor proved equivalent."""
        return [
            m
            for m in self.mutants
            if not self.verdicts[m.number].killed and self.findings[m.number].what not in eq.SAME
        ]

    def row(self) -> list[str]:
        """The network's row in the table."""
        how = Counter(self.verdicts[m.number].how for m in self.mutants)
        what = Counter(f.what for f in self.findings.values())
        killed = sum(how[k] for k in vd.KILLED)
        judged = len(self.mutants) - sum(what[same] for same in eq.SAME)
        numbers = [len(self.mutants), killed, *(how[k] for k in vd.KILLED)]
        numbers += [what[w] for w in (*eq.SAME, eq.DIFFERENT, eq.UNDECIDED)]
        score = f"{100 * killed / judged:.1f} %" if judged else "-"
        return [self.network.name, *map(str, numbers), score, f"{sum(self.seconds.values()):.0f}"]

    def trouble(self) -> list[str]:
        """One line per survivor."""
        return [
            f"{self.network.name} mutant {m.number}: {m.source}: {m.place} {m.kind}: "
            f"{self.findings[m.number].what}, {self.findings[m.number].how}; "
            f"{self.command} MUTANT={m.number}"
            for m in self.survivors
        ]

    def details(self) -> str:
        """Every mutant as CSV."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(DETAILS)
        for m in self.mutants:
            verdict, finding = self.verdicts[m.number], self.findings.get(m.number)
            proof = f"{finding.what}: {finding.how}" if finding else ""
            told = (verdict.how, verdict.told, verdict.scenario, proof)
            writer.writerow([m.number, m.source, m.place, m.kind, *told])
        return text.getvalue()


def evidence(score: Score) -> Evidence:
    """The score together with those of other networks in the build folder."""
    name = score.network.name
    before = [e for e in collect(score.build) if e.kind == KIND and e.columns == list(COLUMNS)]
    rows = [row for e in before for row in e.rows if row[0] != name]
    trouble = [t for e in before for t in e.trouble if not t.startswith(f"{name} mutant ")]
    rows.append(score.row())
    killed, judged, _ = _judged(_total(rows))
    return Evidence(
        kind=KIND,
        title="Mutation coverage",
        command=score.command,
        commit=score.commit,
        summary=_summary(rows),
        columns=list(COLUMNS),
        rows=rows,
        right=list(COLUMNS[1:]),
        trouble=trouble + score.trouble(),
        figures={"mutation": 100 * killed / judged} if judged else {},
    )


def _total(rows: list[list[str]]) -> Counter[str]:
    """Mutants of all networks by result."""
    total = Counter[str]()
    for row in rows:
        total.update({title: int(x) for title, x in zip(COLUMNS[1:11], row[1:11], strict=True)})
    return total


def _judged(total: Counter[str]) -> tuple[int, int, int]:
    """(killed, not proved equivalent, proved equivalent)."""
    same = sum(total[what] for what in eq.SAME)
    return total["killed"], total["mutants"] - same, same


def _summary(rows: list[list[str]]) -> list[str]:
    """A summary of all rows."""
    total = _total(rows)
    killed, judged, same = _judged(total)
    return [
        f"The smoke tests kill {killed} of {judged} faults in netlists of {len(rows)} networks; "
        f"{same} more were proved equivalent, {total[eq.CONTRACT]} of them under the contract.",
        "A fault is one bit of one cell: inverted, stuck, or inverted by another bit. For "
        "undecided survivors it is unknown whether any input can show them.",
    ]


def publish(console: Console, score: Score) -> bool:
    """Write and print the score; whether nothing survived."""
    write_text(score.folder / "mutants.csv", score.details())
    made = evidence(score)
    page = store(made, score.build)
    show(made, console)
    for path in (score.folder / "mutants.csv", page):
        console.print(str(path), soft_wrap=True)
    return not score.survivors
