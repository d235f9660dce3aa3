"""The house: what imports what, who may know a family, and budgets that only fall.

`python -m tests.house` prints the table of targets; `--tighten` lowers the budgets.
"""

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from fattree_bench.extras import APART
from fattree_bench.families import FAMILIES, NETWORKS
from fattree_bench.paths import ROOT
from tests import house, imports
from tests.imports import DATA, FILES, MODEL, STATED, TB, TREES, circles, floor, rooms

NAMES = "|".join(map(re.escape, {*FAMILIES, *NETWORKS} - {"graph"}))  # which is also a plain word
# In modules such as xgft_switch as well.
WORDS = re.compile(f"(?<![a-z])({NAMES})(?![a-z])|^graph$|=graph", re.IGNORECASE)


def docstrings(tree: ast.AST) -> set[int]:
    """Ids of the constants that are docstrings."""
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    bodies = (node.body for node in ast.walk(tree) if isinstance(node, owners) and node.body)
    return {id(body[0].value) for body in bodies if isinstance(body[0], ast.Expr)}


def named(tree: ast.AST) -> Iterator[str]:
    """Texts of a file in which a family or network is named."""
    documented = docstrings(tree)
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant))
    for node in constants:
        if isinstance(node.value, str) and id(node) not in documented and WORDS.search(node.value):
            yield f"line {node.lineno}: {node.value!r}"


# ---- planted faults: every check has failed ------------------------------------------------------


def test_circles_are_detected() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}
    assert circles(graph) == [{"b", "c"}]


def test_what_is_imported_indirectly_counts() -> None:
    assert imports.reached("a", {"a": {"b"}, "b": {"c", "a"}, "d": {"a"}}) == {"a", "b", "c"}


def test_imports_are_detected_in_any_place() -> None:
    text = "if TYPE_CHECKING:\n from p import q\ndef f():\n import p.r\nfrom p import name\n"
    assert set(imports.imports(ast.parse(text), dict.fromkeys(("p", "p.q", "p.r"), Path()))) == {
        *("p", "p.q", "p.r")
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import_module('p.q')", {"p.q"}),
        ("__import__('p.r.s')", {"p.r.s"}),
        ("names = ['p.q', 'p.r.s']\nimportlib.import_module(names[0])", {"p.q", "p.r.s"}),
        ("import_module(f'p.{x}')", {"p.q", "p.r.s"}),
        ("import_module(f'p.{x}.s')", {"p.r.s"}),
        ("import_module(f'{__name__}.{x}')", set()),  # what lies below the package itself
        ("print('p.q')", set()),
    ],
)
def test_imports_by_string_are_detected(text: str, expected: set[str]) -> None:
    assert set(imports.imports_by_name(ast.parse(text), ("p", "p.q", "p.r.s"))) == expected


def test_names_of_families_are_detected() -> None:
    """In a text, formatted or not; a docstring may tell of a family, for nothing reads it."""
    texts = named(ast.parse("f(f'kary {n}', 'NETWORK=xgft', 'lbbvn_node')"))
    assert sorted(texts) == [
        f"line 1: {text!r}" for text in ("NETWORK=xgft", "kary ", "lbbvn_node")
    ]
    assert not [*named(ast.parse('"""Of xgft."""\nx = "summary"'))]
    assert imports.family_of(f"{MODEL}.xgft.graph") == imports.family_of(f"{TB}.families.xgft")
    assert imports.family_of(f"{MODEL}.xgft.graph") == "xgft"
    assert not imports.family_of(f"{TB}.families.proof")


@pytest.mark.parametrize(
    ("text", "many"),
    [
        ("x = ('N', 'M', 'VCS', 'DEPTH')", True),
        ("x = (*('N', 'M'), *('VCS', 'DEPTH'))", True),
        ("x = {'N': 1, 'M': 2, 'VCS': 3, 'DEPTH': 4}", True),
        ("frozenset({'N', 'M', 'VCS', 'DEPTH'})", True),
        ("x = ('N', 'M', 'VCS', 'other', 'words')", False),
    ],
)
def test_lists_of_variables_are_detected(text: str, many: bool) -> None:
    assert {"N", "M", "VCS", "DEPTH"} <= house.variables()
    assert len([*house.variable_lists(ast.parse(text), house.variables())]) == many


@pytest.mark.parametrize(("text", "count"), [("is told, too", 2), ("no bodyguard", 0)])
def test_marked_words_are_counted(text: str, count: int) -> None:
    assert len(house.MARKED.findall(text)) == count


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("a.py", '"""Nobody."""\ntold = f"told {told}"  # anew\n', 3),
        ("a.v", "wire told; // nobody\n", 1),
        ("a.md", "Nobody is told\n", 2),
    ],
)
def test_only_text_for_people_counts(name: str, text: str, count: int, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert len(house.MARKED.findall(house.prose(path))) == count


def test_lines_with_any_are_counted() -> None:
    assert len(house.ANY.findall("import Any\nx: Any = Any\n\nAnyOf\n")) == 2


def test_budgets_only_fall_when_they_are_tightened() -> None:
    """A room may get what another lost; what is new gets its own, and what is gone loses it."""
    stated = {"a": 1000, "b": 1000}
    assert house.tightened(stated, {"a": 900, "b": 1000}, 1.01) == {"a": 909, "b": 1000}
    assert house.tightened(stated, {"a": 900, "b": 1050}, 1.01) == {"a": 909, "b": 1050}
    assert house.tightened(stated, {"a": 900, "new": 2000}, 1.01) == {"a": 909, "new": 2020}
    with pytest.raises(ValueError, match="2001 in all, may have 2000"):
        house.tightened(stated, {"a": 1000, "b": 1001}, 1.0)
    assert raised(stated, {"a": 1001, "new": 7}) == ["a from 1000 to 1001"]


# ---- the house -----------------------------------------------------------------------------------


def test_no_circle_of_files() -> None:
    assert len(circles(FILES)) <= DATA["targets"]["circular imports"]["budget"], circles(FILES)
    assert circles(STATED) == []


def test_no_circle_of_rooms() -> None:
    assert circles(rooms()) == []


@pytest.mark.parametrize("name", sorted(rooms()))
def test_imports_run_one_way(name: str) -> None:
    """Each room imports only from floors below its own; engines do not know each other."""
    up = {other for other in rooms()[name] if floor(other) >= floor(name)}
    assert not up, f"{name} imports {up}"


def test_every_floor_is_of_rooms_that_exist() -> None:
    stated = [name for names in imports.FLOORS for name in names]
    assert sorted(stated) == sorted(rooms())


def test_only_families_know_families() -> None:
    """No engine, link or report imports a family or its models, or has its name in a text."""
    wrong = []
    for module in filter(imports.without_family, FILES):
        known = filter(imports.family_of, STATED[module])
        wrong += [f"{module} imports {other}" for other in known]
        wrong += [f"{module}, {text}" for text in named(TREES[module])]
    assert not wrong, "\n".join(wrong)


def test_no_engine_lists_variables_of_networks() -> None:
    """What is special about a variable is stated where it is declared (settings.Variable)."""
    assert not house.listed_variables()


# ---- budgets -------------------------------------------------------------------------------------

VERSIONS = 50  # of the table that budgets are compared with
TIGHTEN = "python -m tests.house --tighten"


def test_budgets_are_kept() -> None:
    over = []
    for section, figures in house.budgeted().items():
        stated = DATA[section]
        over += [f"{section}: {name}: {TIGHTEN}" for name in stated.keys() ^ figures.keys()]
        over += [
            f"{section}: {name} has {count}, may have {stated[name]}"
            for name, count in figures.items()
            if count > stated.get(name, count)
        ]
    assert not over, "\n".join(over)


def test_targets_are_kept() -> None:
    """Each figure of the table may only improve."""
    now, table = house.targets(), DATA["targets"]
    assert now.keys() == table.keys()
    assert not raised({name: row["budget"] for name, row in table.items()}, now)


def raised(before: Mapping[str, int], after: Mapping[str, int]) -> list[str]:
    """Budgets that are higher than before; new ones are free."""
    return [f"{k} from {before[k]} to {x}" for k, x in after.items() if x > before.get(k, x)]


def versions() -> list[dict[str, Any]]:
    """The table of each commit that changed it, as far back as git has it here."""
    path = str(imports.TABLE.relative_to(ROOT))

    def git(*words: str) -> str:
        command = ["git", "-C", str(ROOT), *words]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    commits = git("log", f"--max-count={VERSIONS}", "--format=%H", "--", path).split()
    return [tomllib.loads(git("show", f"{commit}:{path}")) for commit in commits]


def raises(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Budgets that rose; what moves from one room to another may raise a single one."""
    old, new = ({k: x["budget"] for k, x in t["targets"].items()} for t in (before, after))
    found = raised(old, new)
    for section in ("networks", "engines", "rooms", "words"):
        was, now = before.get(section, {}), after[section]  # rooms came later
        if sum(now.values()) > sum(was.values()) and not now.keys() - was.keys():
            found += raised(was, now)
    return found


def test_a_budget_that_rose_is_named() -> None:
    rows: dict[str, Any] = {
        "targets": {"t": {"budget": 5}},
        "engines": {},
        "rooms": {},
        "words": {},
    }
    before, after = {**rows, "networks": {"a": 7, "b": 7}}, {**rows, "networks": {"a": 8, "b": 6}}
    assert raises(before, after) == []
    assert raises(before, {**after, "targets": {"t": {"budget": 6}}}) == ["t from 5 to 6"]
    assert raises(before, {**after, "networks": {"a": 8, "b": 7}}) == ["a from 7 to 8"]


def test_no_budget_was_raised() -> None:
    """None is higher than any commit has had it, not only the last one."""
    if not (before := versions()):
        pytest.skip("no history")
    assert [text for version in before for text in raises(version, DATA)] == []


def test_new_rooms_are_new() -> None:
    """What stood there before counts as it did, wherever it moves."""
    since = DATA["new_since"]

    def known(what: str) -> bool:
        asked = ["git", "-C", str(ROOT), "cat-file", "-e", what]
        return subprocess.run(asked, capture_output=True, check=False).returncode == 0

    if not known(since):
        pytest.skip("no history")
    assert known(f"{since}:tests/house.py")
    paths = [str(p.relative_to(ROOT)) for paths in house.new_rooms().values() for p in paths]
    assert [path for path in paths if known(f"{since}:{path}")] == []


# ---- packages ------------------------------------------------------------------------------------


def imported(tree: ast.AST) -> Iterator[str]:
    """Packages that a file imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


def test_lint_needs_no_package_of_the_farm_or_the_evidence() -> None:
    """In a fresh clone mypy meets imports of packages that are not there."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    stated = project["project"]["optional-dependencies"]
    extra = {re.split("[^\\w-]", x.lower())[0] for name in APART for x in stated[name]}
    homes = packages_distributions()
    found = {name for tree in TREES.values() for name in imported(tree)}
    extras = {name for name in found if extra & {x.lower() for x in (name, *homes.get(name, ()))}}
    assert extras >= {"bitwuzla", "cryptography", "distributed"}  # else they are not installed
    (rule,) = project["tool"]["mypy"]["overrides"]
    assert extras <= {name.removesuffix(".*") for name in rule["module"]}
