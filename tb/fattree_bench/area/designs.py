"""The designs offered by the families for comparison, and claims about them."""

from fattree_bench.bench.claims import UNMEASURED, Claim
from fattree_bench.errors import UserError
from fattree_bench.families import offered
from fattree_bench.families.design import Design, Kind, Measured

KINDS: dict[str, Kind] = {
    name: kind for _, kinds in offered("area", "KINDS") for name, kind in kinds.items()
}
NETWORKS = tuple(dict.fromkeys(kind.network for kind in KINDS.values()))
SIZES = (4, 8, 16, 32, 64, 128)


def chosen_designs(network: str, names: str, sizes: str) -> list[Design]:
    """Designs by kind, then size.

    Parameters
    ----------
    network : name of a network, or "" for all.
    names : comma-separated kinds, or "" for all.
    sizes : comma-separated numbers of leaves.

    Raises
    ------
    UserError : an unknown word, or no design is left.

    """
    if network and network not in NETWORKS:
        raise UserError(f"NETWORK={network}: must be {', '.join(NETWORKS)}, or empty for all")
    wanted = [name.strip().upper() for name in names.split(",")] if names else list(KINDS)
    for name in wanted:
        if name not in KINDS:
            raise UserError(f"DESIGNS={names}: {name}: must be of {', '.join(KINDS)}")
    leaves = []
    for word in sizes.split(","):
        if word.strip() not in map(str, SIZES):
            raise UserError(f"N={sizes}: must be of {', '.join(map(str, SIZES))}")
        leaves.append(int(word))
    kinds = [KINDS[name] for name in wanted if network in ("", KINDS[name].network)]
    ordered = sorted(set(leaves))
    found = [one for kind in kinds for size in ordered for one in kind.make(size.bit_length() - 1)]
    if not found:
        raise UserError(f"DESIGNS={names}: none of NETWORK={network} with N={sizes}")
    return found


def judge(measured: Measured) -> list[Claim]:
    """All claims with measurements."""
    claims = [claim for _, own in offered("area", "judge") for claim in own(measured)]
    return [claim for claim in claims if claim.verdict != UNMEASURED]


def compared(measured: Measured) -> list[str]:
    """Sentences of the families about their designs."""
    return [told for _, own in offered("area", "compared") for told in own(measured)]
