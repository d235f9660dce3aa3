"""Routes as others read them: tables, a certificate of deadlock-freedom, the worst traffic.

Each writer returns a text and what is to be said of it.
"""

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from fattree_bench.errors import UserError
from fattree_bench.topology.cabling import Cabling
from fattree_models import topology
from fattree_models.topology import Paths


def _csv(columns: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([columns, *rows])
    return text.getvalue()


def tables(cabling: Cabling, paths: Paths) -> tuple[str, str]:
    """CSV of switch, destination and port, as TABLES= reads it; of unknown ports the neighbour.

    Hosts with several cables have a table of their own.
    """
    routes, fabric = paths.routes, paths.routes.fabric
    rows = []
    for node in (x for x, own in enumerate(fabric.leaving) if not fabric.host[x] or len(own) > 1):
        for goal, channel in zip(routes.order.tolist(), routes.out[node].tolist(), strict=True):
            if channel >= 0:
                port = int(fabric.port[channel])
                out = port if port >= 0 else fabric.names[fabric.head[channel]]
                rows.append((fabric.names[node], fabric.names[goal], out))
    return _csv(("switch", "destination", "port"), rows), f"{len(rows)} entries"


def lfts(cabling: Cabling, paths: Paths) -> tuple[str, str]:
    """A dump as OpenSM writes and reads it (`opensm -R file -U`): a table a switch, by LIDs."""
    routes, fabric = paths.routes, paths.routes.fabric
    lid = {name: number for number, name in cabling.lids.items()}
    guid = {name: number for number, name in cabling.guids.items()}
    goals = [(lid.get(fabric.names[x], 0), column) for column, x in enumerate(routes.order)]
    if missing := [x for (own, _), x in zip(goals, routes.order, strict=True) if not own]:
        raise UserError(f"WRITE=lfts: FILE has no LID of {fabric.names[missing[0]]}")
    lines = []
    for node in (x for x, host in enumerate(fabric.host.tolist()) if not host):
        name = fabric.names[node]
        lines.append(
            f"Unicast lids [0x0-{max(goals)[0]:#x}] of switch Lid {lid.get(name, 0)} "
            f"guid {guid.get(name, 0):#018x} ({name}):"
        )
        known = [(own, int(routes.out[node, c])) for own, c in sorted(goals)]
        entries = [(own, int(fabric.port[c])) for own, c in known if c >= 0]
        lines += [f"{own:#06x} {port:03} : ('{cabling.lids[own]}')" for own, port in entries]
        lines.append(f"{len(entries)} valid lids dumped")
    return "\n".join(lines) + "\n", f"{fabric.switches} tables"


def order(cabling: Cabling, paths: Paths) -> tuple[str, str]:
    """CSV of channels with numbers that rise along every route: so packets cannot deadlock.

    Checked by walking all routes before it is written.
    """
    routes, fabric = paths.routes, paths.routes.fabric
    number = topology.rising(paths)
    columns = ("source", "source_port", "target", "target_port", "number")
    if number is None:
        return _csv(columns, ()), "empty, as packets can deadlock"
    if (pair := topology.falls(routes, number)) is not None:
        ends = " to ".join(fabric.names[x] for x in pair)
        raise RuntimeError(f"the order does not rise from {ends}")
    rows = ((*_ends(paths, c), int(number[c])) for c in range(number.size))
    return _csv(columns, rows), f"the numbers rise along all {paths.delivered} routes"


def worst(cabling: Cabling, paths: Paths) -> tuple[str, str]:
    """CSV of the permutation that puts most packets on a link between switches."""
    routes, names = paths.routes, paths.routes.fabric.names
    packets, channel, destination = topology.worst(routes)
    pairs = zip(routes.order.tolist(), routes.order[destination].tolist(), strict=True)
    rows = ((names[a], names[b]) for a, b in pairs if a != b)
    said = f"{packets} packets of a permutation on {routes.fabric.channel_name(channel)}"
    return _csv(("source", "destination"), rows), said


def _ends(paths: Paths, channel: int) -> tuple[object, ...]:
    """Where a channel begins and ends, ports empty where they are not known."""
    fabric = paths.routes.fabric
    here, there = channel, channel ^ 1
    ports = ["" if fabric.port[c] < 0 else int(fabric.port[c]) for c in (here, there)]
    return fabric.names[fabric.tail[here]], ports[0], fabric.names[fabric.tail[there]], ports[1]


def save(
    console: Console,
    base: Path,
    wanted: str,
    writers: Mapping[str, tuple[str, Callable[..., str | tuple[str, str]]]],
    *of: object,
) -> None:
    """Write the files whose names are wanted, and name them."""
    for suffix, writer in (each for name, each in writers.items() if name in wanted.split(",")):
        made = writer(*of)
        text, said = (made, "") if isinstance(made, str) else made
        path = base.with_name(f"{base.name}{suffix}")
        path.write_text(text, encoding="utf-8")
        console.print(escape(f"written: {path}{f': {said}' if said else ''}"), soft_wrap=True)


WRITERS: dict[str, tuple[str, Callable[[Cabling, Paths], tuple[str, str]]]] = {
    "tables": ("-tables.csv", tables),
    "lfts": (".lfts", lfts),
    "order": ("-order.csv", order),
    "worst": ("-worst.csv", worst),
}
