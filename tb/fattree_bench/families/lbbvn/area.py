"""The bufferless fat-tree after synthesis: compared with a crossbar, and what Lemma 1 saves."""

from collections.abc import Callable

from fattree_bench.bench.claims import HOLDS, NOTHING, Claim, found
from fattree_bench.families.design import (
    WIDTH,
    Block,
    Costs,
    Design,
    Kind,
    Measured,
    Node,
    Routed,
    legs,
)
from fattree_bench.families.lbbvn.network import Lbbvn, row_parts
from fattree_models import lbbvn

COUNTERS = ("conflicts_up_o", "conflicts_down_o", "injected_o", "delivered_o")
LEMMA_1 = "Chueh et al. 2013, Lemma 1"
NEAR = 0.2  # what gates may save, compared with crosspoints
SCHEDULED = ("LOWER_BOUND_SCHEDULED", "STATIC_SCHEDULED")


def bufferless(n: int, capacity: str, upper_half: str, control: str, width: int = WIDTH) -> Design:
    """A tree of 2^n leaves: its nodes a level, and the tree without its levels."""
    network = Lbbvn.from_variables(
        {
            "N": str(1 << n),
            "CAPACITY": capacity,
            "UPPER_HALF": upper_half,
            "CONTROL": control,
            "WIDTH": str(width),
        }
    )
    top, parameters = network.synthesis()
    around = Block(
        top,
        tuple(parameters.items()),
        ("lbbvn",),
        boxes=("lbbvn_node", "lbbvn_settings"),
        unwatched=COUNTERS,
    )
    levels = range(network.top_level, n)
    nodes = [_lbbvn_node(network, level) for level in levels]
    c = network.lanes
    first = max(network.top_level, 1)
    settings = 0
    if control == "SCHEDULED":  # the root has no use for settings up; a leaf has one bit
        rows = [(up if level else 0) + down for level, up, down in row_parts(network)]
        settings = network.leaves * (sum(rows) + network.leaves)
    kind = "STATIC" if upper_half == "STATIC" else capacity
    return Design(
        kind=kind + ("_SCHEDULED" if control == "SCHEDULED" else ""),
        leaves=network.leaves,
        nodes=(Node(around, 1), *nodes),
        lanes=2 * sum(int(c[j]) << j for j in range(first, n + 1)),
        crosspoints=lbbvn.crosspoints(c, network.static_upper),
        settings=settings,
        capacity=tuple(int(lanes) for lanes in c),
    )


def _lbbvn_node(network: Lbbvn, level: int) -> Node:
    """The nodes of a level, as lbbvn_tree.v makes them."""
    n, top = network.n, network.top_level
    wired = top > 0
    steps = (n - top + level - top) if wired else n - 1 + level
    up, down = int(network.lanes[level]), int(network.lanes[level + 1])
    header = n if network.control == "SELF" else 1
    # What is above reads the destination from its own level on; the root's children are led to
    # each other without a look at it; fixed wires end at a node of the same level.
    up_header = n - level if wired and level == top else n - 1 if level == 1 else n
    chosen = {
        "CONTROL": f'"{network.control}"',
        "N_LOG": n,
        "LEVEL": level,
        "POSITION": sum(1 << bit for bit in range(0, level, 2)),  # half of its bits are ones
        "C_UP": up,
        "C_DOWN": down,
        "GROUPS": (1 << level) - 1 if wired and level == top else 1,
        "TURN_DELAY": steps - (n - 1 - level),
        "H": header,
        "W": network.width,
        "UP_H": up_header if network.control == "SELF" else 0,
        "DOWN_H": n - level - 1 if network.control == "SELF" else 0,
    }
    block = Block("area_node", tuple(chosen.items()), ("lbbvn",), seconds=2 + 0.03 * legs(up, down))
    return Node(block, 1 << level, level, 2 * (up + 2 * down))


def crossbar(n: int, control: str) -> Design:
    """A crossbar of 2^n inputs and outputs: its columns, and the decoders before them."""
    leaves = 1 << n
    common = (("CONTROL", f'"{control}"'),)
    size = (("N_LOG", n), ("W", WIDTH))
    around = Block("area_crossbar", (*common, *size), ("lbbvn",), boxes=("area_column",))
    column = Block("area_column", (*common, ("R", leaves), ("W", WIDTH)), ("lbbvn",))
    scheduled = control == "SCHEDULED"
    nodes = [Node(column, leaves)] if scheduled else [Node(around, 1), Node(column, leaves)]
    return Design(
        kind="CROSSBAR_SCHEDULED" if scheduled else "CROSSBAR",
        leaves=leaves,
        nodes=tuple(nodes),
        lanes=2 * leaves,
        crosspoints=leaves * leaves,
        settings=leaves * leaves * (n + 1) if scheduled else 0,
    )


def _tree(capacity: str, upper_half: str, control: str) -> Callable[[int], list[Design]]:
    return lambda n: [bufferless(n, capacity, upper_half, control)]


KINDS: dict[str, Kind] = {
    "NONBLOCKING": Kind(
        "lbbvn", "every permutation fits", _tree("NONBLOCKING", "SWITCHED", "SELF")
    ),
    "LOWER_BOUND": Kind("lbbvn", "Lemma 1's lanes", _tree("LOWER_BOUND", "SWITCHED", "SELF")),
    "STATIC": Kind("lbbvn", "the same, upper half wired", _tree("LOWER_BOUND", "STATIC", "SELF")),
    "CROSSBAR": Kind("lbbvn", "a crossbar of the same blocks", lambda n: [crossbar(n, "SELF")]),
    "LOWER_BOUND_SCHEDULED": Kind(
        "lbbvn", "settings from memories", _tree("LOWER_BOUND", "SWITCHED", "SCHEDULED")
    ),
    "STATIC_SCHEDULED": Kind(
        "lbbvn", "settings from memories", _tree("LOWER_BOUND", "STATIC", "SCHEDULED")
    ),
    "CROSSBAR_SCHEDULED": Kind(
        "lbbvn", "settings from a memory", lambda n: [crossbar(n, "SCHEDULED")]
    ),
}
ROUTED = tuple(Routed("lbbvn", {"N": n, "WIDTH": "16"}, COUNTERS) for n in ("4", "8"))


# ---- claims --------------------------------------------------------------------------------------

PLANTED = "tests/tb/families/lbbvn/test_area.py"


def judge(measured: Measured) -> list[Claim]:
    """Every claim."""
    return [degrees(measured), savings(measured)]


def degrees(measured: Measured) -> Claim:
    """Whether the ports of the synthesized nodes have the lanes of Lemma 1."""
    seen, wrong, rounded = 0, [], 0
    for design in measured.of("LOWER_BOUND"):
        n = design.leaves.bit_length() - 1
        bound = lbbvn.lower_bound(n)
        for node in (node for node in design.nodes if node.degree):
            up, below = int(bound[node.level]), 2 * int(bound[node.level + 1])
            lanes = registers(node, measured.costs)
            seen += 1
            if lanes != (up, below):
                wrong.append(f"N={design.leaves} level {node.level}: {lanes} for {(up, below)}")
            rounded += 2 * (node.level + 1) > n
    says = "Degrees are ⌈2^(n-j) (1 - 2^-j)⌉ up and 2 ⌈2^(n-j-1) (1 - 2^-(j+1))⌉ down."
    about = "degrees after synthesis", "lbbvn", LEMMA_1, says
    text = wrong[0] if wrong else f"registers of all {seen} nodes: the same, {rounded} rounded up"
    return Claim.judged(
        about, HOLDS, found(text, not wrong) if rounded else NOTHING, planted=PLANTED
    )


def registers(node: Node, costs: Costs) -> tuple[int, int]:
    """Lanes (up, down) that a node's flip-flops are enough for: whole ones, or it has others.

    A lane up has 1 + WIDTH + UP_H registers, one down 1 + WIDTH + DOWN_H.
    """
    chosen = dict(node.block.parameters)
    up_bits, down_bits = 1 + WIDTH + chosen["UP_H"], 1 + WIDTH + chosen["DOWN_H"]
    flip_flops = costs[node.block].flip_flops
    # Both are unknown: take the pair nearest to the parameters that uses them up.
    pairs = [
        (up, (flip_flops - up * up_bits) // down_bits)
        for up in range(flip_flops // up_bits + 1)
        if (flip_flops - up * up_bits) % down_bits == 0
    ]
    return min(pairs, key=lambda pair: abs(pair[0] - chosen["C_UP"]), default=(-1, -1))


def savings(measured: Measured) -> Claim:
    """What Lemma 1's lanes save: gates as crosspoints, and a larger share than of the lanes."""
    full = {design.leaves: design for design in measured.of("NONBLOCKING")}
    shares = []
    for thin in measured.of("LOWER_BOUND"):
        if wide := full.get(thin.leaves):
            predicted = 1 - thin.crosspoints / wide.crosspoints
            gates = 1 - _of_nodes(thin, measured.costs) / _of_nodes(wide, measured.costs)
            shares.append((thin.leaves, predicted, gates, 1 - thin.lanes / wide.lanes))
    text = ", ".join(
        f"N={leaves}: {gates:.0%} of their gates ({predicted:.0%} predicted), {lanes:.0%} of lanes"
        for leaves, predicted, gates, lanes in shares
    )
    near = all(abs(gates - by) <= NEAR * by and gates > lanes > 0 for _, by, gates, lanes in shares)
    says = (
        "As degrees fall, so does what implements them: a larger share of the nodes' gates than of "
        f"lanes is saved, within {NEAR:.0%} of the share of crosspoints."
    )
    about = "savings after synthesis", "lbbvn", LEMMA_1, says
    figures = found(text, near) if shares else NOTHING
    return Claim.judged(about, HOLDS, figures, "B15", PLANTED)


def _of_nodes(design: Design, costs: Costs) -> float:
    """Gates of the nodes alone, in NAND2 equivalents: Lemma 1 does not change the leaves."""
    return sum(node.copies * costs[node.block].nand2 for node in design.nodes if node.degree)


def compared(measured: Measured) -> list[str]:
    """How the trees compare with crossbars under the same control, a sentence a kind."""
    sentences = []
    for kind in ("NONBLOCKING", "LOWER_BOUND", "STATIC", *SCHEDULED):
        other = "CROSSBAR_SCHEDULED" if kind in SCHEDULED else "CROSSBAR"
        whole = {design.leaves: measured.nand2(design) for design in measured.of(other)}
        factors = [
            f"{measured.nand2(design) / whole[design.leaves]:.2f} at N={design.leaves}"
            for design in measured.of(kind)
            if design.leaves in whole
        ]
        if factors:
            sentences.append(f"Gates of {kind} by those of {other}: {', '.join(factors)}.")
    return sentences
