"""The variables of `make topology`."""

from collections.abc import Callable
from pathlib import Path

from fattree_bench.errors import UserError
from fattree_bench.settings import Variable, flag, number, text, word
from fattree_bench.sim import variables as v
from fattree_bench.topology import dot, edge_list, graphml, ibnetdiscover, write
from fattree_bench.topology.cabling import Cabling
from fattree_models.topology import Demands

READERS: dict[str, Callable[[str], Cabling]] = {
    "csv": edge_list.read,
    "dot": dot.read,
    "graphml": graphml.read,
    "ibnetdiscover": ibnetdiscover.read,
}


class Asked(v.Folders):
    """Which file, and what to do with it."""

    file = text("FILE", "", "the network: an edge list, DOT, GraphML or output of ibnetdiscover")
    format = text("FORMAT", "", "of FILE: {allowed}; empty: by its suffix and contents", READERS)
    tables = text("TABLES", "", "forwarding tables: a dump of OpenSM's, or .csv; empty: D-mod-k")
    rules: Variable[Demands] = word(
        "RULES",
        "FAT_TREE",
        {"FAT_TREE": "every rule", "OPENSM": "what its fat-tree routing asks for"},
        any_case=True,
    )
    ports = number("PORTS", 0, 0, 1024, "most links of a switch, … 1024; 0: any number")
    write = text("WRITE", "", "{allowed}, comma-separated: write the network", write.WRITERS)
    play = flag("PLAY", 0, "play all pairs over the forwarding tables in RTL")
    sim = v.Variables.sim

    def check(self) -> None:
        if not self.file:
            raise UserError("FILE=: must be a file, as in make topology FILE=cluster.csv")
        if self.format and self.format not in READERS:
            raise UserError(f"FORMAT={self.format}: must be {', '.join(READERS)}")
        for name in filter(None, self.write.split(",")):
            if name not in write.WRITERS:
                raise UserError(f"WRITE={name}: must be {', '.join(write.WRITERS)}")

    @property
    def folder(self) -> Path:
        """Where files go, made if it is not there."""
        folder: Path = self.build / "topology"
        folder.mkdir(parents=True, exist_ok=True)
        return folder
