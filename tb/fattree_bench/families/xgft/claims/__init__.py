"""Measures of what the papers claim of packet-switched fat-trees, by subject."""

from pathlib import Path

from fattree_bench.bench.expressions import measures
from fattree_bench.families.xgft.claims import (
    clocks,
    loads,
    optimised,
    routes,
    saturation,
)

MEASURES = {
    **loads.MEASURES,
    **routes.MEASURES,
    **saturation.MEASURES,
    **measures(Path(__file__).parents[1] / "claims.toml"),
    **optimised.MEASURES,
    **clocks.MEASURES,
}
