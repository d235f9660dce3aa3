"""The result model for a terminal."""

from itertools import groupby
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table as Grid

from fattree_bench.bench import faults as kind
from fattree_bench.bench.ledger import DELIVERED
from fattree_bench.bench.result import Number, ScenarioResult, Table, Test
from fattree_bench.families import played, told
from fattree_bench.report import failure
from fattree_bench.sim.outcome import Outcome, silent
from fattree_bench.sim.told import easiest, test_of
from fattree_bench.sim.variables import Variables
from fattree_bench.words import shows, span


def print_outcome(console: Console, variables: Variables, outcome: Outcome) -> None:
    """Everything a person wants to know of a simulation, the verdict last."""
    network = variables.network
    console.print(f"[bold]{network.name}[/]: {network.summary}", soft_wrap=True)
    chosen = "  ".join(f"{k}={v}" for k, v in network.variables().items() if v)
    console.print(f"  {escape(chosen)}", soft_wrap=True)
    if outline := network.outline():
        console.print(f"  {outline}", soft_wrap=True)
    for result in outcome.results:
        _print_result(console, network.name, result)
        if not result.passed:
            _print_replay(console, variables, result.scenario)
            if played(network) is not None:
                show = shows(variables.replay(result.scenario))
                console.print(f"  show: {escape(show)}", soft_wrap=True)
    for result in outcome.stopped:
        _print_result(console, network.name, result, "[red]stopped; judged by then:[/]")
    for name in outcome.cut:
        _print_unfinished(console, test_of(variables, outcome, name))
    if not_run := outcome.not_run:
        told = f"not run, as the simulation had ended: {', '.join(not_run)}"
        console.print(told, markup=False, soft_wrap=True)
    for problem in outcome.problems:
        if problem not in map(silent, not_run):
            console.print(f"[red]{escape(problem)}[/]", soft_wrap=True)
    for command in failure.opened(str(outcome.waves or "")):
        console.print(f"waves: {escape(command)}", soft_wrap=True)
    for path in left_files(outcome.log.parent):
        console.print(f"written: {escape(str(path))}", soft_wrap=True)
    if hint := easiest(variables, outcome):
        console.print(hint, markup=False, soft_wrap=True)
    passed = sum(r.passed for r in outcome.results)
    left_out = f", {len(not_run)} not run" if not_run else ""
    verdict = "[green]PASS[/]" if outcome.passed else "[red]FAIL[/]"
    console.print(
        f"{verdict}  {passed} of {len(outcome.results) + len(outcome.unfinished)} tests passed "
        f"on {variables.sim}{left_out}, "
        f"seed {variables.seed}, {outcome.seconds:.1f} s; log: {outcome.log}",
        soft_wrap=True,
    )


def _print_replay(console: Console, variables: Variables, scenario: str) -> None:
    replay = failure.replayed(variables.replay(scenario))
    console.print(f"  replay: {escape(replay)}", soft_wrap=True)


def _print_unfinished(console: Console, test: Test) -> None:
    """The test in which the simulation ended: what is the earliest thing that went wrong."""
    console.print(f"\n[bold]{test.scenario}[/]  [red]left no result[/]")
    for head, text in failure.summary(test):
        if head == failure.REPLAY:
            console.print(f"  replay: {escape(text)}", soft_wrap=True)
        else:
            console.print(f"  [bold]{head:<12}[/] {escape(text)}", soft_wrap=True)


def left_files(folder: Path) -> list[Path]:
    """What a run wrote for its user: waves, and tables such as that of TRACE=1."""
    waves = [p for p in folder.glob("waves.*") if p.suffix in (".vcd", ".fst")]
    return sorted([*waves, *folder.glob("*.csv")])


def _print_result(console: Console, network: str, result: ScenarioResult, mark: str = "") -> None:
    mark = mark or ("[green]pass[/]" if result.passed else "[red]FAIL[/]")
    console.print(f"\n[bold]{result.scenario}[/]  {mark}  {result.steps} {result.unit}")
    faults = result.faults
    for head, text in failure.told(result):
        # Told below: the sums with what else was seen, and what a test that has no end tells.
        if head != failure.BALANCE and result.stop is None:
            console.print(f"  [bold]{head:<12}[/] {escape(text)}", soft_wrap=True)
    console.print(f"  {result.noun}: {_ends(result)}{_order(result)}", soft_wrap=True)
    for line in told(network, result):
        console.print(f"  {escape(line)}", soft_wrap=True)
    for table in result.tables.values():
        if any(column.title for column in table.values()):
            _print_table(console, table)
    promised = f"; promised: {', '.join(result.promises)}" if result.promises else ""
    console.print(f"  checked: {result.level}{promised}", style="dim", soft_wrap=True)
    hit = "  ".join(f"{name}: {c}/{b}" for name, (c, b) in result.coverage.items() if b)
    console.print(f"  coverage: {hit}", style="dim", soft_wrap=True)
    for name, count in faults.items():
        console.print(f"  [red]{name}[/]: {count}")
        for example in result.examples.get(name, []):
            console.print(f"    {escape(example)}", soft_wrap=True)


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
        + "".join(f"{count} {failure.ENDS.get(name, name)}, " for name, count in others.items())
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


def _print_table(console: Console, table: Table) -> None:
    """Columns with a title; neighbours with the same one are least and greatest."""
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    columns: list[list[str]] = []
    for title, group in groupby(table.values(), lambda column: column.title):
        if title:
            ends = list(group)
            grid.add_column(title if columns else f"  {title}", justify="right")
            columns.append(
                [_cell(row, ends[0].none) for row in zip(*(e.values for e in ends), strict=True)]
            )
    for row in zip(*columns, strict=True):
        grid.add_row(*row)
    console.print(grid)


def _cell(numbers: tuple[Number, ...], none: str) -> str:
    known = [number for number in numbers if number is not None]
    return span(known) if known else none
