"""How a network of a user's is described: the file, and the routes through it."""

from pathlib import Path

from fattree_bench.errors import UserError
from fattree_bench.settings import Settings, number, text, word
from fattree_bench.topology.formats import READERS
from fattree_bench.topology.routed import ROUTES


class Given(Settings):
    """Which file, which routes."""

    file = text("FILE", "", "the network: a list of cables, a graph, InfiniBand tools' output")
    format = text("FORMAT", "", "of FILE: {allowed}; empty: by its suffix and contents", READERS)
    tables = text("TABLES", "", "forwarding tables: a dump of OpenSM's, or .csv; empty: D-mod-k")
    routes = word("ROUTES", "dmodk", {name: about for name, (about, *_) in ROUTES.items()})
    reverse = number("REVERSE", 0, 0, 9, "times that ways of hosts on spines climb again, {range}")

    def in_place(self) -> dict[str, str]:
        """The variables that are not as by default, with files that hold from any folder."""
        named = {"FILE": self.file, "TABLES": self.tables}
        return self.changed() | {k: str(Path(x).absolute()) for k, x in named.items() if x}

    def check(self) -> None:
        if not self.file:
            raise UserError("FILE=: must be a file, as in make topology FILE=cluster.csv")
        if self.format and self.format not in READERS:
            raise UserError(f"FORMAT={self.format}: must be {', '.join(READERS)}")
        if self.tables and self.routes != "dmodk":
            raise UserError(f"ROUTES={self.routes}: TABLES={self.tables} are the routes")
        if self.reverse and (self.tables or self.routes == "dmodk"):
            raise UserError(f"REVERSE={self.reverse}: needs ROUTES=left or balanced")
