"""Networks of wormhole switches (rtl/wormhole): what engines and the bench need to know."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np

from fattree_bench.bench.interface.interface import Block, Interface, Shown, gives, takes
from fattree_bench.bench.links.flit.clocks import Clocks
from fattree_bench.bench.links.flit.player import LINKS, player, recorder
from fattree_bench.bench.network import Swept
from fattree_bench.bench.wormhole import HDL
from fattree_bench.bench.wormhole.network import Wormhole
from fattree_bench.bench.wormhole.switch import Switch
from fattree_bench.bench.wormhole.ways import TreeWays, Ways
from fattree_bench.errors import UserError
from fattree_bench.families.flit_network import FlitNetwork
from fattree_bench.paths import HDL as BENCH
from fattree_bench.paths import ROOT
from fattree_bench.settings import Variable, text, word
from fattree_models import benes, wormhole, xgft

MAX_HOPS_BITS = 58  # of the list of hops, beside a flit's marks in 64 bits
RTL_LEAVES = 1024  # at most; larger networks have the clock-exact model alone
LEAST_NUMBER_BITS = 12  # packets of a source on their way at once: fewer than 2^11
SWITCHES = tuple(v.name for v in Switch.parameters)  # what a sweep varies of switches

# Ports of each top that a player drives besides those of leaves.
CONTROLS = {
    "xgft_network": ("seed", "write", "address", "entries"),
    "benes_network": ("write", "address", "entries"),
}

# How the switches decide, and what fills their forwarding tables.
DECIDED = ("DMODK", "SMODK", "RANDOM", "ADAPTIVE", "TWO")
TABLES = ("OPENSM", "MLID", "SLID", "SLIDES", "FILE")


class SweptWormhole(Swept):
    """Sizes and latency of a fat-tree of wormhole switches."""

    def size_text(self, network: Any) -> str:
        return "-".join(text.replace(",", ".") for text in network.shape.variables().values())

    def cost(self, network: Any) -> int:
        """By equation (1) of the OXGFT paper."""
        return xgft.design(network.tree).cost

    def zero_load(self, network: Any) -> tuple[float, str]:
        mean, explained = network.latency.zero_load(network.ways, network.workload)
        return float(mean), str(explained)


class WormholeNetwork(Wormhole, FlitNetwork):
    """A fat-tree of wormhole switches; subclasses give its shape and its ways."""

    rooms: ClassVar[tuple[str, ...]] = ("common", "wormhole", "turnback", "xgft", "ruft", "benes")
    kin: ClassVar[str] = "wormhole"
    far_ends: ClassVar[bool] = False  # links to leaves have two ends that differ
    swept: ClassVar[Swept] = SweptWormhole(SWITCHES)

    def check(self) -> None:
        """UserError for what does not fit together."""
        self._check_clocks()
        ways, words = self.ways, self.words
        if ways.hops_bits > MAX_HOPS_BITS:
            raise UserError(
                f"NETWORK={self.name}: {ways.max_hops} hops of {ways.hop_bits} bits do not fit "
                f"into the {MAX_HOPS_BITS} bits in which a flit notes its route"
            )
        least = LEAST_NUMBER_BITS + max(words.header_bits, words.node_bits + 7)
        if self.width < least:
            raise UserError(f"WIDTH={self.width}: must be {least} … 64 for this network")

    def _check_clocks(self) -> None:
        """UserError for what clocks that differ cannot have, or only they."""
        if self.clocks.one:
            changed = self.changed()
            for variable in Clocks.parameters:
                if variable.name in changed:
                    told = f"{variable.name}={changed[variable.name]}"
                    raise UserError(f"{told}: only for ASYNC=LEAVES or LINKS")
        elif self.clocks.apart == "LINKS" and self.trace:
            raise UserError("TRACE=1: not for ASYNC=LINKS: links have different clocks")

    def outline(self) -> str:
        """What a report says of it beside its variables."""
        tree = self.tree
        m, w = (",".join(map(str, digits)) for digits in (tree.m, tree.w))
        return (
            f"XGFT({tree.height}; {m}; {w}): {tree.leaves} leaves, {self.ways.routers} switches, "
            f"{tree.links} links"
        )

    # ---- what it becomes in Verilog ------------------------------------------------------------

    def verilog(self) -> dict[str, str | int]:
        """Variables that are Verilog parameters; UserError if no simulator has room for so much."""
        if self.leaves > RTL_LEAVES:
            raise UserError(
                f"NETWORK={self.name}: {self.leaves} leaves; RTL has {RTL_LEAVES} at most, "
                "make explore ENGINE=model has more"
            )
        return super().verilog() | self.switch.verilog() | self.clocks.verilog()

    def _shaped(self) -> dict[str, Any]:
        """Verilog parameters of the tree, and of ways that are the switches' own."""

        def vector(values: tuple[int, ...]) -> str:
            return f"256'd{sum(value << (32 * i) for i, value in enumerate(values))}"

        tree = self.tree
        return {
            "H": tree.height,
            "M": vector(tree.m),
            "W": vector(tree.w),
            "PATHS": self.ways.paths,
        }

    def synthesis(self, bench: bool = False) -> tuple[str, dict[str, Any]]:
        return "xgft_network", self.verilog() | self._shaped() | self._noted(bench)

    def _noted(self, bench: bool) -> dict[str, Any]:
        """How flits note their route: in the bench alone."""
        return {"HOPS_W": self.ways.hops_bits, "HOP_W": self.ways.hop_bits} if bench else {}

    def interface(self, agent: str) -> Interface:
        """The network, its clocks if they are several, the player, a recorder of all links."""
        module, parameters = self.synthesis(bench=True)
        one, leaves, vcs = self.clocks.one, self.leaves, self.vcs
        up, down = ("send", "receive") if one else ("up", "down")  # wires of the network's leaves
        links = self.inputs // vcs
        widths = {"seed": 32, "address": self.words.address_bits, "entries": 8 * self.ways.routers}
        found = Interface(
            name=self.name,
            origin=type(self).__module__,
            design=Block(
                module,
                "u_network",
                parameters,
                (
                    takes("clk", "clk" if one else "own_clk"),
                    takes("rst", "rst"),
                    takes("clocks_i", "1'b0" if one else "clocks"),
                    gives("ready_o", "ready"),
                    *(takes(f"{x}_i", x, widths.get(x, 1)) for x in CONTROLS.get(module, ())),
                    takes("valid_i", f"{up}_valid", "VCS", leaves),
                    takes("flit_i", f"{up}_flit", "FLIT_W", leaves),
                    gives("credit_o", f"{up}_credit", "VCS", leaves),
                    gives("valid_o", f"{down}_valid", "VCS", leaves),
                    gives("flit_o", f"{down}_flit", "FLIT_W", leaves),
                    takes("credit_i", f"{down}_credit", "VCS", leaves),
                    gives("state_o", "state", self.state_bits),
                    gives("home_o", "home", self.inputs),
                    gives("link_valid_o", "link_valid", "VCS", links),
                    gives("link_flit_o", "link_flit", "FLIT_W", links),
                    gives("link_credit_o", "link_credit", "VCS", links),
                ),
            ),
            constants={"FLIT_W": "WIDTH + 2 + HOPS_W"},
            state=(Shown("state", self.state_bits),),
            # Switches of a level and their input units share C++, of large networks leaves, too.
            apart=(HDL / "apart.vlt", *([HDL / "leaves.vlt"] if leaves > 64 else [])),
            unroll=20,
            hints={"links": LINKS, "width": self.width + 2 + self.ways.hops_bits},
            blocks=() if one else (self._domains(),),
        )
        tables = "write" in CONTROLS.get(module, ()) and self.entries is not None
        clock = "clk" if one else "player_clk"
        played = found.with_blocks(
            player(
                self,
                found,
                {"clk": clock},
                self.switch.depth,
                QUEUE=self.switch.replies,
                TABLE_ROWS=self.ways.addresses if tables else 2,
                TABLE_W=8 * self.ways.routers,
            )
        )
        ends = (down, up) if self.far_ends else (up,)
        valid, flit, credit = (
            f"{{{', '.join([*(f'{end}_{what}' for end in ends), f'link_{what}'])}}}"
            for what in ("valid", "flit", "credit")
        )
        recorded = recorder(self, valid, flit, credit, "{home, state}", clock)
        return played.with_blocks(*([recorded] if self.recorded_links else []))

    def _domains(self) -> Block:
        """What makes the clocks, and joins the player to the leaves."""
        leaves = self.leaves
        apart = {"LEAVES": leaves, "LINKS": len(self.ways.levels)}
        clocks = self.clocks.bench(apart[self.clocks.apart])
        sides = (
            ("send", "up", takes, gives),
            ("receive", "down", gives, takes),
        )
        ports = [
            *(takes("clk", "clk"), takes("start_i", "rst"), takes("seed_i", "seed")),
            *(takes("ready_i", "ready"), gives("own_clk_o", "own_clk")),
            gives("player_clk_o", "player_clk"),
            gives("clocks_o", "clocks", leaves=clocks["OTHERS"]),
        ]
        for here, there, from_here, from_there in sides:
            i, o = ("i", "o") if from_here is takes else ("o", "i")
            for what, bits in (("valid", "VCS"), ("flit", "FLIT_W")):
                ports.append(from_here(f"{here}_{what}_{i}", f"{here}_{what}", bits, leaves))
                ports.append(from_there(f"{there}_{what}_{o}", f"{there}_{what}", bits, leaves))
            ports.append(from_there(f"{here}_credit_{o}", f"{here}_credit", "VCS", leaves))
            ports.append(from_here(f"{there}_credit_{i}", f"{there}_credit", "VCS", leaves))
        return Block(
            "bench_domains",
            "u_domains",
            {
                **{"LEAVES": leaves, "VCS": "VCS", "DEPTH": "DEPTH", "FLIT_W": "FLIT_W"},
                **{"PACED": int(self.clocks.apart == "LEAVES")},
                **clocks,
            },
            tuple(ports),
            tuple(BENCH / f"{name}.v" for name in ("bench_domains", "bench_clocks", "sampler")),
        )


class TreeNetwork(WormholeNetwork):
    """A tree whose switches work out their routes, or look them up."""

    routing = word(
        "ROUTING",
        "DMODK",
        (*DECIDED, *TABLES),
        "{allowed}; the last five are forwarding tables",
        any_case=True,
    )
    table_file = text(
        "TABLES", "", "forwarding tables of ROUTING=FILE: a .csv of level,switch,leaf,port"
    )
    climb: Variable[Literal["NCA", "TOP"]] = word(
        "CLIMB",
        "NCA",
        {"NCA": "turn at the nearest common ancestor", "TOP": "always climb to the top"},
        any_case=True,
        rtl=True,
    )
    swept: ClassVar[Swept] = SweptWormhole((routing.name, climb.name, *SWITCHES))

    def check(self) -> None:
        if self.climb == "TOP" and self.routing in TABLES:
            raise UserError(
                f"CLIMB=TOP: forwarding tables (ROUTING={self.routing}) say where to turn"
            )
        if (self.routing == "FILE") != bool(self.table_file):
            raise UserError(
                "ROUTING=FILE: needs TABLES=file"
                if self.routing == "FILE"
                else f"TABLES={self.table_file}: only for ROUTING=FILE"
            )
        if self.clocks.apart == "LINKS" and self.routing in TABLES:
            raise UserError(
                f"ASYNC=LINKS: not with forwarding tables (ROUTING={self.routing}), which are "
                "written with the clock of the leaves"
            )
        super().check()

    @cached_property
    def ways(self) -> Ways:
        return TreeWays(self.tree, self.routing, self.climb, self._tables())

    def model(self, **same: Any) -> wormhole.Network:
        tables = self.ways.tables
        routing = self.routing if tables is None else "TABLES"
        return wormhole.Network(
            tree=self.tree, tables=tables, routing=routing, climb=self.climb, **same
        )

    def _shaped(self) -> dict[str, Any]:
        routing = self.routing if self.ways.tables is None else "TABLE"
        return {**super()._shaped(), "ROUTING": f'"{routing}"'}

    def _tables(self) -> xgft.Tables | None:
        """Forwarding tables, or None if the switches work out their routes."""
        if self.routing not in TABLES:
            return None
        if self.routing == "OPENSM":
            return xgft.opensm_tables(self.tree)
        if self.routing == "FILE":
            return self._own_tables()
        ports, levels = self._ports_levels
        makers = {
            "MLID": xgft.mlid_tables,
            "SLID": xgft.slid_tables,
            "SLIDES": benes.benes_tables,
        }
        return makers[self.routing](ports, levels)

    def _own_tables(self) -> xgft.Tables:
        """Those of TABLES, by which every pair climbs to an ancestor and descends, or UserError."""
        try:
            tables = xgft.read_tables(ROOT / self.table_file, self.tree)
            source, destination = np.divmod(np.arange(self.leaves**2), self.leaves)
            ports = xgft.table_routes(tables, source, destination)
        except ValueError as error:
            raise UserError(f"TABLES={self.table_file}: {error}") from None
        wrong = np.flatnonzero(~xgft.legal(self.tree, source, destination, ports, "NCA"))
        if wrong.size:
            pair = f"leaf {source[wrong[0]]} to {destination[wrong[0]]}"
            raise UserError(
                f"TABLES={self.table_file}: {pair}: must turn once, at the nearest ancestor"
            )
        return tables

    @property
    def _ports_levels(self) -> tuple[int, int]:
        """Ports and levels if the tree is an FT(m, n); UserError otherwise."""
        ports, levels = self.tree.m[-1], self.tree.height
        if ports % 2 == 0 and ports >= 2 and xgft.ftree_mn(ports, levels) == self.tree:
            return ports, levels
        raise UserError(
            f"ROUTING={self.routing}: only for m-port n-trees (NETWORK=ftree_mn or benes)"
        )
