"""Deadlocks of any tables: packets followed one by one, those that loop round their whole loop."""

import networkx as nx
import numpy as np
import pytest

from fattree_models import topology
from fattree_models.topology import Routes, circle, follow, rank
from fattree_models.topology.paths import waiting
from tests.models.topology.fabrics import Cables, fabric


def cabled(rng: np.random.Generator) -> Cables:
    """Switches joined at random, each with a host or none."""
    switches = int(rng.integers(2, 10))
    pairs = [(k, int(rng.integers(k))) for k in range(1, switches)]
    pairs += [tuple(rng.choice(switches, 2, replace=False)) for _ in range(int(rng.integers(4)))]
    places = rng.choice(switches, int(rng.integers(2, switches + 1)), replace=False)
    hosts: Cables = [(f"h{k}", -1, f"s{k}", -1) for k in places.tolist()]
    return [*hosts, *((f"s{a}", -1, f"s{b}", -1) for a, b in pairs)]


def tables(of: topology.Fabric, rng: np.random.Generator) -> Routes:
    """An entry for each switch and host, at random: to the host if that is near."""
    out = np.full((len(of.names), of.hosts.size), -1, np.int32)
    for node in range(len(of.names)):
        ways = [c for c in of.leaving[node] if not of.host[of.head[c]] or of.host[node]]
        for column, goal in enumerate(of.hosts.tolist()):
            near = [c for c in of.leaving[node] if of.head[c] == goal]
            out[node, column] = (near or [int(rng.choice(ways))])[0]
    return Routes(of, of.hosts, out)


def turns(routes: Routes, rounds: int) -> set[tuple[int, int]]:
    """Which channel each packet takes after which, packet by packet, so many times round a loop."""
    of, found = routes.fabric, set()
    for column, goal in enumerate(routes.order.tolist()):
        for source in routes.order.tolist():
            here, before, met = source, -1, {source: rounds}
            while here != goal and met[here]:
                met[here] -= 1
                channel = int(routes.out[here, column])
                found |= {(before, channel)} if before >= 0 else set()
                before, here = channel, int(of.head[channel])
                met.setdefault(here, rounds)
    return found


def free(edges: set[tuple[int, int]]) -> bool:
    return bool(nx.is_directed_acyclic_graph(nx.DiGraph(list(edges))))


@pytest.mark.parametrize("seed", range(4))
def test_deadlocks_of_random_tables(seed: int) -> None:
    rng, only_by_turning = np.random.default_rng(seed), 0
    for _ in range(150):
        of = fabric(cabled(rng))
        routes, ranked = tables(of, rng), rank(of)
        assert ranked is not None
        paths, wanted = follow(routes, ranked), turns(routes, 2)
        found = circle(paths)
        assert set(waiting(paths).edges) == wanted
        assert (found is None) == free(wanted)
        if found is not None:
            assert set(zip(found, [*found[1:], found[0]], strict=True)) <= wanted
            only_by_turning += free(turns(routes, 1))
    assert only_by_turning  # some are seen only where a loop closes
