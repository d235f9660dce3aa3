"""Signals in a bench top, in place of a serial_player, for an agent that steps clock by clock."""

from dataclasses import replace

from fattree_bench.bench.interface.interface import Block, Interface, takes
from fattree_bench.bench.links.serial import HDL
from fattree_bench.bench.links.serial.network import SerialNetwork
from fattree_bench.bench.links.serial.player import player


def classic(network: SerialNetwork, interface: Interface) -> Block:
    """Signals for that agent, at the ports of the player and of its recorders."""
    layout, (block, *_) = network.layout, player(network, interface)
    wires, bits = layout.wires, layout.payload.width
    seen = (
        *(takes(f"{x}_i", x, leaves=wires) for x in ("sent", "acked", "arrived", "trailing")),
        *(takes(f"{x}_i", x, 16, wires) for x in ("ack_tick", "tick")),
        takes("data_i", "data", bits, wires),
        takes("state_i", interface.state_wires, interface.state_bits),
    )
    sizes = {"WIRES": wires, "FRAME_W": layout.message_bits, "WIDTH": bits}
    return replace(
        block,
        module="serial_classic",
        name="u_classic",
        parameters=sizes | {"STATE_W": interface.state_bits, "SETTING_W": layout.setting_bits},
        ports=(*block.ports, *seen),
        files=(HDL / "serial_classic.v",),
        memories=(),
        registers=("serial_*",),
    )
