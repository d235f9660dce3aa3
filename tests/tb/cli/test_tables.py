"""A variable is declared in one place: tables of documents, and code, follow from there."""

import ast
import re
from pathlib import Path

import pytest

from fattree_bench.cli import groups, main, whole_tables
from fattree_bench.errors import UserError
from fattree_bench.families import NETWORKS
from fattree_bench.paths import PACKAGE, ROOT
from fattree_bench.settings import number, text, word
from fattree_bench.tables import of_models, of_networks, renew, renewed, table

DOCS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SWITCH = {
    "plain": (number("N", 4, 1, 8, "leaves"), word("KIND", "A", ("A", "B_A"), "which")),
    "other": (number("N", 2, 1, 8, "leaves"), text("MORE", "", "anything")),
}


@pytest.mark.parametrize("page", DOCS, ids=lambda page: page.name)
def test_documents_say_what_is_declared(page: Path) -> None:
    was = page.read_text()
    assert was == renewed(was, groups(), whole_tables()), "run: make docs"


def test_every_network_and_command_has_its_table() -> None:
    found = re.findall("<!-- variables of (.+?) -->", "".join(p.read_text() for p in DOCS))
    names = [name for block in found for name in block.split(", ")]
    assert len(names) == len(set(names))
    # coverage takes what regress takes; the tutorial tells in words what the other two take
    assert {*groups()} - {"make coverage", "make new", "make doctor"} == set(names)


def test_what_differs_is_written_anew(tmp_path: Path) -> None:
    page, other = tmp_path / "a.md", tmp_path / "b.md"
    page.write_text("before\n<!-- variables of plain -->\nold\n<!-- /variables -->\nafter\n")
    other.write_text("no table\n")
    assert renew([page, other], SWITCH) == [page]
    assert page.read_text() == (
        "before\n<!-- variables of plain -->\n"
        "| variable | default | means |\n|---|---|---|\n"
        "| `N` | `4` | leaves, 1 … 8 |\n| `KIND` | `A` | which: `A` or `B_A` |\n"
        "<!-- /variables -->\nafter\n"
    )
    assert renew([page, other], SWITCH) == []
    changed = {"plain": (SWITCH["plain"][0].but(default="8"), SWITCH["plain"][1])}
    assert renew([page, other], changed) == [page]


def test_a_family_has_a_page_or_shares_one(tmp_path: Path) -> None:
    (tmp_path / "own.md").write_text("")
    (tmp_path / "kin.md").write_text("<!-- variables of one, plain -->\n<!-- /variables -->")
    rows = {"own": ("An own one", ["own"]), "other": ("Another", ["plain", "more"])}
    lines = of_networks(tmp_path, rows).splitlines()
    assert lines[2:] == [
        "| [own](docs/own.md) | An own one | `own` |",
        "| [other](docs/kin.md) | Another | `plain`, `more` |",
    ]
    text = "<!-- networks -->\nold\n<!-- /networks -->"
    assert renewed(text, SWITCH, {"networks": "new\n"}) == text.replace("old", "new")


def test_a_package_is_told_by_its_first_line(tmp_path: Path) -> None:
    for name, told in {"tree": "Trees.\n\nMore.\n", "ring": "Rings: round."}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f'"""{told}"""\n')
    rows = [f"| `{tmp_path.name}.{x}` |" for x in ("ring", "tree")]
    assert of_models(tmp_path).splitlines()[2:] == [
        f"{rows[0]} Rings: round |",
        f"{rows[1]} Trees |",
    ]


def test_several_groups_in_one_table() -> None:
    """First what not all of them have; one row where only defaults differ."""
    assert table(SWITCH).splitlines()[2:] == [
        "| `KIND` (plain) | `A` | which: `A` or `B_A` |",
        "| `MORE` (other) |  | anything |",
        "| `N` | `4` (plain); `2` (other) | leaves, 1 … 8 |",
    ]


def test_words_that_a_row_has_no_room_for() -> None:
    words = tuple(f"A{i:03}" for i in range(40))
    lines = table({"x": (word("KIND", "A000", words, "which"),)}).splitlines()
    assert lines[2] == "| `KIND` | `A000` | which: see below |"
    assert " ".join(lines[4:]).startswith("`KIND`: `A000`, `A001`, ")
    assert max(map(len, lines)) <= 100
    assert table({"x": (text("K", "", "long " * 40),)}).count("see below") == 0


def test_a_table_of_nothing() -> None:
    with pytest.raises(UserError, match=r"^variables of nowhere: there is plain, other$"):
        renewed("<!-- variables of nowhere -->\n<!-- /variables -->", SWITCH)


def test_help_of_one_network(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "NETWORK=kary"]) == 0
    rows = [x for x in capsys.readouterr().out.splitlines()[3:] if not x.startswith("   ")]
    assert [x.split()[0] for x in rows] == [p.name for p in NETWORKS["kary"].parameters]


# ---- declared once -------------------------------------------------------------------------------

ONCE = ("STAGES", "VC_MODE", "CLIMB", "SCHEDULE", "DISCIPLINE", "UPPER_HALF", "REFINE", "TRANSPORT")


def mentions(source: str, name: str) -> list[int]:
    """Lines of code that name a variable; values that are chosen, as {"STAGES": "1"}, do not."""
    tree = ast.parse(source)
    chosen = {id(k) for d in ast.walk(tree) if isinstance(d, ast.Dict) for k in d.keys}
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and node.value == name and id(node) not in chosen
    ]


@pytest.mark.parametrize("name", ONCE)
def test_a_variable_passes_one_statement(name: str) -> None:
    """But for tables of area and proofs: they name parameters of Verilog modules."""
    folders = ("families", "bench", "sim")
    files = [path for folder in folders for path in (PACKAGE / folder).rglob("*.py")]
    files = [path for path in files if not path.stem.endswith(("area", "proofs"))]
    found = [f"{p.name}:{n}" for p in files for n in mentions(p.read_text(), name)]
    assert len(found) == 1, found


def test_a_second_mention_is_seen() -> None:
    again = 'stages = number("STAGES", 3)\nvalue["STAGES"]\nsmall = {"STAGES": "1"}\n'
    assert mentions(again, "STAGES") == [1, 2]
