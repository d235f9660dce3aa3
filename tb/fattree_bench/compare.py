"""`make compare A=… B=…`: two reports side by side: tests, coverage, figures, claims."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from fattree_bench.bench.claims import Claim
from fattree_bench.bench.result import ScenarioResult, Test
from fattree_bench.errors import UserError
from fattree_bench.regress.reruns import identity
from fattree_bench.report.database import read_json
from fattree_bench.report.history import FIGURES, row
from fattree_bench.report.regression import KINDS, Report
from fattree_bench.report.summary import kind_title
from fattree_bench.settings import Settings, collect, parsed, refuse_unknown
from fattree_bench.words import SPACE, moment, number, percent, plural

MOST = 20  # entries of a list that are printed
TIMES = ("speed", "build", "took")  # figures of the machine, not of the design


def _report(path: str) -> Report:
    """The report in a folder, or in its coverage.json."""
    place = Path(path)
    if not path:
        raise ValueError("must be given: a folder of a report, or its coverage.json")
    return read_json(place / "coverage.json" if place.is_dir() else place)


class Asked(Settings):
    """Two reports."""

    before = parsed("A", "", "report to compare with: its folder, or its coverage.json", _report)
    after = parsed("B", "", "report that is judged: its folder, or its coverage.json", _report)


@dataclass
class Change:
    """What differs in one respect: `worse` fails the comparison, `other` does not."""

    title: str
    total: str
    worse: list[str] = field(default_factory=list)
    other: list[str] = field(default_factory=list)


def run(console: Console, arguments: Sequence[str]) -> int:
    """0: nothing is worse in B than in A, 1: something is."""
    bare = [word for word in arguments if "=" not in word]
    if len(bare) > 2:
        raise UserError(f"{bare[2]}: two reports are compared, not {len(bare)}")
    named = iter(("A", "B"))
    words = [word if "=" in word else f"{next(named)}={word}" for word in arguments]
    values = collect(words, Asked.parameters)
    refuse_unknown(values, Asked.parameters)
    asked = Asked.from_variables(values)
    changes = compared(asked.before, asked.after)
    for line in lines(asked.before, asked.after, changes):
        console.print(line, markup=False, emoji=False, soft_wrap=True)
    return int(any(change.worse for change in changes))


def lines(before: Report, after: Report, changes: Iterable[Change]) -> Iterator[str]:
    """The comparison, as Markdown."""
    for name, one in (("A", before), ("B", after)):
        commit = f", commit {one.commit}" if one.commit else ""
        verdict = "PASS" if one.passed else "FAIL"
        yield f"{name}  {verdict}  {one.command}, {moment(one.when)}{commit}"
    worse = 0
    for change in changes:
        worse += len(change.worse)
        yield ""
        yield f"## {change.title}: {change.total}"
        for mark, found in (("worse: ", change.worse), ("", change.other)):
            yield from (f"* {mark}{line}" for line in found[:MOST])
            if len(found) > MOST:
                yield f"* {mark}and {number(len(found) - MOST)} more"
    yield ""
    count = number(worse) if worse else "nothing"
    yield f"{'FAIL' if worse else 'PASS'}  worse in B than in A: {count}"


def compared(before: Report, after: Report) -> list[Change]:
    """What differs between two reports; only what both have run is compared."""
    return [
        _tests(before, after),
        _coverage(before, after),
        _figures(before, after),
        _claims(before.judged, after.judged),
        Change(
            "Problems",
            f"{number(len(before.problems))} → {number(len(after.problems))}",
            [problem for problem in after.problems if problem not in before.problems],
        ),
    ]


def _named(test: Test) -> str:
    return f"{test.configuration} {test.sim} seed {test.seed} {test.scenario}"


def _tests(before: Report, after: Report) -> Change:
    """Verdicts; then figures of tests that passed twice: the same seed must give the same ones."""
    old = {identity(test): test for test in before.tests}
    new = {identity(test): test for test in after.tests}
    both = [(old[key], new[key]) for key in new if key in old]
    passed = [sum(test.passed for test in tests) for tests in (before.tests, after.tests)]
    sizes = [len(tests) for tests in (before.tests, after.tests)]
    told = (f"{number(p)} of {number(n)} passed" for p, n in zip(passed, sizes, strict=True))
    made = Change("Tests", " → ".join(told))
    for test in after.tests:
        earlier = old.get(identity(test))
        if not test.passed and (earlier is None or earlier.passed):
            state = "not in A" if earlier is None else "passed in A"
            made.worse.append(f"{_named(test)}: FAIL, {state}: {test.message}")
    if after.missing > before.missing:
        made.worse.append(f"{plural(after.missing, 'test')} of the plan did not run")
    made.other += [f"{_named(b)}: passes now" for a, b in both if b.passed and not a.passed]
    if still := sum(not a.passed and not b.passed for a, b in both):
        made.other.append(f"{plural(still, 'test')} failed in both")
    for name, one, other in (("A", old, new), ("B", new, old)):
        if alone := sum(key not in other for key in one):
            made.other.append(f"{plural(alone, 'test')} only in {name}")
    for a, b in both:
        if a.passed and b.passed and (differs := _differing(a, b)):
            made.other.append(f"{_named(b)}: {differs}")
    return made


def _numbers(result: ScenarioResult) -> dict[str, Any]:
    """What a simulation counted."""
    names = "steps", "sent", "delivered", "overtaken"
    own = {name: getattr(result, name) for name in names}
    own |= {f"lost {cause}": count for cause, count in result.losses.items()}
    return own | {name: quantity.value for name, quantity in result.figures.items()}


def _differing(a: Test, b: Test) -> str:
    """Numbers of a test that are not what they were."""
    if a.result is None or b.result is None:
        return ""
    one, other = _numbers(a.result), _numbers(b.result)
    names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
    return ", ".join(f"{name} {one.get(name, '–')} → {other.get(name, '–')}" for name in names)


def _coverage(before: Report, after: Report) -> Change:
    """Functional groups and source files that both have; a lower share is worse."""
    old = {(g.network, g.configuration, g.name): g for g in before.groups}
    groups = [
        (old[k], g) for g in after.groups if (k := (g.network, g.configuration, g.name)) in old
    ]
    files = {file.path: file for file in before.code}
    code = [(files[file.path], file) for file in after.code if file.path in files]
    a, b = (
        replace(one, groups=[pair[k] for pair in groups], code=[pair[k] for pair in code])
        for k, one in enumerate((before, after))
    )
    made = Change("Coverage", "of what both have" if groups or code else "nothing in both")
    totals = {"functional bins": (a.functional_total(), b.functional_total())}
    totals |= {kind_title(kind): (a.code_total(kind), b.code_total(kind)) for kind in KINDS}
    for name, ((hit, of), (hit_now, of_now)) in totals.items():
        if of and of_now:
            was, now = (
                f"{percent(*pair)} ({number(pair[0])} of {number(pair[1])})"
                for pair in totals[name]
            )
            lower = hit_now * of < hit * of_now
            line = f"{name}: {now if was == now else f'{was} → {now}'}"
            (made.worse if lower else made.other).append(line)
    for one, other in groups:
        hit_before = {one.label(flat) for flat, hits in enumerate(one.hits) if hits}
        where = f"no longer hit: {other.network} {other.configuration}, {other.name}"
        holes = other.holes() if other.covered < other.bins else []
        made.other += [f"{where}: {hole}" for hole in holes if hole in hit_before]
    return made


def _figures(before: Report, after: Report) -> Change:
    """Speed and times, which depend on the machine, and figures of other evidence."""
    rows: list[Mapping[str, Any]] = [row(one, None) for one in (before, after)]
    made = Change("Figures", "those of time depend on the machine")
    for name in (*TIMES, "mutation"):
        if all(name in one for one in rows):
            a, b = (float(one[name]) for one in rows)
            change = f", {100 * (b / a - 1):+.0f}{SPACE}%" if a else ""
            line = f"{FIGURES[name]}: {a:.1f} → {b:.1f}{change}"
            (made.worse if name not in TIMES and b < a else made.other).append(line)
    return made


def _claims(before: Sequence[Claim], after: Sequence[Claim]) -> Change:
    """Verdicts and figures; a claim that is in trouble, and was not, is worse."""
    old = {(claim.item, claim.testpoint, claim.planted): claim for claim in before}
    pairs = [(old.get((claim.item, claim.testpoint, claim.planted)), claim) for claim in after]
    both = [(a, b) for a, b in pairs if a is not None]
    made = Change("Claims", f"{number(len(both))} in both")
    for earlier, claim in pairs:
        if claim.trouble and not (earlier and earlier.trouble):
            made.worse.append(f"{_of(claim)}: {claim.trouble}")
    for a, b in both:
        if a.trouble and not b.trouble:
            made.other.append(f"{_of(b)}: {b.verdict} now; was: {a.trouble}")
        elif a.verdict != b.verdict and not b.trouble:
            made.other.append(f"{_of(b)}: {a.verdict} → {b.verdict}")
        elif a.measured.text != b.measured.text:
            made.other.append(f"{_of(b)}: {a.measured.text or '–'} → {b.measured.text or '–'}")
    return made


def _of(claim: Claim) -> str:
    return claim.item or f"{claim.network}: {claim.testpoint}"
