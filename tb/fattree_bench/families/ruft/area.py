"""RUFT after synthesis, compared with the tree that it is made from."""

from fattree_bench.bench.claims import HOLDS, NOTHING, Claim, found
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.families.design import Design, Measured
from fattree_bench.families.ruft.network import Ruft
from fattree_bench.families.wormhole_area import sized, tree_design, wide
from fattree_models.ruft import tree


def designed(network: Wormhole) -> Design:
    """Any RUFT; its long links are wires."""
    lanes = tree.counts(network.routing.ways(network.tree).wiring).links
    crosspoints = network.tree.m[0] ** 2
    return tree_design("RUFT", network, lanes, lambda _: crosspoints, one_way=True)


def ruft(n: int) -> Design:
    """The RUFT of the 2-ary n-tree."""
    return designed(Ruft.from_variables(wide(K="2", LEVELS=str(n))))


KINDS = {"RUFT": sized("ruft", "reduced unidirectional 2-ary n-tree", ruft)}


# ---- claims --------------------------------------------------------------------------------------

PLANTED = "tests/tb/families/ruft/test_area.py"
NEARLY_HALF = 0.6  # of what a switch of the tree has, at most


def judge(measured: Measured) -> list[Claim]:
    """Every claim."""
    return [halved(measured)]


def halved(measured: Measured) -> Claim:
    """What a switch of the lowest stage has of one of the tree: gates, flip-flops, queues."""
    trees = {design.leaves: design for design in measured.of("KARY")}
    shares, lanes = [], []
    for design in measured.of("RUFT"):
        if other := trees.get(design.leaves):
            here, there = (measured.costs[one.nodes[0].block] for one in (design, other))
            shares.append(here.nand2 / there.nand2)
            shares.append(here.flip_flops / there.flip_flops)
            shares.append(here.memory_bits / there.memory_bits)
            lanes.append(f"{design.lanes} of {other.lanes} links at N={design.leaves}")
    says = "RUFT's switches are simple: nearly half of the tree's; its links are long."
    source = "Biswas and Hussain, survey, section 2.1; Gómez et al. 2008, abstract"
    about = "switches of RUFT after synthesis", "ruft", source, says
    if not shares:
        return Claim.judged(about, HOLDS, NOTHING, "S34", PLANTED)
    text = (
        f"{min(shares):.0%} … {max(shares):.0%} of a switch's gates, flip-flops and bits of "
        f"queues; {', '.join(lanes)}, one way each"
    )
    figures = found(text, max(shares) <= NEARLY_HALF)
    return Claim.judged(about, HOLDS, figures, "S34", PLANTED)
