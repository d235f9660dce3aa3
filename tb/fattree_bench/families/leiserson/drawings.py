"""Figures of Leiserson's paper, from the models."""

import numpy as np

from fattree_bench.families.drawing import Drawing
from fattree_bench.families.leiserson.network import Leiserson
from fattree_bench.report.diagram import FONT, Look, Rows, Sheet, Stroke, network
from fattree_bench.report.svg import PAD, Key
from fattree_bench.report.tree_svg import tree_svg
from fattree_models import leiserson
from fattree_models.common.structure import Link, Node, Structure

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
    sheet = Sheet("A bit-serial message, the first bit at the left", 640)
    top = sheet.top + FONT
    rows = Rows([tree.frame_bits], PAD, top, 640 - 2 * PAD, [], [60.0], [26.0])
    place = 0
    for name, count in fields:
        for bit in range(count):
            sheet.box(*rows.centre(0, place + bit), rows.size(0), "box", str(bit))
        middle = rows.centre(0, place)[0] + (count - 1) / 2 * rows.pitch(0)
        sheet.text(name, middle, sheet.top, "small middle strong")
        place += count
    return sheet.drawn(rows.bottom, [Key("", f"{tree.frame_bits} bits", 0)])


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
)
