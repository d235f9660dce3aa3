"""`make bench`: the cost of the environment, against a bare Verilated model without checks."""

import os
import shutil
from collections.abc import Mapping
from contextlib import nullcontext

from rich.console import Console

from fattree_bench.errors import UserError
from fattree_bench.families import DEFAULT, find, offered
from fattree_bench.families.speed import Case, speed_of
from fattree_bench.paths import clone
from fattree_bench.settings import plain_real
from fattree_bench.sim import variables as v
from fattree_bench.speed.base import Base
from fattree_bench.speed.progress import costs_of, shown
from fattree_bench.speed.tables import Measured, Row, breakdown, builds, rates
from fattree_bench.speed.tree import Tree

ROUNDS = 3


def positive(name: str, value: str) -> float:
    """A positive number; UserError otherwise."""
    try:
        number = plain_real(value)
    except ValueError:
        number = 0.0
    if not 0 < number < 3600:
        raise UserError(f"{name}={value}: must be a number of seconds, above 0 and below 3600")
    return number


def label(case: Case) -> str:
    """As a user would write it."""
    named = {} if case.network == DEFAULT else {"NETWORK": case.network}
    return " ".join([case.sim, *(f"{k}={x}" for k, x in {**named, **case.values}.items())])


def named(case: Case, rest: Mapping[str, str], **more: str) -> dict[str, str]:
    """Its variables, with those for all cases."""
    return {**rest, "SIM": case.sim, "NETWORK": case.network, **case.values, **more}


def choose(values: dict[str, str]) -> tuple[list[Case], dict[str, str]]:
    """The cases that the variables leave, and the variables that are for all of them.

    A network without cases has one: with whatever variables are given.
    """
    cases = [case for _, speed in offered("speed", "SPEED") for case in speed.cases]
    network = values.get("NETWORK", "")
    if network and not any(case.network == network for case in cases):
        own = {p.name: values[p.name] for p in find(network).parameters if p.name in values}
        rest = {k: x for k, x in values.items() if k not in ("NETWORK", "SIM", *own)}
        return [Case(values.get("SIM", v.SIMS[0]), network, own)], rest
    names = {"NETWORK", "SIM", *(name for case in cases for name in case.values)}
    wanted = {k: x for k, x in values.items() if k in names}
    chosen = []
    for case in cases:
        own = named(case, {})
        if all(own.get(name) == value for name, value in wanted.items()):
            chosen.append(case)
    if not chosen:
        given = " ".join(f"{k}={w}" for k, w in wanted.items())
        raise UserError(f"{given}: no such case; there is {'; '.join(map(label, cases))}")
    return chosen, {k: x for k, x in values.items() if k not in names}


def run(console: Console, values: dict[str, str]) -> int:
    """Measure all cases, or those that the variables leave."""
    seconds = positive("SECONDS", values.pop("SECONDS", "1.5"))
    commit = values.pop("BASE", "")
    if commit:
        clone(f"BASE={commit}")
    cases, rest = choose(values)
    for case in cases:  # a mistake is found before the first of them is measured
        v.check(named(case, rest), write=False)
    build = v.resolved(rest.get("BUILD", "build"))
    folder = build / "bench"
    base = Base(commit, build / "bench-base") if commit else None
    name = base.folder.name if base else ""
    shutil.rmtree(folder, ignore_errors=True)  # builds are measured cold
    os.environ["CCACHE_DISABLE"] = "1"
    rows: dict[str, list[Row]] = {}
    for case in cases:
        console.print(f"measuring {label(case)} …", soft_wrap=True)
        row = measured(console, case, named(case, rest, BUILD=str(folder)), base, seconds)
        rows.setdefault(case.network, []).append(row)
    every = [row for some in rows.values() for row in some]
    for network, some in rows.items():
        console.print(rates(network, speed_of(network), some, name))
    console.print(builds(every, name))
    console.print(breakdown(every))
    if set(values) <= {"NETWORK", *rest}:
        for speed in dict.fromkeys(map(speed_of, rows)):
            for table in speed.tables():
                console.print(table)
    return 0 if all(row.here.passed for row in every) else 1


def measured(
    console: Console, case: Case, values: dict[str, str], base: Base | None, seconds: float
) -> Row:
    """Build a case and measure it, in turns with the base, if there is one."""
    tree = costs_of(console, Tree(values, case.kinds))
    with base.case(values, case.kinds) if base else nullcontext() as other:
        here, there = Measured(tree.builds), Measured(other.builds) if other else None
        for _ in range(ROUNDS):  # the best of each: the machine is shared
            for model, kind in tree.wanted():
                found = shown(console, model, kind, tree.measure(model, kind, seconds))
                here.keep(model, kind, found)
                if other and there and model != "blind":
                    there.keep(model, kind, other.measure(model, kind, seconds))
        if base and other:
            unknown = [f"unknown there: {', '.join(other.unknown)}"] if other.unknown else []
            for line in filter(None, (*unknown, other.error)):
                console.print(f"{base.commit}: {line}", soft_wrap=True, markup=False)
    variables = tree.settings.network.variables()
    sizes = [variables.get(name, "") for _, name in tree.speed.sizes]
    return Row(case, label(case), sizes, here, there)
