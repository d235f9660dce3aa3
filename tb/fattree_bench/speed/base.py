"""`BASE=commit`: the same case in the tree of another commit, measured by a process of its own."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fattree_bench.errors import UserError
from fattree_bench.paths import ROOT
from fattree_bench.speed.tree import Cost

NAME = 10  # letters of the folder of a commit
OURS = ("RTL", "BUILD")  # name folders of this tree
SERVER = Path(__file__).with_name("server.py")
TREE = Path("tb", "fattree_bench", "speed", "tree.py")  # what a commit needs: see server.py


class Case:
    """A case of the base; all figures are None where it has none, and `error` says why."""

    def __init__(self, process: "subprocess.Popen[str]", answer: Mapping[str, Any]) -> None:
        self._process = process
        self.builds: dict[str, Cost] = answer.get("builds", {})
        self.unknown: list[str] = answer.get("unknown", [])
        self.error: str = answer.get("error", "")

    def measure(self, model: str, kind: str, seconds: float) -> Any:
        if self.error:
            return None
        found = _asked(self._process, [model, kind, seconds])
        self.error = (found or {}).get("error", "")
        return None if self.error else found


class Base:
    """The tree of a commit below `folder`, with an interpreter that has what it requires."""

    def __init__(self, commit: str, folder: Path, root: Path = ROOT) -> None:
        self.commit = commit
        self.folder = folder / self._git(root, "rev-parse", "--verify", "--quiet")[:NAME]
        if not self.folder.exists():
            self._copy(root)
        if not (self.folder / TREE).exists():
            raise UserError(f"BASE={commit}: is too old; commits from 036e7a5 on can be measured")
        self.log = self.folder.with_suffix(".log")
        self.log.unlink(missing_ok=True)
        shutil.rmtree(self.folder / "build" / "bench", ignore_errors=True)
        self.python = self._interpreter(root)

    def _git(self, root: Path, *command: str) -> str:
        """What git says of the commit."""
        words = ["git", "-C", str(root), *command, "--end-of-options", f"{self.commit}^{{commit}}"]
        try:
            done = subprocess.run(words, capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            raise UserError(f"BASE={self.commit}: no such commit in {root}") from None
        return done.stdout.strip()

    def _copy(self, root: Path) -> None:
        """Write the files of the commit; a copy that was cut short is not found under its name."""
        scratch = self.folder.with_suffix(".part")
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
        archive = scratch.with_suffix(".tar")
        commit = self._git(root, "rev-parse", "--verify", "--quiet")
        words = ["git", "-C", str(root), "archive", "--output", str(archive), commit]
        subprocess.run(words, check=True)
        with tarfile.open(archive) as files:
            files.extractall(scratch, filter="data")
        archive.unlink()
        scratch.rename(self.folder)

    def _interpreter(self, root: Path) -> str:
        """This one if the commit requires the same, else one of its own."""
        if _text(self.folder / "requirements.lock") == _text(root / "requirements.lock"):
            return sys.executable
        with self.log.open("a") as log:
            words = ["make", "-C", str(self.folder), "setup", f"PYTHON={sys.executable}"]
            done = subprocess.run(words, stdout=log, stderr=log, check=False)
        if done.returncode:
            raise UserError(f"BASE={self.commit}: what it requires is not there; log: {self.log}")
        return str(self.folder / "build" / "venv" / "bin" / "python")

    @contextmanager
    def case(self, values: Mapping[str, str], kinds: Sequence[str]) -> Iterator[Case]:
        """Build a case; its process ends with the context."""
        paths = [self.folder / name for name in ("tb", "models", "prover")]
        own = {k: x for k, x in values.items() if k not in OURS} | {"BUILD": "build/bench"}
        with self.log.open("a") as log:
            process = subprocess.Popen(
                [self.python, "-P", str(SERVER)],
                cwd=self.folder,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        try:
            yield Case(process, _asked(process, {"values": own, "kinds": list(kinds)}))
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.terminate()
            process.wait()


def _asked(process: "subprocess.Popen[str]", question: object) -> Any:
    """The answer of a process; it is an error that there is none."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        print(json.dumps(question), file=process.stdin, flush=True)
        line = process.stdout.readline()
    except BrokenPipeError:
        line = ""
    return json.loads(line) if line else {"error": "its process ended"}


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""
