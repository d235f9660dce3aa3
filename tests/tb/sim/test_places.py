"""Builds in folders with blanks and with letters beyond ASCII."""

from pathlib import Path

import pytest

from fattree_bench.sim.places import Places, plain
from tests.cli import Cli, succeeds


def test_names_are_plain_and_lead_to_the_files(tmp_path: Path) -> None:
    home = tmp_path / "ü b"
    folder, rtl = home / "build", home / "rtl"
    for made in (folder, rtl / "common", home / "other"):
        made.mkdir(parents=True)
    files = [rtl / "common" / "x.v", folder / "y.v", home / "other" / "a design.v"]
    for file in files:
        file.touch()
    places = Places(folder, {"rtl": rtl})
    names = [places.name(file) for file in (*files, folder, rtl)]
    assert all(map(plain, names))
    assert names[0] == "links/rtl/common/x.v" and names[1] == "y.v" and names[3] == "."
    found = [(folder / name).resolve() for name in names]
    assert found == [*files, folder, rtl]
    assert places.name(Path("/usr/include/x.v")) == "/usr/include/x.v"


@pytest.mark.parametrize("sim", ["icarus", pytest.param("verilator", marks=pytest.mark.nightly)])
@pytest.mark.usefixtures("icarus")
def test_a_build_in_such_a_folder(sim: str, rtl_copy: Path, tb_cli: Cli, tmp_path: Path) -> None:
    rtl = rtl_copy.rename(tmp_path / "mine ü")
    succeeds(tb_cli("sim", "N=2", f"SIM={sim}", f"BUILD={tmp_path / 'ü b'}", f"RTL={rtl}"))
