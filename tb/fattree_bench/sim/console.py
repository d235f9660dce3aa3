"""The result model for a terminal."""

import textwrap
from itertools import groupby
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table as Grid
from rich.text import Text

from fattree_bench.bench import faults as kind
from fattree_bench.bench import sentences
from fattree_bench.bench.ledger import DELIVERED
from fattree_bench.bench.result import Number, ScenarioResult, Table, Test
from fattree_bench.families import played, told
from fattree_bench.sim.continued import again, known_already, why
from fattree_bench.sim.outcome import Outcome
from fattree_bench.sim.summary import easiest, test_of
from fattree_bench.sim.variables import Variables
from fattree_bench.words import number, shows, span

VERDICT = {True: "[green]PASS[/]", False: "[red]FAIL[/]"}

HEAD = 12  # columns of what stands before a line
SHOWN_GAPS = 3  # cover groups with gaps that a line names


def print_outcome(console: Console, variables: Variables, outcome: Outcome) -> None:
    """The network, its tests, and the verdict in the last line.

    A test that ran alone is printed whole, and so is every failure; VERBOSE=1 prints the others
    whole as well.
    """
    _print_network(console, variables)
    whole = variables.verbose or len(outcome.results) == 1
    if outcome.results and not whole:
        _print_passed(console, outcome.results)
    for result in outcome.results:
        if whole or not result.passed:
            _print_result(console, variables, result)
        if not result.passed:
            _print_command(console, "replay", sentences.replayed(variables.replay(result.scenario)))
            if played(variables.network) is not None:
                _print_command(console, "show", shows(variables.replay(result.scenario)))
    parts = outcome.parts or [outcome]
    refused = [part.problems[0] for part in parts if part.unbuilt]
    known = set[str]()
    for part in parts:
        for name in part.cut:
            test = test_of(variables, part, name)
            _print_unfinished(console, variables, test, again(part, known))
        if not_run := part.not_run:
            say(console, f"not run, as {why(part, parts)}: {', '.join(not_run)}")
    for problem in refused:
        console.print(problem, style="red", markup=False, soft_wrap=True)
    for problem in (problem for problem in outcome.problems if problem not in refused):
        if not known_already(outcome, problem):
            say(console, problem, style="red")
    for command in sentences.opened(str(outcome.waves or "")):
        _print_command(console, "waves", command, indent="")
    for path in left_files(*(part.log.parent for part in parts if not part.unbuilt)):
        _print_command(console, "written", shortest(path), indent="")
    if hint := easiest(variables, outcome):
        say(console, hint)
    _print_verdict(console, variables, outcome)


def say(console: Console, text: str, head: str = "", indent: str = "", style: str = "") -> None:
    """Lines that fit the terminal, the first with a head, the others indented."""
    first = f"{indent}{head:<{HEAD}} " if head else indent
    lines = textwrap.wrap(
        text,
        max(40, console.width),
        initial_indent=first,
        subsequent_indent=" " * len(first) if head else f"{indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    for row, line in enumerate(lines):
        shown = Text(line, style)
        if head and not row:
            shown.stylize("bold", len(indent), len(first))
        console.print(shown, soft_wrap=True)


def shortest(path: Path) -> str:
    """A path as a shell in this folder takes it: relative to it if it is inside."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def _print_command(console: Console, head: str, command: str, indent: str = "  ") -> None:
    """What a user may copy: one line, however long."""
    console.print(f"{indent}{head}: {escape(command)}", soft_wrap=True)


def _print_network(console: Console, variables: Variables) -> None:
    """What was built: the variables that differ from their defaults, or all of them."""
    network = variables.network
    say(console, f"{network.name}: {network.summary}")
    chosen = network.variables() if variables.verbose else network.changed()
    words = [f"{name}={value}" for name, value in chosen.items() if value]
    unchanged = "all variables have their defaults; VERBOSE=1 prints them"
    few = set(chosen) <= {variable.name for variable in network.parameters if variable.stated}
    say(console, "  ".join([*words, unchanged] if few else words), indent="  ")
    if outline := network.outline():
        say(console, outline, indent="  ")


def _print_passed(console: Console, results: list[ScenarioResult]) -> None:
    """A line for each test, in columns."""
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    nouns = "/".join(dict.fromkeys(result.noun for result in results))
    for title in ("", "test", f"{nouns} sent", "delivered", "lost", "faults", "time"):
        grid.add_column(title, justify="left" if title in ("", "test") else "right")
    for result in results:
        ends = result.ends
        lost = sum(ends.get(cause, 0) for cause in (kind.LOST, *result.losses))
        counts = (result.sent, ends.get(DELIVERED, 0), lost, sum(result.faults.values()))
        grid.add_row(VERDICT[result.passed], result.scenario, *map(number, counts), _time(result))
    console.print(grid)


def _time(result: ScenarioResult) -> str:
    """How long a test took, in its unit."""
    return f"{number(result.steps)} {result.unit}"


def _print_verdict(console: Console, variables: Variables, outcome: Outcome) -> None:
    passed = sum(result.passed for result in outcome.results)
    all_tests = len(outcome.results) + len(outcome.unfinished)
    left_out = f", {len(outcome.not_run)} not run" if outcome.not_run else ""
    console.print(
        f"{VERDICT[outcome.passed]}  {passed} of {all_tests} tests passed on {variables.sim}"
        f"{left_out}, seed {variables.seed}, {outcome.seconds:.1f} s; "
        f"log: {escape(shortest(outcome.log))}",
        soft_wrap=True,
    )


def _print_unfinished(console: Console, variables: Variables, test: Test, again: bool) -> None:
    """The test in which the simulation ended; `again`: by a rule that ended another as well."""
    judged = test.stopped if test.stopped and (test.stopped.sent or test.stopped.faults) else None
    short = again and judged is None
    state = f"stopped; checked before that: {_time(judged)}" if judged else "left no result"
    console.print(f"{'' if short else chr(10)}{VERDICT[False]}  [bold]{test.scenario}[/]  {state}")
    for head, text in sentences.summary(test)[: 1 if again else None]:
        if head != sentences.REPLAY:
            say(console, text, head, "  ")
    if judged is not None:
        _print_body(console, variables, judged)
    if not short:
        _print_command(console, "replay", sentences.replayed(test.replay))


def left_files(*folders: Path) -> list[Path]:
    """What runs wrote for their user: waves, and tables, as TRACE=1 does."""
    every = [path for folder in folders for path in sorted(folder.glob("*.*"))]
    return [path for path in every if path.suffix in (".vcd", ".fst", ".csv")]


def _print_result(console: Console, variables: Variables, result: ScenarioResult) -> None:
    """One test: its verdict, the earliest fault, and all that was judged."""
    console.print(f"\n{VERDICT[result.passed]}  [bold]{result.scenario}[/]  {_time(result)}")
    for head, text in sentences.told(result):
        if head != sentences.BALANCE:  # it comes with other counts
            say(console, text, head, "  ")
    _print_body(console, variables, result)


def _print_body(console: Console, variables: Variables, result: ScenarioResult) -> None:
    """What became of all that was sent, what its family says, tables, coverage, faults."""
    say(console, f"{result.noun}: {_ends(result)}{_order(result)}", indent="  ")
    for line in told(variables.network.name, result):
        say(console, line, indent="  ")
    for table in result.tables.values():
        if any(column.title for column in table.values()):
            print_table(console, table, bool(variables.verbose))
    promised = f"; promised: {', '.join(result.promises)}" if result.promises else ""
    say(console, f"checked: {result.level}{promised}", indent="  ", style="dim")
    _print_coverage(console, result, bool(variables.verbose))
    for name, count in result.faults.items():
        console.print(f"  [red]{name}[/]: {count}")
        for example in result.examples.get(name, []):
            say(console, example, indent="    ")


def _print_coverage(console: Console, result: ScenarioResult, verbose: bool) -> None:
    """How many cover groups are complete and which are not; with VERBOSE=1 a line for each."""
    groups = {name: (hit, bins) for name, (hit, bins) in result.coverage.items() if bins}
    gaps = [name.split(":")[0] for name, (hit, bins) in groups.items() if hit < bins]
    if not groups:
        return
    text = f"coverage: {len(groups) - len(gaps)} of {len(groups)} groups complete"
    if gaps and not verbose:
        more = len(gaps) - SHOWN_GAPS
        others = f" and {more} more" if more > 0 else ""
        text += f"; gaps in {', '.join(gaps[:SHOWN_GAPS])}{others} (VERBOSE=1 lists them)"
    say(console, text, indent="  ", style="dim")
    if verbose:
        wide = max(len(str(bins)) for _, bins in groups.values())
        for name, (hit, bins) in groups.items():
            count = f"{hit:>{wide}} of {bins:>{wide}}"
            say(console, f"{count}  {name}", indent="    ", style="dim")


def _ends(result: ScenarioResult) -> str:
    """What became of all that was sent."""
    ends = result.ends
    unexplained = ends.get(kind.LOST, 0)
    known = {cause: ends[cause] for cause in result.losses if ends.get(cause)}
    causes = [f"{count} {cause}, as predicted" for cause, count in known.items()]
    causes += [f"{unexplained} UNEXPLAINED"] if unexplained else []
    told_causes = f" ({', '.join(causes)})" if causes else ""
    usual = (DELIVERED, kind.CORRUPTED, kind.LOST, *known)
    others = {name: count for name, count in ends.items() if name not in usual}
    return (
        f"{result.sent} sent, {ends.get(DELIVERED, 0)} delivered, "
        f"{sum(known.values()) + unexplained} lost"
        f"{told_causes}, "
        + "".join(f"{count} {sentences.ENDS.get(name, name)}, " for name, count in others.items())
        + f"{ends.get(kind.CORRUPTED, 0)} corrupted, "
        f"{result.faults.get('duplicated', 0)} duplicated, "
    )


def _order(result: ScenarioResult) -> str:
    """Who came before whom: a fault, or a figure where nothing is promised."""
    counted = f"{result.overtaken} overtaken, no order promised"
    if not result.ordered:
        return counted
    told = f"{result.faults.get('reordered', 0)} reordered"
    return f"{told} ({counted} behind a loss)" if result.overtaken else told


def print_table(console: Console, table: Table, verbose: bool = False) -> None:
    """Columns with a title; neighbours with the same one are least and greatest.

    Details stay away unless all is to be printed; titles wrap where the terminal is narrow.
    """
    columns: list[tuple[str, list[str]]] = []
    shown = (c for c in table.values() if c.title and (verbose or not c.detail))
    for title, group in groupby(shown, lambda column: column.title):
        ends = list(group)
        cells = [_cell(row, ends[0].none) for row in zip(*(e.values for e in ends), strict=True)]
        columns.append((title, cells))
    titles = [title for title, _ in columns]
    if 2 * len(columns) + sum(max(map(len, (t, *cells))) for t, cells in columns) > console.width:
        titles = [_narrow(title, max(map(len, cells))) for title, cells in columns]
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    grid.add_column("", width=0)
    for title in titles:
        grid.add_column(title, justify="right", vertical="bottom")
    for row in zip(*(cells for _, cells in columns), strict=True):
        grid.add_row("", *row)
    console.print(grid)


def _narrow(title: str, cell: int) -> str:
    """A title in lines as short as its longest word, or the widest cell below it, allows."""
    longest = max(map(len, title.split()))
    return "\n".join(textwrap.wrap(title, max(longest, cell)))


def _cell(numbers: tuple[Number, ...], none: str) -> str:
    known = [number for number in numbers if number is not None]
    return span(known) if known else none
