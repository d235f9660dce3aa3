"""Prints signals of a .vcd, a column a clock: what they are just before its last edge.

python3 examples/museum/wave.py FILE SIGNAL…  (ends of names, as u_x.count_q; count_q:0 is a bit)
"""

import re
import sys
from pathlib import Path


def signals(head: str) -> dict[str, str]:
    """The code of each signal, by its whole name."""
    scopes: list[str] = []
    found = {}
    for word, rest in re.findall(r"\$(scope|upscope|var)\s+(.*?)\$end", head, re.S):
        if word == "scope":
            scopes.append(rest.split()[1])
        elif word == "upscope":
            scopes.pop()
        else:
            found[".".join((*scopes, rest.split()[3]))] = rest.split()[2]
    return found


def clocks(text: str, clock: str) -> list[dict[str, str]]:
    """The values of all codes in each clock."""
    now: dict[str, str] = {}
    found = []
    for line in text.splitlines():
        if line.startswith("#"):  # all that changed at the time before has
            settled = dict(now)
        elif match := re.fullmatch(r"b(\w+) (\S+)|([01xz])(\S+)", line):
            value, code = match[1] or match[3], match[2] or match[4]
            if code == clock and value == "1" and now.get(clock) == "0":
                found.append(settled)
            now[code] = value
    return [*found, now]


def row(name: str, known: dict[str, str], found: list[dict[str, str]]) -> list[str]:
    """The values of a signal, in hexadecimal, or of one bit of it."""
    base, _, bit = name.rpartition("[") if name.endswith("]") else (name, "", "")
    code = next(known[x] for x in known if f".{x}".endswith(f".{base}"))
    values = [step.get(code, "x") for step in found]
    if bit:  # a .vcd leaves out leading zeros, and x that repeat
        at = int(bit[:-1])
        values = [x[::-1][at : at + 1] or x[0].replace("1", "0") for x in values]
    return ["x" if set(x) & set("xz") else f"{int(x, 2):x}" for x in values]


def main(path: str, *given: str) -> None:
    """Print a line a signal."""
    names = [re.sub(r":(\d+)", r"[\1]", name) for name in given]
    head, _, text = Path(path).read_text(encoding="utf-8").partition("$enddefinitions")
    known = signals(head)
    found = clocks(text, next(known[x] for x in known if f".{x}".endswith(".clk")))
    rows = [[str(i) for i in range(len(found))], *(row(name, known, found) for name in names)]
    wide, long = max(len(x) for line in rows for x in line), max(map(len, (*names, "clock")))
    for name, values in zip(("clock", *names), rows, strict=True):
        print(name.ljust(long), *(x.rjust(wide) for x in values))


if __name__ == "__main__":
    main(*sys.argv[1:])
