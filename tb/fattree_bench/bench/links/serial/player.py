"""The serial_player of a bench top, as a block of a network's interface."""

from fattree_bench.bench.interface.interface import Block, Interface, gives, takes
from fattree_bench.bench.links.serial import HDL
from fattree_bench.bench.links.serial.network import SerialNetwork

CONTROL = ("go", "restart", "rewind", "once", "seed", "cycles", "limit", "reset_at")


def player(network: SerialNetwork, interface: Interface) -> Block:
    """A serial_player that drives a network with an interface."""
    layout = network.layout
    wires, bits, message_bits = layout.wires, layout.payload.width, layout.message_bits
    parameters = {
        **{"WIRES": wires, "FRAME_W": message_bits, "WIDTH": bits},
        **{"LOST_W": interface.state_bits, "ROWS": layout.rows},
        **{"FRAME_STRIDE": layout.stride, "DATA_STRIDE": layout.payload.stride},
    }
    ports = (
        takes("clk", "clk"),
        gives("busy_o", "busy_o"),
        gives("rst_o", "rst"),
        gives("restart_o", "restart"),
        gives("once_o", "once"),
        gives("seed_o", "seed", 32),
        takes("load_i", "load"),
        takes("last_i", "last"),
        gives("offer_valid_o", "offer_valid", leaves=wires),
        gives("offer_o", "offer", message_bits, wires),
        gives("waiting_o", "waiting", 16, wires),
        takes("take_i", "take", leaves=wires),
        takes("sent_i", "sent", leaves=wires),
        takes("acked_i", "acked", leaves=wires),
        takes("ack_tick_i", "ack_tick", 16, wires),
        takes("arrived_i", "arrived", leaves=wires),
        takes("tick_i", "tick", 16, wires),
        takes("data_i", "data", bits, wires),
        takes("trailing_i", "trailing", leaves=wires),
        takes("lost_i", interface.state_wires, interface.state_bits),
    )
    files = (HDL / "serial_player.v",)
    return Block("serial_player", "u_player", parameters, ports, files, ("stim", "seen"), CONTROL)
