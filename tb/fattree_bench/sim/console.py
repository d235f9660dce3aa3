"""The result model for a terminal."""

from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from fattree_bench.bench.result import ScenarioResult
from fattree_bench.sim.simulate import Outcome
from fattree_bench.sim.variables import Variables


def print_outcome(console: Console, variables: Variables, outcome: Outcome) -> None:
    """Everything a person wants to know of a simulation, the verdict last."""
    network = variables.network
    console.print(f"[bold]{network.name}[/]: {network.summary}")
    console.print("  " + "  ".join(f"{k}={v}" for k, v in network.variables().items() if v))
    if outline := network.outline():
        console.print(f"  {outline}", soft_wrap=True)
    for result in outcome.results:
        _print_result(console, result)
        if not result.passed:
            console.print(f"  replay: {escape(variables.replay(result.scenario))}", soft_wrap=True)
    for result in outcome.stopped:
        _print_result(console, result, "[red]stopped; judged by then:[/]")
    for name in outcome.unfinished:
        console.print(f"  replay: {escape(variables.replay(name))}", soft_wrap=True)
    for problem in outcome.problems:
        console.print(f"[red]{escape(problem)}[/]", soft_wrap=True)
    passed = sum(r.passed for r in outcome.results)
    verdict = "[green]PASS[/]" if outcome.passed else "[red]FAIL[/]"
    console.print(
        f"{verdict}  {passed} of {len(outcome.results) + len(outcome.unfinished)} tests passed "
        f"on {variables.sim}, "
        f"seed {variables.seed}, {outcome.seconds:.1f} s; log: {outcome.log}",
        soft_wrap=True,
    )


def _print_result(console: Console, result: ScenarioResult, mark: str = "") -> None:
    mark = mark or ("[green]pass[/]" if result.passed else "[red]FAIL[/]")
    console.print(f"\n[bold]{result.scenario}[/]  {mark}  {result.steps} {result.unit}")
    faults = result.faults
    unexplained = faults.get("lost", 0)
    told = [f"{count} {cause}, as predicted" for cause, count in result.losses.items() if count]
    told += [f"{unexplained} UNEXPLAINED"] if unexplained else []
    causes = f" ({', '.join(told)})" if told else ""
    lost = sum(result.losses.values()) + unexplained
    console.print(
        f"  {result.noun}: {result.sent} sent, {result.delivered} delivered, "
        f"{lost} lost{causes}, "
        f"{faults.get('corrupted', 0)} corrupted, "
        f"{faults.get('duplicated', 0)} duplicated, " + _order(result),
        soft_wrap=True,
    )
    for note in result.notes:
        console.print(f"  {escape(note)}", soft_wrap=True)
    if result.levels:
        _print_levels(console, result.levels)
    promised = f"; promised: {', '.join(result.promises)}" if result.promises else ""
    console.print(f"  checked: {result.level}{promised}", style="dim", soft_wrap=True)
    hit = "  ".join(f"{name}: {c}/{b}" for name, (c, b) in result.coverage.items() if b)
    console.print(f"  coverage: {hit}", style="dim", soft_wrap=True)
    for name, count in faults.items():
        console.print(f"  [red]{name}[/]: {count}")
        for example in result.examples.get(name, []):
            console.print(f"    {escape(example)}", soft_wrap=True)


def _order(result: ScenarioResult) -> str:
    """Who came before whom: a fault, or a figure where nothing is promised."""
    counted = f"{result.overtaken} overtaken, no order promised"
    if not result.ordered:
        return counted
    told = f"{result.faults.get('reordered', 0)} reordered"
    return f"{told} ({counted} behind a loss)" if result.overtaken else told


def _print_levels(console: Console, levels: list[dict[str, Any]]) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for number, title in enumerate(levels[0]):
        table.add_column(title if number else f"  {title}", justify="right")
    for row in levels:
        table.add_row(*map(str, row.values()))
    console.print(table)
