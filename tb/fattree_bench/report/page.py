"""The report as a page that explains itself: index.html, and annotated source behind links."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from fattree_bench.bench.result import Test
from fattree_bench.bench.sentences import REPLAY, opened, packets_of, summary
from fattree_bench.report.files import write_text
from fattree_bench.report.html import environment, inline_svg, link
from fattree_bench.report.items import OTHERS, VERDICTS, counts, found_in, occurring, others
from fattree_bench.report.part import absent, concerned
from fattree_bench.report.regression import KINDS, Group, Report, Testpoint
from fattree_bench.report.source_page import write_source_pages
from fattree_bench.report.summary import figures, grouped, kind_title, measured, proven, reasons
from fattree_bench.words import number

LARGEST_HEAT = 20  # labels of an axis
HEATS = 4  # shades of a heat map


def write_page(report: Report, folder: Path) -> None:
    """Write folder/index.html, which needs nothing from outside, and folder/source/*.html.

    ValueError names a picture that is not SVG, or one that asks for something outside itself.
    """
    pictures = [(picture, inline_svg(picture.svg, picture.title)) for picture in report.pictures]
    sources = write_source_pages(report.code, folder / "source")
    failed = [test for test in report.tests if not test.passed]
    templates = environment()
    templates.tests["proven"] = proven
    templates.filters["identity"] = id
    html = templates.get_template("page.html.j2").render(
        report=report,
        figures=figures(report),
        absent=absent(report),
        reasons=reasons(report),
        failures=failed,
        chapters=concerned(report, found_in(report)),
        counts=counts,
        occurring=occurring,
        measured=measured,
        verdicts=VERDICTS,
        others=(OTHERS, others(report.judged)),
        places={point.name: f"testpoint-{k}" for k, point in enumerate(report.testpoints, 1)},
        testplan=grouped(report.testpoints, lambda point: point.network),
        pictures=pictures,
        networks=_networks(report),
        variables=_variables(report),
        code=_code(report, sources),
        kinds=[kind_title(kind) for kind in KINDS],
        exclusions=_exclusions(report),
        tests=sorted(report.tests, key=lambda test: (test.passed, -test.seconds)),
        heat=heat,
        link=lambda path: beside(report, path, folder),
        summary=summary,
        replay_head=REPLAY,
        number_of={id(test): place for place, test in enumerate(failed, 1)},
        points_of=lambda test: [p.name for p in report.testpoints if _belongs(test, p)],
        packets_of=packets_of,
        first_failure=lambda point, name: _first_failure(failed, point, name),
        waves_of=lambda test: opened(report.copies.get(test.waves, test.waves)),
    )
    write_text(folder / "index.html", html)


def beside(report: Report, path: str, folder: Path) -> str:
    """A link to a file, or to its copy next to the page if that exists."""
    copy = report.copies.get(path, "")
    return quote(copy) if copy and (folder / copy).exists() else link(path, folder)


def _belongs(test: Test, point: Testpoint) -> bool:
    """Whether a test is one of those that a testpoint names."""
    if test.sim == "pytest":
        return test.configuration in point.tests
    return test.scenario in point.tests and test.network in point.networks


def _first_failure(failed: list[Test], point: Testpoint, name: str) -> int:
    """Number of the first failure of a test of a testpoint; 0: none."""
    for place, test in enumerate(failed, 1):
        own = test.configuration if test.sim == "pytest" else test.scenario
        if own == name and _belongs(test, point):
            return place
    return 0


def _variables(report: Report) -> dict[tuple[str, str], str]:
    """Variables of the configurations, as on a command line."""
    return {
        (test.network, test.configuration): " ".join(f"{k}={v}" for k, v in test.variables.items())
        for test in report.tests
    }


# Functional coverage ------------------------------------------------------------------------------


@dataclass
class Sum:
    """Cover groups under a name, added up: a network, or a configuration of it."""

    name: str
    covered: int = 0
    bins: int = 0
    groups: list[Group] = field(default_factory=list)
    parts: "dict[str, Sum]" = field(default_factory=dict)

    @property
    def holes(self) -> int:
        return self.bins - self.covered

    def add(self, group: Group, covered: int, bins: int) -> None:
        self.groups.append(group)
        self.covered += covered
        self.bins += bins


def _networks(report: Report) -> list[Sum]:
    """Networks, their configurations in `parts`."""
    networks: dict[str, Sum] = {}
    for group in report.groups:
        network = networks.setdefault(group.network, Sum(group.network))
        part = network.parts.setdefault(group.configuration, Sum(group.configuration))
        covered, bins = group.covered, group.bins
        network.add(group, covered, bins)
        part.add(group, covered, bins)
    return list(networks.values())


def heat(group: Group) -> list[tuple[str, list[tuple[str, str]]]]:
    """Rows of a heat map: label, then class and text of each cell; empty if there is none to draw.

    Only a cross of two axes is drawn, of at most LARGEST_HEAT labels each.
    """
    if len(group.points) != 2 or any(len(labels) > LARGEST_HEAT for _, labels in group.points):
        return []
    (_, rows), (_, columns) = group.points
    most = max(group.hits, default=0)
    cells = list(_cells(group, most))
    wide = len(columns)
    return [(label, cells[i * wide : (i + 1) * wide]) for i, label in enumerate(rows)]


def _cells(group: Group, most: int) -> Iterator[tuple[str, str]]:
    for hits, reachable in zip(group.hits, group.reachable, strict=True):
        if not reachable:
            yield "hx", _short(hits) if hits else "×"
        elif not hits:
            yield "h0", "0"
        else:
            share = math.log(hits + 1) / math.log(most + 1)
            yield f"h{max(1, math.ceil(HEATS * share))}", _short(hits)


def _short(hits: int) -> str:
    """A count in at most four characters, as in "12k"."""
    for unit in ("", "k", "M", "G"):
        if hits < 1000:
            return f"{hits}{unit}"
        hits //= 1000
    return f"{hits}T"


# Code coverage ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CodeRow:
    """A file: link to its source, (hit, points) of each kind, excluded points."""

    path: str
    page: str
    counts: list[tuple[int, int]]
    excluded: int


def _code(report: Report, sources: dict[str, str]) -> list[CodeRow]:
    return [
        CodeRow(
            file.path,
            f"source/{sources[file.path]}",
            [file.count(kind) for kind in KINDS],
            sum(1 for point in file.points if point.excluded),
        )
        for file in report.code
    ]


def _exclusions(report: Report) -> list[tuple[str, str, str]]:
    """Excluded points of the code by file and reason: file, how many of what, reason."""
    counts: dict[tuple[str, str, str], int] = {}
    for file in report.code:
        for point in file.points:
            if point.excluded:
                key = file.path, point.kind, point.excluded
                counts[key] = counts.get(key, 0) + 1
    return [
        (path, f"{number(n)} {kind if n == 1 else kind_title(kind)}", reason)
        for (path, kind, reason), n in counts.items()
    ]
