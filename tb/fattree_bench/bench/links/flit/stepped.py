"""Signals in a bench top for an agent that drives the leaves of a network flit by flit."""

from dataclasses import replace

from fattree_bench.bench.interface.interface import Block, Interface
from fattree_bench.bench.links.flit import HDL
from fattree_bench.bench.links.flit.network import FlitNetwork

DRIVEN = {"valid_o": "player_valid", "flit_o": "player_flit", "credit_o": "player_credit"}
SEEN = "credit_i", "valid_i", "flit_i"


def classic(network: FlitNetwork, interface: Interface) -> Interface:
    """The same, but its player only keeps time, and no clock runs by itself."""
    vcs, leaves = network.layout.vcs, network.leaves
    player = next(block for block in interface.blocks if block.name == "u_player")
    flit = network.words.width + 2 + network.layout.hops_bits
    pins = Block(
        "flit_classic",
        "u_classic",
        {"LEAVES": leaves, "VCS": vcs, "FLIT_W": flit},
        tuple(port for port in player.ports if port.name in ("clk", *DRIVEN, *SEEN)),
        (HDL / "flit_classic.v",),
        registers=("flit_*",),
    )

    def moved(block: Block) -> Block:
        """With other wires of what the player drives, and of the clocks of a burst."""
        own = DRIVEN if block is player else {}
        moves = {port.name: "playing" for port in block.ports if port.wire == "busy_o"} | own
        ports = (replace(port, wire=moves.get(port.name, port.wire)) for port in block.ports)
        return replace(block, ports=tuple(ports))

    text = interface.text + "\n  assign busy_o = 1'b0;\n"
    return replace(interface, blocks=(*map(moved, interface.blocks), pins), text=text)
