"""What `ftb doctor` looks at, and what it says of what it finds."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fattree_bench.bench import faults as kind
from fattree_bench.bench.result import Number, ScenarioResult
from fattree_bench.families.foreign import handshakes
from fattree_bench.families.foreign.network import ForeignNetwork

TEST = "each_pair"  # a packet a pair, alone
told = handshakes.told  # of the second test, where it fits
LEAVES = "leaves"  # the table of a result, a row a leaf

# What a simulator says of a build, and what it usually means.
BUILDS = (
    (
        r"Cannot find file containing module: '?(\w+)|Unknown module type: (\w+)",
        "module {0} is missing: name its file in design.sources, or its folder in a .f file by -y",
    ),
    (
        r"[Pp]ackage not found: '?(\w+)",
        "package {0} is missing, or comes too late: name its file in design.sources before others",
    ),
    (
        r"Cannot find include file: '?([\w./]+)|Include file ([\w./]+) not found",
        "{0} is missing: name its folder in design.includes",
    ),
    (
        r"Port \d+ \((\w+)\) of \w+ expects (\d+) bits?, got (\d+)|"
        r"port connection '?(\w+)'? expects (\d+) bits?.* generates (\d+) bit",
        "port {0} has {1} bits, {2} are described: see its :bits, design.leaves, "
        "design.width, design.parameters",
    ),
    (
        r"%Error-UNSUPPORTED|sorry:",
        "this simulator does not know that part of the language: try the other one, SIM=icarus or "
        "SIM=verilator, or write design.language",
    ),
    (
        r"Pin not found: '(\w+)'|port ``(\w+)'' is not a port of",
        "an instance inside the design names port {0}, which its module has not: see that line",
    ),
    (r"syntax error|requires System", "if SystemVerilog is in a .v: design.language = '1800-2017'"),
)


def advice_of_build(log: str) -> list[str]:
    """What to do about a build that failed, or warned, a sentence each."""
    found = []
    for pattern, told in BUILDS:
        for match in re.finditer(pattern, log):
            names = [name for name in match.groups() if name]
            found.append(told.format(*names))
    return list(dict.fromkeys(found))


def tests(network: ForeignNetwork) -> list[str]:
    """What is tried, in one simulation."""
    return [TEST, *([] if handshakes.no_ready(network) else [handshakes.TEST])]


def rows(result: ScenarioResult) -> list[dict[str, Number]]:
    """What of each leaf's packets arrived: leaf, sent, arrived, due, came; None: no such side."""
    return result.rows(LEAVES)


def advice(result: ScenarioResult) -> Iterator[str]:
    """What to do next, a sentence each; the likeliest first."""
    faults, leaves = result.faults, rows(result)
    if result.passed:
        return
    if not result.delivered and kind.MISDELIVERED not in faults:
        yield (
            "nothing arrives: see clock.name, reset.name, reset.active, reset.wait, and whether "
            "the ports of link.send are those into the design"
        )
    if kind.UNKNOWN in faults:
        yield "X or Z: a register without reset; or Icarus with an array as port: SIM=verilator"
    if kind.PROTOCOL in faults:
        yield "a rule of the link is broken: look at that clock first, what follows may come of it"
    if kind.MISDELIVERED in faults:
        yield "packets come to other leaves: see the bits of link.send.dest, and link.addresses"
    if kind.CORRUPTED in faults or kind.SPURIOUS in faults:
        yield "words change on their way: see bits of data at both sides, and the order of fields"
    for side, sent, came in (("input", "sent", "arrived"), ("output", "due", "came")):
        dead = [row["leaf"] for row in leaves if row[sent] and not row[came]]
        if dead and result.delivered:
            told = ", ".join(map(str, dead))
            yield f"nothing works at {side} {told}: is its port named, and are its bits in place?"
    if kind.STUCK in faults or kind.LIMIT in faults:
        yield "the design stops: with WAVES=1 its waves end where nothing moves any more"
    if kind.LATE in faults or kind.EARLY in faults:
        yield "the design works, but is not as quick, or slow, as promises.latency says"
