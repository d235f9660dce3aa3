"""The registers of the RTL that count: their next value is theirs and a number more or less."""

import re
from collections import defaultdict
from functools import cache

from fattree_bench.paths import ROOT

RTL = ROOT / "rtl"
COMMENTS = re.compile(r'//[^\n]*|/\*.*?\*/|"[^"\n]*"', re.DOTALL)
INDEX = re.compile(r"\[[^\[\]]*\]")
SIGNAL = r"[a-z]\w*"
GIVEN = re.compile(rf"(?<![.\w])({SIGNAL})\s*(<?=)(?!=)\s*([^;]*?)(?=;)", re.DOTALL)
MANY = re.compile(r"\{([\w\s,]+)\}\s*<?=(?!=)\s*([^;]*);")
TERM = re.compile(rf"({SIGNAL})\s*[-+](?!:)|[-+]\s*({SIGNAL})")
FILES = re.compile(rf"\bregister_file\b.*?\)\s*({SIGNAL})\s*\((.*?)\);", re.DOTALL)
PORT = re.compile(r"\.(\w+)\(([^()]*(?:\([^()]*\)[^()]*)*)\)")


def plain(text: str) -> str:
    """Verilog without comments, texts, and indices."""
    text = COMMENTS.sub("", text)
    while INDEX.search(text):
        text = INDEX.sub("", text)
    return text


def counts(text: str) -> set[str]:
    """Registers, and instances of register_file, of a module that count."""
    text = plain(text)
    values: dict[str, list[str]] = defaultdict(list)  # of wires
    states: dict[str, list[str]] = defaultdict(list)  # of registers, in the clock after
    for name, how, value in GIVEN.findall(text):
        (states if how == "<=" else values)[name].append(value)
    for instance, ports in FILES.findall(text):
        joined = dict(PORT.findall(ports))
        states[instance].append(joined.get("word_i", ""))
        for port in ("word_o", "words_o", "read_o"):
            for read in re.findall(SIGNAL, joined.get(port, "")):
                values[read].append(instance)

    @cache
    def behind(name: str) -> frozenset[str]:
        """What a wire is made of, back to registers."""
        found, new = set(), {name}
        while new:
            found |= new
            texts = [v for n in new if n not in states for v in values[n]]
            new = {s for t in texts for s in re.findall(SIGNAL, t)} - found
        return frozenset(found)

    def sums(name: str) -> set[str]:
        """What is added to, or taken from, on the way to a register."""
        wires = {s for t in states[name] for s in re.findall(SIGNAL, t)}
        made = set().union(*(behind(w) for w in wires)) if wires else set()
        texts = states[name] + [v for w in made if w not in states for v in values[w]]
        return {a or b for t in texts for a, b in TERM.findall(t)}

    return {name for name in states if any(name in behind(term) for term in sums(name))}


def counters() -> list[tuple[str, str]]:
    """(file below rtl/, register) of all that count."""
    return [
        (str(file.relative_to(RTL)), name)
        for file in sorted(RTL.glob("**/*.v"))
        for name in sorted(counts(file.read_text()))
    ]
