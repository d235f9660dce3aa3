"""A universal fat-tree delivers what a network of its volume does (Theorem 10)."""

import math
from dataclasses import dataclass

import numpy as np

from fattree_models.common.checks import Int32Array, Int64Array
from fattree_models.leiserson.capacity import height, universal
from fattree_models.leiserson.load import channel_loads, level_loads, load_factor
from fattree_models.leiserson.offline import schedule
from fattree_models.universality.balance import Balanced, balance
from fattree_models.universality.boxes import sides
from fattree_models.universality.cuts import Decomposition, cut, share_of_bound
from fattree_models.universality.hosts import deliver
from fattree_models.universality.layout import Layout
from fattree_models.universality.volume import padded, root_capacity

CORNER = 4 * 4 ** (1 / 3)  # of Theorem 5
ALPHA = 4 ** (1 / 3)  # by which a cut lessens the surface


@dataclass(frozen=True, eq=False)
class Identified:
    """A network in its cube, and the leaves of a fat-tree that its processors become."""

    n: int
    layout: Layout
    tree: Decomposition
    balanced: Balanced

    @classmethod
    def of(cls, layout: Layout, n: int) -> "Identified":
        """Cut, balance, identify."""
        tree = cut(layout, least=height(n))
        return cls(n, layout, tree, balance(tree, n))

    @property
    def volume(self) -> float:
        """v, padded as the fat-tree needs."""
        return padded(self.n, float(self.tree.side) ** 3)

    @property
    def capacities(self) -> Int64Array:
        """Channels of the universal fat-tree of this volume."""
        return universal(self.n, int(np.ceil(root_capacity(self.n, self.volume))))

    def edges(self) -> tuple[Int32Array, Int32Array]:
        """Return a message along every edge, each way, between leaves."""
        leaf = self.balanced.leaf.astype(np.int32)
        one, other = leaf[self.layout.edges].T
        return np.concatenate((one, other)), np.concatenate((other, one))

    def walks(self, steps: int, seed: int) -> tuple[Int32Array, Int32Array]:
        """Return messages that the network delivers in so many steps, each all edges at once.

        At every step every edge carries a message each way: each processor deals those that it has
        out to its edges at random.  Messages that end where they began are left out.
        """
        rng = np.random.default_rng(seed)
        pairs = self.layout.edges
        source = np.concatenate((pairs[:, 0], pairs[:, 1]))
        target = np.concatenate((pairs[:, 1], pairs[:, 0]))
        order = np.argsort(source, kind="stable")
        target = target[order]
        begin = place = source[order]
        for _ in range(steps):
            dealt = np.lexsort((rng.random(place.size), place))
            begin, place = begin[dealt], target  # the i-th message at a place takes its i-th edge
        moved = begin != place
        leaf = self.balanced.leaf.astype(np.int32)
        return leaf[begin[moved]], leaf[place[moved]]

    def load_share(self, src: Int32Array, dst: Int32Array, time: int) -> float:
        """Return the most of load(M, c) / (t wires through the set below c), over all channels."""
        loads = np.maximum(*channel_loads(src, dst, self.n))[1:]
        wires = np.concatenate(self.balanced.through) * time
        if (loads[wires == 0] > 0).any():
            return float("inf")
        return float((loads[wires > 0] / wires[wires > 0]).max())


@dataclass(frozen=True)
class Figures:
    """What was counted of a network of n processors; shares of a bound are at most 1."""

    n: int
    processors: int
    wires: int
    voxels: int  # in use
    side: int  # of the cube
    volume: float  # padded
    root: int  # capacity
    time: int  # of a message along every edge
    gamma: float  # conductors a unit of surface, at most
    theorem_5: float  # surface / (4 cbrt(4) (v / 2^i)^(2/3)), the most of any cut
    theorem_8: float  # w'_i / (4 sum w_k)
    corollary_9: float  # w'_i / (4 a / (a - 1) w / a^i)
    load: float  # load / (t wires), a message along every edge
    walk: float  # the same of messages that take four steps
    load_factor: float
    logarithm: float  # lg(n / v^(2/3)), at least 1
    cycles: int
    ticks: int
    connected: float  # least factor of v^(2/3) with which edges are a one-cycle set
    hardware: float  # the fat-tree's own box, by the volume
    array_load: int  # most messages of a link of a mesh of n nodes
    array_steps: int  # of that mesh

    @property
    def ratio(self) -> float:
        """Return lambda / (t lg(n / v^(2/3)))."""
        return self.load_factor / self.time / self.logarithm

    @property
    def array(self) -> float:
        """Return the same of the mesh: most messages of a link / (t lg(n / v^(2/3)))."""
        return self.array_load / self.time / self.logarithm

    @property
    def slowdown(self) -> float:
        """Return ticks / (t lg^3 n)."""
        return self.ticks / self.time / height(self.n) ** 3


def simulate(layout: Layout, n: int, walk: int = 4) -> Figures:
    """Count what Theorems 5 to 10 speak of.

    Parameters
    ----------
    layout : Layout
        Of a network of at most n processors.
    walk : int
        Steps of the second message set.
    """
    one = Identified.of(layout, n)
    src, dst = one.edges()
    cap, h = one.capacities, height(n)
    area = one.tree.side**2
    plan = schedule(src, dst, cap, "GREEDY")
    busiest = np.maximum(*level_loads(src, dst, n))
    scaled = busiest * ALPHA ** np.arange(h + 1) / area
    array = deliver("MESH", src, dst, n)
    return Figures(
        n=n,
        processors=layout.processors,
        wires=len(layout.wires),
        voxels=layout.occupied(),
        side=one.tree.side,
        volume=one.volume,
        root=int(cap[0]),
        time=layout.time,
        gamma=one.tree.gamma,
        theorem_5=max(float(share_of_bound(one.tree.side, i)) for i in range(one.tree.depth + 1)),
        theorem_8=theorem_8(one.tree, one.balanced),
        corollary_9=corollary_9(one.tree, one.balanced),
        load=one.load_share(src, dst, layout.time),
        walk=one.load_share(*one.walks(walk, 1), walk * layout.time),
        load_factor=float(load_factor(src, dst, cap)),
        logarithm=max(1.0, float(np.log2(n / one.volume ** (2 / 3)))),
        cycles=plan.cycles,
        ticks=plan.cycles * (2 * h - 1),
        connected=float(scaled.max()),
        hardware=math.prod(sides(h, math.log2(cap[0]))) / one.volume,
        array_load=array.load,
        array_steps=array.steps,
    )


def theorem_8(tree: Decomposition, balanced: Balanced) -> float:
    """Return the most of w'_i / (4 (w_i + … + w_r))."""
    widths = np.array(tree.widths)
    after = np.cumsum(widths[::-1])[::-1]
    shares = [w / (4 * after[i]) for i, w in enumerate(balanced.widths) if w]
    return float(max(shares, default=0.0))


def corollary_9(tree: Decomposition, balanced: Balanced) -> float:
    """Return the most of w'_i / (4 a / (a - 1) w / a^i): w of Theorem 5, a = cbrt(4)."""
    w = CORNER * tree.gamma * tree.side**2
    bound = 4 * ALPHA / (ALPHA - 1) * w
    return float(max(x * ALPHA**i / bound for i, x in enumerate(balanced.widths)))
