"""`BASE=commit`: the same case in the tree of another commit."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from fattree_bench.errors import UserError
from fattree_bench.speed.base import Base

# What a tree needs of a bench: one that knows N and SIM; half a second becomes 10.
TREE = """
class Tree:
    builds = {"verified": {"cpu": 4.0, "wall": 2.0, "code": 1000}}

    def __init__(self, values, kinds):
        print("what is printed is no answer")
        for name in values:
            if name not in ("N", "SIM", "NETWORK", "BUILD"):
                raise ValueError(f"{name}: no such variable; there is N, SIM")
        if values["N"] == "4096":
            raise ValueError("N=4096: must be a power of two, 2 … 1024\\nand more")

    def measure(self, model, kind, seconds):
        if kind == "broken":
            raise ValueError("it broke")
        if model != "verified":
            return None
        return {"passed": True, "packets": 20, "seconds": seconds}
"""
FILES = {"tb/fattree_bench/__init__.py": "", "tb/fattree_bench/speed/tree.py": TREE}
CASE = {"N": "16", "SIM": "verilator", "NETWORK": "lbbvn", "BUILD": "elsewhere"}
Clone = Callable[..., Path]


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    """A repository whose only commit, tagged v1, holds these files."""

    def make(files: dict[str, str] = FILES) -> Path:
        root = tmp_path / "root"
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        (root / "requirements.lock").write_text("rich\n")
        own = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
        for words in (["init", "-q"], ["add", "."], [*own, "commit", "-qm", "1"], ["tag", "v1"]):
            subprocess.run(["git", "-C", str(root), *words], check=True)
        return root

    return make


def test_a_tree_without_the_class_is_refused(clone: Clone, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"^BASE=v1: is too old; commits from 036e7a5 on can be"):
        Base("v1", tmp_path / "bases", clone({"bench.py": ""}))


def test_a_tree_of_today_measures_itself(clone: Clone, tmp_path: Path) -> None:
    base = Base("v1", tmp_path / "bases", clone())
    with base.case({**CASE, "FORM": "fast", "RTL": "ours"}, ("repeated",)) as case:
        assert case.unknown == ["FORM"]
        assert case.builds["verified"]["cpu"] == 4.0
        assert case.measure("verified", "repeated", 2.0)["seconds"] == 2.0
        assert case.measure("bare", "repeated", 2.0) is None
        assert case.measure("verified", "broken", 2.0) is None
        assert case.error == "its process ended"
    assert "it broke" in base.log.read_text()


def test_a_case_that_the_base_has_not(clone: Clone, tmp_path: Path) -> None:
    with Base("v1", tmp_path / "bases", clone()).case({**CASE, "N": "4096"}, ()) as case:
        assert case.error == "N=4096: must be a power of two, 2 … 1024"
        assert case.measure("verified", "repeated", 2.0) is None
        assert case.builds == {}


def test_a_copy_is_made_once_and_kept(clone: Clone, tmp_path: Path) -> None:
    root = clone()
    folder = Base("v1", tmp_path / "bases", root).folder
    (folder / "build" / "bench").mkdir(parents=True)
    (folder / "kept").touch()
    assert Base("HEAD", tmp_path / "bases", root).folder == folder  # the same commit
    assert (folder / "kept").exists()
    assert not (folder / "build" / "bench").exists()  # builds are measured cold


@pytest.mark.parametrize("commit", ["nothing", "--help", "v1:tb"])
def test_an_unknown_commit(commit: str, clone: Clone, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=f"^BASE={commit}: no such commit in [^\n]*$"):
        Base(commit, tmp_path / "bases", clone())
    with pytest.raises(UserError, match="no such commit"):
        Base("v1", tmp_path / "bases", tmp_path)  # no repository


def test_other_requirements_need_an_environment(clone: Clone, tmp_path: Path) -> None:
    root = clone()
    setup = "setup:\n\t@mkdir -p build/venv/bin && echo $(PYTHON) > build/venv/bin/python\n"
    (root / "requirements.lock").write_text("rich, but another\n")
    with pytest.raises(UserError, match=r"^BASE=v1: what it requires is not there; log: [^\n]*$"):
        Base("v1", tmp_path / "bases", root)
    (log,) = (tmp_path / "bases").glob("*.log")
    (log.with_suffix("") / "Makefile").write_text(setup)
    assert Base("v1", tmp_path / "bases", root).python.endswith("build/venv/bin/python")


def test_the_command_line_tells_of_it(
    tb_cli: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    done = tb_cli("bench", "N=16", "BASE=nothing")
    assert done.returncode == 2
    assert done.stderr.startswith("error: BASE=nothing: no such commit in ")
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""
