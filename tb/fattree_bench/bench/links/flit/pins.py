"""A recorder at the pins of a flit_player, where no model says what is on the links of a network.

It is apart from Python's side, so that no cocotb is loaded to build one.
"""

from dataclasses import replace

from fattree_bench.bench.interface.interface import Block
from fattree_bench.bench.links.flit.network import FlitLayout, Recording
from fattree_bench.bench.links.flit.player import recorder

PINS = "u_pins"


def pins_layout(layout: FlitLayout) -> FlitLayout:
    """What it holds: links from leaves, then those to leaves."""
    bits = layout.words.width, layout.hops_bits
    return replace(layout, recorded=Recording(2 * layout.leaves, bits))


def pins(layout: FlitLayout, clock: str = "clk", credit: str = "send_credit") -> Block:
    """The recorder; `credit`: what comes back to leaves."""
    wires = (
        "{receive_valid, send_valid}",
        "{receive_flit, send_flit}",
        f"{{receive_credit, {credit}}}",
    )
    return replace(recorder(pins_layout(layout), wires, clock=clock), name=PINS)
