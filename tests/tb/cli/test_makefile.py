"""What make prints, calls, installs and cleans."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from fattree_bench.cli import COMMANDS
from fattree_bench.paths import ROOT

FILES = ("Makefile", "pyproject.toml", "setup.py", "requirements.lock")
ONLY_MAKE = {"help", "docs-site", "test", "test-all", "format", "clean", "distclean"}
KINDS = ("-docs", "-farm", "-evidence", "-ucis", "-browser", "-icarus")
SETUP = {"setup", *(f"setup{kind}" for kind in KINDS)}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What make looks at, without an environment."""
    for name in FILES:
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def make(folder: Path, *arguments: str, **environment: str) -> str:
    """What make prints; it must succeed."""
    clean = {k: x for k, x in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL")}
    done = subprocess.run(
        ["make", *arguments],
        cwd=folder,
        env={**clean, **environment},
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def with_environment(folder: Path) -> Path:
    """A folder that make takes for the environment, newer than what it is made of."""
    environment = folder / "build" / "venv"
    environment.mkdir(parents=True)
    for mark in ("installed", "installed-farm", "installed-evidence", "installed-ucis"):
        (environment / mark).touch()
    return environment


@pytest.mark.parametrize("arguments", [(), ("help",)])
def test_make_alone_prints_a_screen_and_creates_nothing(clone: Path, arguments: tuple[str]) -> None:
    output = make(clone, *arguments, NETWORK="lbbvn").splitlines()
    assert sorted(p.name for p in clone.iterdir()) == sorted(FILES)
    targets = {*re.findall(r"\bmake ([a-z-]+)", "\n".join(output))} - {"help"}
    assert targets == {*COMMANDS, *ONLY_MAKE, *SETUP} - {"help"}
    assert any(line.startswith("make help NETWORK=") for line in output)
    assert len(output) <= 32 and max(map(len, output)) <= 100


def test_targets_are_calls_of_the_command_line(clone: Path) -> None:
    with_environment(clone)
    for command in COMMANDS:
        output = make(clone, "-n", command, "NETWORK=kary", "TEST=*")
        assert output == f"build/venv/bin/python -m fattree_bench {command}\n"


def test_environments_are_made_of_what_a_target_needs(clone: Path) -> None:
    environment = with_environment(clone)
    (environment / "installed-farm").unlink()
    (environment / "installed-evidence").unlink()
    assert "pip" not in make(clone, "-n", "sim")
    assert "pip" not in make(clone, "-n", "regress")
    assert "--constraint requirements.lock -e '.[farm]'" in make(
        clone, "-n", "regress", "FARM=slurm"
    )
    for command in ("formal", "mutate", "area"):
        assert "-e '.[evidence]'" in make(clone, "-n", command)
    os.utime(clone / "pyproject.toml", (4e9, 4e9))
    output = make(clone, "-n", "sim")
    assert "--constraint requirements.lock -e '.[report,axi,dev]'" in output


def test_flags_of_make_do_not_reach_the_command_line(clone: Path) -> None:
    script = with_environment(clone) / "bin" / "python"
    script.parent.mkdir()
    script.write_text('#!/bin/sh\necho "$* $FTB_GIVEN=$FTB_GIVEN_N flags=$MAKEFLAGS$MFLAGS"\n')
    script.chmod(0o755)
    output = make(clone, "-k", "-j2", "sim", "N=4").strip()
    assert output == "-m fattree_bench sim N=4 flags="


def test_clean_keeps_the_environment_and_distclean_does_not(clone: Path) -> None:
    make(clone, "clean")  # when there is nothing yet
    kept = with_environment(clone) / "lib" / "__pycache__"
    for folder in ("build/runs/one", "build/report", "tb/__pycache__", ".pytest_cache"):
        (clone / folder).mkdir(parents=True)
    (clone / "build" / "runs" / "one" / "log").touch()
    kept.mkdir(parents=True)
    make(clone, "clean")
    left = sorted(str(p.relative_to(clone)) for p in clone.glob("*"))
    assert left == sorted([*FILES, "build", "tb"])
    assert [p.name for p in (clone / "build").iterdir()] == ["venv"] and kept.is_dir()
    assert not any((clone / "tb").iterdir())
    (clone / "tb" / "fat_tree_bench.egg-info").mkdir()
    make(clone, "distclean")
    assert not (clone / "build").exists() and not any((clone / "tb").iterdir())
