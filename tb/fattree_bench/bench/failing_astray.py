"""Sums up what went wrong: bench.failing, with what bench.astray says of wrong leaves."""

from pathlib import Path

from fattree_bench.bench.astray import LEAST, astray
from fattree_bench.bench.failing import failure
from fattree_bench.bench.failure import Failure
from fattree_bench.bench.faults import MISDELIVERED, Faults
from fattree_bench.bench.suspects import ASTRAY, Suspects


def summed(
    faults: Faults, suspects: Suspects, scenario: str, folder: Path | None, leaves: int
) -> Failure:
    """The summary of a scenario with faults."""
    made = failure(faults, suspects, scenario, folder)
    if leaves < LEAST:  # of two leaves there is one other
        made.traits = [one for one in made.traits if one.says != ASTRAY]
    shift = astray(faults.seen, leaves, made.sound)
    if shift is not None:
        others = made.traits if made.kind in ("", MISDELIVERED) else []
        made.traits = [shift, *(one for one in others if one.says != ASTRAY)]
        made.kind = MISDELIVERED
    return made
