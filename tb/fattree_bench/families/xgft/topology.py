"""A user's fat-tree in RTL: its forwarding tables, all pairs, and the hops that were seen."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from fattree_bench.bench.wormhole.network import RTL_LEAVES
from fattree_models import xgft
from fattree_models.common.checks import Int64Array
from fattree_models.topology import Match, Routes
from fattree_models.traffic import Packets, write_packets

FLITS = 2  # of a packet: head and tail apart
MOST_PAIRS = 1 << 16  # a simulation of seconds; more than 256 hosts are played by no test


class XgftPlayer:
    """Plays routes on `NETWORK=xgft ROUTING=FILE`."""

    def unfit(self, found: Match, routes: Routes) -> str:
        tree = found.tree
        if max(found.parallel) > 1:
            return f"{max(found.parallel)} parallel links; the RTL has one between two switches"
        if tree.first == 0:
            return f"hosts with {tree.w[0]} links; their tables are not the switches'"
        if tree.leaves > RTL_LEAVES or tree.leaves**2 > MOST_PAIRS:
            return f"{tree.leaves} hosts; at most {int(MOST_PAIRS**0.5)} are played"
        try:
            tables = self._tables(found, routes)
            src, dst = np.divmod(np.arange(tree.leaves**2), tree.leaves)
            ports = xgft.table_routes(tables, src, dst)
        except ValueError as error:
            return str(error)
        if not xgft.legal(tree, src, dst, ports, "NCA").all():
            return "a route does not turn at the nearest common ancestor"
        return ""

    def variables(self, found: Match, routes: Routes, folder: Path) -> dict[str, str]:
        tree = found.tree
        tables, packets = folder / "tables.csv", folder / "packets.csv"
        xgft.write_tables(tables, self._tables(found, routes))
        src, dst = np.divmod(np.arange(tree.leaves**2), tree.leaves)
        shift = (dst - src) % tree.leaves
        away = shift > 0
        write_packets(packets, Packets.of(src[away], dst[away], FLITS * shift[away], FLITS))
        return {
            "NETWORK": "xgft",
            "M": ",".join(map(str, tree.m)),
            "W": ",".join(map(str, tree.w)),
            "ROUTING": "FILE",
            "TABLES": str(tables),
            "MESSAGES": str(packets),
            "TRACE": "1",
        }

    def loads(self, found: Match, routes: Routes, run: Path) -> Int64Array:
        hops = np.loadtxt(
            run / "trace.csv", np.int64, delimiter=",", skiprows=1, usecols=(1, 10, 11, 12, 9)
        ).reshape(-1, 5)
        fabric = routes.fabric
        loads = np.zeros(fabric.tail.size, np.int64)
        channel = {key: c for key, c in self._channels(found, routes)}
        for _, level, switch, port, _ in hops.tolist():
            loads[channel[level, switch, port]] += 1
        # A leaf's link up has no switch before it: whose packet began its way took it.
        first = hops[hops[:, 4] == 0]
        for leaf, count in zip(*np.unique(first[:, 0], return_counts=True), strict=True):
            loads[fabric.leaving[int(found.nodes(0)[leaf])][0]] += count
        return loads

    def _channels(self, found: Match, routes: Routes) -> Iterator[tuple[tuple[int, int, int], int]]:
        """The channel of each (level, switch, port) of the tree."""
        fabric, tree = routes.fabric, found.tree
        between = {}
        for channel, (a, b) in enumerate(zip(fabric.tail, fabric.head, strict=True)):
            between[int(a), int(b)] = channel
        rows = [found.nodes(level).tolist() for level in range(tree.height + 1)]
        links = xgft.edges(tree)
        columns = (links.level, links.lower, links.upper, links.up_port, links.down_port)
        for level, low, high, up, down in zip(*(x.tolist() for x in columns), strict=True):
            ends = rows[level][low], rows[level + 1][high]
            if level:
                yield (level, low, tree.down_ports(level) + up), between[ends]
            yield (level + 1, high, down), between[ends[::-1]]

    def _tables(self, found: Match, routes: Routes) -> xgft.Tables:
        """The routes in the numbers of the tree."""
        tree = found.tree
        port = np.full(routes.fabric.tail.size + 1, -1, np.int16)  # the last: no entry
        for (_, _, number), channel in self._channels(found, routes):
            port[channel] = number
        column = np.empty(tree.leaves, np.int64)
        column[found.index[routes.order]] = np.arange(tree.leaves)
        ports = [np.zeros((0, tree.leaves), np.int16)]
        ports += [
            port[routes.out[found.nodes(level)][:, column]] for level in range(1, tree.height + 1)
        ]
        return xgft.Tables(tree, tuple(ports))


PLAYER = XgftPlayer()
