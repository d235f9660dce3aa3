"""Small corners of every network pass; a seed decides everything, the transport nothing.

corners.toml of a family: of the corners on a simulator the first `daily` run every time, the others
at night; all together try the `choices`.  Names in braces are its `words`.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.cli import Cli, icarus, passes
from tests.night import some

TABLES: dict[str, dict[str, Any]] = {
    path.parent.name: tomllib.loads(path.read_text(encoding="utf-8"))
    for path in sorted(Path(__file__).parent.glob("*/corners.toml"))
}


def corners(family: str, sim: str) -> list[str]:
    """Words of the command of each corner on a simulator."""
    table = TABLES[family]
    rows = table.get(sim, {"corners": []})["corners"]
    return [f"{table['given']} {row}".format(**table.get("words", {})) for row in rows]


def cases(sim: str) -> list[Any]:
    """Each corner on a simulator, with its family."""
    found = []
    for family, table in TABLES.items():
        every_time = table.get(sim, {}).get("daily", 0)
        found += some([(family, words) for words in corners(family, sim)], every_time)
    return found


def rows(key: str) -> list[str]:
    """Words of a run of each family that has one."""
    return [f"{table['given']} VERBOSE=1 {table[key]}" for table in TABLES.values() if key in table]


@icarus
@pytest.mark.parametrize("case", cases("icarus"), ids=" ".join)
def test_corner_on_icarus(tb_cli: Cli, case: tuple[str, str]) -> None:
    family, words = case
    assert TABLES[family].get("says", "") in passes(tb_cli, words, "SIM=icarus")


@pytest.mark.parametrize("case", cases("verilator"), ids=" ".join)
def test_corner_on_verilator(tb_cli: Cli, case: tuple[str, str]) -> None:
    family, words = case
    assert TABLES[family].get("says", "") in passes(tb_cli, words)


@pytest.mark.parametrize("family", [name for name, table in TABLES.items() if "choices" in table])
def test_the_corners_reach_every_choice(family: str) -> None:
    tried = " ".join(corners(family, "icarus") + corners(family, "verilator")).split()
    assert set(tried) >= set(TABLES[family]["choices"].split())


def figures(text: str) -> list[str]:
    """What came of the traffic, and nothing of time or place."""
    found = re.findall(r"^ +(?:\w+: )?\d+(?: .*)?$", text, re.M)
    assert any("sent" in line for line in found)
    return found


@icarus
@pytest.mark.parametrize("words", rows("seed"))
def test_a_seed_decides_everything(tb_cli: Cli, words: str) -> None:
    first, again, other = (figures(passes(tb_cli, words, f"SEED={n}")) for n in (5, 5, 6))
    assert first == again != other


@pytest.mark.nightly
@pytest.mark.parametrize("words", rows("transport"))
def test_the_two_transports_see_the_same(tb_cli: Cli, words: str) -> None:
    seen = [figures(passes(tb_cli, words, f"TRANSPORT={name}")) for name in ("view", "vpi")]
    assert seen[0] == seen[1]
