"""Families of packet-switched fat-trees: how their shapes are given on the command line."""

from typing import ClassVar

from fattree_bench.errors import UserError
from fattree_bench.families.xgft.tree import XgftNetwork
from fattree_bench.settings import Parameter, integer
from fattree_models import xgft

PACKETS = {"VCS": "1", "DEPTH": "2"}


class Xgft(XgftNetwork):
    """XGFT(h; m_1 … m_h; w_1 … w_h)."""

    name = "xgft"
    summary = "extended generalised fat-tree of wormhole switches (Öhring et al., 1995)"
    shapes = (
        Parameter("M", "4,4,3", "children of the switches of each level, the lowest first"),
        Parameter("W", "1,2,2", "parents of the nodes of each level, the leaves first"),
    )
    corners: ClassVar[tuple[dict[str, str], ...]] = (
        {"M": "3,4", "W": "1,2", "ROUTING": "TWO", "VC_MODE": "KEEP", "VCS": "4"},
        {"M": "3,2", "W": "1,1", "ARBITER": "MATRIX", "STAGES": "2", "DEPTH": "5"},
    )
    small: ClassVar[dict[str, str]] = {"M": "4,4", "W": "1,4", **PACKETS}

    @classmethod
    def make_tree(cls, value: dict[str, str]) -> xgft.Xgft:
        return xgft.Xgft(_vector("M", value["M"]), _vector("W", value["W"]))


class Kary(XgftNetwork):
    """k-ary n-tree."""

    name = "kary"
    summary = "k-ary n-tree of wormhole switches (Petrini and Vanneschi, 1997)"
    shapes = (
        Parameter("K", "4", "children of a switch, and parents"),
        Parameter("LEVELS", "3", "levels of switches, 1 … 8"),
    )
    corners: ClassVar[tuple[dict[str, str], ...]] = (
        {"K": "2", "LEVELS": "2"},
        {"K": "2", "LEVELS": "3", "ROUTING": "ADAPTIVE", "CLASSES": "2", "STAGES": "1"},
        {"K": "3", "LEVELS": "1", "ROUTING": "SMODK", "VCS": "1", "DEPTH": "1", "TRACE": "1"},
        {"K": "2", "LEVELS": "2", "ROUTING": "RANDOM", "CLIMB": "TOP", "WIDTH": "64"},
    )
    small: ClassVar[dict[str, str]] = {"K": "4", "LEVELS": "2", **PACKETS}

    @classmethod
    def make_tree(cls, value: dict[str, str]) -> xgft.Xgft:
        return xgft.kary(
            integer("K", value["K"], "a number, 2 … 1024", 2, 1024), _levels("LEVELS", value)
        )


class Gft(XgftNetwork):
    """GFT(h, m, w)."""

    name = "gft"
    summary = "generalised fat-tree of wormhole switches: all levels alike"
    shapes = (
        Parameter("H", "2", "levels of switches, 1 … 8"),
        Parameter("M", "4", "children of a switch"),
        Parameter("W", "2", "parents of a node, leaves included"),
    )
    corners: ClassVar[tuple[dict[str, str], ...]] = ({"H": "2", "M": "2", "W": "2"},)
    small: ClassVar[dict[str, str]] = {"H": "2", "M": "4", "W": "2", **PACKETS}

    @classmethod
    def make_tree(cls, value: dict[str, str]) -> xgft.Xgft:
        return xgft.gft(
            _levels("H", value),
            integer("M", value["M"], "a number, 1 … 1024", 1, 1024),
            integer("W", value["W"], "a number, 1 … 64", 1, 64),
        )


class PortTree(XgftNetwork):
    """A tree whose switches all have as many ports: FT(m, n)."""

    shapes = (
        Parameter("PORTS", "4", "ports of a switch, an even number"),
        Parameter("LEVELS", "3", "levels of switches, 1 … 8"),
    )

    @classmethod
    def make_tree(cls, value: dict[str, str]) -> xgft.Xgft:
        ports = integer("PORTS", value["PORTS"], "an even number, 2 … 64", 2, 64)
        return xgft.ftree_mn(ports, _levels("LEVELS", value))


class FtreeMn(PortTree):
    """m-port n-tree."""

    name = "ftree_mn"
    summary = "m-port n-tree, FT(m, n), with InfiniBand's tables (Lin, Chung, Huang, 2004)"
    usual_routing = "MLID"
    corners: ClassVar[tuple[dict[str, str], ...]] = (
        {"PORTS": "4", "LEVELS": "2"},
        {"PORTS": "4", "LEVELS": "3", "VCS": "3"},
    )
    small: ClassVar[dict[str, str]] = {"PORTS": "4", "LEVELS": "3", **PACKETS}


class Benes(PortTree):
    """The slides' fat-tree Benes network."""

    name = "benes"
    summary = "fat-tree Benes network with its destination routing (IBM's slides)"
    usual_routing = "SLIDES"
    corners: ClassVar[tuple[dict[str, str], ...]] = ({"PORTS": "4", "LEVELS": "2"},)
    small: ClassVar[dict[str, str]] = {"PORTS": "4", "LEVELS": "2", **PACKETS}


NETWORKS = (Xgft, Kary, Gft, FtreeMn, Benes)


def _levels(name: str, value: dict[str, str]) -> int:
    return integer(name, value[name], "1 … 8", 1, 8)


def _vector(name: str, text: str) -> tuple[int, ...]:
    """Numbers, one a level; UserError otherwise."""
    try:
        return tuple(int(word) for word in text.split(","))
    except ValueError:
        raise UserError(f"{name}={text}: must be one number a level, as 4,4,3") from None
