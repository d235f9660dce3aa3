"""The flit_player of a bench top, as a block of a network's interface."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from fattree_bench.bench.interface.interface import Block, Interface, gives, takes
from fattree_bench.bench.links.flit import HDL
from fattree_bench.bench.links.flit.network import FlitLayout, FlitNetwork
from fattree_bench.bench.links.flit.words import UNMIX

# Outputs that carry flits and those that say which are valid, as the RTL here names them.
LINKS = (("flit_o", "valid_o"), ("link_flit_o", "link_valid_o"))

RECORDER = "u_recorder"

CONTROL = (
    *("go", "restart", "load", "answer", "seed", "cycles", "reset_at", "reset_shape"),
    *("reply_limit", "reply_flits", "reply_vcs", "hold_vcs"),
)


def player(
    network: FlitNetwork,
    interface: Interface,
    wires: Mapping[str, str] = MappingProxyType({}),
    depth: int = 2,
    **more: int | str,
) -> Block:
    """A flit_player that drives a network with an interface.

    Parameters
    ----------
    wires : expressions in place of wires of the player's ports.
    depth : flits of a virtual channel's queue at a leaf.
    more : further parameters of flit_player.
    """
    words, leaves, layout = network.words, network.leaves, network.layout
    vcs = layout.vcs
    flit = words.width + 2 + layout.hops_bits
    parameters: dict[str, int | str] = {
        **{"LEAVES": leaves, "VCS": vcs, "DEPTH": depth, "WIDTH": words.width},
        **{"HOPS_W": layout.hops_bits, "ADDR_W": words.address_bits, "NODE_W": words.node_bits},
        **{"NUMBER_W": words.number_bits, "PATHS": words.paths, "QUEUE": 4},
        "MASKED": int(words.masked),
        **{"ROWS": layout.rows, "STATE_W": interface.state_bits, "HOME_W": layout.inputs},
        **{"DATA_STRIDE": layout.data_stride, "SIDE_STRIDE": layout.side_stride},
        "UNMIX": f"64'd{UNMIX}",
        **more,
    }
    ports = (
        takes("clk", "clk"),
        gives("busy_o", "busy_o"),
        gives("rst_o", "rst"),
        gives("again_o", "again"),
        gives("seed_o", "seed", 32),
        gives("write_o", "write"),
        gives("address_o", "address", words.address_bits),
        gives("entries_o", "entries", parameters.get("TABLE_W", 8)),
        gives("valid_o", "send_valid", vcs, leaves),
        gives("flit_o", "send_flit", flit, leaves),
        takes("credit_i", "send_credit", vcs, leaves),
        takes("valid_i", "receive_valid", vcs, leaves),
        takes("flit_i", "receive_flit", flit, leaves),
        gives("credit_o", "receive_credit", vcs, leaves),
        takes("state_i", interface.state_wires, interface.state_bits),
        takes("home_i", "home", layout.inputs),
    )
    joined = tuple(replace(port, wire=wires.get(port.wire, port.wire)) for port in ports)
    files = tuple(sorted(HDL.glob("flit_*.v")))
    return Block("flit_player", "u_player", parameters, joined, files, ("stim", "seen"), CONTROL)


def recorder(layout: FlitLayout, wires: tuple[str, str, str], shown: str = "", **of: str) -> Block:
    """A flit_recorder of links and of what the network shows of itself.

    `wires` : valid, flit and credit of the links; `of`: clock, and run: what is high in a burst.
    """
    recorded = layout.recorded
    width, hops = recorded.bits
    parameters: dict[str, int | str] = {
        **{"LINKS": recorded.links, "VCS": layout.vcs, "WIDTH": width, "HOPS_W": hops},
        **{"ROWS": layout.rows, "SHOWN_W": recorded.states or 1},
        "HASHED": int(recorded.compared),
    }
    ports = (
        takes("clk", of.get("clock", "clk")),
        takes("run_i", of.get("run", "busy_o")),
        takes("row_i", "u_player.clocks"),
        *(takes(f"{x}_i", w) for x, w in zip(("valid", "flit", "credit"), wires, strict=True)),
        takes("shown_i", shown if recorded.states else "1'b0"),
    )
    return Block("flit_recorder", RECORDER, parameters, ports, memories=("seen",))
