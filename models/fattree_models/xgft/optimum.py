"""OXGFT: the cheapest extended generalised fat-trees for a number of processors.

After Peratikou and Adda, "Optimal configuration of extended generalised fat-trees" ("the paper").
"""

import heapq
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Literal, NamedTuple, get_args

from fattree_models.common.checks import check_integer, check_word
from fattree_models.common.fat_tree.topology import MAX_HEIGHT, Xgft, positive

Constraint = Literal["FULL", "NONE", "PRINTED"]
MAX_PROCESSORS = 10_000
MAX_TREES = 10_000
NO_LIMIT = 1 << 40  # of ports


@dataclass(frozen=True)
class Design:
    """A tree in the paper's terms.

    Parameters
    ----------
    s : tuple of int [n]
        S_i, sub-trees that a router of level i = 1 ... n joins, from 1.
    r : tuple of int [n]
        R_i, routers of level i in one sub-tree, from 1; each a multiple of the last.
    root_links : int
        Links of a router of level n to others of its level: what the last of the paper's w_i says
        if w_i are the links up of a *router* of level i.

    Examples
    --------
    The paper's Fig. 2 (b), without and with the links between roots:

    >>> Design((4, 3, 5), (1, 2, 4)).cost, Design((4, 3, 5), (1, 2, 4), root_links=2).cost
    (890, 986)
    """

    s: tuple[int, ...]
    r: tuple[int, ...]
    root_links: int = 0

    def __post_init__(self) -> None:
        for name in ("s", "r"):
            object.__setattr__(self, name, positive(name, getattr(self, name)))
        object.__setattr__(self, "root_links", check_integer("root_links", self.root_links, 0))
        if len(self.r) != len(self.s) or any(b % a for a, b in itertools.pairwise(self.r)):
            raise ValueError(
                f"r: is {self.r}; allowed are {len(self.s)}, each a multiple of the last"
            )

    @cached_property
    def routers(self) -> tuple[int, ...]:
        """R_i prod_{j>i} S_j, of each level: eq. (2)."""
        return tuple(r * math.prod(self.s[i:]) for i, r in enumerate(self.r, start=1))

    @property
    def up(self) -> tuple[int, ...]:
        """R_{i+1} / R_i, links up of a router of each level; of a root those to other roots."""
        return (*(above // r for r, above in itertools.pairwise(self.r)), self.root_links)

    @cached_property
    def ports(self) -> tuple[int, ...]:
        """S_i + R_{i+1} / R_i, of a router of each level: eq. (3)."""
        return tuple(s + up for s, up in zip(self.s, self.up, strict=True))

    @cached_property
    def cost(self) -> int:
        """Routers by the square of their ports: eq. (1)."""
        return sum(n * ports**2 for n, ports in zip(self.routers, self.ports, strict=True))

    @property
    def tree(self) -> Xgft:
        """XGFT(n; S_1 ... S_n; R_1, R_2 / R_1 ...), without links between roots."""
        return Xgft(self.s, (self.r[0], *self.up[:-1]))


def design(tree: Xgft, root_links: int = 0) -> Design:
    """Return a tree in the paper's terms; R_1 > 1 if a leaf has several parents.

    Examples
    --------
    The other reading of Fig. 2 (b), two parents a leaf:

    >>> design(Xgft((4, 3, 5), (2, 2, 2))).cost
    1780
    """
    return Design(tree.m, tuple(map(tree.w_span, range(1, tree.height + 1))), root_links)


def cheapest(
    p: int,
    levels: int | None = None,
    constraint: Constraint = "FULL",
    max_ports: int | None = None,
    top: int = 1,
) -> list[Design]:
    """Return the trees of least cost (1), with all that cost as much as the last of them.

    Parameters
    ----------
    p : int
        Processors, 2 ... 10,000: the product of all S_i (4).
    levels : int, optional
        n, 1 ... 20; None for any.
    constraint : {"FULL", "NONE", "PRINTED"}
        Besides (4), (5), (6) and R_1 = 1 the tree keeps, for i < n, to (7) as repaired,
        R_{i+1} >= prod_{j<=i} S_j: all of a sub-tree can send out of it at once; to nothing more;
        or to (7) as printed, R_{i+1} >= S_i P, which no tree keeps for i = n.
    max_ports : int, optional
        Most ports of a router, from 2.
    top : int
        Trees wanted, 1 ... 10,000; there may be fewer, or more that cost the same.

    Returns
    -------
    list of Design
        By cost, then those with fewer routers of level 1, 2, ... first.

    Raises
    ------
    ValueError
        If an argument is out of its range, or no tree fits: the text says why.

    Notes
    -----
    Best first, level by level from the leaves, over S_i and R_{i+1} / R_i.  With "FULL" the levels
    above a product A of S cost at least P (4 sum_{i<n} S_i + S_n), for all R >= A: the cost is a
    convex function of R, and its gradient at R_{i+1} = prod_{j<=i} S_j is not negative (ours).

    Examples
    --------
    >>> [(one.s, one.r, one.cost) for one in cheapest(36, 2, top=2)]
    [((3, 12), (1, 3), 864), ((4, 9), (1, 4), 900)]
    >>> [(one.s, one.r, one.cost) for one in cheapest(60, 3)]
    [((3, 2, 10), (1, 3, 6), 1800), ((2, 3, 10), (1, 2, 6), 1800)]
    """
    p = check_integer("p", p, 2, MAX_PROCESSORS)
    top = check_integer("top", top, 1, MAX_TREES)
    if levels is not None:
        levels = check_integer("levels", levels, 1, MAX_HEIGHT)
    if max_ports is not None:
        max_ports = check_integer("max_ports", max_ports, 2)
    check_word("constraint", constraint, *get_args(Constraint))
    factors = _prime_factors(p)
    if max_ports is not None and factors[-1] > max_ports:
        raise ValueError(
            f"{p} processors need a switch of {factors[-1]} ports, their greatest prime factor; "
            f"there are at most {max_ports}"
        )
    if levels is not None and levels > len(factors):
        product = "is prime" if len(factors) == 1 else f"= {' x '.join(map(str, factors))}"
        raise ValueError(f"{p} {product}: at most {len(factors)} level{'s' if factors[1:] else ''}")
    search = _Search(p, constraint, max_ports or NO_LIMIT)
    found: list[Design] = []
    for same in search.by_cost([levels] if levels else range(1, len(factors) + 1)):
        found += sorted(same, key=lambda one: one.routers)
        if len(found) >= top:
            return found
    if not found:
        told = f"{levels} levels" if levels else "any levels"
        raise ValueError(f"no tree of {p} processors and {told} has at most {max_ports} ports")
    return found


def _prime_factors(p: int) -> list[int]:
    """Return them in ascending order."""
    found, divisor = [], 2
    while divisor * divisor <= p:
        if p % divisor:
            divisor += 1
        else:
            found.append(divisor)
            p //= divisor
    return [*found, p]


@cache
def _divisors(p: int) -> tuple[int, ...]:
    """Return those above 1."""
    return tuple(s for s in range(2, p + 1) if p % s == 0)


# ---- the search ----------------------------------------------------------------------------------


class _Node(NamedTuple):
    """Lower levels, as far as the upper ones need to know: those that cost the same are one."""

    left: int  # levels above them
    above: int  # product of their S_i
    r: int  # R of the lowest of them
    cost: int  # of the lower levels


class _Step(NamedTuple):
    """One level more."""

    least: int  # that a tree with it costs
    node: _Node
    s: int
    up: int  # R_{i+1} / R_i; 0 at the root
    after: _Node


class _Upper(NamedTuple):
    """What the upper levels cost and need at least, A processors below them."""

    full: int  # 4 sum_{i<n} S_i + S_n, of their cost by P under "FULL"
    thin: int  # cost by R of the lowest of them, without any constraint
    need: Fraction  # R by A, so that no router above has too many ports


class _Search:
    """The trees for P processors, best first."""

    def __init__(self, p: int, constraint: Constraint, ports: int) -> None:
        self.p, self.constraint, self.ports = p, constraint, ports
        self.heap: list[_Step] = []
        self.into: dict[_Node, list[_Step]] = {}  # what has led to each node
        self.uppers: dict[tuple[int, int], _Upper | None] = {}

    def by_cost(self, heights: Iterable[int]) -> Iterator[list[Design]]:
        """Yield all trees of the least cost, of the next one, ..."""
        for levels in heights:
            self.reach(_Node(levels, self.p, 1, 0))
        while self.heap:
            least, roots = self.heap[0].least, []
            while self.heap and self.heap[0].least <= least:
                step = heapq.heappop(self.heap)
                if step.after.left:
                    self.push(step.node, step.s, step.up + 1)
                if step.after not in self.into:
                    self.reach(step.after)
                    roots += [] if step.after.left else [step.after]
                self.into[step.after].append(step)
            if roots:
                yield [_design(way) for root in roots for way in self.ways(root)]

    def ways(self, node: _Node) -> Iterator[list[_Step]]:
        """Yield all that leads from the leaves to a node."""
        if not self.into[node]:
            yield []
        for step in self.into[node]:
            for way in self.ways(step.node):
                yield [*way, step]

    def reach(self, node: _Node) -> None:
        """See what can follow a node that is new."""
        self.into[node] = []
        for s in _divisors(node.above):
            self.push(node, s, self.least_up(node, s) if node.left > 1 else 0)

    def push(self, node: _Node, s: int, up: int) -> None:
        """Try a step later; with more links up than these it costs more."""
        upper = self.upper(node.left - 1, node.above // s)
        if upper is None or s + up > self.ports:
            return
        cost = node.cost + node.r * (node.above // s) * (s + up) ** 2
        after = _Node(node.left - 1, node.above // s, node.r * up, cost)
        rest = after.r * upper.thin
        if self.constraint == "FULL":
            rest = max(rest, self.p * upper.full)
        heapq.heappush(self.heap, _Step(cost + rest, node, s, up, after))

    def least_up(self, node: _Node, s: int) -> int:
        """Return the least R_{i+1} / R_i with which a tree can be completed."""
        upper = self.upper(node.left - 1, node.above // s)
        if upper is None or self.constraint == "NONE":
            return 1
        printed, repaired = s * self.p, upper.need * s * (self.p // node.above)
        least = printed if self.constraint == "PRINTED" else repaired
        return max(1, math.ceil(Fraction(least, node.r)))

    def upper(self, left: int, above: int) -> _Upper | None:
        """Return what so many levels for so many processors ask for; None if there are none."""
        key = left, above
        if key not in self.uppers:
            self.uppers[key] = self._upper(left, above)
        return self.uppers[key]

    def _upper(self, left: int, above: int) -> _Upper | None:
        if left == 0:
            return _Upper(0, 0, Fraction(1)) if above == 1 else None
        if left == 1:
            fits = 1 < above <= self.ports
            return _Upper(above, above * above, Fraction(1)) if fits else None
        tried = ((s, self.upper(left - 1, above // s)) for s in _divisors(above) if s < self.ports)
        known = [(s, rest) for s, rest in tried if rest is not None]
        if not known:
            return None
        return _Upper(
            full=min(4 * s + rest.full for s, rest in known),
            thin=min(above // s * (s + 1) ** 2 + rest.thin for s, rest in known),
            need=max(Fraction(1), min(Fraction(s, self.ports - s) * x.need for s, x in known)),
        )


def _design(steps: Sequence[_Step]) -> Design:
    return Design(tuple(step.s for step in steps), tuple(step.node.r for step in steps))
