"""Every planted edit fits its file, and what it leaves is Verilog still: without a simulation."""

import subprocess
from pathlib import Path

import pytest

from tests.tb.faults.faulty import RTL, Edit, Faulty, families

FAMILIES = families()


def applied(design: Faulty, folder: Path) -> list[Path]:
    """Copies of the files that a design edits, edited."""
    files = sorted({edit.file for edit in design.edits})
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes((RTL / name).read_bytes())
    design.apply(folder)
    return [folder / name for name in files]


def parse(file: Path, folder: Path) -> str:
    """What Icarus has to say of a file alone; of one that others include, of one of these."""
    if file.suffix == ".vh":
        users = sorted(RTL.rglob("*.v"))
        file = next(u for u in users if f'`include "{file.name}"' in u.read_text())
    includes = [f"-I{d}" for root in (folder, RTL) for d in sorted(root.glob("*/"))]
    command = ["iverilog", "-g2005", "-i", "-t", "null", *includes, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else ""


@pytest.mark.parametrize("family", FAMILIES)
def test_every_edit_fits(family: str, tmp_path: Path) -> None:
    assert FAMILIES[family]
    for number, design in enumerate(FAMILIES[family]):
        applied(design, tmp_path / str(number))


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("family", FAMILIES)
def test_every_edited_file_is_verilog(family: str, tmp_path: Path) -> None:
    refused = {}
    for number, design in enumerate(FAMILIES[family]):
        folder = tmp_path / str(number)
        for file in applied(design, folder):
            if output := parse(file, folder):
                refused[design.name] = output
    assert not refused


def test_an_edit_out_of_date_is_told(tmp_path: Path) -> None:
    gone = Edit("common/arbiter.v", "no such text", "")
    with pytest.raises(AssertionError, match="out of date"):
        applied(Faulty("gone", "", (), (gone,)), tmp_path)


@pytest.mark.usefixtures("icarus")
def test_what_is_no_verilog_is_told(tmp_path: Path) -> None:
    broken = Edit("common/arbiter.v", "endmodule", "endmodul")
    (file,) = applied(Faulty("broken", "", (), (broken,)), tmp_path)
    assert "syntax error" in parse(file, tmp_path)
