"""The result model for a terminal."""

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tb.report.result import ScenarioResult
from tb.run.simulate import Outcome
from tb.run.variables import Variables


def print_outcome(console: Console, variables: Variables, outcome: Outcome) -> None:
    """Everything a person wants to know of a simulation, the verdict last."""
    network = variables.network
    console.print(f"[bold]{network.name}[/]: {network.summary}")
    console.print("  " + "  ".join(f"{k}={v}" for k, v in network.variables().items()))
    for result in outcome.results:
        _print_result(console, result)
        if not result.passed:
            console.print(f"  replay: {escape(variables.replay(result.scenario))}", soft_wrap=True)
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


def _print_result(console: Console, result: ScenarioResult) -> None:
    mark = "[green]pass[/]" if result.passed else "[red]FAIL[/]"
    console.print(f"\n[bold]{result.scenario}[/]  {mark}  {result.slots} slots")
    faults = result.faults
    lost = faults.get("lost", 0) + result.lost + result.unscheduled + result.discarded
    causes = [
        (result.lost, "in conflicts, as predicted"),
        (result.unscheduled, "not in the schedule, as predicted"),
        (result.discarded, "in a reset, as predicted"),
        (faults.get("lost", 0), "UNEXPLAINED"),
    ]
    told = ", ".join(f"{count} {cause}" for count, cause in causes if count)
    console.print(
        f"  packets: {result.sent} sent, {result.delivered} delivered, "
        f"{lost} lost{f' ({told})' if told else ''}, {faults.get('corrupted', 0)} corrupted, "
        f"{faults.get('duplicated', 0)} duplicated, {faults.get('reordered', 0)} reordered"
    )
    _print_levels(console, result)
    hit = "  ".join(f"{name}: {c}/{b}" for name, (c, b) in result.coverage.items() if b)
    console.print(f"  coverage: {hit}", style="dim", soft_wrap=True)
    for name, count in faults.items():
        console.print(f"  [red]{name}[/]: {count}")
        for example in result.examples.get(name, []):
            console.print(f"    {escape(example)}", soft_wrap=True)


def _print_levels(console: Console, result: ScenarioResult) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("  level", "lanes", "Lemma 1", "nonblocking", "busiest", "conflicts up", "down"):
        table.add_column(title, justify="right")
    for row in result.levels:
        table.add_row(
            *(
                str(row[k])
                for k in (
                    "level",
                    "lanes",
                    "bound",
                    "nonblocking",
                    "busiest",
                    "conflicts_up",
                    "conflicts_down",
                )
            )
        )
    if result.port_conflicts:
        table.add_row("leaf", "1", "", "", "", "", str(result.port_conflicts))
    console.print(table)
