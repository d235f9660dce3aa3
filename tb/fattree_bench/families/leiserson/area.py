"""Universal fat-trees after synthesis, and what Theorem 4 counts."""

import itertools
import math
from collections.abc import Iterator

from fattree_bench.bench.claims import FAILS, HOLDS, NOTHING, Claim, found
from fattree_bench.families.design import WIDTH, Block, Design, Kind, Measured, Node, Routed, legs
from fattree_bench.families.leiserson.claims_hardware import GATES, LEVELS
from fattree_models import leiserson
from fattree_models.leiserson.components import incident_wires

THEOREM_4 = "Leiserson 1985, Section IV and Theorem 4"
SPREAD = 2.0  # greatest by least of a constant factor, over sizes that differ by more than that

# An input wire can go to two ports, each a cascade of stages with 6 crosspoints an input, each at
# most 2/3 of the one before: 2 · 6 · 3; and half of the lines are inputs.
MOST = 18


LOSSES, ACKNOWLEDGES = ("up_lost_o", "down_lost_o"), ("up_ack_o", "down_ack_o")


def universal(n: int, root: int, concentrator: str, kind: str = "") -> Design:
    """The nodes of a universal fat-tree; network interfaces are no part of it.

    `kind`: "NO_ACK" and "OFFLINE" as in KINDS, else by the concentrator.

    Raises
    ------
    ValueError : there are no partial concentrators of that size.

    """
    cap = tuple(int(c) for c in leiserson.universal(1 << n, root))
    tree = leiserson.SerialTree(cap=cap, concentrator=concentrator, data_bits=WIDTH)
    parts = leiserson.count_components(tree)
    ideal = concentrator == "IDEAL"
    nodes = []
    for level in range(n):
        chosen: dict[str, object] = {"C_UP": cap[level], "C_DOWN": cap[level + 1]}
        offline = kind == "OFFLINE"
        if not offline:
            chosen["CONCENTRATOR"] = f'"{concentrator}"'
        block = Block(
            "leiserson_offline_node" if offline else "leiserson_node",
            tuple(chosen.items()),
            ("leiserson",),
            unwatched=() if offline else LOSSES + (ACKNOWLEDGES if kind == "NO_ACK" else ()),
            seconds=2 + legs(cap[level], cap[level + 1]) * (0.15 if ideal else 1.0),
        )
        nodes.append(Node(block, 1 << level, level, 2 * (cap[level] + 2 * cap[level + 1])))
    return Design(
        kind=kind or ("UNIVERSAL" if ideal else "PARTIAL"),
        leaves=1 << n,
        nodes=tuple(nodes),
        lanes=parts.wires,
        crosspoints=parts.crosspoints,
        root=root,
        capacity=cap,
    )


def universals(n: int, concentrator: str, kind: str = "") -> Iterator[Design]:
    """Universal fat-trees of the least root capacity, of the greatest, and of one between."""
    leaves = 1 << n
    least = leiserson.least_root(leaves)
    for root in dict.fromkeys((least, round(math.sqrt(least * leaves)), leaves)):
        if _largest_node(leaves, root) <= LARGEST[kind or concentrator]:
            yield universal(n, root, concentrator, kind)


# Lines of the largest node that is synthesized: beyond it Yosys takes more than about ten minutes.
LARGEST = {"IDEAL": 76, "PARTIAL": 34, "NO_ACK": 34, "OFFLINE": 76}


def _largest_node(leaves: int, root: int) -> int:
    cap = leiserson.universal(leaves, root)
    return max(int(2 * (up + 2 * down)) for up, down in itertools.pairwise(cap))


KINDS = {
    "UNIVERSAL": Kind(
        "leiserson", "bit-serial, ideal concentrators", lambda n: list(universals(n, "IDEAL")), True
    ),
    "PARTIAL": Kind(
        "leiserson",
        "bit-serial, partial concentrators",
        lambda n: list(universals(n, "PARTIAL")),
        True,
    ),
    "NO_ACK": Kind(
        "leiserson",
        "PARTIAL without acknowledges",
        lambda n: list(universals(n, "PARTIAL", "NO_ACK")),
        True,
    ),
    "OFFLINE": Kind(
        "leiserson",
        "bit-serial, partial concentrators with settings from outside, no acknowledges",
        lambda n: list(universals(n, "PARTIAL", "OFFLINE")),
        True,
    ),
}
ROUTED = (Routed("leiserson", {"N": "4", "WIDTH": "8"}, ("lost_up_o", "lost_down_o")),)


# ---- claims --------------------------------------------------------------------------------------

PLANTED = "tests/tb/families/leiserson/test_area.py"


def judge(measured: Measured) -> list[Claim]:
    """Every claim."""
    return [
        components(measured),
        crosspoints_a_line(measured),
        gates_of_nodes(measured, "UNIVERSAL", FAILS),
        gates_of_nodes(measured, "PARTIAL", FAILS),
        offline_gates(measured),
        constant_time(measured),
        without_acknowledges(measured),
    ]


def components(measured: Measured) -> Claim:
    """Lines at nodes over n lg(w^3 / n^2): Theorem 4's count."""
    trees = {(d.leaves, d.root): d for d in (*measured.of("UNIVERSAL"), *measured.of("PARTIAL"))}
    factors = []
    for (leaves, root), design in trees.items():
        lines = sum(node.copies * node.degree for node in design.nodes)
        expected = leiserson.theorem4_ratio(leaves, root)
        factors.append(expected * lines / incident_wires(design.capacity))
    says = "A universal fat-tree has O(n lg(w^3/n^2)) components."
    about = "lines of universal trees", "leiserson", THEOREM_4, says
    if not factors:
        return Claim.judged(about, HOLDS, NOTHING, "L64", PLANTED)
    text = f"lines at nodes / that: {min(factors):.1f} … {max(factors):.1f}"
    return Claim.judged(about, HOLDS, found(text, max(factors) <= 23), "L64", PLANTED)


def crosspoints_a_line(measured: Measured) -> Claim:
    """Crosspoints of partial concentrators over lines at nodes: the paper's O(m) a node."""
    factors = [
        design.crosspoints / sum(node.copies * node.degree for node in design.nodes)
        for design in measured.of("PARTIAL")
    ]
    says = f"A node with m lines has O(m) crosspoints: {MOST} m at most (partial concentrators)."
    about = "crosspoints a line, partial concentrators", "leiserson", THEOREM_4, says
    if not factors:
        return Claim.judged(about, HOLDS, NOTHING, "L29", PLANTED)
    text = f"{min(factors):.1f} … {max(factors):.1f} crosspoints a line"
    return Claim.judged(about, HOLDS, found(text, max(factors) <= MOST), "L29", PLANTED)


def gates_of_nodes(measured: Measured, kind: str, held: str) -> Claim:
    """Gates of a node over its lines m: a constant factor, or not."""
    factors = {}
    for design in measured.of(kind):
        for node in design.nodes:
            factors[node.degree] = measured.costs[node.block].nand2 / node.degree
    what = "ideal" if kind == "UNIVERSAL" else "partial"
    says = (
        "A node with m lines has O(m) gates, those with which it finds the settings of its "
        f"{what} concentrators on-line included (the paper counts crosspoints)."
    )
    about = f"gates a line, {what} concentrators", "leiserson", THEOREM_4, says
    sizes = sorted(factors)
    if len(sizes) < 2 or sizes[-1] <= SPREAD * sizes[0]:
        return Claim.judged(about, held, NOTHING, planted=PLANTED)
    first, last = sizes[0], sizes[-1]
    spread = max(factors.values()) / min(factors.values())
    text = (
        f"gates / m: {factors[first]:.0f} at m = {first}, {factors[last]:.0f} at m = {last}; "
        f"{'a constant factor' if spread <= SPREAD else 'no constant factor'} "
        f"(greatest by least {spread:.1f}, {SPREAD:.0f} allowed)"
    )
    return Claim.judged(about, held, found(text, spread <= SPREAD), planted=PLANTED)


def offline_gates(measured: Measured) -> Claim:
    """Gates of off-line nodes over their lines: bounded, though pasted graphs come in steps."""
    factors = {
        node.degree: measured.costs[node.block].nand2 / node.degree
        for design in measured.of("OFFLINE")
        for node in design.nodes
    }
    says = "An off-line node with m lines, its settings predetermined, has O(m) gates."
    about = "gates a line, off-line", "leiserson", THEOREM_4, says
    if not factors:
        return Claim.judged(about, HOLDS, NOTHING, planted=PLANTED)
    text = f"gates / m at most {max(factors.values()):.0f}, m = {min(factors)} … {max(factors)}"
    return Claim.judged(about, HOLDS, found(text, max(factors.values()) <= GATES), planted=PLANTED)


def constant_time(measured: Measured) -> Claim:
    """Levels of gates of off-line nodes, whatever their lines."""
    levels = {
        node.degree: measured.costs[node.block].levels
        for design in measured.of("OFFLINE")
        for node in design.nodes
    }
    says = "The concentrators of a node switch in constant time."
    about = "levels of gates, off-line", "leiserson", THEOREM_4, says
    sizes = sorted(levels)
    if len(sizes) < 2 or sizes[-1] <= SPREAD * sizes[0]:
        return Claim.judged(about, HOLDS, NOTHING, planted=PLANTED)
    text = f"at most {max(levels.values())} levels of gates, m = {sizes[0]} … {sizes[-1]}"
    return Claim.judged(about, HOLDS, found(text, max(levels.values()) <= LEVELS), planted=PLANTED)


def without_acknowledges(measured: Measured) -> Claim:
    """What a tree saves that sends no acknowledges, and what one that decides nothing does."""
    shares: dict[str, list[float]] = {}
    for kind in ("NO_ACK", "OFFLINE"):
        trees = {(d.leaves, d.root): measured.nand2(d) for d in measured.of(kind)}
        shares[kind] = [
            1 - trees[key] / measured.nand2(design)
            for design in measured.of("PARTIAL")
            if (key := (design.leaves, design.root)) in trees
        ]
    says = "Off-line, acknowledges can be omitted, which reduces the complexity of the design."
    about = "acknowledges omitted", "leiserson", "Leiserson 1985, Section II", says
    if not all(shares.values()):
        return Claim.judged(about, HOLDS, NOTHING, planted=PLANTED)
    text = "; ".join(
        f"{min(own):.0%} … {max(own):.0%} of the gates saved {how}"
        for own, how in zip(shares.values(), ("without acknowledges", "off-line"), strict=True)
    )
    return Claim.judged(
        about, HOLDS, found(text, min(map(min, shares.values())) > 0), planted=PLANTED
    )
