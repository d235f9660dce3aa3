"""The verdict on a network and its routes, for a terminal."""

from __future__ import annotations

from collections import Counter

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from fattree_bench.settings import listed
from fattree_bench.topology.judged import Judged
from fattree_bench.words import span
from fattree_models import topology
from fattree_models.common.checks import Int64Array
from fattree_models.topology import Fate

SHOWN = 12  # broken rules
FOLLOWING = ("ONE_WAY_DOWN", "SUBTREES")  # also broken by a missing cable
HOT = 5  # links
BINS = 6  # of a histogram


def say(console: Console, text: str) -> None:
    console.print(escape(text), soft_wrap=True)


def grid(titles: list[str], rows: list[list[object]]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in titles:
        table.add_column(title, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*(escape(str(cell)) for cell in row))
    return table


def structure(console: Console, name: str, notes: list[str], judged: Judged) -> None:
    """Levels, broken rules, kinds of fat-tree."""
    fabric = judged.fabric
    console.print(
        f"[bold]{escape(name)}[/]: {int(fabric.host.sum())} hosts, {fabric.switches} switches, "
        f"{len(fabric.links)} links",
        soft_wrap=True,
    )
    for note in notes:
        say(console, f"  {note}")
    if judged.ranked is not None:
        rows: list[list[object]] = [
            [each.level, each.switches, *map(_some, (each.down, each.up, each.parallel))]
            for each in topology.levels(judged.ranked)
        ]
        titles = ["level", "switches", "links down", "links up", "parallel"]
        console.print(grid(titles, rows))
    _broken(console, judged.broken)
    if judged.found is not None:
        say(console, f"this is {', '.join(topology.kinds(judged.found))}")
        for line in topology.slimming(judged.found):
            say(console, f"  {line}")
    elif judged.mended is not None:
        for line in judged.mended.texts:
            say(console, line)
        say(console, f"else this is {', '.join(topology.kinds(judged.mended.match))}")
    elif judged.ranked is not None:
        say(
            console, f"this is not an {topology.FAMILY}, nor one with few cables missing or crossed"
        )
    if judged.damage is not None:
        for line in judged.damage.texts[:SHOWN]:
            say(console, line)
        if len(judged.damage.texts) > SHOWN:
            say(console, f"and {len(judged.damage.texts) - SHOWN} more")


def cost(console: Console, judged: Judged, paths: topology.Paths) -> None:
    """What missing cables cost: of all cables, of the least load, and of the pairs."""
    fabric, order = judged.fabric, paths.routes.order
    wrong = judged.damage.whole if judged.damage else None
    whole = judged.mended.fabric if judged.mended else wrong
    if whole is None or judged.ranked is None or len(whole.names) > len(fabric.names):
        return  # where hosts are missing, the loads are others
    there, every = (int((~x.host[x.links[:, [0, 2]]]).all(axis=1).sum()) for x in (fabric, whole))
    if there < every:
        both = [paths.routes, topology.Routes(whole, order, paths.routes.out)]
        bounds = [int(topology.ideal(x, judged.ranked).all_pairs[1:].max(initial=0)) for x in both]
        say(console, f"damage costs {every - there} of {every} cables between switches:")
        say(console, f"  one must carry {bounds[0]} of all pairs, {bounds[1]} if none were missing")
        say(console, f"  {paths.pairs - paths.delivered} pairs have no way on these routes")


def _broken(console: Console, broken: list[topology.Breach]) -> None:
    """Broken rules; those that follow from others only by name."""
    first = [breach for breach in broken if breach.rule not in FOLLOWING] or broken
    for breach in first[:SHOWN]:
        say(console, f"{breach.rule}: {breach.text}")
    if len(first) > SHOWN:
        say(console, f"and {len(first) - SHOWN} more")
    named = {breach.rule for breach in first}
    others = dict.fromkeys(breach.rule for breach in broken if breach.rule not in named)
    if others:
        say(console, f"so are also broken: {', '.join(others)}")


def _some(numbers: tuple[int, ...]) -> str:
    few = [str(n) for n in numbers]
    return " … ".join((few[0], few[-1])) if len(few) > 3 else ", ".join(few)


def routing(
    console: Console, name: str, ranked: topology.Ranked, paths: topology.Paths, reverse: int = 0
) -> list[str]:
    """Print where routes lead and what they load; return their faults, a few words each."""
    routes, fabric = paths.routes, paths.routes.fabric
    say(console, f"\nroutes: {name}")
    longest = int(np.flatnonzero(paths.hops).max(initial=0))
    say(console, f"  {paths.delivered} of {paths.pairs} pairs arrive, over at most {longest} links")
    faults = []
    for fate in Fate:
        if fate in paths.faults:
            count, first = paths.faults[fate]
            if fate is Fate.DOWN_UP and reverse:
                say(console, f"  {count} of them climb again (REVERSE={reverse})")
                continue
            faults.append(f"{count} pairs: {fate}")
            for pair in first:
                say(console, f"  {_fault(routes, fate, *pair)}")
            if count > len(first):
                say(console, f"  and {count - len(first)} more pairs: {fate}")
    circle = topology.circle(paths)
    if circle is None:
        say(console, "  deadlock-free: no cyclic waiting")
    else:
        faults.append("packets can deadlock")
        say(console, f"  DEADLOCK: {len(circle)} channels wait for each other in a cycle:")
        for channel in circle:
            say(console, f"    {fabric.channel_name(channel)}")
    loads(console, ranked, paths)
    return faults


def _fault(routes: topology.Routes, fate: Fate, source: int, goal: int, node: int) -> str:
    names = routes.fabric.names
    pair = f"{names[source]} to {names[goal]}"
    way = " → ".join(names[x] for x in topology.way(routes, source, goal))
    return {
        Fate.NO_ENTRY: f"no entry: {pair} at {names[node]}",
        Fate.WRONG_HOST: f"wrong host: {pair} ends at {names[node]}: {way}",
        Fate.LOOP: f"loop: {pair}: {way}",
        Fate.DOWN_UP: f"down and up: {pair} climbs again at {names[node]}: {way}",
    }[fate]


def loads(console: Console, ranked: topology.Ranked, paths: topology.Paths) -> None:
    """Links of all pairs by level, and of the cyclic shifts."""
    routes, fabric = paths.routes, paths.routes.fabric
    best, shifts = topology.ideal(routes, ranked), topology.shift_loads(routes)
    rank = np.array([ranked.rank[node] for node in range(len(fabric.names))])
    weighted = paths.loads * fabric.weight
    rows: list[list[object]] = []
    hot: list[tuple[int, int, int]] = []  # over the ideal, load, channel
    for way, step in (("up", 1), ("down", -1)):
        for low in range(int(rank.max())):
            start = low if step == 1 else low + 1
            there = (rank[fabric.tail] == start) & (rank[fabric.head] == start + step)
            channels = np.flatnonzero(there)
            if not channels.size:
                continue
            load, least = weighted[channels], int(best.all_pairs[low])
            name = f"{_of(low)} – {_of(low + 1)}"
            numbers = [load.min(), f"{load.mean():.1f}", load.max(), least]
            rows.append([name, way, channels.size, *numbers, _histogram(load)])
            over = channels[load > least] if least else channels[:0]
            hot += [(int(weighted[c] - least), int(weighted[c]), c) for c in over.tolist()]
    say(console, "\nlink loads if every host sends to every other one:")
    if (fabric.weight > 1).any():
        say(console, "  a packet counts as often as its cable is slower than the fastest")
    titles = ["between", "way", "links", "least", "mean", "most", "ideal", "load x links"]
    console.print(grid(titles, rows))
    if hot:
        hot.sort(key=lambda each: (-each[0], each[2]))
        say(console, f"  {len(hot)} links have more than the ideal; the hottest:")
        for over_ideal, load_of, channel in hot[:HOT]:
            say(console, f"    {fabric.channel_name(channel)}: {load_of}, {over_ideal} too many")
    _shifts(console, routes, best, shifts)


def _shifts(
    console: Console, routes: topology.Routes, best: topology.Ideal, shifts: topology.Shifts
) -> None:
    n, several = routes.order.size, shifts.shift.size
    worst = int(shifts.busiest.argmax())
    some = "" if several == n - 1 else f"{several} of the {n - 1} "
    most = f"{span(shifts.busiest)}, ideal {span(best.shifts)}"
    say(console, f"\n{some}cyclic shifts of the {n} hosts, packets on the busiest link: {most}")
    say(console, f"  load x shifts: {_histogram(shifts.busiest)}")
    more = int(np.count_nonzero(shifts.busiest > best.shifts))
    if more:
        where = routes.fabric.channel_name(int(shifts.channel[worst]))
        say(console, f"  {more} of {several} shifts have more than the ideal; the worst is")
        packets = f"{shifts.busiest[worst]} packets on {where}"
        say(console, f"  shift {shifts.shift[worst]}: {packets}")


def _of(rank: int) -> str:
    return f"level {rank}" if rank else "hosts"


def _histogram(values: Int64Array) -> str:
    """How often each value occurs; ranges if there are many."""
    counts = sorted(Counter(values.tolist()).items())
    if len(counts) <= BINS:
        return ", ".join(f"{value} x {count}" for value, count in counts)
    number, edges = np.histogram(values, BINS)
    ends = zip(np.ceil(edges[:-1]).astype(int), np.ceil(edges[1:]).astype(int), strict=True)
    parts = [f"{a}…{b - (b < edges[-1])} x {k}" for (a, b), k in zip(ends, number, strict=True)]
    return ", ".join(part for part, k in zip(parts, number, strict=True) if k)


def verdict(console: Console, judged: Judged, faults: list[str], sound: bool) -> int:
    """Print the last line; return the exit status."""
    rules = list(dict.fromkeys(breach.rule for breach in judged.broken))
    reasons = [f"breaks {listed(rules).replace(' or ', ' and ')}"] if rules else []
    # OpenSM routes what is nearly a tree; hosts may be missing.
    if judged.found is None and not rules and judged.rules == "FAT_TREE":
        reasons, sound = [f"keeps the rules, but is not an {topology.FAMILY}"], False
    reasons += faults
    mark = "[green]SOUND[/]" if sound else "[red]FAIL[/]"
    console.print(
        f"{mark}  {escape('; '.join(reasons) or 'it keeps the rules, and all pairs arrive')}",
        soft_wrap=True,
    )
    return 0 if sound else 1
