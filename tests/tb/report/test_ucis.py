"""coverage.xml: pyucis reads it back, and checks it against its schema."""

from xml.etree import ElementTree

import pytest
from ucis.cover_type_t import CoverTypeT
from ucis.history_node_kind import HistoryNodeKind
from ucis.scope_type_t import ScopeTypeT
from ucis.xml.xml_factory import XmlFactory

from fattree_bench.report import xml_file
from fattree_bench.report.ucis import write_ucis
from tests.tb.report import samples

MADE = (samples.rich, samples.green, samples.empty)
every_sample = pytest.mark.parametrize("make", MADE, ids=lambda make: make.__name__)


def ucis(report, folder):
    """What pyucis reads, which checks the schema."""
    write_ucis(report, folder / "coverage.xml")
    return XmlFactory.read(str(folder / "coverage.xml"))


def below(scope, kinds):
    """Scopes of some kinds in a scope."""
    return list(scope.scopes(kinds))


def counts(scopes, kind):
    """(hit, all) of the bins of some scopes."""
    hits = [item.getCoverData().data for scope in scopes for item in scope.coverItems(kind)]
    return sum(map(bool, hits)), len(hits)


@every_sample
def test_ucis_has_the_bins_of_all_groups(make, tmp_path):
    report = make()
    instances = below(ucis(report, tmp_path), ScopeTypeT.INSTANCE)
    written = [
        group
        for instance in instances
        for kind in below(instance, ScopeTypeT.COVERGROUP)
        for group in below(kind, ScopeTypeT.COVERINSTANCE) or [kind]
    ]
    for group, found in zip(report.groups, written, strict=True):
        points = below(found, ScopeTypeT.COVERPOINT)
        assert [p.getScopeName() for p in points] == [title for title, _ in group.points]
        crosses = below(found, ScopeTypeT.CROSS)
        assert len(crosses) == (len(points) > 1)
        assert counts(crosses or points, CoverTypeT.CVGBIN) == (group.covered, group.bins)
        hits = sum(h for h, counted in zip(group.hits, group.reachable, strict=True) if counted)
        for point in points:  # every axis adds up to the same
            data = [item.getCoverData().data for item in point.coverItems(CoverTypeT.CVGBIN)]
            assert sum(data) == hits


POINTS = {
    "line": ".//blockCoverage/statement/bin",
    "branch": ".//branchBin",
    "toggle": ".//toggle/bin",
    "expression": ".//expr/bin",
}


@every_sample
def test_ucis_has_the_points_of_the_code(make, tmp_path):
    report = make()
    ucis(report, tmp_path)
    root = ElementTree.parse(tmp_path / "coverage.xml").getroot()
    instances = {node.get("name"): node for node in root.iter("instanceCoverages")}
    for file in report.code:
        for kind, where in POINTS.items():
            hits = [p.hits for p in file.points if p.kind == kind and not p.excluded]
            bins = instances[file.path].findall(where)
            found = [int(each.find("contents").get("coverageCount")) for each in bins]
            assert sorted(found) == sorted(hits), (file.path, kind)


def test_ucis_has_the_tests(tmp_path):
    report = samples.rich()
    nodes = list(ucis(report, tmp_path).getHistoryNodes(HistoryNodeKind.ALL))
    assert [node.getCmd() for node in nodes] == [xml_file.clean(t.replay) for t in report.tests]
    assert [bool(node.getTestStatus()) for node in nodes] == [t.passed for t in report.tests]
