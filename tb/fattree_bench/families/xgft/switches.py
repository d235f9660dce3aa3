"""What a network of wormhole switches is: its variables, its tree, and its routes."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar, Literal, cast

import numpy as np

from fattree_bench.bench.links.flit.clocks import Clocks
from fattree_bench.bench.links.flit.words import MAX_FLITS
from fattree_bench.bench.workload import Workload
from fattree_bench.errors import UserError
from fattree_bench.families.xgft.shape import Shape
from fattree_bench.paths import ROOT
from fattree_bench.settings import Part, Settings, Variable, flag, number, text, word
from fattree_models import xgft
from fattree_models.benes import benes_tables
from fattree_models.turnback.routing import Turnback

# How the switches decide, and what fills their forwarding tables.
DECIDED = ("DMODK", "SMODK", "RANDOM", "ADAPTIVE", "TWO")
TURNING = ("TB", "TBWP")  # nodes of two switches, joined by turn-back channels
TABLES = ("OPENSM", "MLID", "SLID", "SLIDES", "FILE")
Exit = Literal["DOWN", "UP", "LATERAL", "TURN"]
ONE_PATH = ("DMODK", "SMODK", *TABLES)  # for each pair
REPLY_LIMIT = 16  # most replies that a scenario lets wait


class Switches(Settings):
    """A fat-tree of wormhole switches; networks add its shape."""

    shape: Part[Shape]

    routing = word(
        "ROUTING",
        "DMODK",
        (*DECIDED, *TURNING, *TABLES),
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
    tbch = number("TBCH", 2, 1, 64, "turn-back channels of a node under ROUTING=TB or TBWP")
    root_links = number("ROOT_LINKS", 0, 0, 64, "links of a top to others under ROUTING=TBWP")
    lateral = word(
        "LATERAL",
        "1",
        {"1": "a packet takes one root link at most", "MANY": "it may go round, and deadlock"},
        any_case=True,
        rtl=True,
    ).but(labelled=True)
    addresses_as = word(
        "ADDRESS",
        "NUMBER",
        {"NUMBER": "of the leaf", "VECTOR": "its digits, under ROUTING=TB or TBWP"},
        any_case=True,
        rtl=True,
    ).but(labelled=True)
    vcs = number("VCS", 2, 1, 4, "virtual channels of a link", rtl=True)
    depth = number("DEPTH", 8, 1, 64, "flits that a virtual channel's queue holds", rtl=True)
    stages = number("STAGES", 3, 1, 3, "clocks of a switch", rtl=True)
    ahead = number(
        "AHEAD", 0, 0, 1, "{allowed}; 1: a head behind a tail asks for its route already", rtl=True
    )
    ways = number(
        "WAYS", 1, 1, 4, "flits of an input port that cross at once; divides VCS", rtl=True
    )
    vc_mode = word(
        "VC_MODE",
        "ANY",
        {
            "ANY": "free virtual channel at each hop, empty ones first",
            "KEEP": "that of the destination all the way, in order",
        },
        any_case=True,
        rtl="MODE",
    )
    classes = number(
        "CLASSES",
        1,
        1,
        2,
        "{allowed}; 2: the lower half of the virtual channels for requests, the upper for replies",
        rtl=True,
    )
    arbiter = word(
        "ARBITER",
        "ROUND_ROBIN",
        {"ROUND_ROBIN": "", "MATRIX": "least recently granted"},
        any_case=True,
        rtl=True,
    )
    clocks = Part(Clocks)
    lists: ClassVar[tuple[str, ...]] = tuple(
        v.name
        for v in (
            *(routing, climb, tbch, root_links, lateral, addresses_as),
            *(vcs, depth, stages, ahead, ways, vc_mode, classes, arbiter),
        )
    )
    width = number(
        "WIDTH", 32, 1, 64, "data bits of a flit, … 64", allowed="a number up to {high}", rtl=True
    )
    workload = Part(
        Workload, lambda s: {"leaves": s.leaves, "radix": s.tree.m[0], "max_flits": MAX_FLITS}
    )
    trace = flag("TRACE", 0, "every hop of every packet goes to the run's trace.csv").but(
        per_run=True
    )
    exact = flag("EXACT", 1, "all links are compared with the model in all clocks; not with ASYNC")

    @property
    def tree(self) -> xgft.Xgft:
        return self.shape.tree

    @property
    def leaves(self) -> int:
        return self.tree.leaves

    @property
    def levels(self) -> range:
        """Levels that have switches."""
        return range(self.tree.first, self.tree.height + 1)

    @property
    def other_clocks(self) -> int:
        """Clocks of the network beside that of the bench."""
        return {"NONE": 1, "LEAVES": self.leaves, "LINKS": len(self.levels)}[self.clocks.apart]

    @property
    def routers(self) -> int:
        return sum(self.tree.level_size(level) for level in self.levels)

    @property
    def inputs(self) -> int:
        """Virtual channels at the inputs of all switches."""
        return self.vcs * sum(self.tree.level_size(k) * self.ports(k) for k in self.levels)

    @property
    def compares(self) -> bool:
        """A model says what is on every link in every clock: it knows one clock."""
        return bool(self.exact) and self.clocks.one

    @property
    def recorded_links(self) -> int:
        """Out of switches, from leaves; the far ends of links to leaves."""
        if not (self.compares or self.trace):
            return 0
        return self.inputs // self.vcs + self.leaves

    @cached_property
    def turnback(self) -> Turnback | None:
        """What turn-back routing may do, or UserError; None if nodes are switches."""
        if self.routing not in TURNING:
            return None
        try:
            return Turnback(
                self.tree,
                self.tbch,
                self.root_links,
                None if self.lateral == "MANY" else 1,
                cast("Literal['TB', 'TBWP']", self.routing),
            )
        except ValueError as error:
            told = f"TBCH={self.tbch} ROOT_LINKS={self.root_links}"
            raise UserError(f"{told}: {error}") from None

    @cached_property
    def exits(self) -> dict[int, dict[Exit, range]]:
        """Ports of a node of each level by where they lead, in the order of its state."""
        tree, turnback = self.tree, self.turnback
        found: dict[int, dict[Exit, range]] = {}
        for level in self.levels:
            down, up = tree.down_ports(level), tree.radix(level)
            lateral = up + (self.root_links if turnback and level == tree.height else 0)
            turn = lateral + (turnback.tbch if turnback else 0)
            found[level] = {
                "DOWN": range(down),
                "UP": range(down, up),
                "LATERAL": range(up, lateral),
                "TURN": range(lateral, turn),
            }
        return found

    def ports(self, level: int) -> int:
        """Ports of a node of a level, each way, turn-back channels among them."""
        return self.exits[level]["TURN"].stop

    @cached_property
    def tables(self) -> xgft.Tables | None:
        """Forwarding tables, or None if the switches work out their routes."""
        if self.routing not in TABLES:
            return None
        if self.routing == "OPENSM":
            return xgft.opensm_tables(self.tree)
        if self.routing == "FILE":
            return self._own_tables()
        ports, levels = self.ports_levels
        makers = {
            "MLID": xgft.mlid_tables,
            "SLID": xgft.slid_tables,
            "SLIDES": benes_tables,
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
    def ports_levels(self) -> tuple[int, int]:
        """Ports and levels if the tree is an FT(m, n); UserError otherwise."""
        ports, levels = self.tree.m[-1], self.tree.height
        if ports % 2 == 0 and ports >= 2 and xgft.ftree_mn(ports, levels) == self.tree:
            return ports, levels
        raise UserError(
            f"ROUTING={self.routing}: only for m-port n-trees (NETWORK=ftree_mn or benes)"
        )

    @property
    def paths(self) -> int:
        """Addresses of a leaf."""
        return 1 if self.tables is None else self.tables.paths

    @property
    def addresses(self) -> int:
        return self.leaves * self.paths

    @property
    def one_path(self) -> bool:
        """Whether the packets of a pair all take the same path."""
        return self.routing in ONE_PATH

    @property
    def in_order(self) -> bool:
        """Whether packets of a pair and class arrive as they were sent: one path, one queue."""
        return self.one_path and (self.vcs == self.classes or self.vc_mode == "KEEP")

    def class_vcs(self, kind: int) -> int:
        """Virtual channels for packets of class 0 or 1, one bit each."""
        half = self.vcs // 2
        if self.classes == 1:
            return (1 << self.vcs) - 1
        return ((1 << self.vcs) - 1) ^ ((1 << half) - 1) if kind else (1 << half) - 1

    @property
    def replies(self) -> int:
        """Room for replies at a node: the limit, and what may still come then; a power of two."""
        return 1 << (REPLY_LIMIT + self.vcs * self.depth).bit_length()
