"""Families of packet-switched fat-trees: how their shapes are given on the command line."""

from fattree_bench.bench.wormhole.network import Wormhole, WormholeAbout
from fattree_bench.bench.wormhole.shape import GftShape, KaryShape, PortShape, XgftShape
from fattree_bench.families.wormhole import TREES
from fattree_bench.families.xgft.faulty import FaultyRouting
from fattree_bench.families.xgft.shape import OxgftShape
from fattree_bench.settings import Part

PACKETS = {"VCS": "1", "DEPTH": "2"}


class Xgft(Wormhole):
    """XGFT(h; m_1 … m_h; w_1 … w_h)."""

    name = "xgft"
    summary = "extended generalised fat-tree of wormhole switches (Öhring et al., 1995)"
    swept = TREES
    shape = Part(XgftShape)
    routing = Part(FaultyRouting)
    about = WormholeAbout(
        corners=(
            {"M": "3,4", "W": "1,2", "ROUTING": "TWO", "VC_MODE": "KEEP", "VCS": "4", "WAYS": "2"},
            {"M": "3,2", "W": "1,1", "ARBITER": "MATRIX", "STAGES": "2", "DEPTH": "5"},
            {"M": "2,2", "W": "2,1", "ASYNC": "LINKS", "VCS": "1", "DEPTH": "1", "CLOCKS": "10"},
            {"M": "3,2,2", "W": "1,3,2", "ROUTING": "FLOWLET", "GAP": "9", "ENTRIES": "3"},
        ),
        small={"M": "4,4", "W": "1,4", **PACKETS},
    )


class Kary(Wormhole):
    """k-ary n-tree."""

    name = "kary"
    summary = "k-ary n-tree of wormhole switches (Petrini and Vanneschi, 1997)"
    swept = TREES
    shape = Part(KaryShape)
    routing = Part(FaultyRouting)
    about = WormholeAbout(
        corners=(
            {"K": "2", "LEVELS": "2", "AHEAD": "1", "WAYS": "2"},
            {"K": "2", "LEVELS": "3", "ROUTING": "ADAPTIVE", "CLASSES": "2", "STAGES": "1"},
            {"K": "3", "LEVELS": "1", "ROUTING": "SMODK", "VCS": "1", "DEPTH": "1", "TRACE": "1"},
            {"K": "2", "LEVELS": "2", "ROUTING": "RANDOM", "CLIMB": "TOP", "WIDTH": "64"},
            {"K": "2", "LEVELS": "3", "ROUTING": "DRILL", "VCS": "3", "STAGES": "2"},
            {"K": "2", "LEVELS": "2", "FAULTS": "links:1", "RECOVER": "LOCAL", "WAYS": "2"},
            {"K": "2", "LEVELS": "2", "ASYNC": "LEAVES", "SYNC": "3", "JITTER": "20", "HALTS": "1"},
        ),
        small={"K": "4", "LEVELS": "2", **PACKETS},
    )


class Gft(Wormhole):
    """GFT(h, m, w)."""

    name = "gft"
    summary = "generalised fat-tree of wormhole switches: all levels alike"
    swept = TREES
    shape = Part(GftShape)
    routing = Part(FaultyRouting)
    about = WormholeAbout(
        corners=({"H": "2", "M": "2", "W": "2"}, {"H": "2", "M": "2", "W": "3", "ROUTING": "RR"}),
        small={"H": "2", "M": "4", "W": "2", **PACKETS},
    )


class MlidRouting(FaultyRouting):
    """That of InfiniBand's tables, if no other is asked for."""

    method = FaultyRouting.method.but(default="MLID")


class FtreeMn(Wormhole):
    """m-port n-tree."""

    name = "ftree_mn"
    summary = "m-port n-tree, FT(m, n), with InfiniBand's tables (Lin, Chung, Huang, 2004)"
    swept = TREES
    shape = Part(PortShape)
    routing = Part(MlidRouting)
    about = WormholeAbout(
        corners=({"PORTS": "4", "LEVELS": "2"}, {"PORTS": "4", "LEVELS": "3", "VCS": "3"}),
        small={"PORTS": "4", "LEVELS": "3", **PACKETS},
    )


class Oxgft(Wormhole):
    """The optimum of `make optimise`."""

    name = "oxgft"
    summary = "cheapest fat-tree of wormhole switches for P processors (Peratikou and Adda)"
    swept = TREES
    shape = Part(OxgftShape)
    routing = Part(FaultyRouting)
    about = WormholeAbout(
        corners=(
            {"P": "12", "LEVELS": "3", "ROUTING": "ADAPTIVE"},
            {"P": "18", "LEVELS": "2", "MAX_PORTS": "8"},
        ),
        small={"P": "12", "LEVELS": "2", **PACKETS},
    )


NETWORKS = (Xgft, Kary, Gft, FtreeMn, Oxgft)
