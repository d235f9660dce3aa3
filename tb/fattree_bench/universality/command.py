"""`make universality`: lays out networks and simulates them on fat-trees of equal volume."""

import sys
from collections.abc import Mapping

from rich.markup import escape

from fattree_bench.campaign import Campaign, Common, Result
from fattree_bench.jobs.pool import Task
from fattree_bench.paths import MODELS, PACKAGE, ROOT
from fattree_bench.report.evidence import Evidence, publish
from fattree_bench.settings import parsed, plain
from fattree_bench.sim.sources import fingerprint
from fattree_bench.universality.experiment import EXPERIMENT
from fattree_bench.universality.picture import picture
from fattree_bench.words import plural

LEAST, MOST = EXPERIMENT.sizes
KNOWN = (*EXPERIMENT.networks, *EXPERIMENT.problems)


def networks(text: str) -> tuple[str, ...]:
    """Names of networks and layout files; ValueError for anything else."""
    found = tuple(word.strip() for word in text.split(",")) if text else KNOWN
    for name in found:
        if name.endswith(".csv"):
            EXPERIMENT.own(name)
        elif name not in KNOWN:
            raise ValueError(f"{name}: no such network; there is {', '.join(KNOWN)}")
    return tuple(dict.fromkeys(found))


def sizes(text: str) -> tuple[int, ...]:
    """A list of powers of two; a..b: every second one from a to b."""
    told = f"must be powers of two, {LEAST} … {MOST}, comma-separated, or from..to"
    span = ".." in text
    try:
        given = [plain(word.strip()) for word in text.split(".." if span else ",")]
    except ValueError:
        raise ValueError(told) from None
    if any(not LEAST <= n <= MOST or n & (n - 1) for n in given):
        raise ValueError(told)
    if span:
        first, *last = given
        if len(last) != 1 or first > last[0]:
            raise ValueError(told)
        given = [first << k for k in range(0, (last[0] // first).bit_length(), 2)]
    return tuple(sorted(set(given)))


class Wanted(Common):
    """Which networks and sizes to measure."""

    networks = parsed(
        "NETWORK", "", f"{', '.join(KNOWN)}, or a layout.csv; comma-separated; empty: all", networks
    )
    sizes = parsed(
        "N",
        "64..65536",
        f"processors, powers of two, {LEAST} … {MOST}, comma-separated; "
        "from..to: every second power",
        sizes,
    )


class Universality(Campaign):
    """Runs one job per network and size."""

    target = "universality"
    things = "networks"
    variables = Wanted
    asked: Wanted
    file = "networks.jsonl"
    job = (sys.executable, "-m", "fattree_bench.universality.job")

    def sources(self) -> str:
        files = [ROOT / name for name in self.asked.networks if name.endswith(".csv")]
        return fingerprint([MODELS, PACKAGE, self.asked.rtl, *files])

    def tasks(self) -> list[Task]:
        return [
            Task(f"{name} {n}", {"network": name, "n": n}, seconds=EXPERIMENT.seconds(n))
            for name in self.asked.networks
            for n in ([EXPERIMENT.own(name)] if name.endswith(".csv") else self.asked.sizes)
        ]

    def show(self) -> None:
        for key in self.by_key:
            self.console.print(escape(key), soft_wrap=True)
        self.console.print(f"{plural(len(self.by_key), 'network')}; nothing was run")

    def settled(self, task: Task, result: Result) -> bool:
        return "figures" in result

    def report(self) -> bool:
        measured = self.measured()
        problems = {name: measured.pop(name, []) for name in EXPERIMENT.problems}
        made = [self.problem(name, own) for name, own in problems.items() if own]
        if measured or not made:
            made.insert(0, self.evidence(measured))
        return all([publish(one, self.asked.build, self.console) for one in made])

    def measured(self) -> dict[str, list[dict[str, float]]]:
        """Figures of each network by size."""
        found: dict[str, list[dict[str, float]]] = {}
        for key, task in self.by_key.items():
            figures = self.results.get(key, {}).get("figures")
            if figures:
                found.setdefault(task.payload["network"], []).append(figures)
        return found

    def problem(self, name: str, rows: list[dict[str, float]]) -> Evidence:
        """The table of a problem."""
        title, columns, note = EXPERIMENT.problems[name]
        cells = [[f"{one['n']:.0f}", *_cells(one, columns)] for one in rows]
        return self.made(name, title, [note], ["n", *(t for t, _ in columns.values())], cells)

    def made(
        self, kind: str, title: str, summary: list[str], columns: list[str], rows: list[list[str]]
    ) -> Evidence:
        """Evidence with what fails the command."""
        trouble = [*([self.stopped] if self.stopped else []), *self.trouble]
        about = kind, title, self.command, self.commit, summary, columns, rows
        return Evidence(*about, [name for name in columns if name != "network"], trouble)

    def evidence(self, measured: Mapping[str, list[dict[str, float]]]) -> Evidence:
        """Table, slopes, picture."""
        every = [(name, one) for name, own in measured.items() for one in own]
        told = ", ".join(f"{n:.0f}" for n in sorted({one["n"] for _, one in every}))
        first = f"{len(every)} networks of {told} processors, and the fat-trees of their volume."
        made = self.made(
            "universality",
            "Universality",
            [first, EXPERIMENT.note, *grown(measured)],
            ["network", "n", *(title for title, _ in EXPERIMENT.columns.values())],
            [[name, f"{one['n']:.0f}", *_cells(one, EXPERIMENT.columns)] for name, one in every],
        )
        made.svg = picture(measured, EXPERIMENT.grown, self.asked.build / "matplotlib")
        return made


def _cells(figures: Mapping[str, float], columns: Mapping[str, tuple[str, str]]) -> list[str]:
    return [f"{figures[key]:{form}}" for key, (_, form) in columns.items()]


def grown(measured: Mapping[str, list[dict[str, float]]]) -> list[str]:
    """How figures grow: one sentence per network with at least three sizes."""
    found = []
    for name, own in measured.items():
        if len(own) < 3:
            continue
        parts = []
        for key, title in EXPERIMENT.grown.items():
            mean, half = EXPERIMENT.slope([x["n"] for x in own], [x[key] for x in own])
            parts.append(f"{title} as n^({mean:.2f} ± {half:.2f})")
        found.append(f"{name}: {'; '.join(parts)} (95 % confidence).")
    return found
