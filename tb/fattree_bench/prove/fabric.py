"""`make prove NETWORK=…`: a certificate of the fabric, and the proofs of its switches.

A packet that holds a channel waits only for one with a greater number, so the one that holds the
greatest can always move, if switches hand on what they have (Dally and Seitz 1987).
"""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.campaign import run as run_campaign
from fattree_bench.errors import UserError
from fattree_bench.families.proof import Proof
from fattree_bench.formal.catalogue import PROOFS
from fattree_bench.formal.command import Formal
from fattree_bench.paths import RTL
from fattree_bench.sim import variables as v
from fattree_bench.sim.pulse import phase
from fattree_bench.words import plural
from fattree_models.common.checks import Int64Array
from fattree_models.common.structure import Structure, dependency_cycle

FABRIC, ROUTERS = "F1", "F2"
TEXTS = {
    FABRIC: "numbers of channels rise along every way",
    ROUTERS: "switches keep the rules of their links, order and progress",
}
BLOCK = 1 << 18  # pairs whose ways are followed together
UP, FLAT, DOWN = range(3)


def run(console: Console, given: dict[str, str], rules: tuple[str, ...]) -> int:
    """0: the certificate and all proofs hold; 1: one does not; 3: undecided."""
    settings = v.check(given)
    network = settings.network
    if not isinstance(network, Wormhole):
        raise UserError(f"NETWORK={network.name}: switches without wormhole links: make formal")
    if network.routing.breaks:
        raise UserError("FAULTS: not here: what is proved is a whole network")
    status = 0
    if FABRIC in rules:
        with phase(console, "numbering channels"):
            lines, status = certified(network, settings.build / "prove" / network.name)
        for line in lines:
            console.print(line, markup=False, highlight=False, soft_wrap=True)
    if ROUTERS in rules and not status:
        proofs = switches(network)
        names = ",".join(proof.name for proof in proofs)
        status = run_campaign(console, Formal, [f"TASK={names}", f"BUILD={settings.build}"])
        told = "ok   F2  proved" if status == 0 else "FAIL F2  not proved"
        sizes = "; ".join(dict.fromkeys(proof.size for proof in proofs))
        console.print(f"{told} at these sizes: {sizes}", markup=False, soft_wrap=True)
    if not status and len(rules) == len(TEXTS):
        console.print(
            f"no packet waits for ever at {network.leaves:,} leaves, if its switches keep the rules"
            " that were proved at the sizes above",
            soft_wrap=True,
        )
    return status


def switches(network: Wormhole) -> list[Proof]:
    """Proofs of the whole switch, and of parts that have the network's kind, at the nearest sizes.

    The whole switch is the wrapper that needs most of the network's blocks.
    """
    blocks = {path.name for path in network.rtl.sources(RTL)}
    verilog = {name: str(value) for name, value in network.verilog().items()}
    made = {x.name: [path.name for path in x.files(RTL)[:-1]] for x in PROOFS.values()}
    made = {name: files for name, files in made.items() if files and blocks.issuperset(files)}
    whole = max(map(len, made.values()))
    near: dict[str, dict[str, int]] = {}
    for name, files in made.items():
        said = {k: str(x) for k, x in PROOFS[name].parameters.items()}
        kinds = {k for k, x in said.items() if x.startswith('"')}
        alike = {k for k, x in said.items() if verilog.get(k) == x}
        if len(files) == whole or (kinds and kinds <= alike):
            near.setdefault(PROOFS[name].top, {})[name] = len(alike)
    best = {top: max(rows.values()) for top, rows in near.items()}
    return [PROOFS[x] for top, rows in near.items() for x, n in rows.items() if n == best[top]]


def certified(network: Wormhole, folder: Path) -> tuple[list[str], int]:
    """Number the channels, write the numbers, and check what was written; lines that say so."""
    structure = network.structure
    name = f"{network.leaves:,} leaves, {len(structure.links):,} channels"
    flat = structure.level[structure.tail] == structure.level[structure.head]
    if not network.ways.one_path and flat.any():
        return [f"??   F1  {name}: undecided, packets choose among channels of one level"], 3
    pairs = np.unique(np.concatenate([*waiting(network)]))
    path = folder / "channels.csv"
    cycle, most = numbered(structure.links, pairs, path)
    if cycle:
        return [f"FAIL F1  {name}: packets can wait in a cycle: {cycle}"], 1
    if wrong := falls(network, path):
        return [f"FAIL F1  {name}: {wrong}"], 1
    along = (
        "every way of all pairs" if network.ways.one_path else "all ways that do not climb again"
    )
    return [f"ok   F1  {name}: {most} rise along {along}, checked from {path}"], 0


def numbered(links: Sequence[str], pairs: Int64Array, path: Path) -> tuple[str, str]:
    """Write numbers that rise from held to wanted; the cycle, if there is one, and how many."""
    number = rising(len(links), *np.divmod(pairs, len(links)))
    if number is None:
        import networkx as nx  # half a second that a fabric without a cycle does not need

        columns = (x.tolist() for x in np.divmod(pairs, len(links)))
        found = dependency_cycle(nx.DiGraph(list(zip(*columns, strict=True)))) or ()
        return ", ".join(links[k] for k in found), ""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        rows = zip(links, number.tolist(), strict=True)
        csv.writer(file).writerows([("channel", "number"), *rows])
    return "", plural(int(number.max(initial=0)) + 1, "number")


def routed(network: Any, pairs: Iterable[tuple[int, int]], path: Path) -> tuple[str, int]:
    """The same for a user's network, by its `graph()` and `route()`: its taps are the channels."""
    structure, route = network.structure, network.user("route")
    taps = [*network.design.taps]
    name = f"{network.leaves:,} leaves, {plural(len(taps), 'channel')}"
    if route is None:
        return f"??   F1  {name}: undecided, route(source, destination) is missing", 3
    try:
        ways = {(source, goal): [*map(str, route(source, goal))] for source, goal in pairs}
    except Exception as error:
        told = f"{type(error).__name__}: {error}"
        raise UserError(f"{network.design.path.name}: route(): {told}") from None
    if wrong := strays(structure, ways):
        return f"FAIL F1  {name}: {wrong}", 1
    place = {tap: k for k, tap in enumerate(taps)}
    waits = {place[a] * len(taps) + place[b] for way in ways.values() for a, b in pairwise(way)}
    cycle, most = numbered(taps, np.array(sorted(waits), np.int64), path)
    if cycle:  # which bubbles may prevent
        return f"??   F1  {name}: undecided, packets may wait in a cycle: {cycle}", 3
    if wrong := sinks(ways, path):
        return f"FAIL F1  {name}: {wrong}", 1
    return f"ok   F1  {name}: {most} rise along route() of all pairs, checked from {path}", 0


def strays(structure: Structure, ways: Mapping[tuple[int, int], list[str]]) -> str:
    """A way that the graph does not have, or that has a link without a tap; empty: none."""
    ends = {}
    for link in np.flatnonzero(np.array(structure.signal) != "").tolist():
        ends[structure.signal[link]] = int(structure.tail[link]), int(structure.head[link])
    plain = [k for k, signal in enumerate(structure.signal) if not signal]
    beside = {(int(structure.tail[k]), int(structure.head[k])) for k in plain}
    for (source, goal), way in ways.items():
        here = {head for tail, head in beside if tail == structure.senders[source]}
        for tap in way:
            tail, head = ends.get(tap, (-1, -1))
            if tail not in here:
                return f"route({source}, {goal}): no way leads to {tap}"
            here = {head}
        if not any((node, structure.receivers[goal]) in beside for node in here):
            return f"route({source}, {goal}): ends elsewhere"
    return ""


def sinks(ways: Mapping[tuple[int, int], list[str]], path: Path) -> str:
    """Where numbers in a file do not rise along a way; empty: nowhere."""
    with path.open(newline="") as file:
        number = {row["channel"]: int(row["number"]) for row in csv.DictReader(file)}
    for way in ways.values():
        for held, wanted in pairwise(way):
            if number[held] >= number[wanted]:
                return f"{held} → {wanted} does not rise"
    return ""


def waiting(network: Wormhole) -> Iterator[Int64Array]:
    """Which channel packets may hold while they wait for which, as held * channels + wanted."""
    structure, count = network.structure, len(network.structure.links)
    if not network.ways.one_path:
        yield from (held * count + wanted for held, wanted in turns(structure))
        return
    leaves = network.leaves
    for begin in range(0, leaves**2, BLOCK):
        source, goal = np.divmod(np.arange(begin, min(begin + BLOCK, leaves**2)), leaves)
        source, goal = source[source != goal], goal[source != goal]
        walk = structure.walk(source, network.ways.expected_hops(source, goal))
        first = structure.leaving[structure.senders[source], 0]
        link = np.column_stack([first, walk.link])
        held, wanted = link[:, :-1].ravel(), link[:, 1:].ravel()
        yield np.unique((held * count + wanted)[(held >= 0) & (wanted >= 0)])


def turns(structure: Structure) -> Iterator[tuple[Int64Array, Int64Array]]:
    """Channels into a switch and out of it, but for those by which a packet would climb again."""
    way = np.sign(structure.level[structure.tail] - structure.level[structure.head]) + FLAT
    for node in np.flatnonzero(structure.level > 0):
        ins, outs = structure.arriving[node], structure.leaving[node]
        held, wanted = (
            x.ravel() for x in np.meshgrid(ins[ins >= 0], outs[outs >= 0], indexing="ij")
        )
        legal = way[held] <= way[wanted]
        yield held[legal], wanted[legal]


def rising(count: int, held: Int64Array, wanted: Int64Array) -> Int64Array | None:
    """The longest chain of channels that wait for each, int64 [channels]; None: in a cycle."""
    number = np.zeros(count, np.int64)
    while True:
        after = number.copy()
        np.maximum.at(after, wanted, number[held] + 1)
        if (after == number).all():
            return number
        if after.max() >= count:
            return None
        number = after


def falls(network: Wormhole, path: Path) -> str:
    """Where the numbers in a file do not rise, or a way does not arrive; empty: nowhere.

    It walks port by port, and knows no dependency graph, so that it checks `rising` and `waiting`.
    """
    structure = network.structure
    with path.open(newline="") as file:
        rows = {row["channel"]: int(row["number"]) for row in csv.DictReader(file)}
    number = np.array([rows[name] for name in structure.links], np.int64)
    if not network.ways.one_path:
        climbs = structure.level[structure.head] > structure.level[structure.tail]
        falling = structure.level[structure.head] < structure.level[structure.tail]
        for held, node in enumerate(structure.head.tolist()):
            for wanted in structure.leaving[node].tolist() if structure.level[node] else ():
                back = falling[held] and not falling[wanted]
                level = climbs[wanted] and not climbs[held]
                if wanted >= 0 and not back and not level and number[held] >= number[wanted]:
                    return f"{structure.links[held]} → {structure.links[wanted]} does not rise"
        return ""
    for source in range(network.leaves):
        goal = np.delete(np.arange(network.leaves), source)
        ports = network.ways.expected_hops(np.full(goal.size, source), goal)
        link = np.full(goal.size, structure.leaving[structure.senders[source], 0])
        for port in ports.T.astype(np.int64):
            moves = np.flatnonzero(port >= 0)
            onward = structure.leaving[structure.head[link[moves]], port[moves]]
            bad = np.flatnonzero((onward < 0) | (number[onward] <= number[link[moves]]))
            if bad.size:
                where = structure.links[link[moves][bad[0]]]
                return f"{source} → {goal[moves[bad[0]]]}: behind {where} it does not rise"
            link[moves] = onward
        lost = np.flatnonzero(structure.head[link] != structure.receivers[goal])
        if lost.size:
            return f"{source} → {goal[lost[0]]}: ends elsewhere"
    return ""
