"""Sums up what went wrong: bench.failing, with what bench.astray says of wrong leaves."""

from typing import Any

from fattree_bench.bench.astray import astray
from fattree_bench.bench.failing import failure
from fattree_bench.bench.failure import Failure
from fattree_bench.bench.faults import MISDELIVERED
from fattree_bench.bench.suspects import ASTRAY


def summed(board: Any, scenario: str, bench: Any) -> Failure:
    """The summary of a scenario by its scoreboard, with faults; `bench`: environment.Bench."""
    made = failure(board.faults, board.suspects, scenario, bench.folder)
    shift = astray(board.faults.seen, bench.network.leaves, made.sound)
    if shift is not None:
        others = made.traits if made.kind in ("", MISDELIVERED) else []
        made.traits = [shift, *(one for one in others if one.says != ASTRAY)]
        made.kind = MISDELIVERED
    return made
