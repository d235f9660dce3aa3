"""What must be tried on a foreign design: cover groups, and what cannot be hit and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fattree_bench.bench.groups import NO_YES, Group, Point, Sizes, numbered
from fattree_bench.bench.links.flit.coverage import payload_group

if TYPE_CHECKING:
    from fattree_bench.families.foreign.network import ForeignNetwork

PAIRS = "input x output"
LENGTHS = "words x waited"
SOURCES = "input x waited"
OUTPUTS = "output x packets side by side"
PAUSES = "pauses: sender x receiver"
RESET = "reset: packets inside"

WORDS = Sizes(1, 2, 4, 8, 16, 64, last="more")
PAUSE_LABELS = ("none", "some", "many")
PAUSE_EDGES = (0.0, 0.4)
WAITED = Point("waited", NO_YES)
SIDE_BY_SIDE = Point("side by side", NO_YES)


def pause_bin(share: float) -> int:
    """Bin of PAUSE_LABELS of a probability."""
    return int(np.searchsorted(PAUSE_EDGES, share))


def groups(network: ForeignNetwork) -> list[Group]:
    """The cover groups of a design."""
    design = network.design
    inputs, outputs = numbered("input", design.inputs), numbered("output", design.outputs)
    every = Group(PAIRS, (inputs, outputs))
    every.exclude("traffic.self, traffic.pairs: not a legal pair", ~design.legal)
    waits, meets = Group(SOURCES, (inputs, WAITED)), Group(OUTPUTS, (outputs, SIDE_BY_SIDE))
    for group, axis in ((waits, 1), (meets, 0)):
        none = np.count_nonzero(design.legal, axis=axis) == 0
        group.exclude("traffic.pairs: no legal pair", none[:, None])
    lengths = Group(LENGTHS, (Point("words", WORDS.labels), WAITED))
    there = np.zeros(len(WORDS.labels), np.bool_)
    there[WORDS.bins(np.array(design.flits) * design.words_a_flit)] = True
    lengths.exclude("no packet is as long", ~there[:, None])
    pauses = Group(PAUSES, (Point("sender", PAUSE_LABELS), Point("receiver", PAUSE_LABELS)))
    tried = np.zeros((3, 3), np.bool_)
    for gap, hold in ((0, 0), (1, 0), (0, 1), (2, 2), (1, 1)):
        tried[gap, hold * design.can_wait] = True
    pauses.exclude("no test of the testplan pauses so", ~tried, possible=True)
    if not design.can_wait:
        pauses.exclude("its receivers cannot make it wait", np.arange(3) > 0)
    found = [every, lengths, waits, meets, pauses]
    if design.said.reset.name and design.said.promises.reset:
        found.append(Group(RESET, (Point("inside", NO_YES),)))
    if (words := payload_group(max(design.flits))).bins:
        found.append(words)
    return found
