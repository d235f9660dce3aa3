"""The files that other programs read: JSON, JUnit; each is read back."""

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import pytest
from junitparser import Error, Failure, JUnitXml

from fattree_bench.report import xml_file
from fattree_bench.report.database import read_json, write_json
from fattree_bench.report.files import write_text
from fattree_bench.report.junit import write_junit
from tests.tb.report import samples

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
