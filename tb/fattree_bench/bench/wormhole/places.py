"""What recorded links are called, and which of them differ by their hashes."""

from fattree_bench.bench.wormhole.network import Wormhole
from fattree_models.common.checks import IntegerArray

UNKNOWN = "a bit of the flit, its VC or a credit is X or Z"


def place_of(network: Wormhole, link: int) -> str:
    """A recorded link, as a reader finds it."""
    inside = network.ways.inputs
    if link >= inside:
        far, leaf = divmod(link - inside, network.leaves)
        return f"the link {'to' if far else 'from'} leaf {leaf}"
    *switch, port = output(network, link)
    return f"{network.ways.called(*switch)} output {port}"


def output(network: Wormhole, link: int) -> tuple[int, int, int]:
    """Level, switch and port that a link of the structure leaves."""
    s = network.structure
    node = s.tail[link]
    level = int(s.level[node]) + network.ways.levels.start - 1
    return level, int(s.number[node]), int(s.tail_port[link])


def differing(network: Wormhole, hashes: IntegerArray) -> str:
    """The link of the first of the hashes that differ.

    A hash is of a lane, a VC of a link, or of the credits of 32 lanes: see flit_recorder.v.
    """
    first, vcs = int(hashes[0]), network.layout.vcs
    lanes = network.layout.recorded.links * vcs
    if first < lanes:
        link, vc = divmod(first, vcs)
        return f"{place_of(network, link)}, VC {vc}: its marks, words or lists of hops"
    return f"the credits of {place_of(network, (first - lanes) * 32 // vcs)} or of one of the next"
