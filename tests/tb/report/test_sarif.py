"""SARIF: the properties that SARIF 2.1.0 requires and allows, and where failures stand."""

import json
from pathlib import Path
from typing import Any

from fattree_bench.paths import PACKAGE, ROOT
from fattree_bench.report.sarif import write_sarif
from tests.tb.report import samples

# Of each object of the schema that we write: required properties, others that we use.
SCHEMA: dict[str, tuple[set[str], set[str]]] = {
    "": ({"version", "runs"}, {"$schema"}),
    "runs": ({"tool"}, {"results", "invocations"}),
    "tool": ({"driver"}, set()),
    "driver": ({"name"}, {"rules", "properties"}),
    "rules": ({"id"}, set()),
    "invocations": ({"executionSuccessful"}, {"commandLine"}),
    "results": ({"message"}, {"ruleId", "level", "locations", "partialFingerprints"}),
    "message": ({"text"}, set()),
    "locations": (set(), {"physicalLocation"}),
    "physicalLocation": ({"artifactLocation"}, {"region"}),
    "artifactLocation": ({"uri"}, set()),
    "region": ({"startLine"}, set()),
}
FREE = ("properties", "partialFingerprints")  # any names


def check(value: Any, name: str = "") -> None:
    if isinstance(value, list):
        for one in value:
            check(one, name)
    elif isinstance(value, dict) and name not in FREE:
        required, used = SCHEMA[name]
        assert required <= value.keys() <= required | used, name
        for key, one in value.items():
            check(one, key)


def test_what_failed_stands_where_it_is_written(tmp_path: Path) -> None:
    report = samples.rich()
    failed = [test for test in report.tests if not test.passed]
    failed[0].message = "rtl/lbbvn/lbbvn_node.v:7: a rule, by /etc/passwd.v:3"
    failed[1].configuration = "lbbvn-4"
    write_sarif(report, tmp_path / "f.sarif", PACKAGE / "testplan.toml")
    log = json.loads((tmp_path / "f.sarif").read_text())
    check(log)
    assert log["version"] == "2.1.0"
    results = log["runs"][0]["results"]
    troubles = sum(bool(claim.trouble) for claim in report.judged)
    assert len(results) == len(failed) + troubles + len(report.problems) + bool(report.missing)
    places = []
    for result in results:
        (one,) = result["locations"]
        place = one["physicalLocation"]
        uri, line = place["artifactLocation"]["uri"], place["region"]["startLine"]
        assert 1 <= line <= len((ROOT / uri).read_text().splitlines())
        places.append((uri, line))
    assert places[0] == ("rtl/lbbvn/lbbvn_node.v", 7)
    uri, line = places[1]
    assert (ROOT / uri).read_text().splitlines()[line - 1].startswith("lbbvn-4 =")
    prints = [str(result["partialFingerprints"]) for result in results]
    assert len({*prints}) == len(prints)
