"""`ftb prove my.toml`: prove or refute a router, from its sources and its description."""

import json
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from rich.console import Console
from rich.markup import escape

from fattree_bench import settings
from fattree_bench.bench.interface.design import Design
from fattree_bench.bench.revive import revived
from fattree_bench.errors import UserError
from fattree_bench.families.proof import FAILED, PROVED, UNDECIDED, Verdict
from fattree_bench.formal.trace import Witness
from fattree_bench.jobs.job import from_root
from fattree_bench.paths import RTL, call
from fattree_bench.prove import fabric, harness, witness
from fattree_bench.settings import Settings, number, text, word
from fattree_bench.sim import variables as v
from fattree_bench.sim.pulse import phase
from fattree_bench.words import plural

LOOK = 0.2  # seconds between two looks at what a process has found
SHARE = 0.2  # of the time, for the search; two processes have the rest: about as many minutes


class Asked(Settings):
    """The variables of `make prove`."""

    design = text("DESIGN", "", "TOML file that describes your router")
    width = number("WIDTH", 0, 0, 64, "bits of a word, by `design.width`; 0: as few as will do")
    within = number("WITHIN", 0, 0, 999, "clocks in which something leaves; 0: of its latency")
    clocks = number("CLOCKS", 30, 1, 999, "clocks in which to look for counter-examples")
    rules = text("RULES", "", "names of rules, comma-separated; empty: all")
    budget = number("BUDGET", 1000, 1, 100_000, "seconds of CPU time")
    without = word("WITHOUT", "none", harness.WITHOUT)
    build = v.Folders.build


@dataclass
class Found:
    """Verdicts so far, and clocks without a counter-example."""

    made: harness.Harness
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    clocks: int = 0
    reached: int = 0  # the clock in which a word can leave; 0: none has left

    @property
    def open(self) -> list[str]:
        return [rule for rule in self.made.texts() if rule not in self.verdicts]


def run(console: Console, arguments: Iterable[str]) -> int:
    """0: all rules are proved, 1: one is refuted, 3: one is undecided."""
    words = [*arguments]
    ours = v.collect(words)
    if ours.get("NETWORK") and not ours.get("DESIGN"):
        names = chosen(ours.pop("RULES", ""), fabric.TEXTS) or tuple(fabric.TEXTS)
        return fabric.run(console, ours, names)
    given = settings.collect(words, (*Asked.parameters, v.Variables.kind))
    given.pop("NETWORK", None)
    asked = Asked.from_variables(given)
    try:
        design = Design.read(asked.design)
    except ValueError as error:
        raise UserError(f"DESIGN={asked.design}: {error}") from None
    folder = asked.build / "prove" / design.name
    kept = {x.name: given[x.name] for x in SHAPING if given.get(x.name)}
    made = harness.again(str(design), folder, kept | {"CLOCKS": str(asked.clocks)})
    whole = {fabric.FABRIC: fabric.TEXTS[fabric.FABRIC]} if design.taps else {}
    names = chosen(asked.rules, whole | made.texts())
    made = replace(made, rules=tuple(name for name in names if name not in whole))
    said(console, heading(made))
    certificate = 0
    if whole and (not names or fabric.FABRIC in names):
        file = {"DESIGN": asked.design}
        network = v.check(file | v.implied(file), write=False).network
        pairs = zip(*(x.tolist() for x in design.legal.nonzero()), strict=True)
        line, certificate = fabric.routed(network, pairs, folder / "channels.csv")
        said(console, [line])
    if names and not made.rules:
        return certificate
    found = Found(made)
    for engine, share in ((SEARCH, SHARE), (INVARIANTS, 1 - SHARE)):
        if found.open:
            ask(console, found, engine, asked.budget * share, kept)
    for rule in found.open:
        bound = f"no counter-example in {plural(found.clocks, 'clock')}"
        verdict(console, found, Verdict(rule, UNDECIDED, 0, bound), kept)
    both = {status(console, found), certificate}
    return next(x for x in (1, 3, 0) if x in both)


SEARCH, INVARIANTS = "search", "invariants"
DOES = {SEARCH: "looking for counter-examples", INVARIANTS: "looking for invariants"}
SHAPING = (Asked.width, Asked.within, Asked.without)


def chosen(names: str, texts: Mapping[str, str]) -> tuple[str, ...]:
    """Rules by name; () for all."""
    asked = tuple(filter(None, names.split(",")))
    for name in asked:
        if name not in texts:
            raise UserError(f"RULES={names}: {name}: there is {', '.join(texts)}")
    return asked


def heading(made: harness.Harness) -> Iterator[str]:
    """What is proved, and what was assumed of it."""
    design, lengths = made.design, made.design.packet_words.choice.values
    yield (
        f"{design.name}: {made.size}, words of {plural(design.data_bits, 'bit')}, "
        f"packets of {min(lengths)} to {max(lengths)} words"
    )


def said(console: Console, lines: Iterable[str], style: str = "") -> None:
    for line in lines:
        console.print(escape(line), soft_wrap=True, highlight=False, style=style or None)


def ask(console: Console, found: Found, engine: str, seconds: float, given: Any) -> None:
    """Let an engine work on the rules that are open, and tell each verdict when it comes."""
    folder = found.made.folder
    folder.mkdir(parents=True, exist_ok=True)
    payload, file = folder / f"{engine}.payload.json", folder / f"{engine}.found.jsonl"
    rules = found.open
    told = given | {"CLOCKS": str(found.made.bound)}
    payload.write_text(
        json.dumps(
            {"engine": engine, "design": str(found.made.design), "folder": str(folder)}
            | {"given": told, "rules": rules, "seconds": seconds}
        )
    )
    file.write_text("")
    command = [sys.executable, "-m", "fattree_bench.prove.engines", str(payload), str(file)]
    with phase(console, DOES[engine]) as update:
        process, seen = subprocess.Popen(command), 0
        try:
            while True:
                over = process.poll() is not None
                lines = file.read_bytes().split(b"\n")[:-1]
                for line in lines[seen:]:
                    heard(console, found, json.loads(line), given)
                    told_so = f"{DOES[engine]}: {plural(found.clocks, 'clock')} done"
                    update(told_so if engine == SEARCH else DOES[engine])
                seen = len(lines)
                if over:
                    return
                time.sleep(LOOK)
        finally:
            process.kill()
            process.wait()


def heard(console: Console, found: Found, one: dict[str, Any], given: dict[str, str]) -> None:
    """A finding of an engine."""
    if "error" in one:
        raise UserError(f"{found.made.design.path.name}: {one['error']}")
    found.clocks = one.get("clocks", found.clocks)
    found.reached = one.get("reached", found.reached)
    if "rule" in one:
        made: Verdict = revived(Verdict, one)
        if made.result != UNDECIDED:
            verdict(console, found, made, given)


def verdict(console: Console, found: Found, one: Verdict, given: dict[str, str]) -> None:
    """Tell a verdict, with the witness that goes with it."""
    found.verdicts[one.rule] = one
    mark, style = {PROVED: ("ok  ", "green"), FAILED: ("FAIL", "red")}.get(one.result, ("??  ", ""))
    named = {PROVED: "proved", FAILED: "refuted"}.get(one.result, "undecided")
    line = f"{mark} {one.rule}  {found.made.texts()[one.rule]}: {named}, {one.note}"
    said(console, [line], style)
    if one.result != FAILED:
        return
    path = witness.keep(found.made, one, given, RTL)
    try:
        lines = witness.played(Witness.load(path), path.with_suffix(""), "icarus")
    except UserError:
        lines = []  # no waves without Icarus; the stimulus is kept
    said(console, [f"     {x}" for x in lines])
    said(console, [f"     replay: {call()} sim WITNESS={from_root(path)} SIM=icarus"])


def status(console: Console, found: Found) -> int:
    """What came of it, in a line."""
    results = [one.result for one in found.verdicts.values()]
    counts = {name: results.count(name) for name in (PROVED, FAILED)}
    left = len(results) - sum(counts.values())
    parts = [f"{counts[PROVED]} of {plural(len(results), 'rule')} proved"]
    parts += [f"{counts[FAILED]} refuted"] * bool(counts[FAILED]) + [f"{left} undecided"] * bool(
        left
    )
    (found.made.folder / "verdicts.json").write_text(
        json.dumps([asdict(replace(x, trace=None)) for x in found.verdicts.values()], indent=1)
    )
    said(console, [", ".join(parts)])
    if not found.reached and not counts[FAILED]:
        clocks = plural(found.clocks, "clock")
        said(console, [f"no word can leave within {clocks}, so this says little: CLOCKS=, reset?"])
    return 1 if counts[FAILED] else 0 if found.reached and not left else 3
