"""SPIN after synthesis: its routers, with shared output buffers and without."""

from collections.abc import Callable
from dataclasses import replace

from fattree_bench.families.design import Block, Design, Kind, Measured, Node
from fattree_bench.families.spin.network import SIZES, SpinNetwork
from fattree_models import spin

SHOWN = ("stored_o", "state_o", "home_o")


WIRES = spin.WORD_BITS + 2  # of a link: valid, a word, a credit


def designed(network: SpinNetwork) -> Design:
    """All planes of a SPIN, which are alike."""
    one, planes = design(network.leaves, int(network.shared)), network.planes
    nodes = tuple(replace(node, copies=planes * node.copies) for node in one.nodes)
    wires, crosspoints = planes * one.wires, planes * one.crosspoints
    return replace(one, nodes=nodes, lanes=planes * one.lanes, wires=wires, crosspoints=crosspoints)


def design(terminals: int, shared: int) -> Design:
    """One plane of a SPIN."""
    network = SpinNetwork.from_variables({"TERMINALS": str(terminals), "SHARED": str(shared)})
    tree, nodes, crosspoints = network.tree, [], 0
    for level in range(1, tree.height + 1):
        children, parents = tree.down_ports(level), tree.up_ports(level)
        parameters = {
            **{"CHILDREN": children, "PARENTS": parents, "BELOW": tree.subtree_leaves(level)},
            **{"SPREAD": tree.w_span(level), "TO_W": (terminals - 1).bit_length()},
            "SHARED": shared,
        }
        block = Block(
            "spin_router",
            tuple(parameters.items()),
            ("wormhole", "spin"),
            unwatched=SHOWN,
            seconds=20,
        )
        copies = tree.level_size(level)
        nodes.append(Node(block, copies, tree.height - level, 2 * (children + parents)))
        crosspoints += copies * int(spin.crossbar(children, parents, shared).sum())
    links = [tree.level_size(level) * tree.down_ports(level) for level in range(1, tree.height + 1)]
    return Design(
        kind="SPIN" if shared else "SPIN_PLAIN",
        leaves=terminals,
        nodes=tuple(nodes),
        lanes=2 * sum(links),
        wires=2 * sum(links) * WIRES,
        crosspoints=crosspoints,
    )


def _of(shared: int) -> Callable[[int], list[Design]]:
    return lambda n: [design(1 << n, shared)] if 1 << n in SIZES else []


KINDS: dict[str, Kind] = {
    "SPIN": Kind("spin", "routers of one plane, with two shared output buffers each", _of(1)),
    "SPIN_PLAIN": Kind("spin", "the same without shared buffers", _of(0)),
}


def compared(measured: Measured) -> list[str]:
    """What the shared buffers cost, compared with the rest of the routers."""
    plain = {one.leaves: one.total(measured.costs) for one in measured.of("SPIN_PLAIN")}
    costs = []
    for one in measured.of("SPIN"):
        if rest := plain.get(one.leaves):
            whole = one.total(measured.costs)
            gates = whole.nand2 / rest.nand2 - 1
            costs.append(
                f"{gates:.0%} more gates, {whole.memory_bits / rest.memory_bits:.1f} times the "
                f"bits of queues at N={one.leaves}"
            )
    return [f"Shared output buffers of SPIN cost {'; '.join(costs)}."] if costs else []
