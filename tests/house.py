"""The house in numbers: lines, lists and words; `python -m tests.house`.

    python -m tests.house            prints the table of targets
    python -m tests.house --tighten  lowers every budget in tests/house.toml to what is there now

Budgets and floors are data, in tests/house.toml.  tests/tb/test_house.py holds them.
"""

import ast
import inspect
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from fattree_bench.families import FAMILIES, NETWORKS
from fattree_bench.paths import MODELS, PACKAGE, ROOT
from tests.imports import (
    DATA,
    FILES,
    FLOORS,
    PATHS,
    PROVER,
    TABLE,
    TB,
    TREES,
    circles,
    floor,
    reached,
    room,
    without_family,
)

SLACK = 1.01


# ---- lists of variables of networks --------------------------------------------------------------

MANY = 4  # so many names of variables in one place are a list


def variables() -> set[str]:
    """Names of the variables of all networks."""
    return {p.name for network in NETWORKS.values() for p in network.parameters}


def variable_lists(tree: ast.AST, names: set[str]) -> Iterator[str]:
    """Places of a file that list variables of networks."""
    literals = (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Call)
    inner: set[int] = set()
    for node in ast.walk(tree):  # from the outside in
        if isinstance(node, literals) and id(node) not in inner:
            listed = {text for text in _texts(node, inner) if text in names}
            if len(listed) >= MANY:
                yield f"line {node.lineno}: {', '.join(sorted(listed))}"


def _texts(node: ast.AST, inner: set[int]) -> Iterator[str]:
    """Texts of a literal, and of literals that are unpacked into it."""
    for child in ast.iter_child_nodes(node):
        inside = child.value if isinstance(child, ast.Starred) else child
        if isinstance(inside, ast.Constant) and isinstance(inside.value, str):
            yield inside.value
        elif inside is not child or (isinstance(node, ast.Call) and isinstance(inside, ast.Dict)):
            inner.add(id(inside))
            yield from _texts(inside, inner)


def listed_variables() -> list[str]:
    """All such places outside families/."""
    names = variables()
    return [
        f"{module}, {place}"
        for module in filter(without_family, TREES)
        for place in variable_lists(TREES[module], names)
    ]


# ---- lines ---------------------------------------------------------------------------------------

SUFFIXES = (".py", ".v", ".vh", ".cpp", ".h", ".toml", ".j2", ".css", ".js", ".genlib", ".core")


def lines(*folders: Path) -> int:
    """Lines of the sources in folders; what a run left in a build folder is none."""
    found = (p for folder in folders for p in folder.rglob("*") if p.suffix in SUFFIXES)
    return count_lines(p for p in found if "build" not in p.relative_to(ROOT).parts)


def network_folders(family: str) -> list[Path]:
    """All folders of a family: in tb, models, rtl and tests."""
    places = (PACKAGE / "families", MODELS, ROOT / "rtl", *(ROOT / "tests").glob("*"))
    places += (ROOT / "tests" / "tb" / "families",)
    return [place / family for place in places if (place / family).is_dir()]


def engines() -> list[str]:
    """Rooms above the families: folders only."""
    above = {name for names in FLOORS[floor("families") + 1 :] for name in names}
    return sorted(name for name in above if (PACKAGE / name).is_dir())


def new_rooms() -> dict[str, list[Path]]:
    """Files of what was built after the table of targets: it keeps to budgets of its own."""
    found: dict[str, list[Path]] = {}
    for name, text in DATA["files"].items():
        for folder, _, names in (line.partition(": ") for line in text.split("\n") if line):
            found.setdefault(name, []).extend(ROOT / folder / one for one in names.split())
    return found


def older_lines(*folders: Path) -> int:
    """Lines of the sources in folders without those of new rooms."""
    newer = {p for paths in new_rooms().values() for p in paths}
    inside = [p for p in newer if any(p.is_relative_to(folder) for folder in folders)]
    return lines(*folders) - count_lines(inside)


def budgeted() -> dict[str, dict[str, int]]:
    """What has a budget of lines or of marked words, as it is now."""
    return {
        "networks": {family: older_lines(*network_folders(family)) for family in sorted(FAMILIES)},
        "engines": {name: older_lines(PACKAGE / name) for name in engines()},
        "rooms": {name: count_lines(paths) for name, paths in new_rooms().items()},
        "words": marked_words(),
    }


# ---- words ---------------------------------------------------------------------------------------

MARKED = re.compile(
    r"\b(nobody|told|anew|whoever|is no|of which|that of|goes on|beside)\b|, too\b", re.IGNORECASE
)
ANY = re.compile(r"^.*\bAny\b.*$", re.MULTILINE)  # a line where a type could stand


PYTHON = re.compile(  # a string or a comment
    r'"""(?:[^\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*"|' r"'(?:[^'\\\n]|\\.)*'|#[^\n]*", re.DOTALL
)


def prose(path: Path) -> str:
    """The text for people in a file: all of a Markdown file, strings and comments of code."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return re.sub(r"\{[^{}]*\}", "{}", "\n".join(PYTHON.findall(text)))
    return "\n".join(re.findall(r"//.*", text)) if path.suffix in (".v", ".vh") else text


@cache
def marked_words() -> dict[str, int]:
    """Marked words by room that has any: docstrings, messages, comments, Markdown."""
    return {
        name: count
        for name, paths in texts().items()
        if (count := sum(len(MARKED.findall(prose(path))) for path in paths))
    }


def texts() -> dict[str, list[Path]]:
    """Files with text for people, by room."""
    found: dict[str, list[Path]] = defaultdict(list)
    for module, path in PATHS.items():
        found[room(module)].append(path)
    found["docs"] = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
    found["rtl"] = [p for p in sorted((ROOT / "rtl").rglob("*")) if p.suffix in (".v", ".vh")]
    # This file and its test name the words.
    own = ("house.py", "test_house.py")
    found["tests"] = [p for p in sorted((ROOT / "tests").rglob("*.py")) if p.name not in own]
    return found


# ---- the table of targets ------------------------------------------------------------------------


@cache
def tracked(pattern: str) -> list[Path]:
    """Files of this name that git keeps; all that are there without git."""
    asked = ["git", "-C", str(ROOT), "ls-files", "-z", "--", pattern]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    if done.returncode:
        return [p for p in ROOT.rglob(pattern) if "build" not in p.parts]
    return [path for name in done.stdout.split("\0") if name and (path := ROOT / name).exists()]


def count_lines(paths: Iterable[Path]) -> int:
    return sum(p.read_text(encoding="utf-8").count("\n") for p in paths)


SAMPLE = "mft"  # the network by which the cost of one is measured


def sample_files() -> list[Path]:
    """Files of the sample network but RTL and proofs."""
    own = (p for folder in network_folders(SAMPLE) for p in folder.rglob("*") if p.is_file())
    kept = (p for p in own if p.suffix in SUFFIXES and not p.is_relative_to(ROOT / "rtl"))
    return [*(p for p in kept if "proof" not in p.name), ROOT / "docs" / f"{SAMPLE}.md"]


# What a program writes names a network without anybody's edit: blocks that `make docs` renews,
# and whole pages.
WRITTEN = re.compile(r"<!-- (variables|networks|models|shrunk)\b.*?<!-- /\1 -->", re.DOTALL)
PAGES = ("claims.md", "monitors.md")


def named_in() -> list[Path]:
    """Other files that name the sample network in what people write."""
    own = network_folders(SAMPLE)
    word = re.compile(rf"(?<![a-z]){SAMPLE}(?![a-z])", re.IGNORECASE)
    kept = [p for p in tracked("*") if p.suffix in (*SUFFIXES, ".md", ".yml", ".core")]
    others = (
        p
        for p in kept
        if p.name not in (TABLE.name, Path(__file__).name, *PAGES, f"{SAMPLE}{p.suffix}")
        and not any(p.is_relative_to(f) for f in own)
    )
    return [p for p in others if word.search(WRITTEN.sub("", p.read_text(encoding="utf-8")))]


def members(network: type) -> list[str]:
    """What a class of a network has, with its variables."""
    return [name for name in dir(network) if not name.startswith("_")]


def chain(network: type) -> list[type]:
    """The classes of this project that a network is made of."""
    return [kind for kind in inspect.getmro(network) if kind.__module__.startswith(TB)]


def hdl(pattern: str) -> list[Path]:
    return sorted((PACKAGE / "families").glob(f"*/**/{pattern}"))


# Display text is for people: a family that cuts it up decides by what was written for them.
CUTS = re.compile(
    r"\bre\.(match|fullmatch|search|findall|sub)\(|remove(prefix|suffix)\("
    r"|\bname\.replace\(|// derived"
)
READERS = ("show.py", "area.py", "network.py")


def cut_texts() -> int:
    """Places in families that take apart a displayed name, a message or Verilog source."""
    files = [p for name in READERS for p in (PACKAGE / "families").glob(f"*/{name}")]
    return sum(len(CUTS.findall(p.read_text(encoding="utf-8"))) for p in files)


def targets() -> dict[str, int]:
    """Each figure of the table, as it is now."""
    trees = {"tb": PACKAGE, "models": MODELS, "prover": PROVER}
    trees |= {name: ROOT / name for name in ("rtl", "tests")}
    kinds = list(NETWORKS.values())
    own_folders = ("turnback", "ruft", "benes")
    return {
        **{f"lines of {name}": older_lines(folder) for name, folder in trees.items()},
        "lines of SVG in git": count_lines(tracked("*.svg")),
        "lines of a network the size of MFT": count_lines(sample_files()),
        "files of a network the size of MFT": len(sample_files()),
        "other files that name MFT": len(named_in()),
        "members of a network's class, at most": max(len(members(kind)) for kind in kinds),
        "classes that a network's class derives from": max(len(chain(kind)) for kind in kinds) - 1,
        "of turnback, ruft, benes: without a folder": sum(x not in FAMILIES for x in own_folders),
        "bench tops by hand": len(hdl("*_bench.v")),
        "bare loops by hand": len(hdl("bare.cpp")),
        "circular imports": len(circles(FILES)),
        "engines without a floor of their own": len(
            set(engines()) - {x for f in FLOORS for x in f}
        ),
        "lists of network variables in engines": len(listed_variables()),
        "decisions by parsing display text": cut_texts(),
        "rooms that `ftb sim` imports": len(set(map(room, reached(f"{TB}.simulated")))),
        "Any in bench": sum(
            len(ANY.findall(p.read_text())) for p in (PACKAGE / "bench").rglob("*.py")
        ),
        "marked words": sum(marked_words().values()),
    }


def print_table() -> None:
    """The targets: at the audit, at most, now, goal."""
    print(f"{'':<46}{'audit':>8}{'budget':>8}{'now':>8}{'goal':>8}")
    for name, now in targets().items():
        row = DATA["targets"][name]
        done = "" if now > row["goal"] else "  reached"
        print(f"{name:<46}{row['audit']:>8}{row['budget']:>8}{now:>8}{row['goal']:>8}{done}")


# ---- the table of budgets ------------------------------------------------------------------------


def tightened(stated: Mapping[str, int], now: Mapping[str, int], slack: float) -> dict[str, int]:
    """Budgets as low as they can be; what is new gets one, what is gone loses it.

    What moved from one room to another may raise a budget; ValueError if their sum would rise.
    """
    most = {name: int(count * slack) for name, count in now.items()}
    found = {k: max(x, min(most[k], stated.get(k, most[k]))) for k, x in now.items()}
    before = sum(stated.values())
    if stated and sum(found.values()) > before and found.keys() <= stated.keys():
        raise ValueError(f"{sum(now.values())} in all, may have {before}")
    return found


def tighten() -> None:
    """Write the table again with budgets as low as they can be; exits if one would rise."""
    text = TABLE.read_text(encoding="utf-8")
    head, _, _ = text.partition("[networks]\n")
    for name, now in targets().items():
        row = DATA["targets"][name]
        slack = SLACK if name.startswith(("lines of ", "marked ")) else 1
        row["budget"] = min(row["budget"], max(now, int(now * slack)))
        figures = ", ".join(f"{key} = {count}" for key, count in row.items())
        head = re.sub(
            rf'^"{re.escape(name)}" = .*$', f'"{name}" = {{ {figures} }}', head, flags=re.M
        )
    for section, counts in budgeted().items():
        try:
            rows = tightened(DATA.get(section, {}), counts, SLACK)
        except ValueError as error:
            sys.exit(f"{section}: {error}")
        head += f"[{section}]\n" + "".join(f"{k} = {x}\n" for k, x in rows.items()) + "\n"
    TABLE.write_text(head.rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--tighten"]:
        tighten()
    elif sys.argv[1:]:
        sys.exit("usage: python -m tests.house [--tighten]")
    else:
        print_table()
