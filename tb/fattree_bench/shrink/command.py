"""`make shrink` with the words of a replay line: the smallest input that fails as the run did."""

import json
import shlex
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from fattree_bench.bench.result import Test
from fattree_bench.bench.sentences import packet, sighted
from fattree_bench.errors import UserError
from fattree_bench.families import played, select
from fattree_bench.jobs.job import from_root
from fattree_bench.settings import Settings, number
from fattree_bench.show import command as show
from fattree_bench.shrink.case import MESSAGES, Case, joined
from fattree_bench.shrink.search import Search, Spent
from fattree_bench.shrink.tries import Simulators, Way, failure_of, way_of
from fattree_bench.sim import variables as v
from fattree_bench.sim.build import BuildError
from fattree_bench.sim.interrupt import answered
from fattree_bench.sim.pulse import phase
from fattree_bench.sim.severity import RULE
from fattree_bench.words import plural, shows

SENT = 5  # messages that the first line names
FIRST = number("SHRINK", 20, 0, 3600, "CPU seconds for the first failure").but(environment=True)


class Asked(Settings):
    """The variable of `make shrink` besides those of `make sim`."""

    budget = number("BUDGET", 60, 1, 100_000, "seconds of CPU time, builds among them")


@dataclass
class Shrunk:
    """What came of it; `replay`, `test` and variables that play it; `ended`: why it ended early."""

    search: Search
    settings: v.Variables
    test: str
    ended: str = ""

    @property
    def replay(self) -> str:
        return self.settings.replay(self.test)


def run(console: Console, arguments: Iterable[str]) -> int:
    """1: here is the smallest input that fails; UserError for a run that passes."""
    given = v.collect(arguments)
    own = {p.name: given.pop(p.name) for p in Asked.parameters if p.name in given}
    found = shrunk(console, given, Asked.from_variables(own).budget)
    said(console, lines(found))
    if found.ended == "interrupted":
        raise KeyboardInterrupt
    if not found.ended and (path := page(console, found)):
        said(console, [f"page: {path}"])
    return 1


def said(console: Console, some: Iterable[str]) -> None:
    for line in some:
        console.print(escape(line), soft_wrap=True, highlight=False)


def shrink(console: Console, tests: Iterable[Test], asked: Any, stopped: bool) -> None:
    """Shrink the first test that failed in a simulator; its details say what is left of it."""
    failed = (test for test in tests if not test.passed and test.sim in v.SIMS and test.replay)
    if stopped or not asked.shrink or (test := next(failed, None)) is None:
        return
    given = replayed(test.replay) | {"BUILD": str(asked.build)}
    try:
        found = [*lines(shrunk(console, given, asked.shrink))]
    except UserError as error:
        found = [f"not shrunk: {error}"]
    test.details += found
    said(console, [test.replay, *found])


def replayed(line: str) -> dict[str, str]:
    """The variables of a replay line."""
    words = [w if "=" in w else f"DESIGN={w}" for w in shlex.split(line)[2:]]
    given = dict(word.split("=", 1) for word in words)
    return v.implied(given) | given


def shrunk(console: Console, given: dict[str, str], budget: float) -> Shrunk:
    """Shrink what a run sends; UserError if it cannot be, or passes."""
    if given.get("WITNESS"):
        raise UserError("WITNESS: make sim plays it; there is nothing to shrink")
    checked = v.check(given)
    if not checked.around.active:
        raise UserError("ACTIVE=0: what is sent is not of a test here, so nothing can be left out")
    select(checked.network, checked.test)  # before anything is begun
    folder = checked.build / "shrink" / f"{checked.network.name}-{time.strftime('%Y%m%d-%H%M%S')}"
    folder.mkdir(parents=True, exist_ok=True)
    simulators = Simulators(given, folder)
    try:
        with phase(console, "shrinking"):
            found = _shrunk(simulators, given, checked, budget)
            if found.search.outcome is not None:
                found.settings = found.search.settings(found.search.best)
                found.test = found.settings.test
            return found
    finally:
        simulators.close()


def _shrunk(
    simulators: Simulators, given: dict[str, str], checked: v.Variables, budget: float
) -> Shrunk:
    way, test = _first(simulators, checked)
    noted = [json.loads(line) for line in simulators.items.read_text().splitlines()]
    once = {"TEST", *(p.name for p in checked.network.parameters if p.per_run)}
    plain = {name: value for name, value in given.items() if name not in once}
    search = Search(simulators, plain, way, budget, checked.network.leaves)
    found = Shrunk(search, checked, test)
    try:
        if search.begin([c for case in joined(noted, test) for c in (case.bare, case)]):
            search.run()
        else:
            found.ended = f"it needs more than the messages and pauses of test {test}"
    except Spent:
        found.ended = f"the budget of {budget:g} CPU s is spent"
    except KeyboardInterrupt:
        answered()
        found.ended = "interrupted"
    return found


def _first(simulators: Simulators, settings: v.Variables) -> tuple[Way, str]:
    """How the first test that fails does, and its name; what it sends is in a file then."""
    chosen = [s for s in select(settings.network, settings.test) if not s.unfit(settings.network)]
    for scenario in chosen:
        simulators.items.write_text("")
        try:
            outcome = simulators.run(settings, scenario, None, str(simulators.items))
        except BuildError as error:
            raise UserError(f"the design cannot be built: {str(error).splitlines()[0]}") from None
        simulators.limit = 10 + int(3 * outcome.seconds)
        if way := way_of(outcome):
            first = getattr(failure_of(outcome), "first", None)
            if first is not None and first.unit != "slot" and first.kind != RULE:
                _until(simulators.items, first.item)  # slots count on from item to item
            return way, scenario.name
    names = ", ".join(s.name for s in chosen) or settings.test
    raise UserError(f"TEST={names}: passes with SEED={settings.seed}; there is nothing to shrink")


def _until(items: Path, last: int) -> None:
    """Cut what was sent behind an item."""
    lines = items.read_text().splitlines(keepends=True)
    begins = [at for at, line in enumerate(lines) if '"columns"' in line]
    items.write_text("".join(lines[: [*begins, len(lines), len(lines)][last + 1]]))


def page(console: Console, found: Shrunk) -> Path | None:
    """The page that plays it; None if its network has none."""
    if played(found.settings.network) is None:
        return None
    own = {"BUILD": str(found.settings.build), "INSIDE": "0", "OPEN": "0"}
    words = [f"{name}={value}" for name, value in (replayed(found.replay) | own).items()]
    with phase(console, "making its page"):
        show.run(Console(quiet=True), words)
    return show.place(found.settings, found.test)


def lines(found: Shrunk) -> Iterable[str]:
    """What is said of it."""
    search, case = found.search, found.search.best
    effort = f"{search.simulators.tries} tries, {search.simulators.spent:.1f} CPU s"
    if search.outcome is None:
        yield f"not shrunk: {search.way}: {found.ended}; {effort}"
        yield f"replay: {found.replay}"
        return
    yield f"fails as before: {search.way}"
    yield f"sent: {'; '.join(sent(case))}"
    first = search.failure.first
    due = None if first is None else first.expected or first.got
    at_leaf = "no fault" if due is None else f"packet {packet(due)}, at leaf {due.destination}"
    yield f"due: {at_leaf}"
    yield f"came: {'nothing more' if first is None else sighted(first)}"
    count, time = len(case.messages), search.extent
    size = f"{plural(count, 'message')}, {plural(sum(case.column('flits')) or count, 'flit')}"
    yield f"{size}, {'at once' if time is None else f'until {time}'}; {effort}"
    yield minimal(found)
    yield f"messages: {from_root(search.simulators.folder / MESSAGES)}"
    yield f"replay: {found.replay}"
    if played(found.settings.network) is not None:
        yield f"show: {shows(found.replay)}"


def minimal(found: Shrunk) -> str:
    """Whether it is, and why not."""
    left, other = found.search.unproved, found.search.otherwise
    if left:
        return f"not minimal: {found.ended}; {left} messages or flits may be too many"
    end = f"; {found.ended}: a smaller network was not looked for" if found.ended else ""
    passes = f"it passes, or ({other} times) fails otherwise" if other else "it passes"
    return f"minimal: with any message or flit less {passes}{end}"


def sent(case: Case) -> Iterable[str]:
    """Who sends what to whom, and when."""
    names = ("release", "source", "destination", "flits")
    rows = sorted(zip(*map(case.column, names), strict=True))
    for release, source, goal, flits in rows[:SENT]:
        size = f"{plural(flits, 'flit')} " if flits else ""
        yield f"{size}{source}→{goal}{f' at {release}' if 'release' in case.columns else ''}"
    if rows[SENT:]:
        yield f"and {len(rows) - SENT} more"
    for leaf, first, clocks in case.pauses:
        yield f"leaf {leaf} takes nothing for {plural(clocks, 'clock')} from {first}"
