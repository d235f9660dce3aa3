"""Figures of Leiserson's paper, from the models."""

import numpy as np

from fattree_bench.families.drawing import Drawing
from fattree_bench.families.leiserson.network import Leiserson
from fattree_bench.report.diagram import FONT, Rows, Sheet
from fattree_bench.report.svg import PAD, Key
from fattree_bench.report.tree_svg import tree_svg
from fattree_models import leiserson

DRAWN = {"N": "16", "W": "8"}


def universal() -> str:
    """A tree with universal capacities, and what random messages ask of its channels."""
    network = Leiserson.from_variables(DRAWN)
    processors = np.arange(network.leaves)
    src, dst = (ends.ravel() for ends in np.meshgrid(processors, processors, indexing="ij"))
    other = src != dst
    up, _ = leiserson.level_loads(src[other], dst[other], network.leaves)
    # All pairs: each processor would send to every other, one of them at a time.
    mean = up / (network.leaves - 1)
    title = f"{network.leaves} processors, universal capacities, w = {network.cap[0]}"
    return tree_svg([0, *network.cap[1:]], [0.0, *mean[1:]], title)


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
    sheet = Sheet("Inside a node of a fat-tree", 620)
    columns = [("inputs", 3), ("selectors", len(turns)), ("concentrators", 3)]
    counts, top = [count for _, count in columns], sheet.top + FONT
    place = (PAD + 30, top, 44.0 * len(turns), [150.0] * 2)
    rows = Rows(counts, *place, [30.0] * 3, [70.0, 50.0, 90.0], True)
    for number, (start, end) in enumerate(turns):
        here = rows.centre(1, number)
        sheet.line((rows.port(0, start, 1, end, 3), rows.port(1, number, -1, 0, 1)), "up", 1.8)
        sheet.line((rows.port(1, number, 1, 0, 1), rows.port(2, end, -1, start, 3)), "down", 1.8)
        sheet.box(*here, rows.size(1), "box", f"{PORTS[start]}>{PORTS[end]}")
    for number, port in enumerate(PORTS):
        sheet.box(*rows.centre(0, number), rows.size(0), "box", f"{port} in")
        sheet.box(*rows.centre(2, number), rows.size(2), "box", f"to {port} out")
    for column, (word, _) in enumerate(columns):
        sheet.text(word, rows.centre(column, 0)[0], sheet.top, "small middle strong")
    keys = [Key("up", "all wires of a port"), Key("down", "those with a message for this output")]
    return sheet.drawn(rows.bottom, keys)


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
