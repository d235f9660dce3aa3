"""Fabrics for tests: fat-trees with names, scrambled, with planted mistakes."""

import random
from collections.abc import Sequence

from fattree_models.topology import Fabric, build
from fattree_models.xgft import Xgft, edges

Cables = list[tuple[str, int, str, int]]
LEVELS = ("h", "leaf", "agg", "spine", "core")


def cables(tree: Xgft, parallel: Sequence[int] = (), ports: bool = False) -> Cables:
    """The cables of a tree, or PGFT, names by level; ports from 1, down ports first."""
    links, found = edges(tree), []
    copies = parallel or (1,) * tree.height
    columns = (links.level, links.lower, links.upper, links.up_port, links.down_port)
    for level, low, high, up, down in zip(*(x.tolist() for x in columns), strict=True):
        for copy in range(copies[level]):
            below = tree.m[level - 1] * copies[level - 1] if level else 0
            own = below + up * copies[level] + copy + 1
            far = down * copies[level] + copy + 1
            ends = f"{LEVELS[level]}{low}", f"{LEVELS[level + 1]}{high}"
            found.append((ends[0], own if ports else -1, ends[1], far if ports else -1))
    return found


def fabric(links: Cables) -> Fabric:
    """Hosts are those whose names begin with h."""
    names = dict.fromkeys(x for a, _, b, _ in links for x in (a, b))
    return build({name: name.startswith("h") for name in names}, links)


def scrambled(links: Cables, seed: int) -> Cables:
    """Cables in another order, turned round, nodes with other names."""
    rng = random.Random(seed)
    names = sorted({x for a, _, b, _ in links for x in (a, b)})
    others = list(range(len(names)))
    rng.shuffle(others)
    new = {
        name: f"{'h' if name.startswith('h') else 's'}{k}"
        for name, k in zip(names, others, strict=True)
    }
    found = [(new[a], p, new[b], q) for a, p, b, q in links]
    found = [(b, q, a, p) if rng.random() < 0.5 else (a, p, b, q) for a, p, b, q in found]
    rng.shuffle(found)
    return found


def crossed(links: Cables, one: int, other: int) -> Cables:
    """The far ends of two cables exchanged."""
    found = list(links)
    (a, p, b, q), (c, r, d, s) = links[one], links[other]
    found[one], found[other] = (a, p, d, s), (c, r, b, q)
    return found
