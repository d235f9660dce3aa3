"""The serial_player of a bench top, as a block of a network's interface."""

from fattree_bench.bench.interface.interface import Block, Interface, gives, takes
from fattree_bench.bench.interface.recorders import Pins, recorders
from fattree_bench.bench.links.serial import HDL
from fattree_bench.bench.links.serial.network import SerialNetwork

CONTROL_BITS = 68  # a clock, a seed, and four bits
SPARE = 2  # rows of a reset, and of the delivery cycle that it breaks off
CONTROL = ("go", "restart", "rewind", "once", "seed", "cycles", "limit", "reset_at", "reset_clocks")


def player(network: SerialNetwork, interface: Interface) -> tuple[Block, ...]:
    """A serial_player that drives a network with an interface, and recorders at its ports."""
    layout = network.layout
    wires, bits, message_bits = layout.wires, layout.payload.width, layout.message_bits
    parameters = {
        **{"WIRES": wires, "FRAME_W": message_bits},
        **{"ROWS": layout.rows, "FRAME_STRIDE": layout.stride, "SETTING_W": layout.setting_bits},
    }
    ports = (
        takes("clk", "clk"),
        gives("busy_o", "busy_o"),
        gives("rst_o", "rst"),
        gives("again_o", "again"),
        gives("restart_o", "restart"),
        gives("once_o", "once"),
        gives("seed_o", "seed", 32),
        takes("load_i", "load"),
        takes("last_i", "last"),
        gives("offer_valid_o", "offer_valid", leaves=wires),
        gives("offer_o", "offer", message_bits, wires),
        gives("waiting_o", "waiting", 16, wires),
        gives("setting_o", "setting", layout.setting_bits),
        takes("take_i", "take", leaves=wires),
    )
    files = (HDL / "serial_player.v",)
    control = "{clockrow_number, seed, restart, once, load, rst}"
    return (
        Block("serial_player", "u_player", parameters, ports, files, ("stim",), CONTROL),
        *recorders((), 2, name="clock"),
        *recorders(
            [
                Pins("control", CONTROL_BITS, wires=control),
                Pins("offer_valid", wires),
                Pins("offer", wires, message_bits, layout.stride),
                Pins("waiting", wires, 16),
                Pins("take", wires),
                Pins("setting", layout.setting_bits),
            ],
            layout.rows + SPARE,
            "(load | rst) & ~again",
            name="load",
        ),
        *recorders(
            [
                Pins("ended", 32, wires="clockrow_number"),
                *(Pins(name, wires) for name in ("sent", "acked", "arrived", "trailing")),
                *(Pins(name, wires, 16) for name in ("ack_tick", "tick")),
                Pins("data", wires, bits, layout.payload.stride),
                Pins("state", interface.state_bits, wires=interface.state_wires, last=True),
            ],
            layout.rows,
            "last & ~rst",
        ),
    )
