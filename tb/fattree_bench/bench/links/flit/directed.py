"""Random packets whose variables can be chosen, so that they reach what is missing."""

from collections.abc import Iterator, Mapping

import numpy as np

from fattree_bench.bench.groups import Group
from fattree_bench.bench.links import corners
from fattree_bench.bench.links.flit.packets import PacketSet
from fattree_bench.bench.links.flit.sequences import Uniform
from fattree_bench.settings import plain
from fattree_models.common.checks import BoolArray
from fattree_models.traffic import Packets

Left = Mapping[str, BoolArray]  # open bins by cover group, in its shape
PAUSES = {"none": "0", "some": "0.3", "many": "0.6"}  # chances, by labels of a cover group
PAIRED = {("source", "destination"), ("input", "output")}  # points of a group of pairs
MOST_PAIRS = 64  # that one run is aimed at


class Directed(Uniform):
    """Random packets, their pairs, lengths, load, pauses and reset as STIMULUS says.

    Attributes
    ----------
    clocks : in which packets are created.
    pairs : source-destination, with commas between: half of the packets are theirs.
    goals : so many leaves receive; 0: all.
    stalls : chance that a receiver gives no credit in a clock.
    gap, hold : chance of a pause between two words of a sender, and of a receiver.
    reset_in : clock in which a reset begins; -1: none.
    """

    clocks: int = 64
    load: float = 0.5
    lengths: str = ""
    pairs: str = ""
    goals: int = 0
    stalls: float = 0.0
    gap: float = 0.0
    hold: float = 0.0
    reset_in: int = -1
    corners: bool = False

    def made(self) -> Packets:
        drawn = super().made()
        if self.goals:
            some = self.rng.permutation(np.unique(drawn.destination))[: self.goals]
            drawn = drawn.select(np.isin(drawn.destination, some))
        words = (word.split("-") for word in self.pairs.split(",") if word)
        pairs = np.array([(plain(a), plain(b)) for a, b in words]).reshape(-1, 2)
        aimed = (self.rng.random(len(drawn)) < 0.5) & bool(len(pairs))
        some = pairs[self.rng.integers(max(1, len(pairs)), size=np.count_nonzero(aimed))]
        source, goal = drawn.source.copy(), drawn.destination.copy()
        source[aimed], goal[aimed] = some.T
        return Packets.of(source, goal, drawn.release, drawn.flits, drawn.kind)

    def items(self) -> Iterator[PacketSet]:
        how: dict[str, object] = {x: getattr(self, x) for x in ("gap", "hold") if getattr(self, x)}
        if self.stalls:
            how["stall"] = np.full(self.network.leaves, self.stalls)
        for reset in (None, self.reset_in)[: 1 + (self.reset_in >= 0)]:
            kind = self.stimulus.senders.item
            yield kind(self.made(), self.get_name(), reset=reset, corners=self.corners, **how)

    @staticmethod
    def aims(groups: Mapping[str, Group], left: Left) -> dict[str, list[str]]:
        """Values of the variables that can reach what is left."""
        found = {"clocks": ["32", "128", "512"], "load": ["0.5", "1"], "goals": ["0", "1"]}
        if sizes := [label.split(" ")[0] for label in labels_left(groups, left, "flits")]:
            found["lengths"] = ["", ",".join(sizes)]
        for name, bins in left.items():
            if tuple(point.title for point in groups[name].points) in PAIRED:
                pairs = ",".join(f"{a}-{b}" for a, b in np.argwhere(bins)[:MOST_PAIRS])
                found["pairs"] = ["", pairs]
        for name, title in (("gap", "sender"), ("hold", "receiver")):
            found[name] = [PAUSES[x] for x in labels_left(groups, left, title)] or ["0"]
        if labels_left(groups, left, "gives credits back"):
            found["stalls"] = ["0", "0.3"]
        if labels_left(groups, left, "inside"):
            found["reset_in"] = ["-1", "0", "20"]
        if corners.PAYLOADS in left:
            found["corners"] = ["0", "1"]
        return found


def labels_left(groups: Mapping[str, Group], left: Left, title: str) -> list[str]:
    """Labels of points of this title that have open bins."""
    found: dict[str, None] = {}
    for name, bins in left.items():
        for axis, point in enumerate(groups[name].points):
            if point.title == title:
                others = tuple(x for x in range(bins.ndim) if x != axis)
                found |= dict.fromkeys(np.array(point.labels)[bins.any(axis=others)].tolist())
    return list(found)
