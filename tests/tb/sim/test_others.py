"""Simulators that are bought: stand-ins made of Icarus run what cocotb's runners call them with."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from cocotb_tools.config import lib_entry

from fattree_bench.sim.others import OTHERS, flags
from tests.cli import Cli, succeeds

DAILY = ("questa", "xcelium")  # the two that differ most
NOTED = "called.jsonl"
SIMULATION = f"vvp -N -i -m {lib_entry('vpi', 'icarus')} "
# Takes the words of all of them: what Icarus needs must be among these, or nothing is built.
STAND_IN = f"""#!{sys.executable}
import json, os, shlex, subprocess, sys
from pathlib import Path
name, words = Path(sys.argv[0]).name, sys.argv[1:]
with open(os.environ["STAND_IN_LOG"], "a") as file:
    print(json.dumps([name, words]), file=file)
os.environ.pop("GPI_EXTRA", None)  # of libraries that only the real one has
if name == "vsimsa":
    words = shlex.split(Path(words[1]).read_text())
words = [part for word in words for part in word.split(" ")]
kept = Path("sources.txt")  # vlog is called file by file
if name == "vlib":
    kept.write_text("")
found = [x for x in words if x.endswith((".v", ".sv"))]
found += ["-I" + x.removeprefix("+incdir+") for x in words if x.startswith("+incdir+")]
found += ["-I" + b for a, b in zip(words, words[1:]) if a == "-incdir"]
if name == "vlog":
    kept.write_text(kept.read_text() + " ".join(found) + " ")
    sys.exit()
place = Path(words[words.index("-xmlibdirname") + 1] if name == "xrun" else ".")
place.mkdir(exist_ok=True)
program = (place / "sim.vvp").resolve()
if name == "vsim":
    found = list(dict.fromkeys(kept.read_text().split()))
if found:
    tops = [b for a, b in zip(words, words[1:]) if a == "-top"]
    tops += [x.partition(".")[2] for x in words if x.startswith("top.")]
    top = [y for x in tops for y in ("-s", x)]
    subprocess.run(["iverilog", "-g2005", "-o", program, *top, *found], check=True)
run = "{SIMULATION}" + str(program)
if name == "vcs":
    simulation = Path(words[words.index("-o") + 1])
    simulation.write_text("#!/bin/sh\\nexec " + run + "\\n")
    simulation.chmod(0o755)
elif name == "vsim" or "-R" in words or "asim" in words:
    sys.exit(subprocess.run(run.split()).returncode)
"""


@pytest.fixture
def bought(tmp_path: Path) -> dict[str, str]:
    """An environment with stand-ins for all programs, which note how they are called."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for program in {x for one in OTHERS.values() for x in one.programs}:
        (folder / program).write_text(STAND_IN)
        (folder / program).chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    return {"PATH": path, "STAND_IN_LOG": str(tmp_path / NOTED)}


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize(
    "sim", [pytest.param(x, marks=() if x in DAILY else pytest.mark.nightly) for x in OTHERS]
)
def test_builds_and_runs(
    tb_cli: Callable[..., CompletedProcess[str]], tmp_path: Path, bought: dict[str, str], sim: str
) -> None:
    words = ("NETWORK=lbbvn", "N=4", f"BUILD={tmp_path / 'build'}", f"SIM={sim}")
    said = succeeds(tb_cli("sim", "TEST=permutations", *words, env=bought))
    assert f"passed on {sim}" in said
    called = [json.loads(line) for line in (tmp_path / NOTED).read_text().splitlines()]
    assert {name for name, _ in called} == {*OTHERS[sim].programs}
    again = succeeds(tb_cli("sim", "TEST=permutations", *words, env=bought))  # it is there already
    assert f"passed on {sim}" in again
    more = len((tmp_path / NOTED).read_text().splitlines()) - len(called)
    assert more == {"vcs": 0}.get(sim, 1), "built again"


def test_what_is_not_there_is_one_line(tb_cli: Cli, tmp_path: Path) -> None:
    done = tb_cli("sim", "SIM=vcs", "N=4", f"BUILD={tmp_path}")
    assert (done.returncode, done.stderr) == (2, "error: SIM=vcs: vcs is not on PATH\n")


def test_macros_and_folders_of_a_design() -> None:
    words = ["-g2012", "-DWIDTH=4", "-DFAST", "-y/some/cells"]
    assert flags(words) == [
        "+libext+.v+.sv",
        "+define+WIDTH=4",
        "+define+FAST",
        "-y",
        "/some/cells",
    ]
    assert flags(["-g2005"]) == []
