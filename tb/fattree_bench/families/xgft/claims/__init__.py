"""Measures of what the papers claim of packet-switched fat-trees, by subject."""

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
    **optimised.MEASURES,
    **clocks.MEASURES,
}
