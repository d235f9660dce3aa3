"""Figures of Leiserson's paper, from the models."""

import math

import numpy as np

from fattree_bench.families.drawing import Drawing, word
from fattree_bench.families.leiserson.network import Leiserson
from fattree_bench.report.diagram import FONT, Look, Sheet, Stroke, network
from fattree_bench.report.svg import Key
from fattree_bench.report.tree_svg import tree_svg
from fattree_models import leiserson
from fattree_models.common.structure import Link, Node, Structure
from fattree_models.universality.pearls import divide

DRAWN = {"N": "16", "W": "8"}


def universal() -> str:
    """A tree with universal capacities, and what random messages ask of its channels."""
    tree = Leiserson.from_variables(DRAWN)
    processors = np.arange(tree.leaves)
    src, dst = (ends.ravel() for ends in np.meshgrid(processors, processors, indexing="ij"))
    other = src != dst
    up, _ = leiserson.level_loads(src[other], dst[other], tree.leaves)
    # All pairs: each processor would send to every other, one of them at a time.
    mean = up / (tree.leaves - 1)
    title = f"{tree.leaves} processors, universal capacities, w = {tree.cap[0]}"
    return tree_svg([0, *tree.cap[1:]], [0.0, *mean[1:]], title)


def message() -> str:
    """The fields of a message, in the order in which its bits are sent."""
    cap = Leiserson.from_variables(DRAWN).cap.tolist()
    tree = leiserson.SerialTree(tuple(cap), data_bits=8)
    fields = [("M", 1), ("address", tree.address_bits), ("data", tree.data_bits)]
    said = f"{tree.frame_bits} bits"
    return word("A bit-serial message, the first bit at the left", fields, said)


PORTS = ("U", "L", "R")  # of a node: up, left, right


def node() -> str:
    """Selectors and concentrators between the ports of a node."""
    turns = [(start, end) for start in range(3) for end in range(3) if start != end]
    boxes = [Node(f"{port} in", 0, k, 0, 0) for k, port in enumerate(PORTS)]
    boxes += [Node(f"{PORTS[a]}>{PORTS[b]}", 1, k, 1, 0) for k, (a, b) in enumerate(turns)]
    boxes += [Node(f"to {port} out", 2, k, 2, 0) for k, port in enumerate(PORTS)]
    links = [Link("", a, 3 + k, b) for k, (a, b) in enumerate(turns)]
    links += [Link("", 3 + k, 3 + len(turns) + b, 0, a) for k, (a, b) in enumerate(turns)]
    strokes = [Stroke(k, "up" if k < len(turns) else "down") for k in range(len(links))]
    keys = [Key("up", "all wires of a port"), Key("down", "those with a message for this output")]
    said = [["inputs"], ["selectors"], ["concentrators"]]
    look = Look(44.0 * len(turns), (30,) * 3, (70, 50, 90), (150, 150), sideways=True)
    made = Structure.of(boxes, links)
    return network(made, "Inside a node of a fat-tree", strokes, keys, said, look)


STRINGS = "●○●●○●●●●○●●", "○○○○○○●○"  # of pearls, a long one and a short one
AROUND = 78.0  # radius of the circle that they lie in


def pearls() -> str:
    """The two strings in a circle: A as it begins, where it has half of each colour, its end."""
    one, other = ([pearl == "●" for pearl in string] for string in STRINGS)
    line, half = [*one, *other], (len(one) + len(other)) // 2
    begin = len(one) - half
    found, _ = divide(one, other)
    moves = [{*range(begin, len(one))}, {k for a, b in found for k in range(a, b)}]
    moves.append({*range(len(line))} - moves[0])
    sheet = Sheet("Two strings of pearls, halved", 640)
    for place, own in enumerate(moves):
        middle = sheet.top + AROUND + 2 * FONT
        spots = [_around(k, len(line), (2 * place + 1) * 640 / 6, middle) for k in range(len(line))]
        for k, spot in enumerate(spots):
            after = (k + 1) % len(line)
            if after not in (0, len(one)):  # strings are apart
                sheet.line([spot, spots[after]], "up" if {k, after} <= own else "idle", 3)
            sheet.box(*spot, (16.0, 16.0), "box" if k in own else "node", "●" if line[k] else "○")
        black = sum(line[k] for k in own)
        counts = f"{black} black, {half - black} white"
        sheet.text(("A begins", "it has half", "it ends")[place], spots[0][0], sheet.top, "middle")
        sheet.text(counts, (2 * place + 1) * 640 / 6, middle + 5, "small middle muted")
    keys = [Key("up", "the set A, at most two strings"), Key("idle", "the other pearls")]
    return sheet.drawn(sheet.top + 2 * AROUND + 4 * FONT, keys)


def _around(place: int, of: int, x: float, y: float) -> tuple[float, float]:
    """Where a pearl is in its circle, the first one at the top, and on to the right."""
    angle = 2 * math.pi * (place + 0.5) / of
    return x + AROUND * math.sin(angle), y - AROUND * math.cos(angle)


DRAWINGS = (
    Drawing(
        "leiserson-1",
        "L",
        "Fig. 1",
        "the fat-tree of 16 processors with universal capacities, the channel above the root left "
        "out; colours tell how many of a channel's wires are wanted, in the mean, if each "
        "processor sends a message to a random other.",
        universal,
    ),
    Drawing(
        "leiserson-2",
        "L",
        "Fig. 2",
        "the format of a message as the models and the RTL send it, N = 16: the M bit says that "
        "there is one, nodes use up the address bits, and the data come last.",
        message,
    ),
    Drawing(
        "leiserson-3",
        "L",
        "Fig. 3",
        "the inside of a node: a selector for each way through it picks the messages of its "
        "output, and a concentrator gives wires to as many of them as there are.",
        node,
    ),
    Drawing(
        "leiserson-4",
        "L",
        "Fig. 4",
        "the partitioning argument of Lemma 6 with twenty pearls: the set A begins as the end of "
        "the long string and ends as the other half, and on its way it has half of each colour.",
        pearls,
    ),
)
