"""Figures of the load-balanced switch, from the models."""

from functools import partial

import numpy as np

from fattree_bench.families.drawing import Drawing
from fattree_bench.report.diagram import Look, Stroke, network
from fattree_bench.report.svg import Key
from fattree_bench.report.tree_svg import nonblocking, tree_svg
from fattree_models import lbbvn
from fattree_models import lbbvn_switch as switch
from fattree_models.common.structure import Link, Node, Structure

SCHEDULE = "BITREV"
SMALL, LARGE = 2, 4  # log2 of the line cards
COLUMNS = (["inputs"], ["middles"], ["outputs"])


def fabric() -> str:
    """The folded fabric, and what a frame of the schedule asks of it."""
    frame = switch.connections(SCHEDULE, LARGE)
    phases = [lbbvn.channel_loads(phase, LARGE)[0] for phase in (frame.to_middle, frame.to_output)]
    loads = np.concatenate(phases)  # every channel carries as much down as up
    mean = [0.0, *(loads[:, 1 << j : 2 << j].mean() for j in range(1, LARGE + 1))]
    title = f"{1 << LARGE} line cards, schedule {SCHEDULE}, lanes of Lemma 1"
    return tree_svg(lbbvn.lower_bound(LARGE), mean, title)


def phases() -> str:
    """Inputs, middles and outputs, and when they are connected."""
    cards = 1 << SMALL
    frame = switch.connections(SCHEDULE, SMALL)
    boxes = [Node(str(k), column, k, column, 0) for column in range(3) for k in range(cards)]
    links: list[Link] = []
    strokes: list[Stroke] = []
    for column, phase in enumerate((frame.to_middle, frame.to_output)):
        for slot, connected in enumerate(phase.tolist(), start=1):
            for card, to in enumerate(connected):
                strokes.append(Stroke(len(links), f"load-{slot}"))
                tail, head = column * cards + card, (column + 1) * cards + to
                links.append(Link("", tail, head, to, card))
    keys = [Key("", f"connected in slot, modulo {cards}:", 0)]
    keys += [Key(f"load-{slot + 1}", str(slot)) for slot in range(cards)]
    title = f"{cards} line cards unfolded, schedule {SCHEDULE}"
    look = Look(44.0 * cards, (30,) * 3, (44,) * 3, (170, 170), sideways=True)
    return network(Structure.of(boxes, links), title, strokes, keys, COLUMNS, look)


DRAWINGS = (
    Drawing(
        "switch-1",
        "B",
        "Fig. 1",
        "the switch unfolded, 4 line cards; colours tell in which slot of a frame a link is "
        "connected, so that each carries a quarter of a full line.",
        phases,
    ),
    Drawing(
        "switch-2",
        "B",
        "Fig. 2",
        "the complete binary tree with 16 leaves: one lane on every edge.",
        partial(tree_svg, (0, 1, 1, 1, 1), title="Complete binary tree with 16 leaves"),
    ),
    Drawing(
        "switch-3",
        "B",
        "Fig. 3",
        "the nonblocking fat-tree with 16 ports: every edge has a lane for each leaf below it.",
        partial(tree_svg, nonblocking(LARGE), title="Nonblocking fat-tree with 16 ports"),
    ),
    Drawing(
        "switch-fabric",
        "B",
        "No figure (the folded fabric)",
        "its fat-tree with 16 line cards; colours tell how many of a channel's lanes a slot of "
        "the schedule uses, in the mean of a frame.",
        fabric,
    ),
)
