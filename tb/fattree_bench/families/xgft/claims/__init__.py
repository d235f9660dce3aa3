"""Measures of what the papers claim of packet-switched fat-trees, by subject."""

from fattree_bench.families.xgft.claims import (
    drawings,
    equations,
    loads,
    optimised,
    routes,
    ruft,
    saturation,
    structure,
)

MEASURES = {
    **loads.MEASURES,
    **routes.MEASURES,
    **saturation.MEASURES,
    **equations.MEASURES,
    **structure.MEASURES,
    **optimised.MEASURES,
    **ruft.MEASURES,
    **drawings.MEASURES,
}
