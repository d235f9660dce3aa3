"""What a wormhole network is: its tree, the variables of its switches, its tables."""

from dataclasses import dataclass

from fattree_models.common.checks import check_integer, check_range
from fattree_models.common.fat_tree.shapes import benes
from fattree_models.common.fat_tree.tables import Tables
from fattree_models.common.fat_tree.topology import Xgft
from fattree_models.ruft.routing import Ruft

FREE = ("ADAPTIVE", "TWO", "RR", "FLOWLET", "DRILL")  # routes are not held
CHOICES = {
    "routing": ("DMODK", "SMODK", "RANDOM", "ECMP", *FREE, "TB", "TBWP", "TABLES"),
    "salt": ("OWN", "SAME"),
    "climb": ("NCA", "TOP"),
    "lateral": ("1", "MANY"),
    "vc_mode": ("ANY", "KEEP"),
    "arbiter": ("ROUND_ROBIN", "MATRIX"),
    "address": ("NUMBER", "VECTOR"),
}
LIMITS = {
    "vcs": (1, 4),
    "depth": (1, 64),
    "stages": (1, 3),
    "ahead": (0, 1),
    "ways": (1, 4),
    "classes": (1, 2),
    "tbch": (1, 64),
    "root_links": (0, 64),
    "long": (0, 64),
    "width": (1, 64),
    "gap": (0, 65535),
    "entries": (1, 4096),
}


@dataclass(frozen=True, kw_only=True)
class Network:
    """A network of wormhole switches, after `docs/wormhole.md`.

    Parameters
    ----------
    tree : Xgft or Ruft
    tables : Tables, optional
        What the switches look up under `routing="TABLES"`, whichever algorithm made them.
    folded : tuple (ports, levels), optional
        The tree is a Benes network that is drawn unfolded: switches are listed column by column.
    routing, climb, tbch, root_links, lateral, address
        Where packets go.  A Ruft knows no choice: its routing is "DMODK".
    vcs, depth, stages, ahead, ways, vc_mode, classes, arbiter
        What a switch is like.
    long : int
        Registers in the links from a Ruft to its leaves, each way.
    width : int
        Data bits of a flit.
    salt : {"OWN", "SAME"}
        Whether the hashes of switches, with routing ECMP or FLOWLET, differ.
    gap, entries : int
        Of routing FLOWLET: clocks without a packet after which a flow may change its parent, and
        flows that a switch remembers.

    Raises
    ------
    ValueError
        If a value is not allowed, or two do not go together.

    Examples
    --------
    >>> from fattree_models.common.fat_tree import kary
    >>> Network(tree=kary(4, 3)).leaves
    64
    >>> Network(tree=kary(4, 3), vcs=3, ways=2)
    Traceback (most recent call last):
    ...
    ValueError: ways: is 2; allowed are divisors of vcs, 3
    """

    tree: Xgft | Ruft
    tables: Tables | None = None
    folded: tuple[int, int] | None = None
    routing: str = "DMODK"
    climb: str = "NCA"
    tbch: int = 2
    root_links: int = 0
    lateral: str = "1"
    address: str = "NUMBER"
    vcs: int = 2
    depth: int = 8
    stages: int = 3
    ahead: int = 0
    ways: int = 1
    vc_mode: str = "ANY"
    classes: int = 1
    arbiter: str = "ROUND_ROBIN"
    long: int = 0
    width: int = 32
    salt: str = "OWN"
    gap: int = 64
    entries: int = 64

    def __post_init__(self) -> None:
        if not isinstance(self.tree, (Xgft, Ruft)):
            raise ValueError(f"tree: is {self.tree!r}; allowed are an Xgft or a Ruft")
        for name, allowed in CHOICES.items():
            if getattr(self, name) not in allowed:
                raise ValueError(
                    f"{name}: is {getattr(self, name)!r}; allowed are {', '.join(allowed)}"
                )
        for name, (low, high) in LIMITS.items():
            object.__setattr__(self, name, check_integer(name, getattr(self, name), low, high))
        if self.vcs % self.ways:
            raise ValueError(f"ways: is {self.ways}; allowed are divisors of vcs, {self.vcs}")
        if self.vcs < self.classes:
            raise ValueError(f"classes: is {self.classes}; allowed are at most vcs, {self.vcs}")
        if (self.tables is not None) != (self.routing == "TABLES"):
            raise ValueError("tables: go with routing TABLES, and with no other")
        if self.tables is not None:
            if getattr(self.tables, "tree", None) != self.tree:
                raise ValueError("tables: are of another tree; allowed are those of the network's")
            for level, ports in enumerate(self.tables.ports):
                check_range(f"tables, level {level}", ports, -1, self.tables.tree.radix(level) - 1)
        if self.folded is not None and (len(self.folded) != 2 or benes(*self.folded) != self.tree):
            raise ValueError(f"folded: is {self.folded}; allowed is the tree's (ports, levels)")
        if self.tree.one_way and self.routing != "DMODK":
            raise ValueError(f"routing: is {self.routing}; a RUFT allows DMODK alone")
        if self.long and not self.tree.one_way:
            raise ValueError(f"long: is {self.long}; allowed is 0 where the tree is not a RUFT")

    @property
    def leaves(self) -> int:
        """Number of leaves."""
        return self.tree.leaves

    @property
    def turnback(self) -> bool:
        """Whether a node is two switches."""
        return self.routing in ("TB", "TBWP")

    @property
    def chooses(self) -> bool:
        """Whether switches draw random numbers."""
        return self.turnback or self.routing in ("RANDOM", *FREE)

    @property
    def oldest_first(self) -> bool:
        """Whether the VC arbiters are matrices, whatever the others are."""
        return self.arbiter == "MATRIX" or self.vc_mode == "KEEP" or self.classes == 2

    def class_vcs(self, kind: int) -> range:
        """Return the VCs of a class.

        Examples
        --------
        >>> from fattree_models.common.fat_tree import kary
        >>> three = Network(tree=kary(2, 1), vcs=3, classes=2)
        >>> list(three.class_vcs(0)), list(three.class_vcs(1))
        ([0], [1, 2])
        """
        if self.classes == 1:
            return range(self.vcs)
        half = self.vcs // 2
        return range(half, self.vcs) if kind else range(half)

    def start_vcs(self, kind: int, destination: int) -> range:
        """Return the VCs in which a packet of a list may start."""
        if self.vc_mode == "ANY":
            return self.class_vcs(kind)
        each = self.vcs // self.classes
        vc = destination % each + (self.vcs - each if kind else 0)
        return range(vc, vc + 1)
