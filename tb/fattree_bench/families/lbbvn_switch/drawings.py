"""Figures of the load-balanced switch, from the models."""

from functools import partial

import numpy as np

from fattree_bench.families.drawing import Drawing
from fattree_bench.report.diagram import FONT, Rows, Sheet
from fattree_bench.report.svg import PAD, Key
from fattree_bench.report.tree_svg import nonblocking, tree_svg
from fattree_models import lbbvn
from fattree_models import lbbvn_switch as switch

SCHEDULE = "BITREV"
SMALL, LARGE = 2, 4  # log2 of the line cards
COLUMNS = ("inputs", "middles", "outputs")


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
    sheet = Sheet(f"{cards} line cards unfolded, schedule {SCHEDULE}", 560)
    left, top = PAD + 20, sheet.top + FONT
    rows = Rows([cards] * 3, left, top, 44.0 * cards, [170.0] * 2, [30.0] * 3, [44.0] * 3, True)
    slots = [f"load-{slot + 1}" for slot in range(cards)]
    keys = [Key("", f"connected in slot, modulo {cards}:", 0)]
    keys += [Key(name, str(slot)) for slot, name in enumerate(slots)]
    for column, phase in enumerate((frame.to_middle, frame.to_output)):
        for name, connected in zip(slots, phase.tolist(), strict=True):
            for card, to in enumerate(connected):
                start = rows.port(column, card, 1, to, cards)
                sheet.line((start, rows.port(column + 1, to, -1, card, cards)), name, 1.8)
    for column, word in enumerate(COLUMNS):
        for card in range(cards):
            sheet.box(*rows.centre(column, card), rows.size(column), "box", str(card))
        sheet.text(word, rows.centre(column, 0)[0], sheet.top, "small middle strong")
    return sheet.drawn(rows.bottom, keys)


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
