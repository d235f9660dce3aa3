"""JUnit XML, which every CI server reads: one suite a configuration and simulator."""

from pathlib import Path
from xml.etree.ElementTree import Element

from fattree_bench.bench.result import Test
from fattree_bench.bench.sentences import summary
from fattree_bench.report.regression import Report
from fattree_bench.report.summary import grouped
from fattree_bench.report.xml_file import add, write_xml
from fattree_bench.words import utc


def write_junit(report: Report, path: Path) -> None:
    """Write the tests; a missing result is an error, a wrong one a failure.

    Other failures of the run (problems, tests that were not run, no test at all) are a suite of
    their own, so that a server shows red exactly if the report does.
    """
    root = Element("testsuites", name="fat-tree-bench")
    time = utc(report.when)
    stamp = None if time is None else f"{time:%Y-%m-%dT%H:%M:%S}"
    suites = grouped(report.tests, lambda test: (test.network, test.configuration, test.sim))
    for (network, configuration, sim), tests in suites.items():
        suite = add(root, "testsuite", name=f"{network} {configuration} {sim}", timestamp=stamp)
        properties = add(suite, "properties")
        for name, value in tests[0].variables.items():
            add(properties, "property", name=name, value=value)
        for test in tests:
            _case(suite, test)
        _count(suite, sum(test.seconds for test in tests))
    _the_run(root, report, stamp)
    _count(root, report.seconds)
    write_xml(root, path)


def _case(suite: Element, test: Test) -> None:
    case = add(
        suite,
        "testcase",
        classname=f"{test.network}.{test.configuration}.{test.sim}",
        name=f"{test.scenario} SEED={test.seed}",
        time=f"{test.seconds:.3f}",
    )
    if test.passed:
        return
    lines = [f"{head}: {text}" for head, text in summary(test)]
    lines += ["", *(test.details or [test.message]), ""]
    files = {"log": test.log, "waves": test.waves}
    lines += [f"{name}: {value}" for name, value in files.items() if value]
    kind = "error" if test.result is None else "failure"
    add(case, kind, "\n".join(lines), message=test.message, type=kind)


def _the_run(root: Element, report: Report, stamp: str | None) -> None:
    """Failures of the run other than its tests."""
    problems = list(report.problems)
    if not report.tests:
        problems.append("no test was run")
    if report.missing:
        problems.append(f"{report.missing} tests of the plan did not run")
    if not problems:
        return
    suite = add(root, "testsuite", name="the run", timestamp=stamp)
    for number, problem in enumerate(problems, 1):
        case = add(suite, "testcase", classname="the run", name=f"problem {number}", time="0.000")
        text = f"{problem}\n\ncommand: {report.command}"
        add(case, "failure", text, message=problem, type="failure")
    _count(suite, 0)


def _count(node: Element, seconds: float) -> None:
    """Totals, as attributes of a suite or of the root."""
    for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
        node.set(name, str(sum(1 for _ in node.iter(tag))))
    node.set("skipped", "0")
    node.set("time", f"{seconds:.3f}")
