"""Fat-trees of turn-back nodes: two switches each, joined by turn-back channels."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from fattree_bench.bench.form import FORM, SYNTHESIZED
from fattree_bench.bench.wormhole.network import SWITCHES, SweptWormhole, Wormhole, WormholeAbout
from fattree_bench.bench.wormhole.routes import Routes
from fattree_bench.bench.wormhole.shape import XgftShape
from fattree_bench.bench.wormhole.switch import Switch
from fattree_bench.bench.wormhole.ways import Exit, Hops, Leaves, TreeWays
from fattree_bench.errors import UserError
from fattree_bench.families.wormhole import XgftRouting
from fattree_bench.settings import Part, Variable, number, word
from fattree_models import turnback
from fattree_models.common import fat_tree
from fattree_models.common.checks import BoolArray, Int64Array
from fattree_models.common.fat_tree import Xgft, vectors
from fattree_models.common.fat_tree.routing import down_port
from fattree_models.common.structure import Structure

LATERALS = 6  # root links that are noted of a packet that may take many


class TurnbackWays(TreeWays):
    """Up to where a packet turns, through its node's turn-back channel, and down again."""

    def __init__(self, nodes: turnback.Turnback, vectors: bool) -> None:
        super().__init__(nodes.tree, nodes.routing, "NCA", None)
        self.nodes, self.vectors = nodes, vectors
        self.answerable = not vectors

    def counts(self, level: int) -> dict[Exit, int]:
        roots = self.nodes.root_links if level == self.tree.height else 0
        return {**super().counts(level), "LATERAL": roots, "TURN": self.nodes.tbch}

    @property
    def max_hops(self) -> int:
        """One more than on the longest route, so that a root link too many is seen.

        Of routes that have no longest: the latest, as many as are noted.
        """
        rounds = LATERALS if self.nodes.most_lateral > 1 else self.nodes.most_lateral
        return 2 * len(self.levels) + int(rounds) + 1

    @property
    def hop_bits(self) -> int:
        nodes, tree = self.nodes, self.tree
        most = [max(nodes.ahead(k) + nodes.tbch, tree.down_ports(k)) for k in self.levels]
        return max(most).bit_length()

    def hop_count(self, source: Leaves, destination: Leaves) -> Int64Array:
        return turnback.shortest_hops(self.nodes, source, destination)

    def follow(self, source: Int64Array, destination: Int64Array, hops: Hops) -> Routes:
        """Outputs of the switches become ports of nodes.

        Of packets that took many root links only the latest hops are noted: where they turned, at
        the top, and how they came down.
        """
        tree = self.tree
        way = turnback.walk(self.nodes, source, hops)
        legal = turnback.legal(self.nodes, source, destination, hops)
        level, node, climbs = way.level, way.node, (way.kind >= 0) & (way.kind != turnback.DOWN)
        if self.nodes.most_lateral > 1:
            last = len(self.levels) + 1  # hops from a turn at the top
            full = (hops >= 0).all(axis=1)
            cut = full & self._turned_at_top(destination, hops)
            legal = np.where(full, cut, legal)
            level[cut], node[cut], climbs[cut] = -1, -1, False
            level[cut, -last:] = [tree.height, *reversed(self.levels)]
            climbs[cut, -last] = True
        downs = np.array([tree.down_ports(each) for each in range(tree.height + 1)], np.int16)
        ports = np.where(climbs, hops + downs[level], hops)
        count = np.count_nonzero(hops >= 0, axis=1)
        return Routes(ports, count, legal, level.astype(np.int8), node.astype(np.int32))

    def _turned_at_top(self, destination: Int64Array, hops: Hops) -> BoolArray:
        """Whether hops end with a turn at the top and the way down from there."""
        levels = self.levels
        turns = hops[:, -len(levels) - 1] >= self.nodes.root_links
        downs = [down_port(self.tree, level, destination) for level in reversed(levels)]
        return np.asarray(turns & (hops[:, -len(levels) :] == np.stack(downs, axis=1)).all(axis=1))

    def structure(self, lanes: int) -> Structure:
        beside = {}
        for level, exits in self.exits.items():
            node = np.arange(self.tree.level_size(level))
            lateral = [
                self.nodes.neighbours(node, np.full_like(node, k))
                for k in range(len(exits["LATERAL"]))
            ]
            beside[level] = np.stack([*lateral, *[node] * len(exits["TURN"])], axis=1)
        return fat_tree.structure(self.tree, lanes=lanes, beside=beside)

    @property
    def turns(self) -> BoolArray:
        return super().turns | (self.nodes.routing == "TBWP")

    @property
    def address_bits(self) -> int:
        return vectors.bits(self.tree) if self.vectors else super().address_bits

    def address(self, source: Int64Array, destination: Int64Array) -> Int64Array:
        return vectors.encode(self.tree, destination) if self.vectors else destination


class TurnbackRouting(XgftRouting):
    """Where nodes may turn packets back."""

    method: Variable[Literal["TB", "TBWP"]] = word(
        "ROUTING",
        "TB",
        {"TB": "turn where the shortest way does", "TBWP": "turn back when possible, or climb on"},
    )
    tbch = number("TBCH", 2, 1, 64, "turn-back channels of a node")
    root_links = number("ROOT_LINKS", 0, 0, 64, "links of a top to others under ROUTING=TBWP")
    lateral = word(
        "LATERAL",
        "1",
        {"1": "a packet takes one root link at most", "MANY": "it may go round, and deadlock"},
        rtl=True,
    ).but(labelled=True)
    addresses_as = word(
        "ADDRESS", "NUMBER", {"NUMBER": "of the leaf", "VECTOR": "its digits"}, rtl=True
    ).but(labelled=True)

    def check(self) -> None:
        if self.method == "TB" and self.root_links:
            raise UserError(f"ROOT_LINKS={self.root_links}: only for ROUTING=TBWP")
        if self.lateral == "MANY" and not self.root_links:
            raise UserError("LATERAL=MANY: needs ROOT_LINKS=1 or more")

    def ways(self, tree: Xgft) -> TurnbackWays:
        return TurnbackWays(self.nodes(tree), self.addresses_as == "VECTOR")

    def nodes(self, tree: Xgft) -> turnback.Turnback:
        """What turn-back routing may do, or UserError."""
        lateral = None if self.lateral == "MANY" else 1
        try:
            return turnback.Turnback(tree, self.tbch, self.root_links, lateral, self.method)
        except ValueError as error:
            told = f"TBCH={self.tbch} ROOT_LINKS={self.root_links}"
            raise UserError(f"{told}: {error}") from None

    def model(self, ways: TurnbackWays) -> dict[str, Any]:
        return {
            "tree": ways.tree,
            "routing": self.method,
            "address": self.addresses_as,
            "tbch": self.tbch,
            "root_links": self.root_links,
            "lateral": self.lateral,
        }

    def shape(self, ways: TurnbackWays) -> dict[str, Any]:
        own = {"TBCH": self.tbch, "ROOT_LINKS": self.root_links, "ROUTING": f'"{self.method}"'}
        return super().shape(ways) | own


class TurnbackSwitch(Switch):
    """One of the two of a node, which has no second form."""

    form = FORM.but(default=SYNTHESIZED["FORM"], fixed=True)


class TurnbackNetwork(Wormhole):
    """XGFT(h; m_1 … m_h; w_1 … w_h) of turn-back nodes."""

    name = "turnback"
    summary = "fat-tree of turn-back nodes, TB and TBWP (Kariniemi and Nurmi, 2004)"
    shape = Part(XgftShape)
    routing = Part(TurnbackRouting)
    switch = Part(TurnbackSwitch)
    swept = SweptWormhole((*(v.name for v in TurnbackRouting.parameters), *SWITCHES))
    about = WormholeAbout(
        corners=(
            {"M": "3,2", "W": "1,2", "ROUTING": "TBWP", "ROOT_LINKS": "2", "ADDRESS": "VECTOR"},
            {"M": "2,2", "W": "2,1", "TBCH": "1", "VC_MODE": "KEEP", "CLASSES": "2"},
            {
                **{"M": "2,2", "W": "1,2", "ROUTING": "TBWP", "TBCH": "1", "ROOT_LINKS": "1"},
                **{"LATERAL": "MANY", "VCS": "1", "TRACE": "1"},
            },
        ),
        small={
            **{"M": "2,2", "W": "1,2", "ROUTING": "TBWP", "TBCH": "1", "ROOT_LINKS": "1"},
            **{"VCS": "1", "DEPTH": "2"},
        },
    )


NETWORKS = (TurnbackNetwork,)
