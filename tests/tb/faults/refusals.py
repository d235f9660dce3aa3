"""Rules of parameters in rtl/: where each stands, what it says, and Icarus asked about it."""

import re
import subprocess
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from fattree_bench.paths import ROOT

RTL = ROOT / "rtl"
MODULES = {path.stem: path for path in sorted(RTL.rglob("*.v"))}
MACRO = re.compile(r"`CHECK_(?:PARAMETER|CHOICE)\(")


@dataclass(frozen=True, order=True)
class Rule:
    """A rule: the module that has it, the parameter that it is about, what it allows; its lines."""

    module: str
    name: str
    allowed: str
    lines: range = field(compare=False)


def rules() -> list[Rule]:
    """All rules in rtl/, from the sources."""
    found = []
    for path in MODULES.values():
        text = re.sub(r"//.*", "", path.read_text())
        for macro in MACRO.finditer(text):
            call = _call(text, macro.end() - 1)
            first = text[: macro.start()].count("\n") + 1
            _, name, *_, allowed = _arguments(call)
            lines = range(first, first + call.count("\n") + 1)
            found.append(Rule(path.stem, name.strip('"'), allowed.strip('"'), lines))
    return found


def _arguments(call: str) -> list[str]:
    """What stands between commas that are in no parentheses and no string."""
    found, depth, quoted = [""], 0, False
    for letter in call[1:-1]:
        quoted ^= letter == '"'
        depth += 0 if quoted else (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth and not quoted:
            found.append("")
        else:
            found[-1] += letter
    return [each.strip() for each in found]


def _call(text: str, begin: int) -> str:
    """From one parenthesis to its partner; those in strings are not counted."""
    depth, quoted = 0, False
    for end, letter in enumerate(text[begin:], begin):
        quoted ^= letter == '"'
        depth += 0 if quoted else (letter == "(") - (letter == ")")
        if depth == 0:
            return text[begin : end + 1]
    raise AssertionError(text[begin:])


def refused(rule: Rule, parameters: str, folder: Path) -> str:
    """Why a rule does not refuse its module with such parameters, "NAME=value …"; empty: it does.

    A simulation tells the rule's message.  Icarus makes none of a module that cannot be, say with a
    bus of no wires; synthesis ends at the rule all the same, for a module is missing there.
    """
    built = folder / "refused.vvp"
    output = _icarus(rule.module, parameters, "-o", str(built))
    if not output.returncode:
        run = ("vvp", "-N", str(built))
        output = subprocess.run(run, capture_output=True, text=True, check=False)
        said = output.stdout + output.stderr
        return "" if _message(rule).search(said) else said or "nothing is refused"
    output = _icarus(rule.module, parameters, "-tnull", "-DSYNTHESIS")
    missing = rf"/{rule.module}\.v:(\d+): error: Unknown module type: parameter_out_of_range"
    seen = [int(line) for line in re.findall(missing, output.stderr)]
    return "" if set(seen) & set(rule.lines) else output.stderr or "nothing is refused"


def taken(module: str, parameters: str) -> str:
    """Why a module with such parameters does not elaborate; empty if it does."""
    output = _icarus(module, parameters, "-tnull", "-DSYNTHESIS")
    return output.stderr or "Icarus says nothing" if output.returncode else ""


def _icarus(module: str, parameters: str, *options: str) -> subprocess.CompletedProcess[str]:
    given = dict(word.split("=") for word in parameters.split())  # the last of a name counts
    set_ = [f"-P{module}.{name}={_quoted(value)}" for name, value in given.items()]
    folders = [f"-I{path}" for path in sorted(RTL.iterdir())]
    command = ["iverilog", "-g2005", "-s", module, *options, *set_, *folders, *_sources(module)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@cache
def _sources(module: str) -> list[str]:
    """Files of a module and of all that it is made of: Icarus reads no others, to be quick."""
    wanted, found = {module}, set[str]()
    while wanted - found:
        name = min(wanted - found)
        found.add(name)
        wanted |= _words(name) & MODULES.keys()
    return [str(MODULES[name]) for name in sorted(found)]


@cache
def _words(module: str) -> set[str]:
    """All words in the source of a module."""
    return set(re.findall(r"\w+", re.sub(r"//.*", "", MODULES[module].read_text())))


def _quoted(value: str) -> str:
    """Words are strings of Verilog, numbers are not."""
    return value if re.fullmatch(r"-?[\d'hdb_]+[\da-fA-F_]*", value) else f'"{value}"'


def _message(rule: Rule) -> re.Pattern[str]:
    """How `checks.vh` tells that a rule is broken."""
    name, allowed = re.escape(rule.name), re.escape(rule.allowed)
    within = r"(?:\.gen_\w+(?:\[\d+\])?)*"  # none of an instance inside
    return re.compile(
        rf" {rule.module}{within}: parameter {name} =.* is out of range: {allowed}$", re.M
    )
