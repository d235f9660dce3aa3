"""The first disagreement of RTL and model: when, and what."""

from typing import NamedTuple

import numpy as np

from fattree_bench.families.showing import EXPECTED, SEEN, Scene


class Wrong(NamedTuple):
    """The earliest disagreement."""

    time: int
    says: str


def first_wrong(scene: Scene) -> Wrong | None:
    """The earliest disagreement of a scene, on a lane or at a leaf; None if there is none."""
    found: list[tuple[int, int, str]] = []
    hops = scene.hops
    odd = np.flatnonzero((hops.who == EXPECTED) | (hops.who == SEEN))
    if odd.size:
        order = np.lexsort((hops.lane[odd], hops.place[odd], hops.time[odd]))
        at = int(odd[order[0]])
        time, place, lane = (int(a[at]) for a in (hops.time, hops.place, hops.lane))
        here = (hops.time[odd] == time) & (hops.place[odd] == place) & (hops.lane[odd] == lane)
        who = {int(hops.who[i]): int(hops.packet[i]) for i in odd[here]}
        text = f"expected {_named(scene, who.get(EXPECTED))}, the RTL has "
        text += _named(scene, who.get(SEEN))
        found.append((time, 0, f"{scene.places[place]} lane {lane}: {text}"))
    came = scene.arrivals
    odd = np.flatnonzero(came.wrong)
    if odd.size:
        at = int(odd[np.argmin(came.time[odd])])
        text = f"expected {_named(scene, int(came.expected[at]))}, "
        text += f"the RTL gave {_named(scene, int(came.seen[at]))}"
        found.append((int(came.time[at]), 1, f"{scene.places[int(came.leaf[at])]}: {text}"))
    events = scene.events
    bad = np.array([fault for _, fault in events.kinds], np.bool_)
    odd = np.flatnonzero(bad[events.kind]) if len(events.kind) else events.kind
    if odd.size:
        at = int(odd[np.argmin(events.time[odd])])
        text = scene.events.kinds[int(events.kind[at])][0]
        found.append((int(events.time[at]), 2, f"{scene.places[int(events.place[at])]}: {text}"))
    if not found:
        return None
    time, _, says = min(found)
    return Wrong(time, f"{scene.unit} {time}: {says}")


def _named(scene: Scene, packet: int | None) -> str:
    """A packet as a reader knows it."""
    if packet is None or packet < 0:
        return "nothing"
    packets = scene.packets
    if packets.source[packet] < 0:
        return packets.says[packet]
    return (
        f"{packets.source[packet]}→{packets.destination[packet]} "
        f"of {scene.unit if not scene.steps else 'slot'} {packets.start[packet]}"
    )
