"""SARIF 2.1.0: failures as annotations of code, for servers that show them next to a change."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fattree_bench.bench.result import Test
from fattree_bench.bench.sentences import summary
from fattree_bench.paths import PACKAGE, ROOT
from fattree_bench.report.files import write_text
from fattree_bench.report.regression import Report

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
PLACE = re.compile(r"([\w./+-]+\.(?:v|vh|sv|py|toml)):(\d+)")

Place = tuple[str, int]  # a file of the project, and a line


def write_sarif(report: Report, path: Path, plan: Path) -> None:
    """Write a result for each failed test, claim in trouble and other problem of a run.

    A result stands at the file and line that its messages name or, where they name none, at the
    configuration or testpoint in the testplan or, of ours, in the first of its parts that has it;
    those of your own design in its description.
    """
    designs = dict.fromkeys(test.variables.get("DESIGN", "") for test in report.tests)
    plans = [ROOT / design for design in designs if design] or [plan]
    plans += sorted(PACKAGE.glob("*/*/testplan*.toml"))
    found = [*_tests(report, plans), *_others(report, plans)]
    rules = [{"id": name} for name in dict.fromkeys(one["ruleId"] for one in found)]
    driver = {
        "name": "fat-tree-bench",
        "rules": rules,
        "properties": {"command": report.command, "commit": report.commit},
    }
    invocation = {"executionSuccessful": not report.missing, "commandLine": report.command}
    run = {"tool": {"driver": driver}, "invocations": [invocation], "results": found}
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    write_text(path, json.dumps(log, indent=1, ensure_ascii=False) + "\n")


def _tests(report: Report, plans: Sequence[Path]) -> Iterator[dict[str, Any]]:
    for test in report.tests:
        if test.passed:
            continue
        name = f"{test.configuration} {test.sim} seed {test.seed} {test.scenario}"
        told = [f"{line.head}: {line.text}" for line in summary(test)]
        text = "\n".join([f"{test.scenario} of {name.rpartition(' ')[0]}", *told])
        rule = test.symptoms[0] if test.symptoms else "test failed"
        yield _result(rule, text, _place(test) or _planned(test.configuration, plans), name)


def _others(report: Report, plans: Sequence[Path]) -> Iterator[dict[str, Any]]:
    for claim in report.judged:
        if claim.trouble:
            name = claim.item or claim.testpoint
            text = f"{name}: {claim.trouble}\n{claim.says}\n{claim.measured.text}".strip()
            yield _result("claim", text, _planned(claim.testpoint, plans), name)
    problems = list(report.problems)
    problems += [f"{report.missing} tests of the plan did not run"] * bool(report.missing)
    for problem in problems:
        yield _result("problem of the run", problem, _planned("", plans), problem)


def _place(test: Test) -> Place | None:
    """The first file of the project, and its line, that what went wrong names."""
    for text in (test.message, *test.details):
        for name, line in PLACE.findall(text):
            path = Path(name) if Path(name).is_absolute() else ROOT / name
            if path.is_file() and path.is_relative_to(ROOT) and int(line):
                return _uri(path), int(line)
    own = test.configuration.partition("::")[0]
    return (own, 1) if test.sim == "pytest" and (ROOT / own).is_file() else None


def _planned(name: str, plans: Sequence[Path]) -> Place:
    """Where a testplan declares a configuration or testpoint; else where the first one begins."""
    heads = f"{name} =", f'[testpoint."{name}"]', f"[testpoint.{name}]"
    for plan in plans if name else ():
        for number, line in enumerate(plan.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith(heads):
                return _uri(plan), number
    return _uri(plans[0]), 1


def _uri(path: Path) -> str:
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.as_uri()


def _result(rule: str, text: str, place: Place, name: str) -> dict[str, Any]:
    file, line = place
    where = {"artifactLocation": {"uri": quote(file, safe="/:%")}}
    return {
        "ruleId": rule,
        "level": "error",
        "message": {"text": text},
        "locations": [{"physicalLocation": {**where, "region": {"startLine": line}}}],
        "partialFingerprints": {"what/v1": f"{rule}: {name}"},
    }
