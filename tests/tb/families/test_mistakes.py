"""Mistakes in variables and in lists of messages: one line each, exit status 2 (mistakes.toml)."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fattree_bench.bench.workload import Workload
from fattree_bench.errors import UserError
from fattree_bench.families import find, planned_as
from fattree_bench.sim.variables import check, collect
from tests.cli import Cli, check_refused

TABLES: dict[str, dict[str, Any]] = {
    path.parent.name: tomllib.loads(path.read_text(encoding="utf-8"))
    for path in sorted(Path(__file__).parent.glob("*/mistakes.toml"))
}
OF_USERS = [family for family, table in TABLES.items() if "variables" in table]
EVERY, FIRST, LAST = slice(None), slice(1), slice(-1, None)


def rows(section: str, some: slice = EVERY) -> Iterator[tuple[str, str]]:
    """Words of a command, and what its one line holds."""
    for table in TABLES.values():
        for words, named in list(table.get(section, {}).items())[some]:
            yield f"{table.get('given', '')} {words}", named


def refusal(words: str) -> str:
    """What is said of variables; on the command line with exit status 2 (test_bad_inputs.py)."""
    with pytest.raises(UserError) as refused:
        check(collect(words.split()))
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize(("words", "named"), [*rows("variables")])
def test_bad_variable(words: str, named: str) -> None:
    assert named in refusal(words)


@pytest.mark.parametrize(
    ("words", "named"), (*rows("unfit"), *rows("variables", FIRST), *rows("variables", LAST))
)
def test_bad_variable_on_the_command_line(words: str, named: str, tb_cli: Cli) -> None:
    check_refused(tb_cli("sim", *words.split()), named)


@pytest.mark.parametrize("family", OF_USERS)
def test_every_variable_has_its_mistakes(family: str) -> None:
    """Those of the workload in some tables."""
    table = TABLES[family]
    shared = set() if "workload" in table else {p.name for p in Workload.parameters}
    tried = {word.split("=")[0] for words in table["variables"] for word in words.split()}
    for network in planned_as(table.get("networks", family)):
        assert {p.name for p in find(network).parameters} <= tried | shared


@pytest.mark.parametrize("family", OF_USERS)
def test_bad_list_of_messages(family: str, tmp_path: Path) -> None:
    path = tmp_path / "messages.csv"
    for text, message in TABLES[family]["messages"].items():
        path.write_text(text)
        said = refusal(f"{TABLES[family]['of_files']} MESSAGES={path}")
        assert said.startswith(f"MESSAGES={path}: ") and message in said, text
