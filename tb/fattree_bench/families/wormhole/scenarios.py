"""Its tests: those of all wormhole networks."""

from fattree_bench.bench.wormhole.scenarios import SCENARIOS

__all__ = ["SCENARIOS"]
