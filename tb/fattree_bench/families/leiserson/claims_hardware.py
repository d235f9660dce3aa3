"""Measures of what is claimed of the hardware of universal fat-trees, Sections II and IV."""

import itertools
import math
from collections.abc import Sequence

from fattree_bench.bench.claims import NOTHING, Figure, Measured, found, recorded, results, sizes
from fattree_bench.bench.result import Test
from fattree_bench.families.leiserson.deliveries import wires
from fattree_bench.words import number, plural

# The paper gives no constants, these are ours.
GATES = 40  # of an off-line node by its wires
GROWTH = 4 ** (1 / 3)  # of capacities near the root; a ceiling adds less than a wire
LEVELS = 30  # of gates in it: three stages with nine edges an output

Way = tuple[int, int]  # up, down


def universal_capacities(tests: Sequence[Test]) -> Measured:
    """Wires in use at most are min(ceil(n / 2^k), ceil(w / 2^(2k/3))) at every level k."""
    trees: dict[tuple[Way, ...], list[list[int]]] = {}
    for run in results(tests):
        rows = [{k: int(v or 0) for k, v in row.items()} for row in run.rows("levels")]
        own = tuple((row["wires_up"], row["wires_down"]) for row in rows)
        if not all(up and down for up, down in own):
            continue  # the meters have not seen them
        used = trees.setdefault(own, [[0, 0] for _ in own])
        for k, row in enumerate(rows):
            seen = row["busiest_up"], row["busiest_down"]
            used[k] = [max(pair) for pair in zip(used[k], seen, strict=True)]
    if not trees:
        return NOTHING
    right = [
        {*used[k], *own[k]} == {_universal(1 << (len(own) - 1), own[0][0], k)}
        for own, used in trees.items()
        for k in range(len(own))
    ]
    growth = [up / more for own in trees for (up, _), (more, _) in itertools.pairwise(own)]
    text = (
        f"{sum(right)} of {len(right)} levels have, and fill, the formula's wires each way in "
        f"{plural(len(trees), 'tree')}, {sizes(1 << (len(own) - 1) for own in trees)}; "
        f"steps of {min(growth):.2f} … {max(growth):.2f}"
    )
    return found(text, all(right))


def _universal(n: int, w: int, k: int) -> int:
    """min(ceil(n / 2^k), ceil(w / 2^(2k/3))), in whole numbers: c^3 4^k >= w^3."""
    root = math.ceil(w / 4 ** (k / 3))
    candidates = range(max(1, root - 1), root + 2)  # whatever the rounding of the floating point
    return min(-(-n >> k), next(c for c in candidates if c**3 * 4**k >= w**3))


def crossing_level(tests: Sequence[Test]) -> Measured:
    """Capacities double from level 3 lg(n/w) on, above it grow by cbrt(4); or as ceilings allow."""
    trees = {w for run in results(tests) if (w := wires(run)) and all(w)}
    model = recorded(tests, "levels", "levels_off", "levels_far_off")
    if not trees or not model:
        return NOTHING
    levels, off, far = (sum(column) for column in zip(*model, strict=True))
    for cap in trees:
        n, root = 1 << len(cap) - 1, cap[0]
        for k, own in enumerate(cap):
            doubling = own == n >> k
            below = root**3 << k >= n**3
            levels += 1
            off += doubling != below
            far += doubling != below and (below or root**3 << (k + 2) < n**3)
            far += root**3 << (k + 1) < n**3 and abs(own - GROWTH * cap[k + 1]) > GROWTH
    text = f"{{}} of {number(int(levels))} levels grow otherwise{{}}, RTL and models to n = 2^20"
    return Measured(
        Figure(text.format(number(int(off)), ""), not off),
        Figure(text.format(number(int(far)), " and not by ceilings"), not far),
    )
