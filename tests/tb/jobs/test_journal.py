"""The results file: every way in which it may be cut off, and what is left of it."""

import errno
import json
import os
import resource
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from fattree_bench.errors import UserError
from fattree_bench.jobs.journal import Journal, JournalFull
from fattree_bench.paths import ROOT

HEADER = {"plan": "0123", "tier": "smoke"}
RESULTS = [
    {"key": "a", "passed": True},
    {"key": "b – ü", "text": 'quote " and\nline\r\x85\u2028end', "list": [1, {"x": None}]},
    {"key": "c", "passed": False},
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.jsonl"


def write(path: Path, results=RESULTS) -> list[int]:
    """Write a journal; the file's length after each line, the header's first."""
    with Journal(path) as journal:
        journal.start(HEADER)
        lengths = [path.stat().st_size]
        for result in results:
            journal.append(result)
            lengths.append(path.stat().st_size)
    return lengths


def read(path: Path):
    with Journal(path) as journal:
        return journal.resume()


def test_results_come_back_in_order(path):
    write(path)
    assert read(path) == (HEADER, RESULTS)
    assert [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]] == [HEADER, *RESULTS]


def test_every_result_is_on_the_disk_before_the_next(path, monkeypatch):
    events = []
    monkeypatch.setattr(os, "write", _logged(os.write, "write", events))
    monkeypatch.setattr(os, "fsync", _logged(os.fsync, "fsync", events))
    with Journal(path) as journal:
        journal.start(HEADER)
        events.clear()
        for result in RESULTS:
            journal.append(result)
    assert events == ["write", "fsync"] * len(RESULTS)


def _logged(function, name, events):
    def call(*arguments):
        events.append(name)
        return function(*arguments)

    return call


def test_cut_at_every_byte(path):
    """Whatever is left of the file, its whole lines come back, and it can be continued."""
    lengths = write(path)
    data = path.read_bytes()
    for length in range(len(data) + 1):
        path.write_bytes(data[:length])
        whole = sum(length >= end for end in lengths)
        if whole == 0:
            with pytest.raises(UserError, match="cut off before its first result"):
                read(path)
            continue
        with Journal(path) as journal:
            assert journal.resume() == (HEADER, RESULTS[: whole - 1])
            assert path.stat().st_size == lengths[whole - 1]
            journal.append({"key": "new"})
        assert read(path) == (HEADER, [*RESULTS[: whole - 1], {"key": "new"}])


@pytest.mark.parametrize(
    "tail", [b"\0" * 20, b"\0" * 20 + b"\n", b'{"key":\n', b"7\n", b"\xff\n", b"1\r2"]
)
def test_broken_last_line_is_dropped(path, tail):
    """Also what a file system leaves after a power cut: zeros, or another file's bytes."""
    write(path)
    with path.open("ab") as file:
        file.write(tail)
    assert read(path) == (HEADER, RESULTS)
    assert read(path) == (HEADER, RESULTS)


@pytest.mark.parametrize("line", [1, 2, 3])
def test_broken_line_in_the_middle_is_refused(path, line):
    write(path)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[line - 1] = lines[line - 1][:-3] + b"\n"
    path.write_bytes(b"".join(lines))
    before = path.read_bytes()
    with pytest.raises(UserError) as error:
        read(path)
    assert f"{path}: line {line} is damaged" in str(error.value)
    assert path.read_bytes() == before


def test_broken_line_before_a_cut_off_one_is_refused(path):
    """A death leaves one torn line, not two."""
    write(path)
    with path.open("ab") as file:
        file.write(b'{"key":\n{"key')
    with pytest.raises(UserError, match="line 5 is damaged, and not the last"):
        read(path)


def test_nothing_to_continue(path):
    with pytest.raises(UserError, match="nothing to continue"):
        read(path)


def test_start_keeps_the_file_that_was_there(path):
    write(path)
    old = path.read_bytes()
    write(path, RESULTS[:1])
    assert read(path) == (HEADER, RESULTS[:1])
    assert Path(f"{path}.old").read_bytes() == old


def test_start_on_a_full_disk_leaves_the_file_that_was_there(path, monkeypatch):
    write(path)
    real = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda file, data: real(file, data[:5]))
        with Journal(path) as journal, pytest.raises(JournalFull):
            journal.start({"plan": "another"})
    assert read(path) == (HEADER, RESULTS)


@pytest.mark.parametrize("fault", ["short", "enospc", "fsync"])
def test_full_disk(path, monkeypatch, fault):
    """The line that does not fit is gone, the others are there; with room it continues."""
    real = os.write

    def short(file, data):
        return real(file, data[: len(data) // 2])

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with Journal(path) as journal:
        journal.start(HEADER)
        journal.append(RESULTS[0])
        before = path.read_bytes()
        with monkeypatch.context() as patch:
            patch.setattr(
                os, "fsync" if fault == "fsync" else "write", short if fault == "short" else full
            )
            with pytest.raises(JournalFull) as error:
                journal.append(RESULTS[1])
        message = str(error.value)
        assert message.startswith("disk full: ")
        assert str(path) in message
        assert "make regress RESUME=1 continues" in message
        assert "\n" not in message
        assert path.read_bytes() == before
        journal.append(RESULTS[2])
    assert read(path) == (HEADER, [RESULTS[0], RESULTS[2]])


@pytest.mark.parametrize("freed", [False, True])
def test_full_disk_when_not_even_truncation_works(path, monkeypatch, freed):
    """The torn line is dropped by the next result, or on resume."""
    real = os.write

    def fails(*_):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with Journal(path) as journal:
        journal.start(HEADER)
        journal.append(RESULTS[0])
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", lambda file, data: real(file, data[:5]))
            patch.setattr(os, "ftruncate", fails)
            with pytest.raises(JournalFull):
                journal.append(RESULTS[1])
        assert not path.read_bytes().endswith(b"\n")
        if freed:
            journal.append(RESULTS[2])
    assert read(path) == (HEADER, [RESULTS[0], RESULTS[2]] if freed else RESULTS[:1])


def test_a_limit_of_the_kernel(path):
    """A real short write, then a real refusal, at every length that a file may have."""
    lengths = write(path)
    for limit in range(lengths[0], lengths[-1]):
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            os._exit(_fill(path))
        written = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert written == sum(limit >= end for end in lengths) - 1
        assert read(path) == (HEADER, RESULTS[:written])


def _fill(path: Path) -> int:
    """How many results went into a new journal before it was full; 100 + if it said nothing."""
    with Journal(path) as journal:
        journal.start(HEADER)
        for number, result in enumerate(RESULTS):
            try:
                journal.append(result)
            except JournalFull:
                return number
    return 100


HOLDER = """
import sys, time
from pathlib import Path
from fattree_bench.jobs.journal import Journal
journal = Journal(Path(sys.argv[1]))
journal.start({"plan": "0123", "tier": "smoke"})
journal.append({"key": "a"})
print("open", flush=True)
time.sleep(60)
"""


def test_lock_and_kill(path):
    """A second regression is refused; kill -9 of the first frees the file and loses nothing."""
    holder = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(HOLDER), str(path)], stdout=subprocess.PIPE, cwd=ROOT
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"open\n"
        with pytest.raises(UserError, match="another make regress is writing it"):
            Journal(path)
    finally:
        holder.kill()
        holder.communicate()
    assert read(path) == (HEADER, [{"key": "a"}])


def test_lock_within_one_process(path):
    with Journal(path) as journal:
        journal.start(HEADER)
        with pytest.raises(UserError, match="another make regress"):
            Journal(path)
    assert read(path) == (HEADER, [])


def test_path_that_cannot_be(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="cannot be opened: "):
        Journal(tmp_path / "file" / "results.jsonl")
    (tmp_path / "folder").mkdir()
    with pytest.raises(UserError, match="cannot be opened: "):
        read(tmp_path / "folder")
