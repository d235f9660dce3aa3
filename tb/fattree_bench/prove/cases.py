"""Invariants by ABC's pdr, rule by rule, in cases that are easier than the whole.

A case says which channel's word is watched, and for words at the front their output.  The loosest
surroundings come first: senders end packets as they like, and all but the watched one keep no
rule, nor do receivers.  What holds there holds of the design; a counter-example says nothing, and
the next try is less loose.
"""

import itertools
import math
import resource
import shutil
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from fattree_bench.families.proof import FAILED, PROVED, UNDECIDED, Verdict
from fattree_bench.formal import pdr, prepare
from fattree_bench.paths import RTL
from fattree_bench.prove import harness, mined
from fattree_bench.prove.aiger import deltas
from fattree_bench.words import plural

ALONE = ("L1", "L2", "R6")  # rules that watch no word
GOALS = ("B1", "B2")  # rules of one output
PLAIN = ("R2",)  # rules of words from nowhere, whose bits are either
FRONT = ("L3", "B1", "B2")  # rules of words at the front
LIMITS = (10, 40, 160, 640)  # CPU seconds of a case, in turn
WORKERS = 2
COUNTS = ("L3",)  # rules of counts, which mined invariants prove; no word is marked in them
WALL = 20  # times the CPU time that ABC may take on a busy machine
SPARE = 5  # CPU seconds to read and write files

Case = Mapping[str, int]


@dataclass
class Cases:
    """A rule in cases, and what is done of it."""

    made: harness.Harness
    rule: str
    path: Path
    level: int = 0  # of LOOSE
    proved: set[int] = field(default_factory=set)
    over: bool = False  # in this turn

    @property
    def levels(self) -> list[Case]:
        """What is assumed, the loosest first."""
        wild = [] if self.rule in ALONE else [{"loose": 1, "wild": 1}]
        return [*wild, {"loose": 1}, {}]

    @property
    def all(self) -> list[Case]:
        """Every behaviour is one of some case."""
        mode = {"mode": 1, "front": int(self.rule in FRONT)}
        if self.rule in ALONE:
            return [mode]
        design = self.made.design
        sources = [1 << i for i in range(design.inputs * design.vcs)]
        goals = [1 << i for i in range(design.outputs)] if self.rule in GOALS else [0]
        plain = range(1 + (self.rule in PLAIN))
        return [
            {**mode, "watch": 1, "source": source, "only": only, "plain": p}
            for source, only, p in itertools.product(sources, goals, plain)
        ]

    def judge(self, number: int, limit: float, widths: dict[str, int]) -> Verdict:
        """One case, at the level it has come to; a counter-example only of the design itself."""
        case, name = self.all[number], f"{self.rule}-{number}"
        path = self.path.with_name(f"{name}.aig")
        shutil.copyfile(self.path.with_suffix(".map"), path.with_suffix(".map"))
        bits = pdr.input_bits(path.with_suffix(".map"))
        proof = replace(self.made, limit=limit * WALL)
        while True:
            level = self.level
            value = self.made.case(**case, **self.levels[level])
            known = {n: value >> bit & 1 for n, (x, bit) in bits.items() if x == "case_i"}
            counts = self.rule in COUNTS
            known |= {n: 0 for n, (x, _) in bits.items() if counts and x == "mark_i"}
            path.write_bytes(fixed(self.path.read_bytes(), known))
            if counts and not level and mined.proved(path, self.made.design.said.reset):
                return Verdict(name, PROVED, 0)
            found = pdr.verdict(proof, name, path, widths, mined.SIMPLER)
            if found.result != FAILED or level == len(self.levels) - 1:
                break
            self.level = max(self.level, level + 1)
        if found.trace:
            chosen = ("source", "plain", "front") if "watch" in case else ("front",)
            found.trace[0] |= {f"{x}_i": case.get(x, 0) for x in chosen}
        return found


def invariants(made: harness.Harness, seconds: float, say: Callable[[Verdict], None]) -> None:
    """Prove rules, those first whose cases take the least time."""
    made.write()
    cased = replace(made, defines=(*made.defines, "CASES"))
    files = prepare.aigers(cased, made.folder, RTL, ascii_too=False)
    widths = prepare.input_widths(made.folder, made.top)
    left = [Cases(made, rule, files[rule]) for rule in made.texts() if rule in files]
    start = spent()
    for limit in LIMITS:
        for one in [*left]:
            rest = seconds - spent() + start
            if rest > 0 and (found := turn(one, min(limit, rest), widths)):
                left.remove(one)
                say(found)


def spent() -> float:
    """CPU seconds of the processes that ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def turn(one: Cases, limit: float, widths: dict[str, int]) -> Verdict | None:
    """Let a rule's open cases have so much time each, until one wants more."""
    start, one.over = time.perf_counter(), False
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    mine = math.ceil(limit + time.process_time()) + SPARE
    resource.setrlimit(resource.RLIMIT_CPU, (min(mine, most) if most >= 0 else mine, most))

    def judged(number: int) -> Verdict:
        if one.over:
            return Verdict(one.rule, UNDECIDED, 0)
        found = one.judge(number, limit, widths)
        if found.result == PROVED:
            one.proved.add(number)
        else:
            one.over = True
        return found

    with ThreadPoolExecutor(WORKERS) as pool:
        todo = [n for n in range(len(one.all)) if n not in one.proved]
        found = [*pool.map(judged, todo)]
    took = time.perf_counter() - start
    for each in found:
        if each.result == FAILED:
            return replace(each, rule=one.rule, seconds=took)
    if any(each.result != PROVED for each in found):
        return None
    return Verdict(one.rule, PROVED, took, f"invariants of {plural(len(one.all), 'case')}")


def fixed(aiger: bytes, known: Mapping[int, int]) -> bytes:
    """A binary AIGER file in which inputs, by number, are constants."""
    head, _, rest = aiger.partition(b"\n")
    most, inputs, latches, outputs, _, *others = map(int, head.split()[1:])
    count = latches + outputs + sum(others)
    *lines, gates = rest.split(b"\n", count)
    values = {2 * (n + 1) + odd: bit ^ odd for n, bit in known.items() for odd in (0, 1)}
    made = bytearray(head + b"\n")
    for line in lines:
        words = line.split()
        made += b" ".join([b"%d" % values.get(int(words[0]), int(words[0])), *words[1:]]) + b"\n"
    numbers = deltas(gates)
    for gate in range(2 * (inputs + latches + 1), 2 * (most + 1), 2):
        high = gate - next(numbers)
        low = high - next(numbers)
        low, high = sorted((values.get(low, low), values.get(high, high)))
        for left in (gate - high, high - low):
            places = max(1, -(-left.bit_length() // 7))
            made += bytes(left >> 7 * k & 127 | (k < places - 1) << 7 for k in range(places))
    return bytes(made)
