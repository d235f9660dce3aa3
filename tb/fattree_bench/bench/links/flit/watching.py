"""A recorder of all links of a network that something else drives, as a block of its interface.

It is apart from Python's side, so that no cocotb is loaded to build one.
"""

from collections.abc import Mapping
from dataclasses import replace

from fattree_bench.bench.interface.interface import Interface, Packed
from fattree_bench.bench.links.flit import HDL
from fattree_bench.bench.links.flit.network import FlitLayout, Recording
from fattree_bench.bench.links.flit.player import recorder

LINKS = ("receive", "send", "link")  # to leaves, from leaves, out of switches: the highest first
CONTROL_BITS = 33  # a seed and a reset, in the place of states


def watched_layout(layout: FlitLayout, links: int) -> FlitLayout:
    """What is recorded where somebody else drives: flits have no list of hops, but a zero."""
    return replace(layout, recorded=Recording(links, (layout.words.width, 1), CONTROL_BITS))


def watcher(layout: FlitLayout, interface: Interface, sizes: Mapping[str, int]) -> Interface:
    """With a recorder of all links; `sizes`: how many of each of LINKS."""
    packed = tuple(
        Packed(f"{name}_wide", sizes[name], ((f"{name}_none", 1), (f"{name}_flit", "FLIT_W")))
        for name in LINKS
    )
    wires = tuple(
        f"{{{', '.join(f'{name}_{what}' for name in LINKS)}}}"
        for what in ("valid", "wide", "credit")
    )
    quiet = {f"{name}_none": sizes[name] for name in LINKS}
    wide = {f"{name}_wide": f"{sizes[name]}*(FLIT_W + 1)" for name in LINKS}
    text = "".join(f"  assign {name} = 0;\n" for name in quiet)
    made = recorder(layout, (wires[0], wires[1], wires[2]), "{seed, rst}")
    return replace(
        interface,
        packed=(*interface.packed, *packed),
        wires={**interface.wires, **quiet, **wide},
        text=interface.text + "\n" + text,
    ).with_blocks(replace(made, files=(HDL / "flit_recorder.v",)))
