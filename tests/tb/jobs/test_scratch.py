"""No folder of a job outlives it: not a killed one beyond the next run."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from fattree_bench.jobs.child import run_task
from fattree_bench.jobs.scratch import LOCK, PREFIX, scratch

HOLD = """
import sys
from fattree_bench.jobs.scratch import scratch
with scratch() as folder:
    (folder / "payload.json").write_text("{}")
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def test_a_killed_one_leaves_a_folder_that_the_next_removes(root: Path) -> None:
    pipe = subprocess.PIPE
    owner = subprocess.Popen([sys.executable, "-c", HOLD], stdin=pipe, stdout=pipe, text=True)
    assert owner.stdout is not None
    theirs = Path(owner.stdout.readline().strip())
    with scratch() as mine:
        assert set(root.iterdir()) == {mine, theirs}, "it lives"
    owner.kill()
    owner.wait()
    owner.communicate()
    assert (theirs / "payload.json").exists()
    with scratch() as mine:
        assert list(root.iterdir()) == [mine]
    assert list(root.iterdir()) == []


def test_a_job_leaves_nothing(root: Path) -> None:
    (root / f"{PREFIX}dead").mkdir()
    (root / f"{PREFIX}dead" / LOCK).touch()
    (root / f"{PREFIX}of-nobody-we-know").mkdir()  # not ours: it has no lock
    code = "import sys, pathlib; pathlib.Path(sys.argv[2]).write_text('{}')"
    assert run_task({}, 60, [sys.executable, "-c", code]) == {}
    assert [path.name for path in root.iterdir()] == [f"{PREFIX}of-nobody-we-know"]
