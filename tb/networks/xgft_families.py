"""Families of packet-switched fat-trees: how their shapes are given on the command line."""

from models import xgft
from tb.errors import UserError
from tb.networks.base import Parameter, integer
from tb.networks.xgft import XgftNetwork


class Xgft(XgftNetwork):
    """XGFT(h; m_1 … m_h; w_1 … w_h)."""

    name = "xgft"
    summary = "extended generalised fat-tree of wormhole switches (Öhring et al., 1995)"
    shapes = (
        Parameter("M", "4,4,3", "children of the switches of each level, the lowest first"),
        Parameter("W", "1,2,2", "parents of the nodes of each level, the leaves first"),
    )

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


class Benes(PortTree):
    """The slides' fat-tree Benes network."""

    name = "benes"
    summary = "fat-tree Benes network with its destination routing (IBM's slides)"
    usual_routing = "SLIDES"


def _levels(name: str, value: dict[str, str]) -> int:
    return integer(name, value[name], "1 … 8", 1, 8)


def _vector(name: str, text: str) -> tuple[int, ...]:
    """Numbers, one a level; UserError otherwise."""
    try:
        return tuple(int(word) for word in text.split(","))
    except ValueError:
        raise UserError(f"{name}={text}: must be one number a level, as 4,4,3") from None
