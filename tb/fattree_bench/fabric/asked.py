"""The variables of `make topology`."""

from pathlib import Path

from fattree_bench.errors import UserError
from fattree_bench.settings import Part, Variable, number, text, word
from fattree_bench.sim import variables as v
from fattree_bench.topology import write
from fattree_bench.topology.asked import Given
from fattree_bench.topology.route_files import WRITERS as OF_ROUTES
from fattree_models.topology import Demands

WRITERS = (*write.WRITERS, *OF_ROUTES)


class Asked(v.Folders):
    """Which file, and what to do with it."""

    given = Part(Given)
    rules: Variable[Demands] = word(
        "RULES",
        "FAT_TREE",
        {"FAT_TREE": "every rule", "OPENSM": "what its fat-tree routing asks for"},
    )
    ports = number("PORTS", 0, 0, 1024, "most links of a switch, … 1024; 0: any number")
    write = text(
        "WRITE", "", "{allowed}, comma-separated: write network, routes, worst traffic", WRITERS
    )
    play = word(
        "PLAY", "0", {"0": "", "1": "play all pairs in RTL", "worst": "play the `worst` traffic"}
    )
    sim = v.Variables.sim

    def check(self) -> None:
        for name in filter(None, self.write.split(",")):
            if name not in WRITERS:
                raise UserError(f"WRITE={name}: must be {', '.join(WRITERS)}")

    @property
    def base(self) -> Path:
        """What files that are written begin with; their folder is made if it is not there."""
        folder: Path = self.build / "topology"
        folder.mkdir(parents=True, exist_ok=True)
        return folder / Path(self.given.file).stem
