"""Every output of every network, stuck at 0: what is for the bench alone must be missed, too."""

import re
from functools import cache

from fattree_bench.families import NETWORKS
from fattree_bench.paths import ROOT
from tests.tb.faults.faulty import Edit

RTL = ROOT / "rtl"
PORT = re.compile(r"^ *output (?:wire|reg) *(\[.*\])? *(\w+) *(?:,|//|$)", re.MULTILINE)


@cache
def tops() -> dict[str, str]:
    """The files of the networks' uppermost modules, by module."""
    names = {kind.from_variables({}).synthesis()[0] for kind in NETWORKS.values()}
    names |= {
        kind.from_variables(c).synthesis()[0] for kind in NETWORKS.values() for c in kind.corners
    }
    return {name: str(next(RTL.glob(f"*/{name}.v")).relative_to(RTL)) for name in sorted(names)}


def split(file: str) -> tuple[str, str]:
    """The head of a module, with its ports, and its body."""
    text = (RTL / file).read_text()
    head, end, body = text.partition("\n);\n")
    return head + end, body


def outputs() -> list[tuple[str, str]]:
    """(module, port) of every output of every network."""
    return [(top, port) for top, file in tops().items() for _, port in PORT.findall(split(file)[0])]


def at_zero(top: str, port: str) -> Edit:
    """The body of a module drives another wire, and the port is 0."""
    file = tops()[top]
    head, body = split(file)
    (bits,) = [bits for bits, name in PORT.findall(head) if name == port]
    inside = f"inside_{port}"
    declared = f"wire {bits} {inside};\nassign {port} = 0;\n"
    return Edit(file, body, declared + re.sub(rf"(?<!\.)\b{port}\b", inside, body))
