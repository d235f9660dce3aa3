"""k-ary n-trees of turn-back nodes after synthesis, compared with those of whole switches."""

from fattree_bench.bench import claims
from fattree_bench.bench.claims import CORRECTED, HOLDS, NOTHING, Claim
from fattree_bench.bench.wormhole.claims import both
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.families.design import Design, Kind, Measured
from fattree_bench.families.turnback.network import TurnbackNetwork
from fattree_bench.families.wormhole_area import (
    NODE,
    SHOWN,
    both_ways,
    fewer,
    sized,
    tree_design,
    wide,
)

UNWATCHED = (*SHOWN, "turn_valid_o", "turn_flit_o")
OWN = (*NODE, "ROOTS", "TURNS", "FIELDS", "LATERAL", "ADDRESS")


def designed(network: Wormhole, kind: str = "TURNBACK") -> Design:
    """Any tree of turn-back nodes: a node is two switches."""

    def crosspoints(level: int) -> int:
        down, up, lateral, turn = network.ways.counts(level).values()
        return (down + lateral) * (up + lateral + turn) + (up + turn) * down

    how = {"top": "turnback_node", "own": OWN, "unwatched": UNWATCHED}
    tops = network.tree.level_size(network.tree.height)
    roots = tops * network.ways.counts(network.tree.height)["LATERAL"]
    return tree_design(kind, network, both_ways(network) + roots, crosspoints, **how)


def turnback(n: int, kind: str, k: int = 2, /, **options: str) -> Design:
    """A k-ary n-tree with queues, two virtual channels a link."""
    m, w = ",".join([str(k)] * n), ",".join(["1", *[str(k)] * (n - 1)])
    return designed(TurnbackNetwork.from_variables(wide(M=m, W=w, **options)), kind)


def _kind(name: str, says: str, k: int = 2, /, **options: str) -> dict[str, Kind]:
    return {name: sized("turnback", says, lambda n: turnback(n, name, k, **options), k)}


ONE = {"TBCH": "1"}
KINDS = {
    **_kind("TURNBACK", "nodes of two switches, one turn-back channel", **ONE),
    **_kind("TURNBACK_TWO", "the same with two", TBCH="2"),
    **_kind("TURNBACK_WP", "TBWP with two root links", ROUTING="TBWP", **ONE, ROOT_LINKS="2"),
    **_kind("TERNARY_NUMBER", "3-ary trees of TURNBACK; addresses are numbers", 3, **ONE),
    **_kind("TERNARY_VECTOR", "addresses are vectors", 3, **ONE, ADDRESS="VECTOR"),
    **_kind("QUATERNARY_TURNBACK", "4-ary trees of TURNBACK", 4, **ONE),
}


# ---- claims --------------------------------------------------------------------------------------

PLANTED = "tests/tb/families/turnback/test_area.py"
CORRECTION = "Two small switches a node are smaller than one where a node has four children."
KARINIEMI = "Kariniemi and Nurmi 2004, abstract; OXGFT paper, section 1"


def judge(measured: Measured) -> list[Claim]:
    """Every claim."""
    return [two_small_ones(measured), vectors_are_cheaper(measured)]


def two_small_ones(measured: Measured) -> Claim:
    """A node of two switches joined by a channel against one; as corrected: of four children."""
    says = "Networks up and down can be two small switches a node instead of a larger one."
    about = "two small switches for one", "turnback", KARINIEMI, says
    figures = both(
        fewer(measured, "TURNBACK", "KARY_ADAPTIVE"),
        fewer(measured, "QUATERNARY_TURNBACK", "QUATERNARY_ADAPTIVE"),
    )
    return Claim.judged(about, CORRECTED, figures, "", PLANTED, CORRECTION)


def vectors_are_cheaper(measured: Measured) -> Claim:
    """Digits in bit fields are compared; numbers are divided."""
    says = "Addresses that are vectors make decisions simple."
    about = "addresses as vectors", "turnback", KARINIEMI, says
    less = fewer(measured, "TERNARY_VECTOR", "TERNARY_NUMBER")
    figures = claims.Measured(less) if less.text else NOTHING
    return Claim.judged(about, HOLDS, figures, "O9", PLANTED)
