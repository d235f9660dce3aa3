"""What was done wrong to a fat-tree, if it is little: cables missing or crossed, hosts missing."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, islice, pairwise, permutations, product

import numpy as np

from fattree_models.common.checks import Int64Array
from fattree_models.topology.fabric import Fabric
from fattree_models.topology.match import Match, match
from fattree_models.topology.ranks import Ranked, rank
from fattree_models.topology.rules import Breach

TRIES = 150_000  # links that all tries together may look at: some seconds
PAIRS = 20_000  # cables that are looked at, whether to exchange them
MISSING = 5  # cables of a pair of levels: their ends are tried in all orders

Cable = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Repair:
    """What makes a fat-tree of a fabric.

    Attributes
    ----------
    texts : tuple of str, what was wrong, a line each.
    fabric, match : the fabric after the repair, and the fat-tree that it is.
    """

    texts: tuple[str, ...]
    fabric: Fabric
    match: Match


def repair(fabric: Fabric, ranked: Ranked, broken: list[Breach]) -> Repair | None:
    """Find what makes a PGFT of a fabric: cables added, or hosts, or the ends of cables exchanged.

    Parameters
    ----------
    broken : list of Breach
        Nodes at which cables are suspected.

    Returns
    -------
    Repair or None
        None if nothing of this alone does.

    Notes
    -----
    A candidate counts only if `match` recognises the whole.  Missing cables join nodes of
    neighbouring levels that have fewer neighbours than most.  Crossed cables are sought where links
    between two levels do not fall into complete bipartite parts, and at nodes that break rules.
    """
    left = max(1, TRIES // len(fabric.links))
    for found in islice(_candidates(fabric, ranked, broken), left):
        texts, links, phantoms = found
        fixed = fabric.but(links, phantoms)
        ranks = rank(fixed)
        done = match(fixed, ranks) if ranks is not None else None
        if done is not None:
            return Repair(texts, fixed, done)
    return None


Candidate = tuple[tuple[str, ...], Int64Array, tuple[str, ...]]


def _candidates(fabric: Fabric, ranked: Ranked, broken: list[Breach]) -> Iterator[Candidate]:
    lacks = _lacking(ranked)
    if lacks is not None and any(a or b for a, b in lacks):
        yield from _added(fabric, lacks)
    yield from _uncrossed_levels(fabric, ranked)
    suspects = {node for breach in broken for node in breach.nodes}
    yield from _removed(fabric, suspects)
    yield from _uncrossed_at(fabric, suspects)


def _lacking(ranked: Ranked) -> list[tuple[list[int], list[int]]] | None:
    """Return who lacks links up, and who down, of each pair of levels, as often; None: too many."""
    by_rank, found = ranked.by_rank(), []
    if ranked.misplaced:
        return None
    for low, high in pairwise(by_rank):
        up, down = _short(low, ranked.above), _short(high, ranked.below)
        if up is None or down is None:
            return None
        found.append((up, down))
    return found


def _short(nodes: list[int], beside: Callable[[int], Counter[int]]) -> list[int] | None:
    """Return nodes with fewer neighbours than most, as often as they lack one; None: some more."""
    numbers = {node: len(beside(node)) for node in nodes}
    counts = Counter(numbers.values())
    usual = max(counts, key=lambda number: (counts[number], number))
    if max(counts) > usual:
        return None
    return [node for node, number in numbers.items() for _ in range(usual - number)]


def _added(fabric: Fabric, lacks: list[tuple[list[int], list[int]]]) -> Iterator[Candidate]:
    """Add the cables that are missing, in every way that gives all nodes as many as most have."""
    (low, high), *rest = lacks
    hosts: tuple[str, ...] = ()
    if not low and high:  # who has no cable is not in the file
        hosts = tuple(f"a host of {fabric.names[node]}" for node in high)
    if any(len(a) != len(b) or len(a) > MISSING for a, b in rest) or (
        low and len(low) != len(high)
    ):
        return
    if len(low) > MISSING:
        return
    first = len(fabric.names)
    own = [(first + k, node) for k, node in enumerate(high)] if hosts else []
    ways = [[list(zip(a, order, strict=True)) for order in set(permutations(b))] for a, b in rest]
    if low:
        ways.append([list(zip(low, order, strict=True)) for order in set(permutations(high))])
    for chosen in product(*ways):
        cables = [cable for part in chosen for cable in part]
        if any(fabric.beside[a][b] for a, b in cables) or len(set(cables)) < len(cables):
            continue
        texts = [f"missing cable: {fabric.names[a]} – {fabric.names[b]}" for a, b in cables]
        told = [f"missing host: at {fabric.names[node]}" for node in high] if hosts else []
        new = np.array([(a, -1, b, -1) for a, b in (*cables, *own)], np.int64).reshape(-1, 4)
        yield (*texts, *told), np.concatenate([fabric.links, new]), hosts


def _uncrossed_levels(fabric: Fabric, ranked: Ranked) -> Iterator[Candidate]:
    """Exchange ends of cables in parts of levels that are not complete bipartite."""
    if ranked.misplaced:
        return
    each: list[list[tuple[int, int]]] = []  # of every bad part the exchanges that mend it
    for low in ranked.by_rank()[:-1]:
        above = {node: frozenset(ranked.above(node)) for node in low}
        for part in _parts(above):
            if len({above[node] for node in part}) > 1:
                found = list(islice(_mending(fabric, ranked, above, part), 50))
                if not found:
                    return
                each.append(found)
    if not each:
        return
    for chosen in product(*each):
        links, texts = fabric.links.copy(), []
        for one, other in chosen:
            texts.append(_exchange(fabric, links, ranked, one, other))
        yield tuple(texts), links, ()


def _parts(above: dict[int, frozenset[int]]) -> list[list[int]]:
    """Return the lower nodes of each connected part of the links between two levels."""
    home: dict[int, int] = {}

    def root(x: int) -> int:
        while home.setdefault(x, x) != x:
            home[x] = home[home[x]]
            x = home[x]
        return x

    for uppers in above.values():
        first, *others = uppers or (None,)
        if first is not None:
            for other in others:
                home[root(other)] = root(first)
    found: defaultdict[int, list[int]] = defaultdict(list)
    for node, uppers in above.items():
        if uppers:
            found[root(next(iter(uppers)))].append(node)
    return list(found.values())


def _mending(
    fabric: Fabric, ranked: Ranked, above: dict[int, frozenset[int]], part: list[int]
) -> Iterator[tuple[int, int]]:
    """Return pairs of links whose upper ends are to be exchanged so that all parts are complete."""
    sets = Counter(above[node] for node in part)
    least = min(sets.values())
    odd = [node for node in part if sets[above[node]] == least]
    for a, c in combinations(odd, 2):
        for b, d in product(above[a] - above[c], above[c] - above[a]):
            new = {node: above[node] for node in part}
            # Of two cables that by mistake lead to the same switch one stays.
            new[a] = (above[a] | {d}) - ({b} if fabric.beside[a][b] == 1 else set())
            new[c] = (above[c] | {b}) - ({d} if fabric.beside[c][d] == 1 else set())
            uppers = list(set(new.values()))
            if sum(map(len, uppers)) == len(frozenset().union(*uppers)):
                yield _link(fabric, a, b), _link(fabric, c, d)


def _link(fabric: Fabric, low: int, high: int) -> int:
    return next(c // 2 for c in fabric.leaving[low] if fabric.head[c] == high)


def _exchange(
    fabric: Fabric, links: Int64Array, ranked: Ranked | None, one: int, other: int
) -> str:
    """Exchange the far ends of two links, the upper ones if there are ranks; tell it."""
    ends = [[tuple(row[:2]), tuple(row[2:])] for row in fabric.links[[one, other]].tolist()]
    if ranked is not None:
        for pair in ends:
            pair.sort(key=lambda end: ranked.rank[end[0]])
    (a, b), (c, d) = ends
    links[one], links[other] = (*a, *d), (*c, *b)
    now = f"{fabric.end(*a)} – {fabric.end(*b)} and {fabric.end(*c)} – {fabric.end(*d)}"
    wanted = f"{fabric.names[a[0]]} – {fabric.names[d[0]]} and "
    return f"crossed cables: {now} should be {wanted}{fabric.names[c[0]]} – {fabric.names[b[0]]}"


def _removed(fabric: Fabric, nodes: set[int]) -> Iterator[Candidate]:
    """Take away a cable between suspected nodes, or else at one."""
    met = set()
    for suspected in (2, 1):
        for k, (a, _, b, _) in enumerate(fabric.links.tolist()):
            if len({a, b} & nodes) == suspected and frozenset((a, b)) not in met:
                met.add(frozenset((a, b)))
                text = f"cable too many: {fabric.names[a]} – {fabric.names[b]}"
                yield (text,), np.delete(fabric.links, k, axis=0), ()


def _uncrossed_at(fabric: Fabric, nodes: set[int]) -> Iterator[Candidate]:
    """Exchange ends of any two cables at suspected nodes, in both ways."""
    near = [k for k, (a, _, b, _) in enumerate(fabric.links.tolist()) if {a, b} & nodes]
    hosts = Counter(
        {x: sum(n for y, n in fabric.beside[x].items() if fabric.host[y]) for x in fabric.beside}
    )
    for one, other in islice(combinations(near, 2), PAIRS):
        for turned in (False, True):
            base = fabric.links[[one, other]]
            if turned:
                base[1] = np.roll(base[1], 2)
            (a, _, b, _), (c, _, d, _) = base.tolist()
            if (
                len({a, b, c, d}) == 4
                and not (fabric.beside[a][d] or fabric.beside[c][b])
                and _even(fabric, hosts, (a, b), (c, d))
            ):
                whole = fabric.links.copy()
                whole[other] = base[1]
                turn, links = Fabric(fabric.names, fabric.host, whole), whole.copy()
                text = _exchange(turn, links, None, one, other)
                yield (text,), links, ()


def _even(fabric: Fabric, hosts: Counter[int], one: Cable, other: Cable) -> bool:
    """Whether switches that have hosts have as many, if the far ends of two cables change."""
    counts = hosts.copy()
    for (near, far), new in ((one, other[1]), (other, one[1])):
        if fabric.host[near]:
            counts[far] -= 1
            counts[new] += 1
        if fabric.host[far]:
            counts[near] -= 1
            counts[other[0] if near == one[0] else one[0]] += 1
    numbers = {n for x, n in counts.items() if n and not fabric.host[x]}
    return len(numbers) == 1
