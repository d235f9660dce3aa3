"""Merges what the runs of a regression have hit, and what an earlier regression had."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fattree_bench.bench.groups import Group
from fattree_bench.coverage.exclusions import Pattern
from fattree_bench.report import regression as r
from fattree_models.common.checks import Int64Array

Hits = dict[str, Int64Array]  # by cover group


@dataclass(frozen=True)
class BinExclusion:
    """Bins of functional coverage that need not be hit; network … bins are patterns with *."""

    network: str
    configuration: str
    group: str
    bins: str
    reason: str

    def __str__(self) -> str:
        return f"exclusion of {self.bins!r} in {self.group}, {self.configuration}"


def add_hits(total: Hits, path: Path) -> None:
    """Add the hits that one simulator process left; ValueError if the file is damaged."""
    try:
        with np.load(path) as stored:
            for name in stored.files:
                hits = stored[name]
                total[name] = total[name] + hits if name in total else hits
    # A damaged archive makes zipfile, zlib and numpy raise nearly anything.
    except Exception as error:
        raise ValueError(f"{path}: is not a file of hits: {error}") from None


def report_group(group: Group, network: str, configuration: str, hits: Hits) -> r.Group:
    """A cover group with all its hits, as the report shows it."""
    counted = hits.get(group.name, group.hits)
    if counted.shape != group.shape:
        raise ValueError(f"{configuration}: {group.name}: hits of another shape")
    return r.Group(
        network=network,
        configuration=configuration,
        name=group.name,
        points=[(point.title, list(point.labels)) for point in group.points],
        hits=counted.ravel().tolist(),
        reachable=group.reachable.ravel().tolist(),
        excluded=[r.Exclusion(count, reason) for count, reason in group.reasons()],
    )


def exclude_bins(groups: Iterable[r.Group], entries: Iterable[BinExclusion]) -> list[str]:
    """Take bins out that need not be hit, and were not; what is wrong with the entries."""
    listed, problems = list(groups), []
    for entry in entries:
        matched = taken = 0
        for group in listed:
            names = (entry.network, group.network), (entry.configuration, group.configuration)
            if not all(Pattern(p).matches(n) for p, n in (*names, (entry.group, group.name))):
                continue
            bins = Pattern(entry.bins)
            chosen = [
                flat
                for flat, counts in enumerate(group.reachable)
                if counts and bins.matches(group.label(flat))
            ]
            missed = [flat for flat in chosen if not group.hits[flat]]
            matched, taken = matched + len(chosen), taken + len(missed)
            for flat in missed:
                group.reachable[flat] = False
            if missed:
                group.excluded.append(r.Exclusion(len(missed), entry.reason))
        if not matched:
            problems.append(f"{entry}: matches nothing")
        elif not taken:
            problems.append(f"{entry}: needs no exclusion, all of it was hit")
    return problems


def merge_earlier(report: r.Report, earlier: r.Report) -> list[str]:
    """Add the hits of an earlier report; what could not be merged, a line each.

    What is not in this run at all is taken over as it is.
    """
    told = []
    known = {(g.network, g.configuration, g.name): g for g in report.groups}
    for group in earlier.groups:
        mine = known.get((group.network, group.configuration, group.name))
        if mine is None:
            report.groups.append(group)
        elif mine.points != group.points:
            told.append(f"{group.configuration}: {group.name}: other bins in the earlier run")
        else:
            mine.hits = [a + b for a, b in zip(mine.hits, group.hits, strict=True)]
    files = {f.path: f for f in report.code}
    for file in earlier.code:
        if file.path not in files:
            report.code.append(file)
        elif files[file.path].source != file.source:
            told.append(f"{file.path}: another source in the earlier run, its hits are left out")
        else:
            _add_points(files[file.path], file)
    return told


def _add_points(mine: r.CodeFile, other: r.CodeFile) -> None:
    def key(point: r.CodePoint) -> tuple[str, int, int, str]:
        return point.kind, point.line, point.column, point.name

    known: Mapping[tuple[str, int, int, str], r.CodePoint] = {key(p): p for p in mine.points}
    for point in other.points:
        if key(point) in known:
            known[key(point)].hits += point.hits
        else:
            mine.points.append(point)
