"""The shape of a user's fabric: its file, and the routes through it."""

from functools import cached_property

from fattree_bench.bench.wormhole.shape import MAX_LEAVES, Shape
from fattree_bench.errors import UserError
from fattree_bench.paths import ROOT
from fattree_bench.settings import Part
from fattree_bench.topology.asked import Given
from fattree_bench.topology.cabling import Cabling
from fattree_bench.topology.command import entries_of, fabric_of, read
from fattree_bench.topology.judged import Judged
from fattree_bench.topology.routed import ROUTES
from fattree_models import topology
from fattree_models.topology import Fate
from fattree_models.wormhole.graph import Graph, graph

MOST_RATIO = 65535
EXAMPLE = "examples/topology-16.csv"
FAULTS = (Fate.NO_ENTRY, Fate.WRONG_HOST, Fate.LOOP)  # those that nothing can play


class Example(Given):
    """As of make topology, by default the example."""

    file = Given.file.but(default=EXAMPLE)


class GraphShape(Shape):
    given = Part(Example)

    @cached_property
    def tree(self) -> Graph:
        """UserError for what cannot be played."""
        try:
            return self.make()
        except ValueError as error:
            raise UserError(f"FILE={self.given.file}: {error}") from None

    @cached_property
    def cabling(self) -> Cabling:
        return read(str(ROOT / self.given.file), self.given.format)

    def make(self) -> Graph:
        routes, ranked = self._routes()
        if (hosts := routes.order.size) > MAX_LEAVES:
            raise ValueError(f"{hosts} hosts; at most {MAX_LEAVES} are played")
        if (slowest := int(routes.fabric.weight.max())) > MOST_RATIO:
            raise ValueError(f"a cable is {slowest} times as slow as another; at most {MOST_RATIO}")
        paths = topology.follow(routes, ranked)
        for fate in (each for each in FAULTS if each in paths.faults):
            count, ((source, goal, where), *_) = paths.faults[fate]
            one, other, here = (routes.fabric.names[x] for x in (source, goal, where))
            lost = f"{count} of {paths.pairs} pairs do not arrive"
            raise ValueError(f"{lost}: {fate}: {one} to {other} at {here}")
        return graph(routes, ranked)

    def _routes(self) -> tuple[topology.Routes, topology.Ranked]:
        """The routes as make topology has them."""
        given, cabling = self.given, self.cabling
        fabric = fabric_of(given.file, cabling)
        if (ranked := topology.rank(fabric)) is None:
            raise ValueError("some of its nodes are not joined")
        found = topology.match(fabric, ranked)
        judged = Judged(fabric, "FAT_TREE", ranked, [], found, None)
        if not given.tables:
            return ROUTES[given.routes][2](judged, ranked, given.reverse), ranked
        entries = entries_of(str(ROOT / given.tables), cabling, fabric)
        return topology.table_routes(fabric, judged.order, entries), ranked
