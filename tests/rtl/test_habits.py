"""Habits of the Verilog that nothing else checks: comments, time, length, one switch a module."""

import re
from pathlib import Path

import pytest

from fattree_bench.paths import ROOT

RTL = ROOT / "rtl"
MODULES = sorted(RTL.glob("**/*.v"))
VERILOG = [*MODULES, *sorted((ROOT / "tb").glob("**/*.v"))]
FOLDERS = ("rtl", "tb", "tests")
SOURCES = [
    path
    for folder in FOLDERS
    for end in ("v", "vh", "cpp", "h")
    for path in sorted((ROOT / folder).glob(f"**/*.{end}"))
]
BRIEF = 86  # ports whose comments have two words at most: may only fall
SCREENS = 250  # lines of three large screens
COLUMNS = 100
DECLARATION = re.compile(r"^ *(?:parameter|input|output|inout)\b")
COMMENTED = re.compile(r"^ *(parameter|input|output|inout)\b[^/]*// *(.*)$", re.MULTILINE)


def name(path: Path) -> str:
    return str(path.relative_to(RTL))


def uncommented(text: str) -> list[str]:
    """Parameters and ports, by their first lines, without a comment."""
    head = text[re.search(r"^module \w+", text, re.MULTILINE).start() :]
    head = head[: head.index("\n);")]
    found: list[list[str]] = []
    above = ""  # a comment that belongs to what follows
    for line in head.splitlines():
        if DECLARATION.match(line):
            found.append([above])
        above = line if line.strip().startswith("//") else ""
        if found:
            found[-1].append(line)
    return [lines[1].strip() for lines in found if not any("//" in line for line in lines)]


def brief(text: str) -> list[str]:
    """Comments of ports that have two words at most, and so add little to the name."""
    return [
        output
        for kind, output in COMMENTED.findall(text)
        if kind != "parameter" and len(output.split()) <= 2
    ]


def elsewhere(text: str) -> list[str]:
    """Comments of parameters that say only where their values stand."""
    return [
        output
        for kind, output in COMMENTED.findall(text)
        if kind == "parameter" and re.match(r"see\b", output)
    ]


def copies(text: str) -> list[str]:
    """Parameters that say how many switches, nodes or cards stand side by side."""
    return re.findall(r"parameter (?:\[[^]]*\] *)?(COPIES|SWITCHES|NODES|CARDS|SHARE) *= *\d", text)


def sums(text: str) -> list[str]:
    """Words of arrays whose place is a sum of signals: in Icarus it does not wrap."""
    arrays = re.findall(r"^ *reg +(?:\[.*\] +)?(\w+) *\[0:.*\];", text, re.MULTILINE)
    lists = re.findall(r"^ *(?:integer|genvar) +([^;]*);", text, re.MULTILINE)
    numbers = {word for line in lists for word in re.findall(r"\w+", line)}
    return [
        found[0]
        for array in arrays
        for found in re.finditer(rf"\b{array}\[([^]]*(?:\[[^]]*\])?[^]]*) [+-] [^]]*\]", text)
        if not set(re.findall(r"\b[a-z]\w*", found[1])) <= numbers
    ]


def wide(text: str) -> list[str]:
    """Lines that are too long."""
    return [line for line in text.splitlines() if len(line) > COLUMNS]


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_every_parameter_and_port_has_its_comment(path: Path) -> None:
    assert uncommented(path.read_text()) == []


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_parameter_has_its_values(path: Path) -> None:
    assert elsewhere(path.read_text()) == []


def test_comments_of_ports_inform() -> None:
    """All that are left are clocks: "rising edge"."""
    assert sum(len(brief(path.read_text())) for path in MODULES) <= BRIEF


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_file_fits_three_screens(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= SCREENS


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_line_fits_the_screen(path: Path) -> None:
    assert wide(path.read_text()) == []


@pytest.mark.parametrize("path", VERILOG, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_sum_of_signals_is_a_place_in_a_memory(path: Path) -> None:
    assert sums(path.read_text()) == []


@pytest.mark.parametrize("path", VERILOG, ids=lambda path: str(path.relative_to(ROOT)))
def test_time_has_its_unit(path: Path) -> None:
    assert "\n`timescale 1ns/1ns\n" in path.read_text()


@pytest.mark.parametrize("path", [p for p in MODULES if "common" not in p.parts], ids=name)
def test_one_module_is_one_switch(path: Path) -> None:
    assert not copies(path.read_text()) or path.parent.name == "graph"  # of any number


def test_what_is_wrong_is_seen() -> None:
    good = "module m #(\n  parameter N = 1,  // leaves\n  parameter M = f(\n    N)  // lanes\n) (\n"
    assert uncommented(good + "  input wire clk  // clock\n);") == []
    assert uncommented(good + "  // clock\n  input wire clk\n);") == []
    assert uncommented(good + "  input wire clk\n);") == ["input wire clk"]
    ports = "  input wire a,  // it goes\n  output wire b,  // a word leaves, once\n"
    assert brief(ports) == ["it goes"]
    lists = "  parameter [7:0] A = 1,  // see there\n  parameter B = 2,  // 1 .. 3: see there\n"
    assert elsewhere(lists) == ["see there"]
    assert copies("  parameter [3:0] NODES = 2,") == ["NODES"]
    assert wide(f"{'x' * 100}\n// {'y' * 98}\n") == ["// " + "y" * 98]
    memory = "  integer i;\n  reg [7:0] queue [0:31];\n  reg [4:0] q;\n  x = queue[{}];\n"
    assert sums(memory.format("first_q + length_q[4:0]")) == ["queue[first_q + length_q[4:0]"]
    assert sums(memory.format("i + 1")) == sums(memory.format("place")) == []
