"""What the documents say of the repository is so: links, paths, names, modules, widths of lines."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from fattree_bench.drawings import drawings
from fattree_bench.families import FAMILIES, NETWORKS
from fattree_bench.formal.catalogue import PROOFS
from fattree_bench.paths import ROOT

BLOCKS = sorted((ROOT / "rtl").rglob("README.md"))
DOCS = sorted([ROOT / "README.md", *BLOCKS, *(ROOT / "docs").glob("*.md")])
PAGES = pytest.mark.parametrize("page", DOCS, ids=lambda p: str(p.relative_to(ROOT)))
COLUMNS, TABLE_COLUMNS = 100, 160

# What only this machine has, and folders of earlier days, by expressions that find them.
GONE = (
    r"reference [a-z-]+\.md",
    r"shared/(reference|papers)",
    r"xgft_" + r"flit\.vh",
    r"(?<![\w/])tb/(networks|links|env|scenarios|sequences|run|hdl|testplan|coverage)\b",
    r"(?<![\w/])tb/(report|formal|area|mutate)\b",
    r"(?<![\w/])tests/(faults|sim|formal|area|mutate|cli|regress|report)\b(?!\.py)",  # folders
    r"(?<![\w/])models/(lbbvn|lbbvn_switch|leiserson|xgft|traffic|common)\b",
)
# A word in backticks that looks like a file or folder of the repository.
PATH = re.compile(
    r"`((?:rtl|models|tb|tests|docs|examples)(?:/[\w.*-]+)*/?|[\w-]+\.(?:md|toml|txt|vh))`"
)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[\w-]*)?\)")
DRAWN = [ROOT / "docs" / "drawings" / f"{d.name}.svg" for d in drawings()]  # by make docs
MADE = ("summary.md", "my_switch.toml")  # files that a run, or ftb new, writes
NAMES = {"FAMILY": FAMILIES, "LINK": ("slot", "serial", "flit")}  # stand for names


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def prose(page: str) -> Iterator[str]:
    """Lines outside indented blocks, which are code."""
    return (line for line in page.splitlines() if not line.startswith("    "))


def dangling(page: Path, words: str) -> list[str]:
    """Links and paths of the text that lead nowhere."""
    links = [x for x in LINK.findall(words) if "://" not in x]
    found = [x for x in links if not (page.parent / x).exists() and page.parent / x not in DRAWN]
    for path in PATH.findall(words):
        whole = [path]
        for name, values in NAMES.items():
            whole = [p.replace(name, value) for p in whole for value in values]
        hits = [hit for p in set(whole) for hit in files(p)]
        if not hits and path not in MADE:
            found.append(path)
    return found


def files(path: str) -> list[Path]:
    """Files of that path, or anywhere of that name if it is a name alone."""
    return list(ROOT.glob(path) if "/" in path or (ROOT / path).exists() else known(path))


def known(name: str) -> Iterator[Path]:
    for folder in ("rtl", "tb", "docs", "models", "prover"):
        yield from (ROOT / folder).rglob(name)


def too_wide(page: str) -> list[str]:
    """Lines that are wider than their kind may be."""
    return [
        line
        for line in prose(page)
        if len(line) > (TABLE_COLUMNS if line.lstrip().startswith("|") else COLUMNS)
    ]


@PAGES
def test_links_and_paths_exist(page: Path) -> None:
    assert dangling(page, text(page)) == []


@PAGES
def test_lines_are_not_too_wide(page: Path) -> None:
    assert too_wide(text(page)) == []


def test_what_is_wrong_with_a_document_is_seen() -> None:
    page = ROOT / "docs" / "adding.md"
    words = "[a](regress.md#coverage) [b](none.md) `tb/networks/` `rtl/*/arbiter.v` `tb/none.py`"
    words += " `none.vh` `checks.vh` `testplan.toml` `tb/fattree_bench/families/FAMILY/network.py`"
    assert dangling(page, words) == ["none.md", "tb/networks/", "tb/none.py", "none.vh"]
    wide = ["x" * 101, "| " + "x" * 159]
    assert too_wide("\n".join(["x" * 100, *wide, "    " + "x" * 200, "|" + "x" * 159])) == wide
    for name in ("reference xgft.md", "../shared/reference/claims.md", "tb/env/flit", "tests/sim"):
        assert any(re.search(gone, name) for gone in GONE), name
    for name in ("tests/models/lbbvn", "models/fattree_models/lbbvn", "tests/tb/formal"):
        assert not any(re.search(gone, name) for gone in GONE), name


def test_readme_fits_on_two_screens() -> None:
    assert len(text(ROOT / "README.md").splitlines()) <= 100


def test_readme_has_a_row_for_every_family() -> None:
    page = text(ROOT / "README.md")
    rows = re.findall(r"^\| \[(\w+)\]\(docs/\w+\.md\) .*$", page, re.M)
    assert sorted(rows) == sorted(FAMILIES)
    for network in NETWORKS:
        assert re.search(rf"^\| \[.*`{network}`", page, re.M), network


def kept() -> list[Path]:
    """Files that git keeps, or would: not a build next to a design of the tests."""
    output = ("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "*.*")
    names = subprocess.run(output, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in names.split("\0") if name]


def test_every_picture_stands_on_a_page() -> None:
    """A picture that was looked at and left behind does not belong to the project."""
    pictures = {path for path in kept() if path.suffix in {".png", ".svg"} and path.is_file()}
    pages = "".join(text(path) for path in kept() if path.suffix == ".md" and path.is_file())
    assert pictures and [path for path in pictures if f"{path.name})" not in pages] == []


def test_nothing_cites_what_is_not_here() -> None:
    """No file of the repository but this one."""
    gone = re.compile("|".join(f"(?:{name})" for name in GONE))
    found = []
    for path in kept():
        if path.is_file() and path != Path(__file__).resolve():
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
            found += [f"{path.relative_to(ROOT)}: {line}" for line in lines if gone.search(line)]
    assert found == []


def test_table_of_blocks_has_every_module_and_its_users() -> None:
    rows = {}
    for line in "".join(map(text, BLOCKS)).splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if re.fullmatch(r"`\w+`", cells[0] if cells else ""):
            rows[cells[0].strip("`")] = cells
    modules = {path.stem: text(path) for path in (ROOT / "rtl").rglob("*.v")}
    shared = text(ROOT / "rtl" / "wormhole" / "wormhole_params.vh")
    assert set(rows) == set(modules)
    tops = {proof.top for proof in PROOFS.values()}
    for name, (_, _, parameters, proved, used) in rows.items():
        users = {
            m for m, code in modules.items() if re.search(rf"^\s*{name} +(?:#?\(|u_)", code, re.M)
        }
        output = set(re.findall(r"`(\w+)`", used)) & set(modules)
        assert output <= users and bool(users) == (used != "-"), name
        assert proved == "simulation" or proved.strip("`") in tops, name
        for parameter in re.findall(r"`([A-Z_]+)`", parameters.partition("(")[0]):
            code = modules[name] + shared * ("wormhole_params.vh" in modules[name])
            assert re.search(rf"parameter .*\b{parameter}\b", code), (name, parameter)
