"""Routing in networks of wormhole switches (rtl/wormhole) that several families share."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from fattree_bench.bench.wormhole.network import SWITCHES, SweptWormhole
from fattree_bench.bench.wormhole.routing import Routing
from fattree_bench.bench.wormhole.ways import TreeWays
from fattree_bench.errors import UserError
from fattree_bench.paths import ROOT
from fattree_bench.settings import Variable, number, text, word
from fattree_models import benes, xgft

ROOMS = ("common", "wormhole", "turnback", "xgft", "ruft", "benes")

# How the switches decide, and what fills their forwarding tables.
DECIDED = ("DMODK", "SMODK", "RANDOM", "ADAPTIVE", "TWO", "ECMP", "RR", "FLOWLET", "DRILL")
SPREAD = {"ECMP": ("SALT",), "FLOWLET": ("SALT", "GAP", "ENTRIES")}  # variables of their own
TABLES = ("OPENSM", "RNCA", "PREFIX", "MLID", "SLID", "SLIDES", "FILE")
WHOLE = {"OPENSM": xgft.opensm_tables, "RNCA": xgft.rnca_tables, "PREFIX": xgft.prefix_tables}


class XgftRouting(Routing):
    """Through the switches of rtl/xgft, or the nodes of two that take their place."""

    module = "xgft_network"
    rooms = ROOMS
    controls = ("seed", "write", "address", "entries")

    def shape(self, ways: Any) -> dict[str, Any]:
        tree = ways.tree
        m, w = (
            f"256'd{sum(value << (32 * i) for i, value in enumerate(digits))}"
            for digits in (tree.m, tree.w)
        )
        return {"H": tree.height, "M": m, "W": w, "PATHS": ways.paths}

    def outline(self, ways: Any) -> str:
        tree = ways.tree
        m, w = (",".join(map(str, digits)) for digits in (tree.m, tree.w))
        return (
            f"XGFT({tree.height}; {m}; {w}): {tree.leaves} leaves, {ways.routers} switches, "
            f"{tree.links} links"
        )


class TreeRouting(XgftRouting):
    """Up to a common ancestor, and down again."""

    method = word("ROUTING", "DMODK", (*DECIDED, *TABLES), "{allowed}; the last seven are tables")
    table_file = text(
        "TABLES", "", "forwarding tables of ROUTING=FILE: a .csv of level,switch,leaf,port"
    )
    climb: Variable[Literal["NCA", "TOP"]] = word(
        "CLIMB",
        "NCA",
        {"NCA": "turn at the nearest common ancestor", "TOP": "always climb to the top"},
        rtl=True,
    )
    salt: Variable[Literal["OWN", "SAME"]] = word(
        "SALT", "OWN", {"OWN": "each switch hashes flows in its own way", "SAME": "all hash alike"}
    )
    gap = number("GAP", 64, 0, 65535, "clocks of silence after which a FLOWLET may move")
    entries = number("ENTRIES", 64, 1, 4096, "flows that a switch with FLOWLET remembers")

    def check(self) -> None:
        for name, value in self.spread.items():
            if self.changed().get(name) and name not in SPREAD.get(self.method, ()):
                methods = " or ".join(method for method, own in SPREAD.items() if name in own)
                raise UserError(f"{name}={value}: only for ROUTING={methods}")
        if self.climb == "TOP" and self.method in TABLES:
            raise UserError(
                f"CLIMB=TOP: forwarding tables (ROUTING={self.method}) say where to turn"
            )
        if (self.method == "FILE") != bool(self.table_file):
            raise UserError(
                "ROUTING=FILE: needs TABLES=file"
                if self.method == "FILE"
                else f"TABLES={self.table_file}: only for ROUTING=FILE"
            )

    def ways(self, tree: xgft.Xgft) -> TreeWays:
        rule = xgft.Ecmp(tree, self.salt == "OWN") if self.method == "ECMP" else self.method
        return TreeWays(tree, rule, self.climb, self._tables(tree))

    def model(self, ways: TreeWays) -> dict[str, Any]:
        routing = self.method if ways.tables is None else "TABLES"
        spread = {name.lower(): value for name, value in self.spread.items()}
        told = {"tree": ways.tree, "tables": ways.tables, "routing": routing, "climb": self.climb}
        return told | spread

    def shape(self, ways: TreeWays) -> dict[str, Any]:
        routing = self.method if ways.tables is None else "TABLE"
        own = {name: self.spread[name] for name in SPREAD.get(self.method, ())}
        words = {k: f'"{v}"' if isinstance(v, str) else v for k, v in own.items()}
        return {**super().shape(ways), "ROUTING": f'"{routing}"', **words}

    @property
    def spread(self) -> dict[str, Any]:
        """What only some ROUTINGs use."""
        return {"SALT": self.salt, "GAP": self.gap, "ENTRIES": self.entries}

    def _tables(self, tree: xgft.Xgft) -> xgft.Tables | None:
        """Forwarding tables, or None if the switches work out their routes."""
        if self.method not in TABLES:
            return None
        if self.method in WHOLE:
            return WHOLE[self.method](tree)
        if self.method == "FILE":
            return self._own_tables(tree)
        makers = {"MLID": xgft.mlid_tables, "SLID": xgft.slid_tables, "SLIDES": benes.benes_tables}
        return makers[self.method](*self.ports_levels(tree))

    def _own_tables(self, tree: xgft.Xgft) -> xgft.Tables:
        """Those of TABLES, by which every pair climbs to an ancestor and descends, or UserError."""
        try:
            tables = xgft.read_tables(ROOT / self.table_file, tree)
            source, destination = np.divmod(np.arange(tree.leaves**2), tree.leaves)
            ports = xgft.table_routes(tables, source, destination)
        except ValueError as error:
            raise UserError(f"TABLES={self.table_file}: {error}") from None
        wrong = np.flatnonzero(~xgft.legal(tree, source, destination, ports, "NCA"))
        if wrong.size:
            pair = f"leaf {source[wrong[0]]} to {destination[wrong[0]]}"
            raise UserError(
                f"TABLES={self.table_file}: {pair}: must turn once, at the nearest ancestor"
            )
        return tables

    def ports_levels(self, tree: xgft.Xgft) -> tuple[int, int]:
        """Ports and levels if the tree is an FT(m, n); UserError otherwise."""
        ports, levels = tree.m[-1], tree.height
        if ports % 2 == 0 and ports >= 2 and xgft.ftree_mn(ports, levels) == tree:
            return ports, levels
        raise UserError(
            f"ROUTING={self.method}: only for m-port n-trees (NETWORK=ftree_mn or benes)"
        )


TREES = SweptWormhole((TreeRouting.method.name, TreeRouting.climb.name, *SWITCHES))
