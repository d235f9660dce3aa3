"""What a bit-serial fat-tree is made of, and Theorem 4's count of it.

A node with m incident wires has O(m) components (Leiserson 1985, Section IV): two selectors for
each input wire (Fig. 3), one a branch, and three concentrators.  Ideal concentrators are crossbars
here and do not keep that promise; partial ones, with at most six edges an input in each stage, do.
"""

import math
from collections import Counter
from dataclasses import dataclass

from fattree_models.leiserson.capacity import check_capacity, processors_of, universal
from fattree_models.leiserson.partial import adjacency
from fattree_models.leiserson.serial_tree import SerialTree


@dataclass(frozen=True)
class Components:
    """What a tree is made of.

    Attributes
    ----------
    wires : int
        Of all channels, both directions, those of the processors and the external one among them.
    incident_wires : int
        The sum, over the nodes, of the wires that end at a node: the paper's m.
    selectors : int
        Two for each input wire of each node, one for each port that it can turn to.
    ports : tuple of (R, S, count)
        Concentrators by inputs and outputs, largest first.
    crosspoints : int
        R S for an ideal concentrator, the edges of all stages for a partial one; none if a partial
        one has no stages.
    setting_bits : int
        Held bits that say how the concentrators are set: for each input of a port or stage, which
        of its crosspoints is closed, if any: ceil(lg(choices + 1)).
    """

    wires: int
    incident_wires: int
    selectors: int
    ports: tuple[tuple[int, int, int], ...]
    crosspoints: int
    setting_bits: int


def count_components(tree: SerialTree) -> Components:
    """Return what a tree is made of.

    Examples
    --------
    One node between two processors and one external wire:

    >>> count_components(SerialTree((1, 1)))
    Components(wires=6, incident_wires=6, selectors=6, ports=((2, 1, 3),), crosspoints=6, \
setting_bits=6)
    """
    cap = tree.cap
    ports: Counter[tuple[int, int]] = Counter()
    for k in range(tree.h):
        ports[tree.shape_up[k]] += 1 << k
        ports[tree.shape_down[k]] += 2 << k
    crosspoints = bits = 0
    for (r, s), count in ports.items():
        for inputs, choices in _switches(tree, r, s):
            crosspoints += count * inputs * choices
            # ceil(lg(choices + 1)) in integers.
            bits += count * inputs * choices.bit_length()
    return Components(
        wires=2 * sum(c << k for k, c in enumerate(cap)),
        incident_wires=incident_wires(cap),
        selectors=2 * sum((2 * cap[k + 1] + cap[k]) << k for k in range(tree.h)),
        ports=tuple((r, s, count) for (r, s), count in sorted(ports.items(), reverse=True)),
        crosspoints=crosspoints,
        setting_bits=bits,
    )


def incident_wires(cap: tuple[int, ...]) -> int:
    """Return the wires that end at nodes, summed over the nodes, both directions.

    Parameters
    ----------
    cap : tuple of int, length h + 1

    Examples
    --------
    >>> incident_wires((4, 2, 1))
    32
    """
    cap = tuple(check_capacity(processors_of(cap), cap).tolist())
    return 2 * sum((cap[k] + 2 * cap[k + 1]) << k for k in range(len(cap) - 1))


def theorem4_ratio(processors: int, w: int) -> float:
    """Return incident wires of the universal fat-tree over n lg(w^3 / n^2), Theorem 4's count.

    Parameters
    ----------
    w : int
        Root capacity, n^(2/3) <= w <= n.

    Returns
    -------
    float
        Bounded from below and above by constants, if the theorem's bound holds and is tight;
        lg x is max(1, log2 x), as everywhere in the paper.

    Notes
    -----
    Measured for n = 2^3 ... 2^16 and w from n^(2/3) to n: exactly 4 at w = n, and at most 22.25 at
    w = 2^(1/3) n^(2/3), the last root with lg = 1; that maximum converges to less than 23.

    Examples
    --------
    >>> round(theorem4_ratio(1024, 1024), 3)
    4.0
    """
    cap = tuple(universal(processors, w).tolist())
    n, w = int(processors), int(w)
    return incident_wires(cap) / (n * max(1.0, 3 * math.log2(w) - 2 * math.log2(n)))


def _switches(tree: SerialTree, r: int, s: int) -> list[tuple[int, int]]:
    """Return (inputs, choices of each) of a concentrator's crossbar or stages."""
    if tree.concentrator == "IDEAL":
        return [(r, s)]
    return [(inputs, adjacency(inputs, outputs).shape[1]) for inputs, outputs in tree.plan(r, s)]
