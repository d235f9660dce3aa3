"""The house: what imports what, and who may know a family.  `pytest -s` prints the figures."""

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from fattree_bench.families import FAMILIES, NETWORKS
from fattree_bench.paths import MODELS, PACKAGE, ROOT

TB, MODEL = PACKAGE.name, MODELS.name
BELOW = ("errors", "paths", "settings")
# Who may import whom, beside itself: rooms (top folders and files of tb), from the ground up.
FLOORS = (
    *(MODEL, *BELOW, "words", "papers", "bench", "report"),
    *("families", "engines", "cli", "__main__"),
)
NAMES = "|".join(map(re.escape, {*FAMILIES, *NETWORKS}))
WORDS = re.compile(
    f"(?<![a-z])({NAMES})(?![a-z])", re.IGNORECASE
)  # modules such as xgft_switch, too

Graph = Mapping[str, set[str]]


def modules() -> dict[str, Path]:
    """Every module of both packages, by its name."""
    found = {}
    for folder in (PACKAGE, MODELS):
        for path in sorted(folder.rglob("*.py")):
            parts = (folder.name, *path.relative_to(folder).with_suffix("").parts)
            found[".".join(parts).removesuffix(".__init__")] = path
    return found


def imports(tree: ast.AST, known: Mapping[str, Path]) -> Iterator[str]:
    """Modules of ours that a file imports, wherever: in functions and for type hints, too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in known else node.module


PATHS = modules()
TREES = {name: ast.parse(path.read_text()) for name, path in PATHS.items()}
FILES = {name: set(imports(tree, PATHS)) for name, tree in TREES.items()}


def circles(graph: Graph) -> list[set[str]]:
    """Sets of nodes of which each leads to each other (Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[set[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            cut = stack.index(node)
            if len(stack) - cut > 1:
                found.append(set(stack[cut:]))
            del stack[cut:]

    for node in graph:
        if node not in index:
            visit(node)
    return found


def room(module: str) -> str:
    """The top folder, or file, of tb that a module is in; all models are one."""
    package, *rest = module.split(".")
    return MODEL if package == MODEL else rest[0] if rest else package


def rooms() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for module, others in FILES.items():
        found[room(module)] |= {room(other) for other in others} - {room(module)}
    return found


def floor(name: str) -> int:
    return FLOORS.index(name if name in FLOORS else "engines")


def family_of(module: str) -> str:
    """The family whose folder, in tb or in models, a module is in; or ""."""
    words = module.removeprefix(f"{TB}.families.").removeprefix(f"{MODEL}.").split(".")
    own = module.startswith((f"{TB}.families.", f"{MODEL}."))
    return words[0] if own and words[0] in FAMILIES else ""


def docstrings(tree: ast.AST) -> set[int]:
    """Ids of the constants that are docstrings."""
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    bodies = (node.body for node in ast.walk(tree) if isinstance(node, owners) and node.body)
    return {id(body[0].value) for body in bodies if isinstance(body[0], ast.Expr)}


def named(tree: ast.AST) -> Iterator[str]:
    """Texts of a file in which a family or network is named."""
    told = docstrings(tree)
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant))
    for node in constants:
        if isinstance(node.value, str) and id(node) not in told and WORDS.search(node.value):
            yield f"line {node.lineno}: {node.value!r}"


def without_family(module: str) -> bool:
    """Whether a module must know no family: all of tb but the families and their finder."""
    return module.startswith(f"{TB}.") and room(module) != "families"


# ---- that the checks see what they are for -------------------------------------------------------


def test_circles_are_seen() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}
    assert circles(graph) == [{"b", "c"}]


def test_imports_are_seen_wherever_they_stand() -> None:
    text = "if TYPE_CHECKING:\n from p import q\ndef f():\n import p.r\nfrom p import name\n"
    assert set(imports(ast.parse(text), dict.fromkeys(("p", "p.q", "p.r"), Path()))) == {
        *("p", "p.q", "p.r")
    }


def test_names_of_families_are_seen() -> None:
    """In a text, formatted or not; a docstring may tell of a family, for nothing reads it."""
    found = named(ast.parse("f(f'kary {n}', 'NETWORK=xgft', 'lbbvn_node')"))
    assert sorted(found) == [
        f"line 1: {text!r}" for text in ("NETWORK=xgft", "kary ", "lbbvn_node")
    ]
    assert not [*named(ast.parse('"""Of xgft."""\nx = "summary"'))]
    assert family_of(f"{MODEL}.xgft.graph") == family_of(f"{TB}.families.xgft") == "xgft"
    assert not family_of(f"{TB}.families.family")


# ---- the house -----------------------------------------------------------------------------------


def test_no_circle_of_files() -> None:
    assert circles(FILES) == []


def test_no_circle_of_rooms() -> None:
    assert circles(rooms()) == []


@pytest.mark.parametrize("name", sorted(rooms()))
def test_imports_run_one_way(name: str) -> None:
    up = {other for other in rooms()[name] if floor(other) > floor(name)}
    assert not up, f"{name} imports {up}"


def test_only_families_know_families() -> None:
    """No engine, link or report imports a family or its models, or has its name in a text."""
    wrong = []
    for module in filter(without_family, FILES):
        wrong += [f"{module} imports {other}" for other in FILES[module] if family_of(other)]
        wrong += [f"{module}, {text}" for text in named(TREES[module])]
    assert not wrong, "\n".join(wrong)


# ---- its figures, for who asks with -s -----------------------------------------------------------

SUFFIXES = (".py", ".v", ".vh", ".cpp", ".h", ".toml", ".j2", ".css", ".js", ".genlib")


def lines(folder: str) -> int:
    """Lines of the sources in a folder."""
    found = (p for p in (ROOT / folder).rglob("*") if p.suffix in SUFFIXES)
    return sum(p.read_text(encoding="utf-8").count("\n") for p in found)


def statements(variable: str) -> int:
    """Places in tb's Python where a variable of the command line is named as such."""
    nodes = (n for m, t in TREES.items() if m.startswith(TB) for n in ast.walk(t))
    return sum(isinstance(n, ast.Constant) and n.value == variable for n in nodes)


def test_figures() -> None:
    sizes = {folder: lines(folder) for folder in ("rtl", "models", "tb", "tests")}
    outside = {
        module.split(".")[1]
        for module in filter(without_family, FILES)
        if [*named(TREES[module]), *filter(family_of, FILES[module])]
    }
    figures = {
        "circles of files": len(circles(FILES)),
        "circles of rooms": len(circles(rooms())),
        "rooms outside families/ that know a family": len(outside),
        "places that name STAGES": statements("STAGES"),
        "lines outside tests": sum(sizes.values()) - sizes["tests"],
        **{f"lines of {folder}": count for folder, count in sizes.items()},
    }
    print()
    for name, figure in figures.items():
        print(f"{name:<45} {figure:>7}")
    assert all(sizes.values())


def imported(tree: ast.AST) -> Iterator[str]:
    """Packages that a file imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


def test_lint_needs_no_package_of_the_farm_or_the_evidence() -> None:
    """In a fresh clone mypy meets imports of packages that are not there."""
    pins = "".join((ROOT / f"requirements-{x}.txt").read_text() for x in ("farm", "evidence"))
    extra = {name.lower() for name in re.findall(r"^([\w-]+)==", pins, re.M)}
    homes = packages_distributions()
    found = {name for tree in TREES.values() for name in imported(tree)}
    extras = {name for name in found if extra & {x.lower() for x in (name, *homes.get(name, ()))}}
    assert extras >= {"bitwuzla", "cryptography", "distributed"}  # else they are not installed
    (rule,) = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["overrides"]
    assert extras <= {name.removesuffix(".*") for name in rule["module"]}
