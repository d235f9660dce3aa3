"""`make topology`: check whether a user's network is a fat-tree, and judge its routes."""

import re
from collections.abc import Sequence

from rich.console import Console

from fattree_bench.fabric.asked import Asked
from fattree_bench.fabric.play import play
from fattree_bench.settings import collect
from fattree_bench.topology import report, route_files, write
from fattree_bench.topology.command import entries_of, fabric_of, read
from fattree_bench.topology.judged import judge
from fattree_bench.topology.route_files import save
from fattree_bench.topology.routed import ROUTES
from fattree_models import topology


def run(console: Console, arguments: Sequence[str]) -> int:
    """0: sound; 1: a broken rule, packets that do not arrive, or a possible deadlock."""
    words = list(arguments)
    if words and not re.match(r"[A-Z_]+=", words[0]):
        words[0] = f"FILE={words[0]}"
    asked = Asked.from_variables(collect(words, Asked.parameters))
    given = asked.given
    cabling = read(given.file, given.format)
    fabric = fabric_of(given.file, cabling)
    entries = None if not given.tables else entries_of(given.tables, cabling, fabric)
    judged = judge(fabric, asked.rules, asked.ports, cabling.speeds)
    report.structure(console, given.file, cabling.notes, judged)
    save(console, asked.base, asked.write, write.WRITERS, fabric, judged.order)
    if judged.ranked is None:
        return report.verdict(console, judged, [], sound=False)
    if entries is None:
        _, name, maker = ROUTES[given.routes]
        routes = maker(judged, judged.ranked, given.reverse)
    else:
        routes, name = topology.table_routes(fabric, judged.order, entries), given.tables
    paths = topology.follow(routes, judged.ranked)
    faults = report.routing(console, name, judged.ranked, paths, given.reverse)
    report.cost(console, judged, paths)
    save(console, asked.base, asked.write, route_files.WRITERS, cabling, paths)
    if asked.play != "0" and not play(console, asked, paths):
        faults.append("the RTL does otherwise")
    return report.verdict(console, judged, faults, sound=not judged.broken and not faults)
