"""A report's coverage as UCIS 1.0 XML, for other coverage tools; pyucis writes it.

A configuration of a network and a source file are an instance each.  A cover group of several axes
is a cross, whose coverpoints have weight zero.  Bins and points that need not be hit are left out:
pyucis 0.2 has no excluded ones; coverage.json has them, with the reasons.
"""

from collections.abc import Iterable
from io import StringIO
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from ucis.cover_data import CoverData
from ucis.cover_type_t import CoverTypeT
from ucis.history_node_kind import HistoryNodeKind
from ucis.mem.mem_factory import MemFactory
from ucis.scope_type_t import ScopeTypeT
from ucis.source_info import SourceInfo
from ucis.source_t import SourceT
from ucis.xml.xml_factory import XmlFactory

from fattree_bench.report.files import write_text
from fattree_bench.report.regression import CodeFile, CodePoint, Group, Report
from fattree_bench.report.summary import grouped
from fattree_bench.report.xml_file import clean
from fattree_bench.words import utc

SCOPES = {
    "line": (ScopeTypeT.BLOCK, CoverTypeT.STMTBIN),
    "branch": (ScopeTypeT.BRANCH, CoverTypeT.BRANCHBIN),
    "toggle": (ScopeTypeT.TOGGLE, CoverTypeT.TOGGLEBIN),
    "expression": (ScopeTypeT.COND, CoverTypeT.CONDBIN),
}
VENDOR = "fat-tree-bench"


def write_ucis(report: Report, path: Path) -> None:
    """Write the tests, the cover groups and the points of the code."""
    db: Any = MemFactory.create()
    time = utc(report.when)
    stamp = "19700101000000" if time is None else f"{time:%Y%m%d%H%M%S}"
    db.setWrittenBy(VENDOR)
    db.setWrittenTime(stamp)
    _history(db, report, stamp)
    for place, groups in grouped(report.groups, lambda g: (g.network, g.configuration)).items():
        instance = _instance(db, ".".join(place))
        for group in groups:
            _group(instance, group)
    for file in report.code:
        _code(db, file)
    if not report.groups and not report.code:  # the schema wants an instance
        _instance(db, VENDOR)
    text = StringIO()
    XmlFactory.write(db, text)
    write_text(path, text.getvalue())


def _history(db: Any, report: Report, stamp: str) -> None:
    versions = {name.casefold(): version for name, version in report.tools.items()}
    for test in report.tests:
        name = ".".join((test.network, test.configuration, test.scenario))
        node = db.createHistoryNode(None, clean(name), test.log or None, HistoryNodeKind.TEST)
        node.setTestStatus(test.passed)
        node.setSeed(str(test.seed))
        node.setCmd(clean(test.replay))
        node.setCpuTime(test.seconds)
        node.setDate(stamp)
        node.setToolCategory("UCIS:Simulator")
        node.setVendorId(VENDOR)
        node.setVendorTool(test.sim)
        node.setVendorToolVersion(versions.get(test.sim.casefold(), "unknown"))


def _instance(db: Any, name: str, where: SourceInfo | None = None) -> Any:
    kind = ScopeTypeT.INSTANCE
    return db.createInstance(clean(name), where, 1, SourceT.VLOG, kind, None, 0)


def _cover(scope: Any, kind: CoverTypeT, name: str, hits: int, where: Any = None) -> None:
    data = CoverData(kind, 0)
    data.data = hits
    scope.createNextCover(clean(name), data, where)


def _group(instance: Any, group: Group) -> None:
    shape = [len(labels) for _, labels in group.points]
    counts: Any = np.array(group.reachable, bool).reshape(shape)
    hits = np.where(counts, np.array(group.hits, np.int64).reshape(shape), 0)
    made = instance.createCovergroup(clean(group.name), None, 1, SourceT.VLOG)
    points = []
    for axis, (title, labels) in enumerate(group.points):
        others = tuple(other for other in range(len(shape)) if other != axis)
        points.append(made.createCoverpoint(clean(title), None, int(len(shape) == 1), SourceT.VLOG))
        _bins(points[-1], labels, hits.sum(others), counts.any(others))
    if len(points) > 1:
        title = " x ".join(title for title, _ in group.points)
        cross = made.createCross(clean(title), None, 1, SourceT.VLOG, points)
        names = product(*(labels for _, labels in group.points))
        _bins(cross, (f"<{','.join(each)}>" for each in names), hits.flat, counts.flat)


def _bins(scope: Any, names: Iterable[str], hits: Any, counts: Any) -> None:
    for name, total, counted in zip(names, hits, counts, strict=True):
        if counted:
            _cover(scope, CoverTypeT.CVGBIN, name, int(total))


def _code(db: Any, file: CodeFile) -> None:
    """A scope for each line, and for each toggled bit, which pyucis writes as a signal."""
    handle = db.createFileHandle(file.path, "")
    instance = _instance(db, file.path, SourceInfo(handle, 1, 1))
    for kind, (scope, item) in SCOPES.items():
        points = [point for point in file.points if point.kind == kind and not point.excluded]
        for (line, name), found in grouped(points, _owner).items():
            where = SourceInfo(handle, line, 1)
            made = instance.createScope(clean(name), where, 1, SourceT.VLOG, scope, 0)
            for number, point in enumerate(found, 1):
                told = point.name.rpartition(":")[2] if kind == "toggle" else point.name
                _cover(made, item, told, point.hits, SourceInfo(handle, line, number))


def _owner(point: CodePoint) -> tuple[int, str]:
    bit = point.name.rpartition(":")[0]
    return point.line, bit if point.kind == "toggle" and bit else f"line {point.line}"
