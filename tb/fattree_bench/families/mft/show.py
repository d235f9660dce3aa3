"""A run of a modified fat-tree as a page plays it: flits on up links and lanes, by its waves."""

from collections.abc import Callable
from typing import Any

import numpy as np

from fattree_bench.bench.links.flit.packets import FlitCaptured
from fattree_bench.bench.onlooker import Frame
from fattree_bench.families.flit_show import COLUMNS, FlitKeeper, OnLinks, flit_scene
from fattree_bench.families.mft.network import MftNetwork
from fattree_bench.families.naming import Names
from fattree_bench.families.showing import (
    NOBODY,
    NOT_LOOKED,
    STRANGER,
    UNJUDGED,
    Drawing,
    Ints,
    Kept,
    Link,
    Node,
    Scene,
    Show,
)

FABRIC = "mft_bench.u_network.u_fabric"
INSIDE = (
    "The way is what the RTL's waves show on up links and lanes. Packets that come out are "
    "compared with the model, which says in which clock each one's tail is to come."
)


def keeper(env: Any) -> Callable[[Any], Frame]:
    """Of a burst: what came, what was due, and the words of the item's flits."""

    def looked(captured: FlitCaptured) -> tuple[OnLinks | None, OnLinks | None]:
        return None, None

    notes = FlitKeeper(env, looked, lambda plan: np.where(plan.lost | plan.cut, -1, plan.tail))

    def keep(captured: Any) -> Frame:
        frame = notes(captured)
        sent = captured.item.plan.sent
        flit = np.arange(int(sent.first_flit[-1]) if captured.first == 0 else 0)
        words = sent.words(flit) if len(flit) else np.zeros(0, np.uint64)
        owner = sent.packet_of(flit).astype(np.int64) if len(flit) else flit
        head = flit == sent.first_flit[owner] if len(flit) else flit
        frame.arrays["flits"] = np.stack([owner + notes.base, head], 1).astype(np.int64)
        frame.arrays["words"] = words
        frame.arrays["from"] = np.full(len(flit), frame.first)
        return frame

    return keep


def drawing(network: MftNetwork) -> Drawing:
    """Rows of routers, clients below; up links, then lanes of each router's two sides."""
    count, rows = network.leaves, network.n
    nodes = [Node(f"client {x}", x + 0.5, 0.0, "leaf", 0.6) for x in range(count)]
    nodes += [
        Node(f"router ({r}, {c})", 2 * c + 1.0, -1.0 - r)
        for r in range(rows)
        for c in range(count // 2)
    ]

    def router(row: int, column: int) -> int:
        return count + row * (count // 2) + column

    links = [Link(f"from client {x}", x, router(0, x // 2)) for x in range(count)]
    for r in range(rows - 1):
        for c in range(count // 2):
            for k in (0, 1):  # link k leads to the parent whose column differs in bit r if k
                parent = router(r + 1, c ^ (k << r))
                links.append(Link(f"router ({r}, {c}) up link {k}", router(r, c), parent))
    for r, lanes in enumerate(network.row_lanes):
        for c in range(count // 2):
            for side in (0, 1):
                if r == 0:
                    head = 2 * c + side
                else:
                    bit = c >> (r - 1) & 1
                    head = router(r - 1, c ^ ((bit ^ side) << (r - 1)))
                name = f"router ({r}, {c}) side {side}"
                links.append(Link(name, router(r, c), head, int(lanes)))
    return Drawing(nodes, links)


def _inside(network: MftNetwork, kept: Kept, drawn: Drawing) -> Ints:
    """Flits on links as the waves show them, as rows of an onlooker's hops."""
    assert kept.waves is not None
    count, width = network.leaves, network.width
    flit = width + 2
    words, valid = [], []
    for r in range(network.n):
        scope = f"{FABRIC}.gen_row[{r}]"
        # Of row 0 what clients send, of each row but the top what climbs, then what descends.
        if r == 0:
            valid.append(kept.waves.fields(f"{scope}.in_valid", count, 1))
            words.append(kept.waves.fields(f"{scope}.in_flit", count, flit))
        if r < network.n - 1:
            valid.append(kept.waves.fields(f"{scope}.out_valid", count, 1))
            words.append(kept.waves.fields(f"{scope}.out_flit", count, flit))
    for r, lanes in enumerate(network.row_lanes):
        scope = f"{FABRIC}.gen_row[{r}]"
        valid.append(kept.waves.fields(f"{scope}.lane_valid", count * int(lanes), 1))
        words.append(kept.waves.fields(f"{scope}.lane_flit", count * int(lanes), flit))
    on, data = np.concatenate(valid, 1) != 0, np.concatenate(words, 1)
    starts = kept.arrays["item"][:, 0] - kept.first
    parts = [np.zeros((0, COLUMNS), np.int64)]
    lanes_of, first_lane = drawn.lanes, drawn.first_lanes()
    for begin, end in zip(starts, np.append(starts[1:], len(on)), strict=True):
        mine = kept.arrays["from"] == begin + kept.first
        owner, named = kept.arrays["flits"][mine], Names(kept.arrays["words"][mine])
        clock, lane = np.nonzero(on[begin:end])
        clock += begin
        word = data[clock, lane] & np.uint64((1 << width) - 1)
        found = named.find(word, np.ones(len(word), np.bool_), np.full(len(word), NOBODY))
        packet = (
            np.where(found >= 0, owner[np.maximum(found, 0), 0], STRANGER)
            if len(owner)
            else (np.full(len(word), STRANGER))
        )
        place = lanes_of[lane]
        part = np.where(found >= 0, 1 - owner[np.maximum(found, 0), 1], 1) if len(owner) else found
        columns = (
            packet,
            clock + kept.first,
            place,
            lane - first_lane[place],
            np.full(len(clock), UNJUDGED),
            part,
            np.zeros_like(clock),
        )
        parts.append(np.stack(columns, 1).astype(np.int64))
    return np.concatenate(parts)


def scene(network: MftNetwork, kept: Kept, first: int, last: int) -> Scene:
    """Times are clocks."""
    drawn = drawing(network)
    told = NOT_LOOKED
    if kept.waves is not None:
        kept = kept._replace(arrays={**kept.arrays, "hops": _inside(network, kept, drawn)})
        told = INSIDE
    links = np.arange(len(drawn.links))
    clients = list(range(network.leaves))
    return flit_scene(kept, (first, last), drawn, links, clients, inside=told)


def hops(network: MftNetwork) -> float:
    """Flits on all lanes of a clock."""
    return float(network.leaves * (network.n + sum(map(int, network.row_lanes))))


SHOW = Show(keeper=keeper, scene=scene, hops=hops, taps=True)
