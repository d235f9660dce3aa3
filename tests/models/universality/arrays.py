"""What arrays and simple trees need for a step of a hypercube (Section VI).

Lower bounds, for any placement of the hypercube's n processors among the nodes of an array and any
routing.  A set of m of them has at least m (lg n - lg m) edges to the others (edge isoperimetry),
so at least n / 2 if m = n/3 ... n/2; and an array has few wires between some such set and the rest:

mesh2d : nodes column by column, until n / 2 processors are counted: a column of wires, and one.
multigrid : the same, in each grid of a pyramid; each has a quarter of the nodes of the one below.
tree : one, between a subtree with n/3 ... 2n/3 of the processors and the rest.
"""

import math
from collections.abc import Callable


def _pyramid(nodes: float) -> float:
    """Return the wires between halves of a pyramid: grids of 3/4, 3/16, … of its nodes."""
    base = 0.75 * nodes
    levels = int(math.log(base, 4)) + 1
    return float(sum(math.sqrt(base) / 2**k + 1 for k in range(levels)))


ARRAYS: dict[str, Callable[[float], float]] = {
    "mesh2d": lambda nodes: math.sqrt(nodes) + 1,
    "multigrid": _pyramid,
    "tree": lambda nodes: 1.0,
}
"""Wires, each way, between two parts of an array of so many nodes."""
