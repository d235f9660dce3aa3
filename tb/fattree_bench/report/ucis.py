"""UCIS 1.0 XML: functional and code coverage for other coverage tools.

A configuration of a network and a source file are an instance each.  A cover group of several axes
is a cross; its axes are coverpoints of weight zero, whose hits are those of the cross added up.
What is excluded: a bin of type "ignore" in a coverpoint, a cross bin that is missing, an excluded
bin of the code coverage; the reasons are user attributes.

The writer of pyucis 0.2 does not fit: it has no excluded points of code, writes -1 for the index of
every cross bin, and gives each toggled signal a single bit.
"""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from markupsafe import Markup

from fattree_bench.report.files import write_text
from fattree_bench.report.html import environment
from fattree_bench.report.regression import KINDS, CodeFile, CodePoint, Group, Report
from fattree_bench.report.summary import grouped
from fattree_bench.report.xml_file import attributes
from fattree_bench.words import utc

PLAN = "testplan.toml"  # where configurations come from, and with them the cover groups
VENDOR = "fat-tree-bench"
_TOGGLE = re.compile(r"(?P<signal>[^\[:]*)[^:]*:(?P<from>[01])->(?P<to>[01])")


def write_ucis(report: Report, path: Path) -> None:
    """Write the coverage of the report, with the order and the types that the schema demands."""
    time = utc(report.when)
    made = environment()
    made.filters["attributes"] = _attributes
    made.globals |= {"signals": _signals, "axes_of": _axes, "indices": _indices}
    text = made.get_template("ucis.xml.j2").render(
        report=report,
        stamp="1970-01-01T00:00:00" if time is None else f"{time:%Y-%m-%dT%H:%M:%S}",
        vendor=VENDOR,
        files=[PLAN, *(file.path for file in report.code)],
        versions={name.casefold(): version for name, version in report.tools.items()},
        instances=list(_instances(report)),
        name_of=lambda group, index: f"<{','.join(_labels(group, index))}>",
    )
    write_text(path, text.lstrip())


def _attributes(values: dict[str, object]) -> Markup:
    named = attributes(values).items()
    return Markup("").join(Markup(f" {name}={quoteattr(text)}") for name, text in named)


def _instances(report: Report) -> Iterator[tuple[Any, ...]]:
    """Name, module, file, variables, groups and points of each instance."""
    none: dict[str, Any] = {kind: [] for kind in KINDS}
    variables = {(t.network, t.configuration): t.variables for t in reversed(report.tests)}
    for place, groups in grouped(report.groups, lambda g: (g.network, g.configuration)).items():
        yield ".".join(place), place[0], 1, variables.get(place, {}), groups, none
    for number, file in enumerate(report.code, 2):
        yield file.path, Path(file.path).stem, number, {}, [], _points(file)
    if not report.groups and not report.code:  # the schema wants at least one instance
        yield VENDOR, VENDOR, 1, {}, [], none


def _points(file: CodeFile) -> Mapping[str, list[tuple[int, list[CodePoint]]]]:
    """Points by kind and line; all ways of a line, or rows of its truth tables, stand together."""
    found = {}
    for kind in KINDS:
        points = (point for point in file.points if point.kind == kind)
        found[kind] = sorted(grouped(points, lambda point: point.line).items())
    return found


def _signals(points: Iterable[CodePoint]) -> dict[str, dict[str, list[tuple[str, str, CodePoint]]]]:
    """Edges by signal and bit; "name[3]:0->1" tells both."""
    signals: dict[str, dict[str, list[tuple[str, str, CodePoint]]]] = {}
    for point in points:
        match = _TOGGLE.fullmatch(point.name)
        signal = match["signal"] if match else point.name
        bit = point.name.rpartition(":")[0] if match else point.name
        edge = (match["from"], match["to"]) if match else ("any", "any")
        signals.setdefault(signal, {}).setdefault(bit, []).append((*edge, point))
    return signals


def _axes(group: Group) -> list[tuple[str, list[tuple[str, bool, int]]]]:
    """Titles, numbered where they are equal; of each label whether it counts, and its hits."""
    axes, titles = [], [title for title, _ in group.points]
    for axis, (title, labels) in enumerate(group.points):
        hits, counts = [0] * len(labels), [False] * len(labels)
        for index, flat in _indices(group):
            hits[index[axis]] += group.hits[flat]
            counts[index[axis]] |= group.reachable[flat]
        before = titles[:axis].count(title)
        name = f"{title} {before + 1}" if before else title
        axes.append((name, list(zip(labels, counts, hits, strict=True))))
    return axes


def _indices(group: Group) -> Iterator[tuple[tuple[int, ...], int]]:
    """Index of every bin on the axes, and its place in `hits`."""
    shape = (range(len(labels)) for _, labels in group.points)
    return ((index, flat) for flat, index in enumerate(itertools.product(*shape)))


def _labels(group: Group, index: tuple[int, ...]) -> list[str]:
    return [labels[i] for i, (_, labels) in zip(index, group.points, strict=True)]
