"""The wheel holds what works outside a clone, and asks for what it needs."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from email import message_from_string
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from fattree_bench.extras import EXTRAS
from fattree_bench.paths import MODELS, ROOT, ROOT_VARIABLE

CLEAN = {k: x for k, x in os.environ.items() if k not in ("PYTHONPATH", ROOT_VARIABLE)}
HOMES = {  # in the repository, in the wheel
    "tb/fattree_bench/": "fattree_bench/",
    "models/fattree_models/": "fattree_models/",
    "prover/fattree_prover/": "fattree_prover/",
    "rtl/": "fattree_bench/rtl/",
}


def run(command: list[str | Path], folder: Path, **environment: str) -> str:
    """What a command prints in a folder; it must succeed."""
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env={**CLEAN, **environment},
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def files() -> list[str]:
    """What belongs to the project, committed or about to be."""
    output = ("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z")
    names = run(list(output), ROOT).split("\0")
    return [name for name in names if name and (ROOT / name).is_file()]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy of the project: a wheel's build leaves traces."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in files():
        if not name.startswith(("docs/", "tests/")):
            (folder / "project" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / "project" / name)
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"]
    run([*command, "--quiet", "--wheel-dir", folder, folder / "project"], folder)
    (made,) = folder.glob("*.whl")
    return made


def test_the_wheel_holds_all_sources_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    wanted = {
        inside + name.removeprefix(home)
        for name in files()
        for home, inside in HOMES.items()
        if name.startswith(home)
    }
    assert held == wanted
    assert sum(name.endswith(".v") for name in held) > 100  # HDL of rtl, bench and formal
    assert {name.split("/")[0] for name in held} == {
        "fattree_bench",
        "fattree_models",
        "fattree_prover",
    }


def test_the_wheel_declares_ranges(wheel: Path) -> None:
    """Next to it any release fits that the code works with; the lock pins one of each."""
    with zipfile.ZipFile(wheel) as archive:
        (place,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        metadata = message_from_string(archive.read(place).decode())
        entries = archive.read(place.replace("METADATA", "entry_points.txt")).decode()
    asked = [Requirement(text) for text in metadata.get_all("Requires-Dist", [])]
    core = {need.name for need in asked if need.marker is None}
    assert {"cocotb", "numpy", "pyuvm"} <= core and not {"matplotlib", "bitwuzla", "dask"} & core
    assert not [str(need) for need in asked if "==" in str(need.specifier)]
    assert [str(need) for need in asked if need.name == "numpy" and "2.3.0" in need.specifier]
    extras = {"report", "axi", "evidence", "farm", "docs", "dev", "ucis"}
    assert set(metadata.get_all("Provides-Extra", [])) == extras
    assert "ftb = fattree_bench.cli:start" in entries
    pins = dict(line.split("==") for line in lock().splitlines())
    assert {canonicalize_name(need.name) for need in asked} <= pins.keys()
    unlike = [n for n in asked if pins[canonicalize_name(n.name)] not in n.specifier]
    assert not unlike


def lock() -> str:
    """The pins without the conditions behind them; no host, no path."""
    text = (ROOT / "requirements.lock").read_text()
    assert not re.search("[/:]|--", text)
    return re.sub(" ;.*| *#.*", "", text)


ABSENT = """
import sys
from importlib.abc import MetaPathFinder

class Absent(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {packages}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
"""


@pytest.fixture
def core_only(tmp_path: Path) -> dict[str, str]:
    """An environment in which no package of an extra can be imported."""
    (tmp_path / "sitecustomize.py").write_text(ABSENT.format(packages=[*EXTRAS]))
    return {"PYTHONPATH": str(tmp_path)}


def test_a_simulation_needs_no_extra(core_only: dict[str, str], tmp_path: Path) -> None:
    parts = [f"fattree_models.{path.parent.name}" for path in MODELS.glob("*/__init__.py")]
    run([sys.executable, "-c", f"import {', '.join(parts)}"], tmp_path, **core_only)
    command = [sys.executable, "-m", "fattree_bench", "sim", "N=4", "TEST=rotators", "SIM=icarus"]
    assert "PASS" in run([*command, f"BUILD={tmp_path}"], tmp_path, **core_only)


def refused(environment: dict[str, str], folder: Path, *words: str) -> str:
    """What a command says that must not run there."""
    done = subprocess.run(
        [sys.executable, "-m", "fattree_bench", *words],
        cwd=folder,
        env={**CLEAN, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    return done.stderr


@pytest.mark.parametrize("command", ["explore", "mutate"])
def test_an_extra_that_is_missing_is_named(
    command: str, core_only: dict[str, str], tmp_path: Path
) -> None:
    said = refused(core_only, tmp_path, command, "DRYRUN=1")
    assert re.fullmatch(rf"error: {command}: \w+ is not installed: make setup[-\w]*\n", said)


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which the wheel stands before the clone."""
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return {"PYTHONPATH": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}


def test_outside_a_clone_all_goes_below_the_current_folder(
    unpacked: dict[str, str], tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "fattree_bench", "sim", "N=4", "TEST=rotators", "SIM=icarus"]
    output = run(command, tmp_path, **unpacked)
    assert "PASS" in output
    (log,) = (tmp_path / "build" / "runs").glob("*/sim.log")
    assert f"log: {log.relative_to(tmp_path)}" in output
    assert [path.name for path in tmp_path.iterdir()] == ["build"]


@pytest.mark.parametrize("command", ["docs", "lint", "regress"])
def test_what_needs_a_clone_says_so(command: str, unpacked: dict[str, str], tmp_path: Path) -> None:
    said = refused(unpacked, tmp_path, command)
    assert said.startswith("error: ") and said.count("\n") == 1
    assert "only in a clone of the project" in said


@pytest.mark.nightly
def test_the_wheel_installs_into_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    """With all that it asks for, from the package index; then it works from anywhere."""
    environment, elsewhere = tmp_path / "venv", tmp_path / "elsewhere"
    elsewhere.mkdir()
    run([sys.executable, "-m", "venv", environment], tmp_path)
    run([environment / "bin" / "python", "-m", "pip", "install", "--quiet", wheel], tmp_path)
    run([environment / "bin" / "python", "-m", "pip", "check"], tmp_path)
    ftb, cache = environment / "bin" / "ftb", {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    assert "sim" in run([ftb], elsewhere, **cache)
    for sim in ("icarus", "verilator"):
        output = run([ftb, "sim", "N=4", "TEST=rotators", f"SIM={sim}"], elsewhere, **cache)
        assert "PASS" in output
