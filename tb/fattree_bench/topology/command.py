"""`make topology`: is a network of one's own a fat-tree, and what are its routes worth."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.markup import escape

from fattree_bench.errors import UserError
from fattree_bench.settings import collect
from fattree_bench.topology import ibnetdiscover, report, tables, write
from fattree_bench.topology.asked import READERS, Asked
from fattree_bench.topology.files import Wrong, read_text
from fattree_bench.topology.graph import Graph
from fattree_bench.topology.judged import judge
from fattree_bench.topology.play import play
from fattree_models import topology
from fattree_models.common.checks import Int64Array

Made = TypeVar("Made")
SUFFIXES = {".csv": "csv", ".dot": "dot", ".gv": "dot", ".graphml": "graphml", ".xml": "graphml"}


def run(console: Console, arguments: Sequence[str]) -> int:
    """0: sound; 1: a rule is broken, or packets do not arrive, or can wait in a circle."""
    words = list(arguments)
    if words and not re.match(r"[A-Z_]+=", words[0]):
        words[0] = f"FILE={words[0]}"
    asked = Asked.from_variables(collect(words, Asked.parameters))
    graph = read(asked.file, asked.format)
    fabric = fabric_of(asked.file, graph)
    entries = None if not asked.tables else entries_of(asked.tables, graph, fabric)
    judged = judge(fabric, asked.rules, asked.ports)
    report.structure(console, asked.file, graph.notes, judged)
    for path in written(asked, fabric, judged.order):
        console.print(f"written: {escape(str(path))}", soft_wrap=True)
    if judged.ranked is None:
        return report.verdict(console, judged, [], sound=False)
    if entries is None:
        index = None if judged.found is None else judged.found.index
        routes = topology.dmodk_routes(fabric, judged.ranked, judged.order, index)
        told = "D-mod-k"
    else:
        routes, told = topology.table_routes(fabric, judged.order, entries), asked.tables
    paths = topology.follow(routes, judged.ranked)
    faults = report.routing(console, told, judged.ranked, paths)
    if asked.play and not play(console, asked, judged.found, paths):
        faults.append("the RTL does otherwise")
    return report.verdict(console, judged, faults, sound=not judged.broken and not faults)


def read(name: str, form: str = "") -> Graph:
    """What stands in a file; UserError with the line of what is wrong."""
    text = read_text(name)
    form = form or SUFFIXES.get(Path(name).suffix.lower(), "")
    if not form and ibnetdiscover.looks_so(text):
        form = "ibnetdiscover"
    if not form:
        known = ", ".join(SUFFIXES)
        raise UserError(f"{name}: is no output of ibnetdiscover, nor {known}; FORMAT= says what")
    return _told(name, lambda: READERS[form](text))


def fabric_of(name: str, graph: Graph) -> topology.Fabric:
    """The network of what a file says; UserError if it is none, or too large."""
    try:
        return topology.build(graph.nodes, graph.links)
    except ValueError as error:
        raise UserError(f"{name}: {error}") from None


def entries_of(name: str, graph: Graph, fabric: topology.Fabric) -> list[tables.Entry]:
    """The entries of forwarding tables; UserError with the line of what is wrong."""
    text = read_text(name)
    found = _told(name, lambda: tables.read(text, graph, fabric))
    if not found:
        raise UserError(f"{name}: has no entry for a host of the topology")
    return found


def _told(name: str, make: Callable[[], Made]) -> Made:
    try:
        return make()
    except Wrong as wrong:
        raise UserError(f"{name}:{wrong.line}: {wrong}") from None


def written(asked: Asked, fabric: topology.Fabric, order: Int64Array) -> list[Path]:
    """Files of WRITE, below the build folder."""
    paths = []
    for name in filter(None, asked.write.split(",")):
        suffix, writer = write.WRITERS[name]
        paths.append(asked.folder / f"{Path(asked.file).stem}{suffix}")
        paths[-1].write_text(writer(fabric, order), encoding="utf-8")
    return paths
