"""MESSAGES: every network takes the same files."""

from pathlib import Path

import numpy as np
import pytest

from fattree_bench.errors import UserError
from fattree_bench.families import NETWORKS, select
from fattree_bench.sim import variables as v

PAIRS = [(0, 1), (1, 0), (0, 1)]


def write(path: Path) -> None:
    """The same messages in each format; the matrix has them once, and one that stays."""
    source, destination = zip(*PAIRS, strict=True)
    if path.suffix == ".csv":
        path.write_text("\n".join(["source,destination", *(f"{a},{b}" for a, b in PAIRS)]))
    elif path.suffix == ".npz":
        np.savez(path, source=source, destination=destination)
    else:
        head = "%%MatrixMarket matrix coordinate pattern general\n2 2 3\n"
        path.write_text(f"{head}2 1\n1 2\n1 1\n")


def checked(network: str, path: Path) -> v.Variables:
    small = NETWORKS[network].about.small
    return v.check({"NETWORK": network, **small, "MESSAGES": str(path)}, write=False)


@pytest.mark.parametrize("suffix", [".csv", ".npz", ".mtx"])
@pytest.mark.parametrize("network", NETWORKS)
def test_every_network_takes_them(network: str, suffix: str, tmp_path: Path) -> None:
    write(path := tmp_path / f"set{suffix}")
    made = checked(network, path)
    assert made.test == "file"
    (scenario,) = select(made.network, made.test)
    assert scenario.unfit(made.network) is None
    assert f"MESSAGES={path}" in made.replay("file")


@pytest.mark.parametrize("network", NETWORKS)
def test_a_field_that_it_has_not(network: str, tmp_path: Path) -> None:
    """Each has fields of its own, and refuses the others in one line that names the path once."""
    (path := tmp_path / "set.csv").write_text("source,destination,colour\n0,1,2\n")
    with pytest.raises(UserError) as refused:
        checked(network, path)
    told = str(refused.value)
    assert told.startswith(f"MESSAGES={path}: line 1: is 'source,destination,colour'; allowed are")
    assert told.count(str(path)) == 1 and "\n" not in told


def test_a_matrix_without_messages(tmp_path: Path) -> None:
    path = tmp_path / "set.mtx"
    path.write_text("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1\n")
    with pytest.raises(UserError, match="all messages stay within their nodes"):
        checked("kary", path)
