"""What `make bench` prints: rates, builds, and where the time of a frame goes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.table import Table

from fattree_bench.families.speed import Case, Speed
from fattree_bench.speed.tree import Cost

Figures = dict[str, Any]
PARTS = (
    *("simulator", "stimulus to memory", "random stimulus"),
    *("prediction", "scoreboard", "coverage"),
)
OTHER = "pyuvm and cocotb"


@dataclass
class Measured:
    """What came of a case in one tree: costs by model, the best figures by model and stimulus."""

    builds: Mapping[str, Cost] = field(default_factory=dict)
    figures: dict[tuple[str, str], Figures] = field(default_factory=dict)

    def keep(self, model: str, kind: str, new: Figures | None) -> None:
        """Keep the faster of two measurements; one that found a fault is never faster."""
        old = self.figures.get((model, kind))
        if new and (not old or (old["passed"] and (not new["passed"] or _rate(new) > _rate(old)))):
            self.figures[model, kind] = new

    def rate(self, model: str, kind: str) -> float | None:
        """Per CPU second; None if it was not measured."""
        figures = self.figures.get((model, kind))
        return _rate(figures) if figures else None

    @property
    def passed(self) -> bool:
        return all(figures["passed"] for figures in self.figures.values())


@dataclass(frozen=True)
class Row:
    """A case, what was measured of it, and what of it at the base, if there is one."""

    case: Case
    label: str
    sizes: Sequence[str]
    here: Measured
    base: Measured | None = None


def _rate(figures: Figures) -> float:
    rate: float = figures["packets"] / figures["seconds"]
    return rate


def _millions(rate: float | None) -> str:
    return f"{rate / 1e6:.3g}" if rate else ""


def _times(ours: float | None, theirs: float | None, digits: int = 2) -> str:
    """How many times the one is the other; nothing without the one, a dash without the other."""
    if not ours:
        return ""
    return f"{ours / theirs:.{digits}f}" if theirs else "-"


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, box=None)
    for name in columns:
        table.add_column(name, justify="right")
    return table


def rates(network: str, speed: Speed, rows: Sequence[Row], base: str) -> Table:
    """Rates of one network; `base`: the commit to compare with, or nothing."""
    times = [f"times {base}"] if base else []
    table = _table(
        f"{network}: millions of {speed.counted} a CPU second, all verified",
        *("simulator", *(title for title, _ in speed.sizes), "stimulus"),
        *("bare", *times, "verified", *times, "verified/bare"),
        *("coverage costs %", "frame/classic", "MiB", "bare MiB"),
    )
    table.caption = speed.note or None
    for row in rows:
        for kind in row.case.kinds:
            table.add_row(row.case.sim, *row.sizes, kind, *_figures(row, kind))
    return table


def _figures(row: Row, kind: str) -> Iterator[str]:
    here = row.here
    bare, verified = here.rate("bare", kind), here.rate("verified", kind)
    for model in ("bare", "verified"):
        yield _millions(here.rate(model, kind))
        if row.base:
            yield _times(here.rate(model, kind), row.base.rate(model, kind))
    yield _times(verified, bare) if bare else ""
    blind = here.rate("blind", kind)
    yield f"{100 * (1 - verified / blind):.0f}" if blind and verified else ""
    yield _times(here.rate("verified", "repeated"), verified, 0) if kind == "classic" else ""
    for model in ("verified", "bare"):
        figures = here.figures.get((model, kind))
        yield f"{figures['memory_kib'] / 1024:.0f}" if figures else ""


def builds(rows: Sequence[Row], base: str) -> Table:
    """What builds cost; `base`: the commit to compare with, or nothing."""
    times = [f"times {base}"] if base else []
    table = _table("builds", "", "model", "CPU s", *times, "wall s", "C++ MB")
    for row in rows:
        for model, cost in row.here.builds.items():
            theirs = row.base.builds.get(model) if row.base else None
            more = [_times(theirs["cpu"], cost["cpu"]) if theirs else "-"] if base else []
            code = f"{cost['code'] / 1e6:.1f}" if cost["code"] else ""
            table.add_row(
                row.label, model, f"{cost['cpu']:.1f}", *more, f"{cost['wall']:.1f}", code
            )
    return table


def breakdown(rows: Sequence[Row]) -> Table:
    """Where the time of a frame goes."""
    table = _table("where the CPU time of a frame goes, per cent", "", *PARTS, OTHER)
    for row in rows:
        for (model, kind), figures in row.here.figures.items():
            if model != "verified" or kind == "classic":
                continue
            spent = dict(figures["parts"])
            spent["scoreboard"] = spent.get("scoreboard", 0.0) - spent.get("coverage", 0.0)
            share = [100 * spent.get(name, 0.0) / figures["seconds"] for name in PARTS]
            other = max(0.0, 100 - sum(share))
            table.add_row(f"{row.label} {kind}", *(f"{s:.1f}" for s in share), f"{other:.1f}")
    return table
