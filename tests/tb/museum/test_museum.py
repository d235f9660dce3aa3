"""The museum: each exhibit is broken as its page says, named, shrunk and refuted; whole it passes.

docs/museum.md has a section each, with commands and what they print: here they run.
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from fattree_bench.paths import ROOT
from tests.cli import Cli, passes
from tests.tb.faults.faulty import KINDS

pytestmark = pytest.mark.usefixtures("icarus")

PAGE = ROOT / "docs" / "museum.md"
SCRIPT = ROOT / "examples" / "museum" / "exhibit.py"
WAVE = SCRIPT.with_name("wave.py")
TABLE = tomllib.loads(SCRIPT.with_name("museum.toml").read_text(encoding="utf-8"))
MOST = 3  # packets that are left
DAILY = ("swallowed", "two_protocols", "flap", "next_entry")  # one of a link each
NAMES = [x if x in DAILY else pytest.param(x, marks=pytest.mark.nightly) for x in TABLE]


def section(name: str) -> str:
    """What the page says of an exhibit, each command on a line."""
    (text,) = re.findall(
        rf"^## {re.escape(TABLE[name]['title'])}\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.M | re.S
    )
    return str(text).replace(" \\\n      ", " ")


def shown(name: str) -> list[tuple[str, list[str]]]:
    """The commands of an exhibit's section, each with the lines below it."""
    blocks = re.findall(r"^    \$ (.+)\n((?:    (?!\$).*\n)*)", section(name), re.M)
    return [(command, [x[4:] for x in below.splitlines()]) for command, below in blocks]


def check_printed(lines: list[str], output: str) -> None:
    """Lines of the page come in what a run prints, in their order, however that is wrapped."""
    at, words = 0, f" {' '.join(output.split())} "
    for line in (x for x in lines if x != "…"):
        text = re.escape(" ".join(line.removesuffix("…").split()))
        found = re.compile(f" {text}" + ("" if line.endswith("…") else "(?= )")).search(words, at)
        assert found, f"{line!r} is not printed:\n{output}"
        at = found.end()


def broken(name: str, folder: Path) -> str:
    """What is printed as an exhibit is put into a folder."""
    done = subprocess.run(
        [sys.executable, SCRIPT, name, folder], capture_output=True, text=True, check=True
    )
    return done.stdout


def ran(name: str, verb: str, tb_cli: Cli, folder: Path, sim: str = "icarus") -> tuple[str, str]:
    """What a command of the page prints, which must fail; and the one that plays it whole."""
    changed = broken(name, folder / name)
    (first, diff), *others = shown(name)
    assert first == f"python3 examples/museum/exhibit.py {name}"
    check_printed(diff, changed)
    *lines, plays, whole = changed.splitlines()
    assert len(lines) == len(diff)
    ((command, printed),) = (x for x in others if x[0].startswith(f"make {verb} "))
    if verb == "sim":
        assert command == plays.replace(str(folder), "build/museum")
    words = command.replace(f"build/museum/{name}", str(folder / name)).replace("icarus", sim)
    done = tb_cli(verb, *words.split()[2:], f"BUILD={folder / 'build'}")
    assert done.returncode == 1, done.stdout + done.stderr
    if sim == "icarus":
        check_printed(printed, done.stdout)
    return done.stdout, whole


def check_named(name: str, output: str) -> None:
    """As the faults that the table says, or as its rule."""
    said, named = dict(re.findall(r"^  (\w+): (\d+)$", output, re.M)), TABLE[name]["named"]
    if set(named.split()) <= KINDS:
        assert set(named.split()) <= set(said), output
    else:
        assert f": {named}" in " ".join(output.split()), output


@pytest.mark.parametrize("name", NAMES)
def test_it_is_named_and_passes_when_whole(name: str, tb_cli: Cli, tmp_path: Path) -> None:
    output, whole = ran(name, "sim", tb_cli, tmp_path)
    check_named(name, output)
    passes(tb_cli, *whole.split()[3:], f"BUILD={tmp_path / 'build'}")


@pytest.mark.nightly
@pytest.mark.parametrize("name", TABLE)
def test_verilator_names_it(name: str, tb_cli: Cli, tmp_path: Path) -> None:
    check_named(name, ran(name, "sim", tb_cli, tmp_path, sim="verilator")[0])


@pytest.mark.nightly
@pytest.mark.parametrize("name", [x for x, row in TABLE.items() if "packets" in row])
def test_it_shrinks_to_few_packets(name: str, tb_cli: Cli, tmp_path: Path) -> None:
    output, _ = ran(name, "shrink", tb_cli, tmp_path)
    found = re.search(r"^(\d+) messages?, ", output, re.M)
    assert found, output
    assert int(found[1]) == TABLE[name]["packets"] <= MOST, output


@pytest.mark.nightly
@pytest.mark.parametrize("name", [x for x, row in TABLE.items() if "rule" in row])
def test_its_rule_is_refuted(name: str, tb_cli: Cli, tmp_path: Path) -> None:
    rule = TABLE[name]["rule"]
    output, whole = ran(name, "prove", tb_cli, tmp_path)
    found = re.search(rf"^FAIL {rule} .*: refuted, (\d+) clocks$", output, re.M)
    assert found, output
    ((_, *words),) = (x.split()[2:] for x, _ in shown(name) if x.startswith("make prove "))
    more = (f"CLOCKS={found[1]}", "BUDGET=200", f"BUILD={tmp_path / 'whole'}")
    done = tb_cli("prove", whole.split()[3], *words, *more)
    assert done.returncode in (0, 3), done.stdout + done.stderr  # nor is it a mistake
    for wave in re.findall(rf"^    \S+ examples/museum/{WAVE.name} (.*)$", section(name), re.M):
        words = wave.replace(f"build/museum/{name}", f"{tmp_path}/build").split()
        subprocess.run([sys.executable, WAVE, *words], check=True)


def test_a_wave_has_a_column_a_clock(tmp_path: Path) -> None:
    head = "$scope module t $end $var wire 1 ! clk $end $var reg 4 # a [3:0] $end $upscope $end\n"
    text = "#0\n0!\nbx #\n#1\n1!\n#2\n0!\nb110 #\n#3\n1!\n#4\nb1 #\n"
    (tmp_path / "x.vcd").write_text(f"{head}$enddefinitions $end\n{text}")
    words = [sys.executable, WAVE, tmp_path, "a", "a:1", "a:3"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout == "clock 0 1 2\na     x 6 1\na[1]  x 1 0\na[3]  x 0 0\n"


def test_the_page_has_all_and_a_line_that_is_not_printed_fails() -> None:
    titles = re.findall(r"^## (.*)$", PAGE.read_text(), re.M)
    assert titles == [row["title"] for row in TABLE.values()]
    for row in TABLE.values():
        kinds = set(row["named"].split()) <= KINDS
        named = row["named"].replace(" ", ", ") if kinds else row["named"]
        start = f"| {row['title']} | {named} | {row.get('packets', '–')} | {row.get('rule', '–')}"
        assert start in PAGE.read_text()
    check_printed(["a", "…", "b c", "cd…"], "a\n  b\nc cde\n")
    for lines in (["b", "a"], ["ab…", "cd"], ["d"], ["a", "a"]):
        with pytest.raises(AssertionError, match="is not printed"):
            check_printed(lines, "a\nb\ncde\n")


MISTAKES = [(SCRIPT, "nosuch"), (SCRIPT, ""), (SCRIPT, "held ."), (WAVE, ""), (WAVE, "none a")]


@pytest.mark.parametrize(("script", "words"), MISTAKES)
def test_a_mistake_is_one_line(script: Path, words: str, tmp_path: Path) -> None:
    """A folder that is there already stays as it is."""
    (tmp_path / "mine").touch()
    how = {"cwd": tmp_path, "capture_output": True, "text": True}
    done = subprocess.run([sys.executable, script, *words.split()], check=False, **how)
    assert done.returncode == 2 and re.fullmatch(r"error: .*\n", done.stderr), done.stderr
    assert (tmp_path / "mine").exists()
