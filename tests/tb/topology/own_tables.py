"""Forwarding tables of a tree as users write them."""

from pathlib import Path

import numpy as np

from fattree_models.xgft import Tables


def write_tables(path: Path, tables: Tables) -> None:
    """As `read_tables` reads them."""
    rows = ["level,switch,leaf,port"]
    for level, ports in enumerate(tables.ports):
        rows += [f"{level},{s},{x},{port}" for (s, x), port in np.ndenumerate(ports) if port >= 0]
    path.write_text("\n".join([*rows, ""]))
