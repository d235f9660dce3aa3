"""UCIS 1.0 XML: functional and code coverage for other coverage tools.

A configuration of a network and a source file are an instance each.  A cover group of several axes
is a cross; its axes are coverpoints of weight zero, whose hits are those of the cross added up.
What is excluded: a bin of type "ignore" in a coverpoint, a cross bin that is not there, an excluded
bin of the code coverage; the reasons are user attributes.
"""

import itertools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from fattree_bench.report.regression import CodeFile, CodePoint, Group, Report
from fattree_bench.report.summary import grouped
from fattree_bench.report.xml_file import add, write_xml
from fattree_bench.words import utc

PLAN = "testplan.toml"  # where configurations come from, and with them the cover groups
VENDOR = "fat-tree-bench"
_TOGGLE = re.compile(r"(?P<bit>(?P<signal>[^\[:]*)[^:]*):(?P<from>[01])->(?P<to>[01])")


def write_ucis(report: Report, path: Path) -> None:
    """Write the coverage of the report, with the order and the types that the schema demands."""
    time = utc(report.when)
    stamp = "1970-01-01T00:00:00" if time is None else f"{time:%Y-%m-%dT%H:%M:%S}"
    root = Element("UCIS", ucisVersion="1.0", writtenBy=VENDOR, writtenTime=stamp)
    for number, name in enumerate([PLAN, *(file.path for file in report.code)], 1):
        add(root, "sourceFiles", fileName=name, id=number)
    _history(root, report, stamp)
    instances = itertools.count(1)
    configurations = grouped(report.groups, lambda group: (group.network, group.configuration))
    for (network, configuration), groups in configurations.items():
        variables = _variables(report, network, configuration)
        names = f"{network}.{configuration}", network
        instance = _instance(root, next(instances), *names, 1, variables)
        coverage = add(instance, "covergroupCoverage")
        for key, group in enumerate(groups):
            _group(coverage, key, group)
    for number, file in enumerate(report.code, 2):
        instance = _instance(root, next(instances), file.path, Path(file.path).stem, number, {})
        _code(instance, number, file)
    if not report.groups and not report.code:  # the schema wants at least one instance
        _instance(root, next(instances), VENDOR, VENDOR, 1, {})
    write_xml(root, path)


def _variables(report: Report, network: str, configuration: str) -> dict[str, str]:
    for test in report.tests:
        if (test.network, test.configuration) == (network, configuration):
            return test.variables
    return {}


def _history(root: Element, report: Report, stamp: str) -> None:
    """The run, and below it each test."""
    versions = {name.casefold(): version for name, version in report.tools.items()}
    common = {"date": stamp, "ucisVersion": "1.0", "vendorId": VENDOR}
    add(
        root,
        "historyNodes",
        historyNodeId=0,
        logicalName=f"{report.tier} regression",
        kind="UCIS_HISTORYNODE_MERGE",
        testStatus=report.passed,
        seed=report.seed,
        cmd=report.command,
        toolCategory="UCIS:Merge",
        vendorTool=VENDOR,
        vendorToolVersion=report.commit or "unknown",
        **common,
    )
    for number, test in enumerate(report.tests, 1):
        add(
            root,
            "historyNodes",
            historyNodeId=number,
            parentId=0,
            logicalName=f"{test.network}.{test.configuration}.{test.scenario}",
            physicalName=test.log or None,
            kind="UCIS_HISTORYNODE_TEST",
            testStatus=test.passed,
            seed=test.seed,
            cmd=test.replay,
            cost=f"{test.seconds:.3f}",
            toolCategory="UCIS:Simulator",
            vendorTool=test.sim,
            vendorToolVersion=versions.get(test.sim.casefold(), "unknown"),
            comment=test.message or None,
            **common,
        )


def _instance(
    root: Element, number: int, name: str, module: str, file: int, parameters: dict[str, str]
) -> Element:
    instance = add(
        root, "instanceCoverages", name=name, key=number, instanceId=number, moduleName=module
    )
    for parameter, value in parameters.items():
        pair = add(instance, "designParameter")
        add(pair, "name", parameter)
        add(pair, "value", value)
    _id(instance, file, 1)
    return instance


def _id(parent: Element, file: int, line: int, item: int = 1, tag: str = "id") -> None:
    add(parent, tag, file=file, line=max(line, 1), inlineCount=item)


# Functional coverage ------------------------------------------------------------------------------


def _group(coverage: Element, key: int, group: Group) -> None:
    instance = add(coverage, "cgInstance", name=group.name, key=key)
    add(instance, "options", per_instance=True)
    identity = add(instance, "cgId", cgName=group.name, moduleName=group.network)
    _id(identity, 1, 1, tag="cginstSourceId")
    _id(identity, 1, 1, tag="cgSourceId")
    titles = _apart(title for title, _ in group.points)
    crossed = len(group.points) > 1
    for axis, title in enumerate(titles):
        _coverpoint(instance, group, axis, title, weight=0 if crossed else 1)
    if crossed:
        _cross(instance, group, titles)
    for number, exclusion in enumerate(group.excluded, 1):
        reason = f"{exclusion.count} bins: {exclusion.reason}"
        add(instance, "userAttr", reason, key=f"excluded {number}", type="str")


def _apart(names: Iterable[str]) -> list[str]:
    """The names, those that were there before with a number behind them."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name} {seen[name]}")
    return found


def _coverpoint(instance: Element, group: Group, axis: int, title: str, weight: int) -> None:
    """An axis: the hits of a label are those of all bins that have it."""
    labels = group.points[axis][1]
    hits, counts = [0] * len(labels), [False] * len(labels)
    for index, flat in _indices(group):
        hits[index[axis]] += group.hits[flat]
        counts[index[axis]] |= group.reachable[flat]
    point = add(instance, "coverpoint", name=title, key=axis)
    add(point, "options", weight=weight)
    for number, label in enumerate(labels):
        kind = "bins" if counts[number] else "ignore"
        bin_ = add(point, "coverpointBin", name=label, key=number, type=kind)
        range_ = add(bin_, "range", from_=number, to=number)
        add(range_, "contents", coverageCount=hits[number])


def _cross(instance: Element, group: Group, titles: list[str]) -> None:
    cross = add(instance, "cross", name=" x ".join(titles), key=0)
    add(cross, "options")
    for title in titles:
        add(cross, "crossExpr", title)
    for index, flat in _indices(group):
        if not group.reachable[flat]:
            continue
        labels = [names[i] for i, (_, names) in zip(index, group.points, strict=True)]
        bin_ = add(cross, "crossBin", name=f"<{','.join(labels)}>", key=flat, type="bins")
        for i in index:
            add(bin_, "index", str(i))
        add(bin_, "contents", coverageCount=group.hits[flat])


def _indices(group: Group) -> Iterator[tuple[tuple[int, ...], int]]:
    """Index of every bin on the axes, and its place in `hits`."""
    shape = (range(len(labels)) for _, labels in group.points)
    return ((index, flat) for flat, index in enumerate(itertools.product(*shape)))


# Code coverage ------------------------------------------------------------------------------------


def _code(instance: Element, file: int, code: CodeFile) -> None:
    """All kinds, in the order of the schema."""
    kinds = grouped(code.points, lambda point: point.kind)
    if toggles := kinds.get("toggle"):
        _toggles(add(instance, "toggleCoverage"), file, toggles)
    if lines := kinds.get("line"):
        _statements(add(instance, "blockCoverage"), file, lines)
    if expressions := kinds.get("expression"):
        _expressions(add(instance, "conditionCoverage"), file, expressions)
    if branches := kinds.get("branch"):
        _branches(add(instance, "branchCoverage"), file, branches)


def _bin(parent: Element, point: CodePoint, tag: str = "bin") -> None:
    bin_ = add(
        parent,
        tag,
        alias=point.name or None,
        coverageCountGoal=1,
        excluded=True if point.excluded else None,
        excludedReason=point.excluded or None,
    )
    add(bin_, "contents", coverageCount=point.hits)


def _by_line(points: Iterable[CodePoint]) -> list[tuple[int, list[CodePoint]]]:
    return sorted(grouped(points, lambda point: point.line).items())


def _statements(coverage: Element, file: int, points: list[CodePoint]) -> None:
    for line, found in _by_line(points):
        for item, point in enumerate(found, 1):
            statement = add(coverage, "statement", alias=point.name or None)
            _id(statement, file, line, item)
            _bin(statement, point)


def _branches(coverage: Element, file: int, points: list[CodePoint]) -> None:
    """All ways that a line may take are one statement."""
    for line, found in _by_line(points):
        statement = add(coverage, "statement", statementType="if", branchExpr=f"line {line}")
        _id(statement, file, line)
        for item, point in enumerate(found, 1):
            branch = add(statement, "branch")
            _id(branch, file, line, item)
            _bin(branch, point, "branchBin")


def _expressions(coverage: Element, file: int, points: list[CodePoint]) -> None:
    """All rows of the truth tables of a line are one expression."""
    for line, found in _by_line(points):
        where = f"line {line}"
        common: dict[str, Any] = {"name": where, "key": line, "exprString": where, "index": 0}
        expression = add(coverage, "expr", width=len(found), **common)
        _id(expression, file, line)
        for point in found:
            add(expression, "subExpr", point.name)
        for point in found:
            _bin(expression, point)


def _toggles(coverage: Element, file: int, points: list[CodePoint]) -> None:
    """A signal an object, with its bits; "name[3]:0->1" tells bit and edge."""
    for line, found in _by_line(points):
        signals: dict[str, dict[str, list[tuple[str, str, CodePoint]]]] = {}
        for point in found:
            match = _TOGGLE.fullmatch(point.name)
            signal, bit = (match["signal"], match["bit"]) if match else (point.name, point.name)
            edge = (match["from"], match["to"]) if match else ("any", "any")
            signals.setdefault(signal, {}).setdefault(bit, []).append((*edge, point))
        for item, (signal, bits) in enumerate(signals.items(), 1):
            object_ = add(coverage, "toggleObject", name=signal, key=item)
            _id(object_, file, line, item)
            for key, (bit, edges) in enumerate(bits.items()):
                node = add(object_, "toggleBit", name=bit, key=key)
                for before, after, point in edges:
                    _bin(add(node, "toggle", from_=before, to=after), point)
