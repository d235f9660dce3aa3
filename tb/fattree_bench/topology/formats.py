"""The formats of networks, and how a file is known to be of one."""

from collections.abc import Callable
from pathlib import Path

from fattree_bench.errors import UserError
from fattree_bench.topology import (
    anynet,
    dot,
    edge_list,
    graphml,
    iblinkinfo,
    ibnetdiscover,
    numbered_trees,
    slurm,
)
from fattree_bench.topology.cabling import Cabling

Reader = Callable[[str], Cabling]
SUFFIXES = {".csv": "csv", ".dot": "dot", ".gv": "dot", ".graphml": "graphml"}
READERS: dict[str, Reader] = {
    "csv": edge_list.read, "dot": dot.read, "graphml": graphml.read,
    "ibnetdiscover": ibnetdiscover.read, "iblinkinfo": iblinkinfo.read, "slurm": slurm.read,
    "htsim": numbered_trees.htsim, "anynet": anynet.read, "simgrid": numbered_trees.simgrid,
}  # fmt: skip
LOOKS: dict[str, Callable[[str], bool]] = {  # whether contents are of a format
    "ibnetdiscover": ibnetdiscover.looks_so, "iblinkinfo": iblinkinfo.looks_so,
    "slurm": slurm.looks_so, "htsim": numbered_trees.looks_as_htsim, "anynet": anynet.looks_so,
    "simgrid": numbered_trees.looks_as_simgrid, "graphml": lambda text: "<graphml" in text,
}  # fmt: skip


def reader_of(name: str, text: str, form: str = "") -> Reader:
    """The reader of a format that is given, else by the file's suffix, else by its contents."""
    form = form or SUFFIXES.get(Path(name).suffix.lower(), "")
    form = form or next((each for each, looks in LOOKS.items() if looks(text)), "")
    if not form:
        known = f"{', '.join(SUFFIXES)} nor looks like {', '.join(LOOKS)}"
        raise UserError(f"{name}: is neither {known}; FORMAT= says what")
    return READERS[form]
