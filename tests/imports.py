"""What imports what: files, rooms and the floors on which they stand."""

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from fattree_bench.families import FAMILIES
from fattree_bench.paths import MODELS, PACKAGE, ROOT

PROVER = ROOT / "prover" / "fattree_prover"
TB, MODEL = PACKAGE.name, MODELS.name
APART = (MODEL, PROVER.name)  # packages that are one room each
TABLE = ROOT / "tests" / "house.toml"
DATA = tomllib.loads(TABLE.read_text(encoding="utf-8"))
FLOORS: list[list[str]] = DATA["floors"]

Graph = Mapping[str, set[str]]


def modules() -> dict[str, Path]:
    """Every module of the packages, by its name."""
    return {
        ".".join((folder.name, *path.relative_to(folder).with_suffix("").parts)).removesuffix(
            ".__init__"
        ): path
        for folder in (PACKAGE, MODELS, PROVER)
        for path in sorted(folder.rglob("*.py"))
    }


def imports(tree: ast.AST, known: Mapping[str, Path]) -> Iterator[str]:
    """Modules of ours that a file's statements import, also in functions and for type hints."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in known else node.module


def imports_by_name(tree: ast.AST, known: Iterable[str]) -> Iterator[str]:
    """Modules of ours that a file imports by a string.

    In a file that calls `import_module` or `__import__`, each string that is the name of a module
    counts, for it may come from a table.  An f-string that begins with a name stands for every
    module that fits; one that begins with `{__name__}` looks for what lies below its own package.
    """
    dotted = [name for name in known if "." in name]
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _imports(node)]
    if calls:
        texts = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)}
        yield from texts.intersection(dotted)
    for text in (call.args[0] for call in calls):
        if isinstance(text, ast.JoinedStr) and isinstance(text.values[0], ast.Constant):
            pattern = re.compile("".join(map(_pattern, text.values)))
            yield from filter(pattern.fullmatch, dotted)


def _imports(call: ast.Call) -> bool:
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    return name in ("import_module", "__import__") and bool(call.args)


def _pattern(part: ast.expr) -> str:
    return re.escape(str(part.value)) if isinstance(part, ast.Constant) else "[a-z][a-z_.]*"


PATHS = modules()
TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in PATHS.items()}
STATED = {name: set(imports(tree, PATHS)) for name, tree in TREES.items()}
FILES = {
    name: STATED[name] | {x for x in imports_by_name(tree, PATHS) if not x.startswith(f"{name}.")}
    if "import_module" in (text := PATHS[name].read_text(encoding="utf-8")) or "__import__" in text
    else STATED[name]
    for name, tree in TREES.items()
}


def circles(graph: Graph) -> list[set[str]]:
    """Sets of nodes that all lead to each other (Tarjan)."""
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
    """The top folder, or file, of tb that a module is in; another package is one."""
    package, *rest = module.split(".")
    return rest[0] if rest and package not in APART else package


def rooms(files: Graph = FILES) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for module, others in files.items():
        found[room(module)] |= {room(other) for other in others} - {room(module)}
    return found


def floor(name: str) -> int:
    """From the ground up; ValueError for a room without one."""
    for number, names in enumerate(FLOORS):
        if name in names:
            return number
    raise ValueError(f"{name}: state its floor in {TABLE.relative_to(ROOT)}")


def family_of(module: str) -> str:
    """The family whose folder, in tb or in models, a module is in; or ""."""
    words = module.removeprefix(f"{TB}.families.").removeprefix(f"{MODEL}.").split(".")
    own = module.startswith((f"{TB}.families.", f"{MODEL}."))
    return words[0] if own and words[0] in FAMILIES else ""


def without_family(module: str) -> bool:
    """Whether a module must know no family: all of tb but the families and their finder."""
    return module.startswith(f"{TB}.") and room(module) != "families"


def reached(start: str, graph: Graph = FILES) -> set[str]:
    """A module, and all that it imports, directly or not."""
    found, unread = {start}, [start]
    while unread:
        new = graph.get(unread.pop(), set()) - found
        found |= new
        unread += new
    return found
