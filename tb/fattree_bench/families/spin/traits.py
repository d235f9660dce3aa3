"""Attributes of commands, and where what is wrong with one was seen."""

from __future__ import annotations

import numpy as np

from fattree_bench.bench import faults as kind
from fattree_bench.bench.failure import Parcel
from fattree_bench.bench.faults import Where
from fattree_bench.bench.suspects import Attribute, bits, flag
from fattree_bench.families.spin.network import MEMORY_W
from fattree_bench.families.spin.requests import RequestPlan, Wrong

ACCESS = ("reads", "writes")


def attributes(plan: RequestPlan) -> list[Attribute]:
    """Of each command of an item: its ends, its turn, what it asks for."""
    commands, network = plan.commands, plan.network
    source, goal = commands.initiator, commands.target
    turn = (network.hop_count(source, goal) + 1) // 2
    first = network.tree.down_ports(1)
    words = commands.address.astype(np.uint64)
    return [
        Attribute("came from initiator {}", source),
        Attribute("are for target {}", goal),
        Attribute("are {}", commands.write.astype(np.int64), ACCESS),
        Attribute("have {} words", commands.words),
        Attribute("had tag {}", plan.tag),
        Attribute("turned at level {}", turn),
        Attribute("came from router {} of level 1", source // first),
        Attribute("are for router {} of level 1", goal // first),
        Attribute("went up from input {} of a router of level 1", source % first),
        Attribute("went down by output {} of a router of level 1", goal % first),
        Attribute("were issued while others of their initiator were open", flag(plan.beside)),
        *(
            Attribute(f"have bit {bit} of their target {{}}", goal >> bit & 1)
            for bit in range((network.terminals - 1).bit_length())
        ),
        *bits("bit {bit} of their address is {}", words, MEMORY_W),
    ]


def where(plan: RequestPlan, wrong: Wrong) -> Where:
    """Of a command's fault: misdelivered ones came instead of nothing, others were expected."""
    at = wrong.command
    if at < 0:
        return Where(wrong.clock, wrong.place)
    initiator = int(plan.commands.initiator[at])
    number = at - int(plan.starts[initiator])
    parcel = Parcel(initiator, int(plan.commands.target[at]), number, "number")
    astray = wrong.kind == kind.MISDELIVERED
    return Where(
        wrong.clock,
        wrong.place,
        expected=None if astray else parcel,
        got=parcel if astray else None,
        since=int(plan.issued[at]) if wrong.kind == kind.LOST else None,
    )


def astray(plan: RequestPlan, wrong: Wrong) -> int:
    """The difference (XOR) of the target that served a command and its own; 0: unknown."""
    if wrong.kind != kind.MISDELIVERED or wrong.place is None or wrong.place.kind != "target":
        return 0
    return int(wrong.place.number or 0) ^ int(plan.commands.target[wrong.command])
