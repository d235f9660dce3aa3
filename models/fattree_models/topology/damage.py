"""Cables that are missing, doubled or astray in a tree with too much damage to be mended: by peers.

Peers of a switch are those of its level that share half of its neighbours above or more.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from fattree_models.topology.fabric import Fabric
from fattree_models.topology.ranks import Ranked


@dataclass(frozen=True)
class Damage:
    """What peers have otherwise, worst first; and the fabric with all that is missing."""

    texts: tuple[str, ...]
    whole: Fabric


def damage(fabric: Fabric, ranked: Ranked) -> Damage:
    """Return the cables between switches that differ from what most peers have.

    Notes
    -----
    A cable is usual between two switches if more than half of the lower one's peers have one to the
    upper; how many side by side is their mean.  Worst is a switch that lacks the greatest share of
    its cables up.  O(switches^2 * switches above).
    """
    found: list[tuple[bool, float, str]] = []
    added: list[tuple[int, int, int, int]] = []
    for low, high in pairwise(ranked.by_rank()[1:]):
        place = {node: k for k, node in enumerate(high)}
        count = np.zeros((len(low), len(high)), np.float32)
        for k, node in enumerate(low):
            for other, number in ranked.above(node).items():
                count[k, place[other]] = number
        has = (count > 0).astype(np.float32)
        peers = (2 * (has @ has.T) >= has.sum(axis=1)[:, None]).astype(np.float32)
        np.fill_diagonal(peers, 0)
        with_one = peers @ has
        usual = np.where(2 * with_one > peers.sum(axis=1)[:, None], peers @ count, 0)
        usual = np.ceil(usual / np.maximum(with_one, 1) - 0.5)  # of one and two: one
        usual[peers.sum(axis=1) < 2] = count[peers.sum(axis=1) < 2]
        lost = np.maximum(usual - count, 0).sum(axis=1) / np.maximum(usual.sum(axis=1), 1)
        for k, q in np.argwhere(count != usual).tolist():
            own, want, ends = int(count[k, q]), int(usual[k, q]), _ends(fabric, low[k], high[q])
            text = f"doubled: {ends}, {own} where peers have {want}"
            if own < want:
                added += [(low[k], -1, high[q], -1)] * (want - own)
                text = f"missing: {ends}, {own} of {want} there"
            elif not want:
                text = f"astray: {ends}, where few peers have one"
            found.append((own > want, -float(lost[k]), text))
    links = np.concatenate([fabric.links, np.array(added, np.int64).reshape(-1, 4)])
    return Damage(tuple(text for *_, text in sorted(found)), fabric.but(links))


def _ends(fabric: Fabric, low: int, high: int) -> str:
    """Both ends of the last of the cables between two switches, or their names if there is none."""
    own = next((c for c in reversed(fabric.leaving[low]) if fabric.head[c] == high), None)
    ports = (-1, -1) if own is None else fabric.port[[own, own ^ 1]].tolist()
    return f"{fabric.end(low, ports[0])} – {fabric.end(high, ports[1])}"
