"""The variables of `make topology`."""

from collections.abc import Callable
from pathlib import Path

from fattree_bench.errors import UserError
from fattree_bench.settings import Variable, flag, number, text, word
from fattree_bench.sim import variables as v
from fattree_bench.topology import dot, edge_list, graphml, ibnetdiscover, slurm, write
from fattree_bench.topology.cabling import Cabling
from fattree_bench.topology.route_files import WRITERS as OF_ROUTES
from fattree_bench.topology.routed import ROUTES
from fattree_models.topology import Demands

READERS: dict[str, Callable[[str], Cabling]] = {
    "csv": edge_list.read,
    "dot": dot.read,
    "graphml": graphml.read,
    "ibnetdiscover": ibnetdiscover.read,
    "slurm": slurm.read,
}
WRITERS = (*write.WRITERS, *OF_ROUTES)


class Asked(v.Folders):
    """Which file, and what to do with it."""

    file = text("FILE", "", "the network: an edge list, DOT, GraphML, topology.conf, ibnetdiscover")
    format = text("FORMAT", "", "of FILE: {allowed}; empty: by its suffix and contents", READERS)
    tables = text("TABLES", "", "forwarding tables: a dump of OpenSM's, or .csv; empty: D-mod-k")
    rules: Variable[Demands] = word(
        "RULES",
        "FAT_TREE",
        {"FAT_TREE": "every rule", "OPENSM": "what its fat-tree routing asks for"},
    )
    ports = number("PORTS", 0, 0, 1024, "most links of a switch, … 1024; 0: any number")
    write = text(
        "WRITE", "", "{allowed}, comma-separated: write network, routes, worst traffic", WRITERS
    )
    routes = word("ROUTES", "dmodk", {name: about for name, (about, *_) in ROUTES.items()})
    reverse = number("REVERSE", 0, 0, 9, "times that ways of hosts on spines climb again, {range}")
    play = flag("PLAY", 0, "play all pairs over the forwarding tables in RTL")
    sim = v.Variables.sim

    def check(self) -> None:
        if not self.file:
            raise UserError("FILE=: must be a file, as in make topology FILE=cluster.csv")
        if self.format and self.format not in READERS:
            raise UserError(f"FORMAT={self.format}: must be {', '.join(READERS)}")
        for name in filter(None, self.write.split(",")):
            if name not in WRITERS:
                raise UserError(f"WRITE={name}: must be {', '.join(WRITERS)}")
        if self.tables and self.routes != "dmodk":
            raise UserError(f"ROUTES={self.routes}: TABLES={self.tables} are the routes")
        if self.reverse and (self.tables or self.routes == "dmodk"):
            raise UserError(f"REVERSE={self.reverse}: needs ROUTES=left or balanced")

    @property
    def base(self) -> Path:
        """What files that are written begin with; their folder is made if it is not there."""
        folder: Path = self.build / "topology"
        folder.mkdir(parents=True, exist_ok=True)
        return folder / Path(self.file).stem
