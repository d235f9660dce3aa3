"""The files that other programs read: JSON, JUnit, UCIS; each is read back."""

import json
import re
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from xml.etree import ElementTree

import pytest
from junitparser import Error, Failure, JUnitXml

from fattree_bench.report import xml_file
from fattree_bench.report.database import read_json, write_json
from fattree_bench.report.files import write_text
from fattree_bench.report.junit import write_junit
from fattree_bench.report.regression import KINDS
from fattree_bench.report.ucis import write_ucis
from tests.tb.report import samples
from tests.tb.report.ucis_schema import violations

SAMPLES = {"rich": samples.rich, "green": samples.green, "empty": samples.empty}
every_sample = pytest.mark.parametrize("make", SAMPLES.values(), ids=SAMPLES)


def as_json(report):
    """A report as JSON knows it: tuples are lists."""
    return json.loads(json.dumps(asdict(report)))


# Files --------------------------------------------------------------------------------------------


def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "deep" / "file"
    write_text(path, "old")

    def full(self, data):
        with open(self, "wb") as file:
            file.write(data[:2])
        raise OSError("No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space"):
        write_text(path, "new and longer")
    assert path.read_text() == "old"
    assert [p.name for p in path.parent.iterdir()] == ["file"]


# JSON ---------------------------------------------------------------------------------------------


@every_sample
def test_json_holds_everything(make, tmp_path):
    report = make()
    write_json(report, tmp_path / "coverage.json")
    read = read_json(tmp_path / "coverage.json")
    assert as_json(read) == as_json(report)
    assert list(as_json(read)) == list(as_json(report))  # also the order of the keys
    assert read.passed == report.passed
    assert [g.hits for g in read.groups] == [g.hits for g in report.groups]
    assert read.groups == report.groups
    assert read.code == report.code
    write_json(read, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "coverage.json").read_bytes()


def test_json_is_one_line_an_entry(tmp_path):
    report = samples.rich()
    write_json(report, tmp_path / "coverage.json")
    lines = (tmp_path / "coverage.json").read_text().splitlines()
    assert sum(line.startswith('{"network":"lbbvn","configuration":"n16"') for line in lines) == (
        sum((t.network, t.configuration) == ("lbbvn", "n16") for t in report.tests) + 4
    )


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"groups"', '"gruppen"', "damaged"),
        ('"hits"', '"treffer"', "damaged"),
        ('"format": 2', '"format": 1', "not a report of format 2"),
        ('"format"', '"mat"', "not a report of format 2"),
        ("\n}\n", "\n", "only a part of a file"),
    ],
)
def test_json_that_is_no_report_is_refused(old, new, says, tmp_path):
    path = tmp_path / "coverage.json"
    write_json(samples.rich(), path)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(ValueError, match=says) as error:
        read_json(path)
    assert "\n" not in str(error.value)


def test_json_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ValueError, match="No such file"):
        read_json(tmp_path / "none.json")
    (tmp_path / "list.json").write_text("[1]")
    with pytest.raises(ValueError, match="not a report"):
        read_json(tmp_path / "list.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match="not JSON"):
        read_json(tmp_path / "bytes.json")


# JUnit --------------------------------------------------------------------------------------------


def cases_of(path):
    """(suite, case) of all cases, read by a library that is not ours."""
    return [(suite.name, case) for suite in JUnitXml.fromfile(str(path)) for case in suite]


@every_sample
def test_junit_counts(make, tmp_path):
    report = make()
    write_junit(report, tmp_path / "junit.xml")
    xml = JUnitXml.fromfile(str(tmp_path / "junit.xml"))
    suites = {s.name: s for s in xml if s.name != "the run"}
    expected = Counter(f"{t.network} {t.configuration} {t.sim}" for t in report.tests)
    assert {name: suite.tests for name, suite in suites.items()} == expected
    bad = [t for t in report.tests if not t.passed]
    assert sum(s.errors for s in suites.values()) == sum(t.result is None for t in bad)
    assert sum(s.failures for s in suites.values()) == sum(t.result is not None for t in bad)
    # what the library counts is what the file says
    said = xml.tests, xml.failures, xml.errors, xml.skipped
    xml.update_statistics()
    assert (xml.tests, xml.failures, xml.errors, xml.skipped) == said
    assert (xml.failures + xml.errors == 0) == report.passed


def test_junit_tells_what_failed_and_how_to_replay_it(tmp_path):
    report = samples.rich()
    write_junit(report, tmp_path / "junit.xml")
    found = {
        (suite, case.name): case.result[0]
        for suite, case in cases_of(tmp_path / "junit.xml")
        if case.result and suite != "the run"
    }
    assert len(found) == 4
    for test in (t for t in report.tests if not t.passed):
        suite = f"{test.network} {test.configuration} {test.sim}"
        result = found[suite, f"{test.scenario} SEED={test.seed}"]
        assert isinstance(result, Error if test.result is None else Failure)
        assert result.message == xml_file.clean(test.message)
        assert f"replay: {test.replay}" in result.text
        assert f"log: {test.log}" in result.text
        assert all(xml_file.clean(line) in result.text for line in test.details)


def test_junit_is_red_for_what_is_no_test(tmp_path):
    for problems, missing in ((["goal missed <&>"], 0), ([], 3)):
        report = samples.green()
        report.problems, report.missing = problems, missing
        write_junit(report, tmp_path / "junit.xml")
        messages = [
            case.result[0].message
            for suite, case in cases_of(tmp_path / "junit.xml")
            if suite == "the run"
        ]
        assert messages == (problems or ["3 tests of the plan did not run"])
    write_junit(samples.empty(), tmp_path / "junit.xml")
    assert JUnitXml.fromfile(str(tmp_path / "junit.xml")).failures == 1


def test_characters_that_xml_cannot_hold_are_seen(tmp_path, monkeypatch):
    monkeypatch.setattr(xml_file, "clean", lambda text: text)
    write_junit(samples.rich(), tmp_path / "junit.xml")
    with pytest.raises(Exception, match="invalid"):
        JUnitXml.fromfile(str(tmp_path / "junit.xml"))


# UCIS ---------------------------------------------------------------------------------------------


def ucis(report, folder):
    write_ucis(report, folder / "ucis.xml")
    return ElementTree.parse(folder / "ucis.xml").getroot()


@every_sample
def test_ucis_keeps_the_schema(make, tmp_path):
    root = ucis(make(), tmp_path)
    assert list(violations(root)) == []
    for tag in ("sourceFiles", "historyNodes", "instanceCoverages"):
        assert root.find(tag) is not None
    stamps = [root.get("writtenTime"), *(node.get("date") for node in root.iter("historyNodes"))]
    assert set(stamps) == {"2026-11-21T15:36:07"}
    files = {node.get("id") for node in root.iter("sourceFiles")}
    assert {node.get("file") for node in root.iter() if node.get("file")} <= files
    for node in root.iter():
        assert int(node.get("line", "1")) >= 1
        assert re.fullmatch(r"\d+", node.get("coverageCount", "0"))


def test_ucis_against_the_schema_is_seen(tmp_path):
    def swapped(root):
        group = root.find(".//cgInstance")
        group.append(group[0])
        group.remove(group[0])

    def nameless(root):
        del root.find(".//coverpoint").attrib["name"]

    def strange(root):
        ElementTree.SubElement(root.find(".//crossBin"), "surprise")

    for damage in (swapped, nameless, strange):
        root = ucis(samples.rich(), tmp_path)
        damage(root)
        assert len(list(violations(root))) == 1, damage.__name__


def counts(bins):
    """(hit, counting) of bins or of their parents."""
    values = [
        int(node.find("contents").get("coverageCount"))
        for node in bins
        if node.get("excluded") != "true"
    ]
    return sum(value > 0 for value in values), len(values)


@every_sample
def test_ucis_has_all_groups(make, tmp_path):
    report = make()
    instances = ucis(report, tmp_path).iter("cgInstance")
    for group, node in zip(report.groups, instances, strict=True):
        assert node.get("name") == group.name
        points = node.findall("coverpoint")
        assert [p.get("name") for p in points] == [title for title, _ in group.points]
        assert [[b.get("name") for b in p.iter("coverpointBin")] for p in points] == [
            names for _, names in group.points
        ]
        if len(group.points) > 1:
            assert counts(node.iter("crossBin")) == (group.covered, group.bins)
            for point in points:  # every axis adds up to the same
                ranges = point.iter("contents")
                assert sum(int(c.get("coverageCount")) for c in ranges) == sum(group.hits)
                assert point.find("options").get("weight") == "0"
        else:
            assert counts(node.iter("range")) == (group.covered, group.bins)
        output = [int(a.text.split()[0]) for a in node.iter("userAttr")]
        assert output == [e.count for e in group.excluded]


def test_ucis_cross_bins_are_where_they_belong(tmp_path):
    report = samples.rich()
    report.groups = report.groups[1:2]
    group = report.groups[0]
    root = ucis(report, tmp_path)
    width = len(group.points[1][1])
    for node in root.iter("crossBin"):
        row, column = (int(index.text) for index in node.iter("index"))
        flat = row * width + column
        assert int(node.find("contents").get("coverageCount")) == group.hits[flat]
        assert node.get("name") == f"<{group.points[0][1][row]},{group.points[1][1][column]}>"
        assert group.reachable[flat]


def test_ucis_ignores_labels_that_cannot_occur(tmp_path):
    report = samples.green()
    report.groups = report.groups[:1]  # source 0 is excluded with all destinations
    kinds = [b.get("type") for b in ucis(report, tmp_path).iter("coverpointBin")]
    assert kinds == ["ignore", *["bins"] * 31]


@every_sample
def test_ucis_has_all_points_of_the_code(make, tmp_path):
    report = make()
    root = ucis(report, tmp_path)
    where = {
        "line": ".//blockCoverage/statement/bin",
        "branch": ".//branchBin",
        "toggle": ".//toggle/bin",
        "expression": ".//expr/bin",
    }
    instances = {node.get("name"): node for node in root.iter("instanceCoverages")}
    for file in report.code:
        for kind in KINDS:
            points = [p.hits for p in file.points if p.kind == kind and not p.excluded]
            output = counts(instances[file.path].findall(where[kind]))
            assert output == (sum(map(bool, points)), len(points))
    reasons = {node.get("excludedReason") for node in root.iter("bin") if node.get("excluded")}
    assert reasons == {p.excluded for f in report.code for p in f.points if p.excluded}


def test_ucis_toggles_by_signal_and_edge(tmp_path):
    root = ucis(samples.rich(), tmp_path)
    objects = {o.get("name"): o for o in root.iter("toggleObject")}
    assert set(objects) == {"clk_i", "valid_i", "odd name"}
    bits = objects["valid_i"].findall("toggleBit")
    assert [bit.get("name") for bit in bits] == [f"valid_i[{i}]" for i in range(8)]
    edges = [(t.get("from"), t.get("to")) for t in bits[0]]
    assert edges == [("0", "1"), ("1", "0")]
    assert objects["odd name"].find(".//toggle").get("from") == "any"


def test_ucis_history_is_the_tests(tmp_path):
    report = samples.rich()
    run, *nodes = ucis(report, tmp_path).iter("historyNodes")
    assert run.get("testStatus") == "false"
    assert [node.get("cmd") for node in nodes] == [test.replay for test in report.tests]
    assert [node.get("testStatus") == "true" for node in nodes] == [t.passed for t in report.tests]
    assert {
        node.get("vendorToolVersion") for node in nodes if node.get("vendorTool") == "verilator"
    } == {"5.48.0"}
