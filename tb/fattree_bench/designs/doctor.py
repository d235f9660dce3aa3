"""`ftb doctor my_switch.toml`: what of a design works, leaf by leaf, and what to do next."""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from fattree_bench.bench.result import Number, Test
from fattree_bench.bench.revive import revived
from fattree_bench.designs import findings
from fattree_bench.errors import UserError
from fattree_bench.families import family, has, part
from fattree_bench.jobs.job import run_scenarios
from fattree_bench.paths import call
from fattree_bench.settings import refuse_unknown
from fattree_bench.sim import variables as v
from fattree_bench.sim.build import BuildError, build
from fattree_bench.words import plural

SHOWN = 5  # lines of faults
TAKEN = ("SIM", "SEED", "WAVES", "RTL", "BUILD", "NETWORK")  # of the variables of `ftb sim`
KNOWN = tuple(p for p in v.COMMON if p.name in TAKEN)


def run(console: Console, arguments: Sequence[str]) -> int:
    """Build, reset, send a packet a pair; 0 if all of them arrive."""
    given = v.collect(arguments)
    name = given.get("NETWORK", "")
    if not name or not has(family(name), "checkup"):
        raise UserError(f"doctor: which design? {call()} doctor DESIGN=my_switch.toml")
    checkup = part(family(name), "checkup")
    settings = v.check({**given, "TEST": checkup.TEST})
    refuse_unknown(given, (*KNOWN, *settings.network.parameters))
    console.print(escape(settings.network.outline()), soft_wrap=True)
    try:
        built = build(settings, "FRAME")
    except BuildError as error:
        return _refused(console, checkup, settings, error)
    _tell(console, "builds", f"on {settings.sim}", True)
    _next(console, findings.long_build(built, settings.network))
    if warnings := findings.warnings(built, checkup.advice_of_build):
        told = f"{plural(len(warnings), 'warning')}, the first: {warnings[0]}"
        _tell(console, "lint", told, None)
        _next(console, checkup.advice_of_build("\n".join(warnings)))
    payload = {
        "kind": "run",
        "configuration": name,
        "variables": settings.network.changed(),
        "values": {**given, "SIM": settings.sim, "SEED": str(settings.seed)},
        "agent": "FRAME",
        "scenarios": checkup.tests(settings.network),
    }
    tests = [revived(Test, test) for test in run_scenarios(payload)["tests"]]
    return _report(console, checkup, settings, *tests)


def _tell(console: Console, what: str, told: str, good: bool | None) -> None:
    """A line: what was looked at, how it is; None: neither good nor bad."""
    mark = {True: "[green]ok[/]  ", False: "[red]BAD[/] ", None: "[yellow]see[/] "}[good]
    console.print(f"  {mark} {what:<9} {escape(told)}", soft_wrap=True)


def _refused(console: Console, checkup: Any, settings: v.Variables, error: BuildError) -> int:
    _tell(console, "builds", f"not on {settings.sim}", False)
    for line in str(error).splitlines():
        console.print(f"       {line}", markup=False, soft_wrap=True)
    log = str(error)
    for word in log.splitlines()[0].split():
        if word.endswith("build.log") and Path(word).exists():
            log += Path(word).read_text(errors="replace")
    _next(console, checkup.advice_of_build(log))
    return 1


def _next(console: Console, advice: Iterable[str]) -> None:
    for told in advice:
        console.print(f"  next: {escape(told)}", soft_wrap=True)


def _report(
    console: Console, checkup: Any, settings: v.Variables, test: Test, *further: Test
) -> int:
    result = test.result
    if result is None:
        _tell(console, "runs", test.message, False)
    else:
        _tell(console, "runs", f"{result.steps} {result.unit}", True)
        rows = checkup.rows(result)
        sent, came = (sum(int(row[name] or 0) for row in rows) for name in ("sent", "arrived"))
        _tell(console, "delivers", f"{came} of {sent} packets, one a pair", came == sent > 0)
        _print_leaves(console, rows)
        for told in part(family(test.network), "words").alone(result):
            console.print(f"  {escape(told)}", soft_wrap=True)
    for line in test.details[:SHOWN]:
        console.print(f"  [red]{escape(line)}[/]", soft_wrap=True)
    if len(test.details) > SHOWN:
        console.print(f"  and {len(test.details) - SHOWN} lines more; log: {escape(test.log)}")
    for other in further if test.passed else ():
        if not findings.closer(partial(_tell, console), checkup, other):
            test, result = other, other.result
    if result is not None:
        _next(console, checkup.advice(result))
    if test.passed:
        words = {"NETWORK": test.network, **settings.network.changed()}
        told = v.command("regress", words)
        console.print(f"[green]all leaves work[/]; next: {escape(told)}", soft_wrap=True)
    else:
        console.print(f"  replay: {escape(test.replay)} WAVES=1", soft_wrap=True)
    return 0 if test.passed else 1


def _print_leaves(console: Console, rows: Sequence[dict[str, Number]]) -> None:
    """What came of the packets of each leaf, and to it."""
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in ("      leaf", "sends", "arrive", "due here", "come", ""):
        grid.add_column(head, justify="right")
    for row in rows:
        pairs = ((row["sent"], row["arrived"]), (row["due"], row["came"]))
        words = [str(x) if x is not None else "-" for pair in pairs for x in pair]
        good = all(one == other for one, other in pairs)
        grid.add_row(str(row["leaf"]), *words, "[green]works[/]" if good else "[red]BAD[/]")
    console.print(grid)
