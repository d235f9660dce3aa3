"""Cables of different speeds: which are slower than their peers, and by how much.

A slow cable of ratio s carries a flit every s clocks, so that it counts s times in loads.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import ceil, isfinite

import numpy as np

from fattree_models.common.checks import Int64Array
from fattree_models.topology.fabric import Fabric
from fattree_models.topology.ranks import Ranked
from fattree_models.topology.rules import Breach

RULE = "SPEED"
TOLERANCE = 1e-9  # of a quotient that is a whole number but for rounding


def ratios(speeds: Sequence[float], links: int) -> Int64Array:
    """Return the ratio of each link: the fastest speed over its own, rounded up, int64 [links].

    Parameters
    ----------
    speeds : sequence of float [links], or empty
        Gb/s; 0: not stated, and taken for the fastest.

    Raises
    ------
    ValueError
        If there are others than one a link, or one is negative or not finite.

    Examples
    --------
    >>> ratios([100.0, 20.0, 0.0, 40.0], 4).tolist()
    [1, 5, 1, 3]
    """
    if len(speeds) not in (0, links):
        raise ValueError(f"speeds: are {len(speeds)}; allowed is one for each of {links} links")
    for speed in speeds:
        if not (isfinite(speed) and speed >= 0):
            raise ValueError(f"speeds: holds {speed}; allowed are numbers from 0")
    most = max(speeds, default=0.0)
    quotients = [ceil(most / x - TOLERANCE) if x else 1 for x in speeds or [0.0] * links]
    return np.array(quotients, np.int64)


def slow(fabric: Fabric, ranked: Ranked | None, speeds: Sequence[float]) -> list[Breach]:
    """Return the cables that are slower than most between their levels, the slowest first.

    Parameters
    ----------
    ranked : Ranked or None
        None if the fabric is not connected: then all cables are peers.
    speeds : sequence of float [links], or empty
        Gb/s of each link; 0: not stated.
    """
    peers: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for link, speed in enumerate(speeds):
        ends = fabric.links[link, [0, 2]].tolist()
        level = () if ranked is None else tuple(sorted(ranked.rank[node] for node in ends))
        if speed:
            peers[level].append(link)
    found = [each for links in peers.values() for each in _below(fabric, links, speeds)]
    return [breach for _, breach in sorted(found, key=lambda each: each[0])]


def _below(
    fabric: Fabric, links: list[int], speeds: Sequence[float]
) -> Iterator[tuple[tuple[float, str], Breach]]:
    """Links slower than the most frequent speed of these, the faster of two as frequent ones."""
    often = Counter(speeds[link] for link in links)
    usual = max(often, key=lambda speed: (often[speed], speed))
    for link in links:
        if (own := speeds[link]) < usual:
            one, port, other, far = fabric.links[link].tolist()
            ends = f"{fabric.end(one, port)} – {fabric.end(other, far)}"
            peers = f"{often[usual]} of its {len(links) - 1} peers at {usual:g}"
            text = f"{ends} runs at {own:g} Gb/s, {peers}"
            yield (own / usual, text), Breach(RULE, text, (one, other))
