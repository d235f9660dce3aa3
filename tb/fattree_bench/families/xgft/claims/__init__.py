"""Measures of what the papers claim of packet-switched fat-trees, by subject."""

from pathlib import Path

from fattree_bench.bench.expressions import measures
from fattree_bench.families.xgft.claims import (
    clocks,
    drawings,
    loads,
    optimised,
    routes,
    ruft,
    saturation,
    turnback,
)

MEASURES = {
    **loads.MEASURES,
    **routes.MEASURES,
    **saturation.MEASURES,
    **measures(Path(__file__).parents[1] / "claims.toml"),
    **optimised.MEASURES,
    **turnback.MEASURES,
    **ruft.MEASURES,
    **drawings.MEASURES,
    **clocks.MEASURES,
}
