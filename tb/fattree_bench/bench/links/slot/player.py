"""What drives a network on the slot link in its bench top, as a block of its interface.

It is apart from Python's side, so that no cocotb is loaded to build one.
"""

from fattree_bench.bench.interface.interface import CLOCKED, Bits, Block, Interface, gives, takes
from fattree_bench.bench.interface.recorders import Pins, recorders
from fattree_bench.bench.links.slot import HDL
from fattree_bench.bench.links.slot.network import SlotNetwork

# Ports of a design whose N leaves speak this link, and of one whose settings can be written.
LEAVES = (
    *CLOCKED,
    takes("valid_i", "send_valid", leaves="N"),
    takes("dst_i", "send_dst", "N_LOG", "N"),
    takes("data_i", "send_data", "W", "N"),
    gives("valid_o", "receive_valid", leaves="N"),
    gives("data_o", "receive_data", "W", "N"),
    takes("row_write_i", "row_write"),
    takes("row_level_i", "row_level", 4),
)
DST_STRIDE = 16
CONTROL = ("go", "cycles", "row_mode", "row_level", "row_first", "last_slot", "expect_clear")


def player(network: SlotNetwork, interface: Interface, slot_bits: Bits = 1) -> tuple[Block, ...]:
    """A slot_player that drives a network with an interface, and recorders at its ports.

    `slot_bits`: of a slot's number, where the network has settings.
    """
    (one, *_), layout = classic(network, interface, slot_bits), network.layout
    given = {k: x for k, x in one.parameters.items() if k != "COUNTERS_W"}
    parameters = {
        **given,
        **{"SLOTS": layout.slots, "CLOCKS": layout.clocks, "DATA_STRIDE": layout.payload.stride},
    }
    ports = tuple(port for port in one.ports if port.out or port.name == "clk")
    files = (HDL / "slot_player.v",)
    leaves, bits, stride = network.leaves, network.width, layout.payload.stride
    pins = [
        Pins("rst", 1, stride=8),
        Pins("send_valid", leaves),
        *([Pins("send_dst", leaves, network.n, DST_STRIDE)] if layout.headers else []),
        Pins("send_data", leaves, bits, stride),
        Pins("receive_valid", leaves),
        Pins("receive_data", leaves, bits, stride),
        Pins("state", interface.state_bits, wires=interface.state_wires, last=True),
    ]
    return (
        Block("slot_player", "u_player", parameters, ports, files, ("stim",), CONTROL),
        *recorders(pins, layout.slots, "~row_write", layout.clocks),
    )


def classic(network: SlotNetwork, interface: Interface, slot_bits: Bits = 1) -> tuple[Block, ...]:
    """Signals for an agent that moves packet by packet, in place of a player; rows of slots."""
    leaves, bits, rows = network.leaves, network.width, network.layout.row_bits
    ports = (
        takes("clk", "clk"),
        gives("busy_o", "busy_o"),
        gives("rst_o", "rst"),
        gives("valid_o", "send_valid", leaves=leaves),
        gives("dst_o", "send_dst", network.n, leaves),
        gives("data_o", "send_data", bits, leaves),
        gives("row_write_o", "row_write"),
        gives("row_level_o", "row_level", 4),
        gives("row_slot_o", "row_slot", slot_bits),
        gives("row_o", "row", rows),
        gives("last_slot_o", "last_slot", slot_bits),
        gives("expect_clear_o", "expect_clear"),
        takes("valid_i", "receive_valid", leaves=leaves),
        takes("data_i", "receive_data", bits, leaves),
        takes("counters_i", interface.state_wires, interface.state_bits),
    )
    parameters = {
        **{"N": leaves, "DST_W": network.n, "W": bits, "ROW_W": rows, "SLOT_W": slot_bits},
        "COUNTERS_W": interface.state_bits,
    }
    files = (HDL / "slot_classic.v",)
    made = Block("slot_classic", "u_classic", parameters, ports, files, registers=("slot_*",))
    return made, *recorders((), network.layout.slots, clocks=network.layout.clocks)
