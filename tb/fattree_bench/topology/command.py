"""`make topology`: check whether a user's network is a fat-tree, and judge its routes."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from rich.console import Console

from fattree_bench.errors import UserError
from fattree_bench.settings import collect
from fattree_bench.topology import forwarding, ibnetdiscover, report, route_files, slurm, write
from fattree_bench.topology.asked import READERS, Asked
from fattree_bench.topology.cabling import Cabling
from fattree_bench.topology.files import Wrong, read_text
from fattree_bench.topology.judged import judge
from fattree_bench.topology.play import play
from fattree_bench.topology.route_files import save
from fattree_bench.topology.routed import ROUTES
from fattree_models import topology

LOOPED = 3  # cables that are named
Made = TypeVar("Made")
SUFFIXES = {".csv": "csv", ".dot": "dot", ".gv": "dot", ".graphml": "graphml", ".xml": "graphml"}


def run(console: Console, arguments: Sequence[str]) -> int:
    """0: sound; 1: a broken rule, packets that do not arrive, or a possible deadlock."""
    words = list(arguments)
    if words and not re.match(r"[A-Z_]+=", words[0]):
        words[0] = f"FILE={words[0]}"
    asked = Asked.from_variables(collect(words, Asked.parameters))
    cabling = read(asked.file, asked.format)
    fabric = fabric_of(asked.file, cabling)
    entries = None if not asked.tables else entries_of(asked.tables, cabling, fabric)
    judged = judge(fabric, asked.rules, asked.ports, cabling.speeds)
    report.structure(console, asked.file, cabling.notes, judged)
    save(console, asked.base, asked.write, write.WRITERS, fabric, judged.order)
    if judged.ranked is None:
        return report.verdict(console, judged, [], sound=False)
    if entries is None:
        _, name, maker = ROUTES[asked.routes]
        routes = maker(judged, judged.ranked, asked.reverse)
    else:
        routes, name = topology.table_routes(fabric, judged.order, entries), asked.tables
    paths = topology.follow(routes, judged.ranked)
    faults = report.routing(console, name, judged.ranked, paths, asked.reverse)
    save(console, asked.base, asked.write, route_files.WRITERS, cabling, paths)
    if asked.play and not play(console, asked, judged.found, paths):
        faults.append("the RTL does otherwise")
    return report.verdict(console, judged, faults, sound=not judged.broken and not faults)


def read(name: str, form: str = "") -> Cabling:
    """The contents of a file; UserError names the faulty line."""
    text = read_text(name)
    form = form or SUFFIXES.get(Path(name).suffix.lower(), "")
    for name_of, reader in {"ibnetdiscover": ibnetdiscover, "slurm": slurm}.items():
        form = form or (name_of if reader.looks_so(text) else "")
    if not form:
        known = f"of ibnetdiscover nor topology.conf nor {', '.join(SUFFIXES)}"
        raise UserError(f"{name}: is neither {known}; FORMAT= says what")
    found = _located(name, lambda: READERS[form](text))
    if found.looped:
        few = f"{', '.join(found.looped[:LOOPED])}{' …' if len(found.looped) > LOOPED else ''}"
        found.notes.append(f"left out, from a node to itself: {few}")
    return found


def fabric_of(name: str, cabling: Cabling) -> topology.Fabric:
    """The network described by a file; UserError if it is invalid or too large."""
    try:
        fabric = topology.build(cabling.nodes, cabling.links)
        return fabric.of_speeds(topology.ratios(cabling.speeds, len(cabling.links)))
    except ValueError as error:
        raise UserError(f"{name}: {error}") from None


def entries_of(name: str, cabling: Cabling, fabric: topology.Fabric) -> list[forwarding.Entry]:
    """The entries of forwarding tables; UserError names the faulty line."""
    text = read_text(name)
    found = _located(name, lambda: forwarding.read(text, cabling, fabric))
    if not found:
        raise UserError(f"{name}: has no entry for a host of the topology")
    return found


def _located(name: str, make: Callable[[], Made]) -> Made:
    try:
        return make()
    except Wrong as wrong:
        raise UserError(f"{name}:{wrong.line}: {wrong}") from None
