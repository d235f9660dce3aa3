"""Plays the routes of a fat-tree in RTL and compares link loads with the computed ones."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.markup import escape

from fattree_bench.errors import UserError
from fattree_bench.fabric.asked import Asked
from fattree_bench.families import offered, select
from fattree_bench.families.player import Player
from fattree_bench.paths import RTL
from fattree_bench.sim import variables as v
from fattree_bench.sim.build import BuildError, build
from fattree_bench.sim.changed import containing
from fattree_bench.sim.outcome import Outcome
from fattree_bench.sim.simulate import simulate
from fattree_models import topology
from fattree_models.common.checks import Int64Array
from fattree_models.topology.proofs import carried

SHOWN = 5  # links that differ


def play(console: Console, asked: Asked, paths: topology.Paths) -> bool:
    """Whether the RTL agrees with the computation; true, with a reason, if it cannot play."""
    routes, expected = paths.routes, paths.loads
    plays: Player = next(player for _, player in offered("topology", "PLAYER"))
    source, goal = np.divmod(np.arange(routes.order.size**2), routes.order.size)
    if asked.play == "worst":
        _, _, goal = topology.worst(routes)
        source, expected = np.arange(goal.size), carried(routes, goal)
    away, folder = source != goal, asked.base.parent
    given = {
        **plays.variables(asked.given.in_place(), source[away], goal[away], folder),
        **{"SIM": asked.sim, "BUILD": str(asked.build), "RTL": str(asked.rtl)},
    }
    try:
        settings = v.check(given)
    except UserError as error:
        console.print(f"\nnot played in RTL: {escape(str(error))}", soft_wrap=True)
        return True
    words = " ".join(f"{k}={x}" for k, x in given.items() if k != "BUILD" and x != str(RTL))
    console.print(f"\nplayed in RTL: make sim {escape(words)} TEST=file", soft_wrap=True)
    try:
        chosen = select(settings.network.name, "file")
        outcome = simulate(settings, containing(settings, build(settings, chosen[0].agent)), chosen)
    except BuildError as error:
        console.print(str(error), style="red", markup=False, soft_wrap=True)
        return False
    seen = partial(plays.loads, settings.network)
    return compare(console, routes.fabric, expected, outcome, seen)


def compare(
    console: Console,
    fabric: topology.Fabric,
    expected: Int64Array,
    outcome: Outcome,
    seen: Callable[[Path], Int64Array],
) -> bool:
    """Print how many packets arrived, and the links whose loads differ."""
    for result in outcome.results:
        packets = f"{result.sent} packets sent, {result.delivered} delivered"
        console.print(f"  {packets}, {sum(result.faults.values())} faults")
    for problem in outcome.problems:
        console.print(f"  [red]{escape(problem)}[/]", soft_wrap=True)
    run = Path(outcome.log).parent
    if not (run / "trace.csv").exists():
        return False
    found = seen(run)
    wrong = np.flatnonzero(found != expected)
    for channel in wrong[:SHOWN].tolist():
        text = f"{found[channel]} packets in RTL, {expected[channel]} computed"
        console.print(f"  [red]{escape(fabric.channel_name(channel))}: {text}[/]", soft_wrap=True)
    if not wrong.size:
        console.print(f"  all {found.size} link loads are as computed, most {int(found.max())}")
    else:
        console.print(f"  [red]{wrong.size} of {found.size} link loads differ[/]")
    return outcome.passed and not wrong.size
