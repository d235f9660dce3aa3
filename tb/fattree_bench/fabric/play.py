"""Plays the routes of a fat-tree in RTL and compares link loads with the computed ones."""

from __future__ import annotations

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
from fattree_bench.sim.outcome import Outcome
from fattree_bench.sim.simulate import simulate
from fattree_models import topology

SHOWN = 5  # links that differ


def player() -> Player:
    """The first player that a family offers."""
    found: Player = next(player for _, player in offered("topology", "PLAYER"))
    return found


def play(
    console: Console, asked: Asked, found: topology.Match | None, paths: topology.Paths
) -> bool:
    """Whether the RTL agrees with the computation; true, with a reason, if it cannot play."""
    routes = paths.routes
    plays = player()
    reason = "it is not a fat-tree" if found is None else plays.unfit(found, routes)
    if found is None or reason:
        console.print(f"\nnot played in RTL: {escape(reason)}", soft_wrap=True)
        return True
    given = {
        **plays.variables(found, routes, asked.base.parent),
        "SIM": asked.sim,
        "BUILD": str(asked.build),
        "RTL": str(asked.rtl),
    }
    try:
        settings = v.check(given)
    except UserError as error:
        console.print(f"\nnot played in RTL: {escape(str(error))}", soft_wrap=True)
        return True
    usual = {"BUILD", "RTL"} if asked.rtl == RTL else {"BUILD"}
    words = " ".join(f"{k}={x}" for k, x in given.items() if k not in usual)
    console.print(f"\nplayed in RTL: make sim {escape(words)} TEST=file", soft_wrap=True)
    try:
        chosen = select(settings.network.name, "file")
        outcome = simulate(settings, build(settings, chosen[0].agent), chosen)
    except BuildError as error:
        console.print(str(error), style="red", markup=False, soft_wrap=True)
        return False
    return compare(console, plays, found, paths, outcome)


def compare(
    console: Console, plays: Player, found: topology.Match, paths: topology.Paths, outcome: Outcome
) -> bool:
    """Print how many packets arrived, and the links whose loads differ."""
    fabric = paths.routes.fabric
    for result in outcome.results:
        packets = f"{result.sent} packets sent, {result.delivered} delivered"
        console.print(f"  {packets}, {sum(result.faults.values())} faults")
    for problem in outcome.problems:
        console.print(f"  [red]{escape(problem)}[/]", soft_wrap=True)
    run = Path(outcome.log).parent
    if not (run / "trace.csv").exists():
        return False
    seen = plays.loads(found, paths.routes, run)
    wrong = np.flatnonzero(seen != paths.loads)
    for channel in wrong[:SHOWN].tolist():
        text = f"{seen[channel]} packets in RTL, {paths.loads[channel]} computed"
        console.print(f"  [red]{escape(fabric.channel_name(channel))}: {text}[/]", soft_wrap=True)
    if not wrong.size:
        console.print(f"  all {seen.size} link loads are as computed, most {int(seen.max())}")
    else:
        console.print(f"  [red]{wrong.size} of {seen.size} link loads differ[/]")
    return outcome.passed and not wrong.size
