"""Counter-examples of `make prove`: what came and left in each clock; a file that plays it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from fattree_bench.errors import UserError
from fattree_bench.families.proof import Verdict
from fattree_bench.formal import trace
from fattree_bench.formal.trace import BROKEN, Witness
from fattree_bench.paths import ROOT
from fattree_bench.prove import harness
from fattree_bench.settings import IGNORED
from fattree_bench.sim import variables as v

EVENT = re.compile(
    r"^(came|left|waits) (\d+) (\d+) ([01xz]+) (\w+) ([01xz])([01xz]) (\w+)", re.MULTILINE
)
COLUMNS = ("clock", "port", "VC", "to", "word", "of its packet")
MARKS = {"10": "first", "01": "last", "11": "only"}


def keep(made: harness.Harness, verdict: Verdict, given: dict[str, str], rtl: Path) -> Path:
    """Write a counter-example; returns the file."""
    steps = [{name: step.get(name, 0) for name in made.free} for step in verdict.trace or []]
    path = made.folder / f"{verdict.rule}.json"
    bits, names = {"clk": 1, **made.free}, (str(made.design), given)
    Witness(made.name, verdict.rule, str(rtl), bits, steps, *names).save(path)
    return path


def run(console: Console, arguments: list[str]) -> int:
    """`make sim WITNESS=…`: 1 if the simulator breaks the rule as well, else 0."""
    given = v.collect(arguments)
    for name in (word.partition("=")[0] for word in arguments):
        if name not in ("WITNESS", "SIM", "BUILD", *IGNORED):
            raise UserError(f"{name}: goes with tests, not with WITNESS=…; there is SIM, BUILD")
    path, sim = given["WITNESS"], v.Variables.sim.read_from(given, None)
    build = v.Folders.build.read_from(given, None)
    witness = Witness.load(ROOT / path)
    if not witness.design:
        return trace.replay(console, path, sim, build)
    try:
        found = played(witness, build / "prove" / f"replay-{sim}-{os.getpid()}", sim)
    except ValueError as error:
        raise UserError(f"WITNESS={path}: {witness.design}: {error}") from None
    for line in found:
        console.print(escape(line), soft_wrap=True, highlight=False)
    return 1 if any(" is broken on " in line for line in found) else 0


def played(witness: Witness, folder: Path, sim: str) -> list[str]:
    """Lines that say what came and left, and which rules broke when."""
    made = harness.again(witness.design, folder, witness.given)
    made.write()
    said = trace.log(witness, made, folder, sim)
    broken: dict[str, int] = {}
    for rule, at in BROKEN.findall(said):
        if (name := rule.split(".")[-1]) in made.texts():
            broken.setdefault(name, (int(at) + 1) // 2)
    lines = [*table(made, said)]
    lines += [f"clock {clock}: {rule} is broken on {sim}" for rule, clock in broken.items()]
    if witness.rule not in broken:
        lines.append(f"{witness.rule} is not broken on {sim}, although the engine finds it broken")
    return [*lines, f"waves: {folder / 'waves.vcd'}"]


def table(made: harness.Harness, said: str) -> Iterator[str]:
    """A line a word that came or left."""
    rows = [COLUMNS, *sorted(events(made, said), key=lambda row: int(row[0]))]
    if len(rows) > 1 and made.design.vcs == 1:
        rows = [(*row[:2], *row[3:]) for row in rows]
    sizes = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(text.ljust(size) for text, size in zip(row, sizes, strict=True)).rstrip()


def events(made: harness.Harness, said: str) -> Iterator[tuple[str, ...]]:
    """Clock, port, virtual channel, destination, data and place in its packet, of each word."""
    letters = made.design.letters
    for what, at, leaf, vc, goal, head, last, word in EVENT.findall(said):
        port = f"{'output' if what == 'left' else 'input'} {letters[int(leaf)]}"
        channel = str(len(vc) - 1 - vc.find("1"))
        to = letters[int(goal)] if what != "left" else ""
        place = f"{MARKS.get(head + last, '')}{', not taken yet' * (what == 'waits')}"
        yield str(int(at) // 2), port, channel, to, word, place
