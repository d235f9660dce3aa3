"""Any graph of wormhole switches, routed by tables: parallel and slow cables, hosts of many."""

from __future__ import annotations

from typing import Any

import numpy as np

from fattree_bench.bench.links.flit.clocks import Clocks
from fattree_bench.bench.wormhole.network import SWITCHES, SweptWormhole, Wormhole, WormholeAbout
from fattree_bench.bench.wormhole.routes import Routes
from fattree_bench.bench.wormhole.routing import Routing
from fattree_bench.bench.wormhole.ways import Hops, Leaves, Ways
from fattree_bench.errors import UserError
from fattree_bench.families.graph.shape import GraphShape
from fattree_bench.settings import Part
from fattree_models.common.checks import BoolArray, Int64Array
from fattree_models.common.fat_tree import Xgft
from fattree_models.common.structure import Link, Node, Structure
from fattree_models.wormhole.graph import Graph

RTL_MOST = (256, 128, 3840)  # hosts, switches, ports of these: a parameter has 2^16 bits


class GraphWays(Ways):
    """By the tables, cable by cable.

    Ends are ports of the switches, then leaves, as in Graph; `of` is the switch of each port.
    """

    one_path = True

    def __init__(self, tree: Graph) -> None:
        super().__init__(tree)
        self.graph, self.tables = tree, tree.tables
        self.ports_before = tree.peer.size - tree.leaves
        self.first = tree.before
        self.of = np.repeat(np.arange(self.first.size - 1), np.diff(self.first))
        sizes = [k.nodes.size for k in tree.kinds]
        self.level = np.repeat(np.arange(1, len(sizes) + 1), sizes)
        self.number = np.concatenate([np.arange(size) for size in sizes])
        self.entry = np.concatenate(tree.ports[1:])
        self.slowest = int(tree.ratio.max())
        if tree.ratio[self.ports_before :].max() > 1:
            self.ratios = packed(tree.ratio[self.ports_before :])

    def _way(
        self, source: Int64Array, destination: Int64Array, hops: Hops | None, most: int
    ) -> tuple[Int64Array, Int64Array, Int64Array]:
        """Switches and ports of ways [pairs, hops], -1 behind, and the ends to which they lead.

        `hops`: output ports that were taken; None: those of the tables.
        """
        end = self.graph.peer[self.ports_before + np.asarray(source)]
        at, took = (np.full((end.size, most), -1, np.int64) for _ in range(2))
        for hop in range(most):
            here = self.of[np.minimum(end, self.ports_before - 1)]
            port = self.entry[here, destination] if hops is None else hops[:, hop]
            moves = (end >= 0) & (end < self.ports_before) & (port >= 0)
            if not moves.any():
                break
            there = moves & (port < self.first[here + 1] - self.first[here])
            at[moves, hop], took[moves, hop] = here[moves], port[moves]
            beyond = self.graph.peer[self.first[here] + np.where(there, port, 0)]
            end = np.where(moves, np.where(there, beyond, -1), end)
        return at, took, end

    @property
    def max_hops(self) -> int:
        return max(2, self.graph.longest)

    def hop_count(self, source: Leaves, destination: Leaves) -> Int64Array:
        at, *_ = self._way(np.asarray(source), np.asarray(destination), None, self.max_hops)
        return np.asarray(np.count_nonzero(at >= 0, axis=1), np.int64)

    def expected_hops(self, source: Int64Array, destination: Int64Array) -> Hops:
        return self._way(source, destination, None, self.max_hops)[1].astype(np.int16)

    def follow(self, source: Int64Array, destination: Int64Array, hops: Hops) -> Routes:
        at, took, end = self._way(source, destination, hops, hops.shape[1])
        legal = (end == self.ports_before + destination) & (took == hops).all(axis=1)
        level = np.where(at < 0, -1, self.level[at]).astype(np.int16)
        node = np.where(at < 0, -1, self.number[at]).astype(np.int32)
        return Routes(hops, np.count_nonzero(hops >= 0, axis=1), legal, level, node)

    @property
    def turns(self) -> BoolArray:
        source, destination = np.divmod(np.arange(self.tree.leaves**2), self.tree.leaves)
        turned = self.follow(source, destination, self.pair_hops).turn
        return np.isin(np.array(self.levels), turned)

    def structure(self, lanes: int) -> Structure:
        graph, names = self.graph, self.graph.routes.fabric.names
        order = graph.routes.order.tolist()
        nodes = [Node(names[node], 0, x, x + 0.5, 0.0, 0.6) for x, node in enumerate(order)]
        for level, kind in enumerate(graph.kinds, start=1):
            of_rank = [k.nodes.size for k in graph.kinds if k.rank == kind.rank]
            before = sum(k.nodes.size for k in graph.kinds[: level - 1] if k.rank == kind.rank)
            for s, node in enumerate(kind.nodes.tolist()):
                x, y = (before + s + 0.5) * len(order) / sum(of_rank), -0.5 - kind.rank
                nodes.append(Node(names[node] + " cables" * (node in order), level, s, x, y))
        links = []
        for end, peer in enumerate(graph.peer.tolist()):
            (tail, port), (head, far) = self._end(end), self._end(peer)
            name = f"from {nodes[tail].name}" if end >= self.ports_before else self.named(end)
            links.append(Link(name, tail, head, port, far, lanes))
        return Structure.of(nodes, links)

    def called(self, level: int, number: int) -> str:
        node = self.graph.kinds[level - 1].nodes[number]
        return f"{self.graph.routes.fabric.names[node]} ({super().called(level, number)})"

    def _end(self, end: int) -> tuple[int, int]:
        """Node of the structure, and its port, of an end."""
        if end >= self.ports_before:
            return end - self.ports_before, 0
        return self.graph.leaves + int(self.of[end]), end - int(self.first[self.of[end]])

    def named(self, end: int) -> str:
        """The channel that leaves by a port, in the words of the fabric."""
        channel = int(self.graph.channel[end])
        return self.graph.routes.fabric.channel_name(channel) if channel >= 0 else "to its leaf"


def packed(values: Int64Array) -> str:
    """Numbers of 16 bits side by side, the first lowest, as a parameter in Verilog."""
    digits = values[::-1].astype(">u2").tobytes().hex()
    return f"{16 * values.size}'h{digits}"


class GraphRouting(Routing):
    """Through xgft_switches with tables, joined as the file says."""

    module = "graph_network"
    rooms = ("common", "wormhole", "graph")
    controls = ("write", "address", "entries")
    method = "FILE"

    def ways(self, tree: Xgft) -> GraphWays:
        assert isinstance(tree, Graph)
        return GraphWays(tree)

    def model(self, ways: GraphWays) -> dict[str, Any]:
        return {"tree": ways.tree, "tables": ways.tables, "routing": "TABLES"}

    def shape(self, ways: GraphWays) -> dict[str, Any]:
        graph, ports = ways.graph, ways.ports_before
        found = {
            **{"SWITCHES": ways.routers, "PORTS": ports, "LEAVES": graph.leaves},
            **{"FIRST": packed(ways.first), "PEER": packed(graph.peer)},
        }
        return found | ({"RATIOS": packed(graph.ratio)} if ways.slowest > 1 else {})

    def outline(self, ways: GraphWays) -> str:
        graph = ways.graph
        slow = int((graph.routes.fabric.weight[::2] > 1).sum())
        kinds = f"{graph.height} kind{'s' * (graph.height > 1)}"
        return (
            f"{graph.leaves} hosts, {ways.routers} switches of {kinds}, "
            f"{len(graph.routes.fabric.links)} cables, {slow} of them slow"
        )


class SweptGraph(SweptWormhole):
    def size_text(self, network: Wormhole) -> str:
        return f"{network.leaves}-{network.ways.routers}"


class OneClock(Clocks):
    """No choice."""

    apart = Clocks.apart.but(fixed=True)
    periods = Clocks.periods.but(fixed=True)
    sync = Clocks.sync.but(fixed=True)
    jitter = Clocks.jitter.but(fixed=True)
    halts = Clocks.halts.but(fixed=True)


class GraphNetwork(Wormhole):
    """A fabric of a user's own."""

    name = "graph"
    summary = "any graph of wormhole switches, by a file of its cables"
    shape: Part[GraphShape] = Part(GraphShape)
    routing = Part(GraphRouting)
    clocks = Part(OneClock)
    swept = SweptGraph(SWITCHES)
    about = WormholeAbout(
        corners=(
            {"VCS": "1", "DEPTH": "1", "STAGES": "1", "TRACE": "1"},
            {"FILE": "examples/fabric-6.csv", "ROUTES": "balanced", "CLASSES": "2", "WAYS": "2"},
        ),
        small={"VCS": "1", "DEPTH": "2"},
    )

    def check(self) -> None:
        super().check()
        if self.ways.ratios and not self.exact:
            raise UserError("EXACT=0: not for hosts with slow cables, whose player is replayed")

    def outline(self) -> str:
        return "; ".join([super().outline(), *self.shape.cabling.notes])  # and what was left out

    def verilog(self) -> dict[str, str | int]:
        sizes = self.leaves, self.ways.routers, self.ways.inputs
        if any(x > y for x, y in zip(sizes, RTL_MOST, strict=True)):
            has, most = (f"{x} hosts, {y} switches, {z} ports" for x, y, z in (sizes, RTL_MOST))
            more = "make explore ENGINE=model has more"
            raise UserError(f"NETWORK=graph: {has}; RTL has at most {most}, {more}")
        return {k: x for k, x in super().verilog().items() if k not in self.clocks.verilog()}


NETWORKS = (GraphNetwork,)
