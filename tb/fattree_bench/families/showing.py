"""A run as a page plays it: a drawing as data, and what happened as arrays.

A family's show.py offers SHOW.  `keeper` works in the simulator: of each captured item it says what
is kept.  `scene` works behind it, with what was kept and, if taps are named, with the waves.

Times are those of the link: slots, delivery cycles or clocks since the start of the run.  Places
are numbered: first the links of the network's structure, then its nodes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from fattree_models.common.structure import Structure

Array = npt.NDArray[Any]
Ints = npt.NDArray[np.int64]
Bits = npt.NDArray[np.bool_]

EXPECTED, SEEN = 1, 2  # by the model; by the RTL
UNSEEN, UNJUDGED = 4, 8  # expected, and not observed; seen, and no model speaks of it
NOBODY, STRANGER = -1, -2  # no packet; one that was not sent
LOOKED = (
    "Expected: the model. What the RTL did: words on the lanes as its waves show them, and what "
    "came out."
)
NOT_LOOKED = (
    "The inside is what the model says: the RTL was not looked into. What came out is the RTL's."
)


@dataclass
class Packets:
    """What is on its way, int64 [packets] each; one that was not sent has no source.

    Attributes
    ----------
    source, destination : leaves.
    start : time in which it enters.
    wrong : its fate is not as the model says.
    says : its fate, and what else there is to know of it, a sentence.
    """

    source: Ints
    destination: Ints
    start: Ints
    wrong: Bits
    says: list[str]

    def __len__(self) -> int:
        return len(self.source)


@dataclass
class Hops:
    """Where packets are, int64 [hops] each.

    Attributes
    ----------
    packet, time, place, lane : which, when, where.
    step : of its way, for those who look at one slot after the other.
    who : EXPECTED, SEEN, both, UNSEEN or UNJUDGED.
    part : which flit or bit of it; -1: all of it.
    """

    packet: Ints
    time: Ints
    place: Ints
    lane: Ints
    step: Ints
    who: Ints
    part: Ints

    @classmethod
    def joined(cls, parts: "Sequence[Hops]") -> "Hops":
        """All of several."""
        names = cls.__dataclass_fields__
        return cls(*(np.concatenate([getattr(p, name) for p in parts]) for name in names))


@dataclass
class Arrivals:
    """What should come out, and what did, int64 [arrivals] each; NOBODY, STRANGER."""

    time: Ints
    leaf: Ints  # place
    expected: Ints
    seen: Ints
    wrong: Bits
    step: Ints
    slot: Ints  # to which it belongs, for those who look at one after the other


@dataclass
class Events:
    """What a reader must see, int64 [events] each: packets lost, cycles of a deadlock, faults.

    Attributes
    ----------
    kind : index into `kinds`: words, and whether it is a fault.
    """

    time: Ints
    step: Ints
    place: Ints
    packet: Ints
    kind: Ints
    kinds: Sequence[tuple[str, bool]]


@dataclass
class Gauges:
    """Numbers that stand next to nodes at each time, such as lengths of queues.

    Attributes
    ----------
    names, places : of each gauge.
    seen : int64 [times, gauges]; expected: the same or None.
    first : time of row 0.
    most : the greatest; title: what is counted; words: what numbers mean that are no counts.
    """

    names: Sequence[str]
    places: Sequence[int]
    seen: Ints
    first: int
    most: int
    words: Sequence[str] = ()
    expected: Ints | None = None
    title: str = ""

    def cut(self, first: int, last: int) -> "Gauges":
        """The same of the times first ... last."""
        rows = slice(max(0, first - self.first), last + 1 - self.first)
        due = None if self.expected is None else self.expected[rows]
        return replace(self, seen=self.seen[rows], first=max(first, self.first), expected=due)


@dataclass
class Scene:
    """All that a page plays.

    Attributes
    ----------
    unit : of time: "slot", "delivery cycle", "clock".
    noun : "packet", "message", "cell".
    first, last : times that are shown.
    steps : of a slot's ways if slots can be looked at one after the other, else 0.
    slot, step : what these are called; by_time: times can also be looked at one after the other.
    bits : what the parts of a packet are if they are bits, as in "M bit", "a one", "a zero".
    inside : what the page says of where the picture of the inside comes from.
    parts : (first time, name) of what was sent one after the other.
    carries : what a link's load counts: "packets", "flits".
    inner : what nodes are that are no leaves: "switch" or "queue".
    """

    structure: Structure
    unit: str
    noun: str
    first: int
    last: int
    packets: Packets
    hops: Hops
    arrivals: Arrivals
    events: Events
    steps: int = 0
    slot: str = "slot"
    step: str = "step"
    by_time: bool = True
    bits: Sequence[str] = ()
    gauges: list[Gauges] = field(default_factory=list)
    inside: str = ""
    parts: Sequence[tuple[int, str]] = ()
    carries: str = "packets"
    inner: str = "switch"

    @property
    def places(self) -> tuple[str, ...]:
        """Names of all places."""
        return self.structure.links + self.structure.nodes


def node_place(structure: Structure, node: npt.ArrayLike) -> Ints:
    """The places of nodes."""
    return len(structure.links) + np.asarray(node, np.int64)


class Waves(Protocol):
    """Signals in the clocks of the kept frames, as they stood when the clock rose."""

    def has(self, name: str) -> bool: ...

    def fields(self, name: str, count: int, width: int) -> npt.NDArray[np.uint64]:
        """Parts of a vector from bit 0 on, `width` <= 64 bits each: uint64 [clocks, count]."""


class Kept(NamedTuple):
    """What an onlooker kept, in one piece.

    Attributes
    ----------
    first, rows : time of the first row, and how many follow one another.
    clocks : of the simulation that they took.
    arrays : by name, the frames' behind one another.
    waves : None if there are none.
    wanted : a time to be shown, or None.
    """

    first: int
    rows: int
    clocks: int
    arrays: Mapping[str, Array]
    waves: Waves | None
    wanted: int | None


@dataclass(frozen=True)
class Show:
    """What a family offers.

    Attributes
    ----------
    keeper : given the environment, what of a captured item is kept (a bench.onlooker.Frame).
    scene : the page's content, of a network and what was kept, for times first ... last.
    hops : of packets in a row of time, at most: a page holds so many.
    taps : there are signals to be read from waves.
    variables : that a run has besides those that are given.
    """

    keeper: Callable[[Any], Callable[[Any], Any]]
    scene: Callable[[Any, Kept, int, int], Scene]
    hops: Callable[[Any], float]
    taps: bool = False
    variables: Mapping[str, str] = field(default_factory=dict)


def hops_of(
    structure: Structure,
    times: Ints,
    expected: npt.NDArray[np.integer],
    seen: npt.NDArray[np.integer] | None,
    step: Callable[[Ints, Ints, Ints], Ints],
) -> Hops:
    """Hops of what is on lanes: packets [times, lanes], NOBODY where none.

    `seen`: None if not observed.  `step`: given packet, time and place.
    """
    lanes, first = structure.lane_link, structure.first_lane
    parts = []
    for grid, other, alone in (
        (expected, seen, UNSEEN if seen is None else EXPECTED),
        *(((seen, expected, SEEN),) if seen is not None else ()),
    ):
        assert grid is not None
        row, lane = np.nonzero(grid != NOBODY)
        packet = grid[row, lane].astype(np.int64)
        who = np.full(len(row), alone)
        if other is not None:
            same = other[row, lane] == packet
            who[same] = EXPECTED | SEEN
            if alone == SEEN:
                row, lane, packet, who = (a[~same] for a in (row, lane, packet, who))
        place, time = lanes[lane], times[row]
        own = lane - first[place]
        part = np.full(len(row), -1)
        parts.append(Hops(packet, time, place, own, step(packet, time, place), who, part))
    return Hops.joined(parts)


def on_lanes(structure: Structure, waves: Waves, part: str, width: int) -> Array:
    """What the waves show on each lane, uint64 [clocks, lanes].

    `part` : behind the name of a link's signal; of `width` bits a lane.  0 on links without signal.
    """
    lanes: dict[str, list[int]] = {}
    for lane, link in enumerate(structure.lane_link.tolist()):
        lanes.setdefault(structure.signal[link], []).append(lane)
    hidden = lanes.pop("", [])
    found = [waves.fields(f"{name}{part}", len(mine), width) for name, mine in lanes.items()]
    shown = np.concatenate([*lanes.values()])
    made = np.zeros((len(found[0]), len(shown) + len(hidden)), np.uint64)
    made[:, shown] = np.concatenate(found, axis=1)
    return made


def numbered(dst: npt.NDArray[np.integer]) -> tuple[Ints, Ints, Ints]:
    """Row and source of each packet, and the packet of each row and source, NOBODY where none."""
    row, source = np.nonzero(dst >= 0)
    number = np.full(dst.shape, NOBODY)
    number[row, source] = np.arange(len(row))
    return row, source, number


def arrivals_of(goes: Ints, came: Ints, times: Ints, place: Ints, step: int, late: int) -> Arrivals:
    """What should come and what came: packets [times, leaves], NOBODY where none.

    `place` : of each leaf; `late` : times from a packet's slot to its arrival.
    """
    row, leaf = np.nonzero((goes != NOBODY) | (came != NOBODY))
    expected, seen = goes[row, leaf], came[row, leaf]
    at = times[row]
    last = np.full(len(row), step)
    return Arrivals(at, place[leaf], expected, seen, expected != seen, last, at - late)
