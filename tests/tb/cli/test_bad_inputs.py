"""More than 200 bad inputs, over all commands and families: one line each, and status 2."""

import os
import tomllib
from pathlib import Path
from typing import Any

import pytest

from fattree_bench.cli import CAMPAIGNS, COMMANDS
from fattree_bench.families import FAMILIES, NETWORKS, family
from fattree_bench.paths import ROOT
from tests.cli import Cli, check_refused

TABLE: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("bad_input.toml").read_text(encoding="utf-8")
)
ROWS = [
    ([command, *words], told) for command, rows in TABLE["rows"].items() for words, told in rows
]
# What Python, numpy or the system would say of itself.
INSIDE = ("Errno", "<class", "object at 0x", "allow_pickle", "numpy", "NoneType", "Exception")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the table."""
    made = tmp_path_factory.mktemp("in")
    for name, text in TABLE["files"].items():
        (made / name).write_text(text, encoding="utf-8")
    for name, digits in TABLE["bytes"].items():
        (made / name).write_bytes(bytes.fromhex(digits))
    for name, (before, letter, count) in TABLE["repeated"].items():
        (made / name).write_text(before + letter * count)
    for name in ("fifo", "fifo.csv"):
        os.mkfifo(made / name)
    return made


def test_there_are_200_over_everything() -> None:
    assert len(ROWS) >= 200
    assert len({tuple(words) for words, _ in ROWS}) == len(ROWS)
    assert set(COMMANDS) <= set(TABLE["rows"])
    output = {word.removeprefix("NETWORK=") for words, _ in ROWS for word in words}
    own = {path.parent.name for path in (ROOT / "tests").rglob("families/*/mistakes.toml")}
    # The default one needs no name.
    assert {family(name) for name in output & set(NETWORKS)} | {"lbbvn"} | own == set(FAMILIES)


@pytest.mark.parametrize(
    ("words", "message"), ROWS, ids=[" ".join(map(ascii, words)) for words, _ in ROWS]
)
def test_one_line_and_status_2(words: list[str], message: str, folder: Path, tb_cli: Cli) -> None:
    here = [word.replace("{in}", str(folder)) for word in words]
    if here[0] in CAMPAIGNS and not any(word.startswith("BUILD=") for word in here):
        here.append(f"BUILD={folder / 'build'}")  # others may be running one in build
    done = tb_cli(*here)
    check_refused(done, message.replace("{in}", str(folder)))
    assert not done.stdout  # nothing was begun
    assert not any(word in done.stderr for word in INSIDE), done.stderr
    assert "{in}" not in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("sim", "N=a\nb"), r"N=a\nb: must be one line of characters that can be printed"),
        (("sim", "TEST=a\x1b[31m"), r"TEST=a\x1b[31m: must be one line"),
        (("sim", "FOO\nx=1"), r"FOO\nx: no such variable"),
        (("list", "NETWORK=\u202ekary"), r"NETWORK=\u202ekary: must be one line"),
        (("no\ncommand",), r"no\ncommand: no such command"),
    ],
)
def test_what_cannot_be_printed_is_spelled_out(
    words: tuple[str, ...], message: str, tb_cli: Cli
) -> None:
    check_refused(tb_cli(*words), message)
