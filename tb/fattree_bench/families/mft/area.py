"""Modified fat-trees after synthesis: routers that are little more than wires, FIFOs at clients."""

from fattree_bench.bench.claims import HOLDS, NOTHING, Claim, found
from fattree_bench.families.design import Block, Design, Kind, Measured, Node
from fattree_bench.families.mft.network import MftNetwork
from fattree_bench.words import number
from fattree_models.mft import router_ports

PLANTED = "tests/tb/families/mft/test_area.py"
KINDS_OF_PATHS = ("IMFT", "MFT")
FLIT_MARKS = 2  # head and tail
REGULAR = "KARY"  # a tree of the same clients, of switches with queues
BITS_AN_INPUT = 2  # of state, at most: where a packet goes that is passing


def designed(network: MftNetwork) -> Design:
    """Any modified fat-tree."""
    mode, n = network.mode, network.leaves.bit_length() - 1
    clients, rows = network.leaves, network.row_lanes
    ports = router_ports(n)
    nodes = []
    for row, lanes in enumerate(rows):
        above = 2 * rows[row + 1] if row < n - 1 else 1
        parameters = {
            **{"ROW": row, "ABOVE": above, "COUNT": lanes, "WIDTH": network.width, "ADDR_W": n},
            **{"PIPELINE": network.pipeline, "MODE": f'"{mode}"'},
            **{"LANES": f'"{network.lanes}"'},
        }
        block = Block("mft_router", tuple(parameters.items()), ("mft",))
        nodes.append(Node(block, clients // 2, n - 1 - row, int(ports[row].sum())))
    queues = {
        **{"COUNT": rows[0], "FLIT_W": network.width + 2},
        **{"FIFO": network.fifo, "ROOM": network.room},
    }
    nodes.append(Node(Block("mft_client", tuple(queues.items()), ("mft",), seconds=20), clients))
    climbing = 2 if mode == "IMFT" else 4
    return Design(
        kind=mode,
        leaves=clients,
        nodes=tuple(nodes),
        lanes=clients * (n + sum(rows)),
        wires=clients * (n + sum(rows)) * (network.width + FLIT_MARKS + 1),  # and valid
        crosspoints=clients // 2 * sum(2 + climbing + 2 * (int(p[0]) - 2) for p in ports),
    )


def _kind(mode: str) -> Kind:
    """2^n clients, routers without registers behind them."""
    made, values = MftNetwork.from_variables, {"MODE": mode, "PIPELINE": "0"}
    about = f"bufferless routers of {mode}, FIFOs at the clients"
    return Kind("mft", about, lambda n: [designed(made({"N": str(1 << n), **values}))])


KINDS = {mode: _kind(mode) for mode in KINDS_OF_PATHS}


def judge(measured: Measured) -> list[Claim]:
    """Routers hold no flits, a bit or two an input; they are smaller than switches with queues."""
    says = "The MFT has all its buffers at the clients, and small routers."
    about = (
        "routers of modified fat-trees after synthesis",
        "mft",
        "Biswas and Hussain, survey, section 2.5; Bouhraoua and Elrabaa 2006, abstracts",
        says,
    )
    regular = {one.leaves: one for one in measured.of(REGULAR)}
    designs = [d for kind in KINDS_OF_PATHS for d in measured.of(kind) if d.leaves in regular]
    held, bits, shares, words = 0, 0.0, 0.0, 0
    for one in designs:
        switches = [measured.costs[node.block].nand2 for node in regular[one.leaves].nodes]
        for node in one.nodes:
            cost = measured.costs[node.block]
            if node.block.top == "mft_client":
                words += node.copies * cost.memory_bits
                continue
            inputs = 2 + int(dict(node.block.parameters)["ABOVE"])
            held += cost.memory_bits + cost.delay_bits
            bits = max(bits, cost.flip_flops / inputs)
            shares = max(shares, cost.nand2 / min(switches))
    if not designs or not words:
        return [Claim.judged(about, HOLDS, NOTHING, "S57", PLANTED)]
    sizes = ", ".join(map(str, sorted({one.leaves for one in designs})))
    text = (
        f"routers hold {held} bits of flits, at most {bits:.1f} flip-flops an input; at most "
        f"{shares:.0%} of a switch's gates; clients {number(words)} bits; N = {sizes}"
    )
    good = held == 0 and bits <= BITS_AN_INPUT and shares < 1
    return [Claim.judged(about, HOLDS, found(text, good), "S57", PLANTED)]
