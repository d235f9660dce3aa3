"""What papers say of the size of fat-trees, judged by what was synthesized."""

from collections.abc import Sequence
from dataclasses import dataclass

from fattree_bench.area.designs import WIDTH, Design, Node
from fattree_bench.area.synthesis import Block, Cost
from fattree_bench.report.regression import CORRECTED, FAILS, HOLDS, UNDECIDED, Claim
from fattree_models import leiserson
from fattree_models.lbbvn import lower_bound
from fattree_models.leiserson.components import incident_wires

LEMMA_1 = "Chueh et al. 2013, Lemma 1"
THEOREM_4 = "Leiserson 1985, Section IV and Theorem 4"
SPREAD = 2.0  # greatest by least of a constant factor, over sizes that differ by more than that
NEAR = 0.2  # what gates may save beside what crosspoints do

# An input wire can go to two ports, each a cascade of stages with 6 crosspoints an input, each at
# most 2/3 of the one before: 2 · 6 · 3; and half of the lines are inputs.
MOST = 18
SCHEDULED = ("LOWER_BOUND_SCHEDULED", "STATIC_SCHEDULED")

Costs = dict[Block, Cost]


@dataclass(frozen=True)
class Measured:
    """All that was synthesized: designs whose blocks all have a cost."""

    designs: Sequence[Design]
    costs: Costs

    def of(self, kind: str) -> list[Design]:
        """The designs of a kind."""
        return [design for design in self.designs if design.kind == kind]

    def nand2(self, design: Design) -> float:
        """Gates of a design, in NAND2 equivalents."""
        return design.total(self.costs).nand2


def judge(measured: Measured) -> list[Claim]:
    """Every claim; those of which nothing was measured are left out."""
    claims = [
        degrees(measured),
        savings(measured),
        components(measured),
        crosspoints_a_line(measured),
        gates_of_nodes(measured, "UNIVERSAL", FAILS),
        gates_of_nodes(measured, "PARTIAL", FAILS),
    ]
    return [claim for claim in claims if claim.verdict != UNDECIDED]


def _claim(
    name: str, network: str, source: str, says: str, measured: str, verdict: str, held: str
) -> Claim:
    surprise = verdict not in (held, UNDECIDED)
    return Claim(name, network, source, says, measured, verdict, surprise)


# ---- load-balanced switches ----------------------------------------------------------------------


def degrees(measured: Measured) -> Claim:
    """Whether the ports of the synthesized nodes have the lanes of Lemma 1."""
    seen, wrong, rounded = 0, [], False
    for design in measured.of("LOWER_BOUND"):
        n = design.leaves.bit_length() - 1
        bound = lower_bound(n)
        for node in (node for node in design.nodes if node.degree):
            up, below = int(bound[node.level]), 2 * int(bound[node.level + 1])
            found = registers(node, measured.costs)
            seen += 1
            if found != (up, below):
                wrong.append(f"N={design.leaves} level {node.level}: {found} for {(up, below)}")
            rounded |= 2 * (node.level + 1) > n
    verdict = UNDECIDED if not seen else FAILS if wrong else CORRECTED if rounded else HOLDS
    text = f"{wrong[0]}" if wrong else f"registers of all {seen} nodes: the same, rounded up"
    says = "Degrees are 2^(n-j) (1 - 2^-j) up and 2 · 2^(n-j-1) (1 - 2^-(j+1)) down."
    return _claim("degrees after synthesis", "lbbvn", LEMMA_1, says, text, verdict, CORRECTED)


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
    """What Lemma 1's lanes save, in gates as in crosspoints."""
    full = {design.leaves: design for design in measured.of("NONBLOCKING")}
    shares = []
    for thin in measured.of("LOWER_BOUND"):
        if thin.leaves in full:
            wide = full[thin.leaves]
            predicted = 1 - thin.crosspoints / wide.crosspoints
            gates = 1 - _of_nodes(thin, measured.costs) / _of_nodes(wide, measured.costs)
            shares.append((thin.leaves, predicted, gates))
    text = ", ".join(
        f"N={leaves}: {gates:.0%} of their gates ({gates / predicted:.2f} of the prediction)"
        for leaves, predicted, gates in shares
    )
    near = all(abs(gates / predicted - 1) <= NEAR for _, predicted, gates in shares)
    says = (
        "As degrees fall, so does what implements them: the share of the nodes' gates that "
        f"is saved is within {NEAR:.0%} of the share of crosspoints."
    )
    verdict = UNDECIDED if not shares else HOLDS if near else FAILS
    return _claim("savings after synthesis", "lbbvn", LEMMA_1, says, text, verdict, HOLDS)


def _of_nodes(design: Design, costs: Costs) -> float:
    """Gates of the nodes alone, in NAND2 equivalents: Lemma 1 does not change the leaves."""
    return sum(node.copies * costs[node.block].nand2 for node in design.nodes if node.degree)


def against_crossbars(measured: Measured) -> list[str]:
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


# ---- universal fat-trees -------------------------------------------------------------------------


def components(measured: Measured) -> Claim:
    """Lines at nodes over n lg(w^3 / n^2): Theorem 4's count."""
    trees = {(d.leaves, d.root): d for d in (*measured.of("UNIVERSAL"), *measured.of("PARTIAL"))}
    factors = []
    for (leaves, root), design in trees.items():
        lines = sum(node.copies * node.degree for node in design.nodes)
        expected = leiserson.theorem4_ratio(leaves, root)
        factors.append(expected * lines / incident_wires(design.capacity))
    within = bool(factors) and max(factors) <= 23
    text = f"lines at nodes / that: {min(factors):.1f} … {max(factors):.1f}" if factors else ""
    verdict = UNDECIDED if not factors else HOLDS if within else FAILS
    says = "A universal fat-tree has O(n lg(w^3/n^2)) components."
    return _claim("lines of universal trees", "leiserson", THEOREM_4, says, text, verdict, HOLDS)


def crosspoints_a_line(measured: Measured) -> Claim:
    """Crosspoints of partial concentrators over lines at nodes: the paper's O(m) a node."""
    factors = [
        design.crosspoints / sum(node.copies * node.degree for node in design.nodes)
        for design in measured.of("PARTIAL")
    ]
    verdict = UNDECIDED if not factors else HOLDS if max(factors) <= MOST else FAILS
    text = f"{min(factors):.1f} … {max(factors):.1f} crosspoints a line" if factors else ""
    says = f"A node with m lines has O(m) crosspoints: {MOST} m at most (partial concentrators)."
    name = "crosspoints a line, partial concentrators"
    return _claim(name, "leiserson", THEOREM_4, says, text, verdict, HOLDS)


def gates_of_nodes(measured: Measured, kind: str, held: str) -> Claim:
    """Gates of a node over its lines m: a constant factor, or not."""
    factors = {}
    for design in measured.of(kind):
        for node in design.nodes:
            factors[node.degree] = measured.costs[node.block].nand2 / node.degree
    sizes = sorted(factors)
    enough = len(sizes) > 1 and sizes[-1] > SPREAD * sizes[0]
    spread = max(factors.values()) / min(factors.values()) if enough else 0.0
    verdict = UNDECIDED if not enough else HOLDS if spread <= SPREAD else FAILS
    text = ""
    if enough:
        first, last = sizes[0], sizes[-1]
        text = (
            f"gates / m: {factors[first]:.0f} at m = {first}, {factors[last]:.0f} at m = {last}; "
            f"{'a constant factor' if verdict == HOLDS else 'no constant factor'} "
            f"(greatest by least {spread:.1f}, {SPREAD:.0f} allowed)"
        )
    what = "ideal" if kind == "UNIVERSAL" else "partial"
    says = (
        "A node with m lines has O(m) gates, those with which it finds the settings of its "
        f"{what} concentrators on-line included (the paper counts crosspoints)."
    )
    name = f"gates a line, {what} concentrators"
    return _claim(name, "leiserson", THEOREM_4, says, text, verdict, held)
