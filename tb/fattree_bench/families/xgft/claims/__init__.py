"""Measures of what the papers claim of packet-switched fat-trees, by subject."""

from fattree_bench.families.xgft.claims import (
    clocks,
    drawings,
    equations,
    loads,
    optimised,
    optimum,
    routes,
    ruft,
    saturation,
    structure,
    turnback,
)

MEASURES = {
    **loads.MEASURES,
    **routes.MEASURES,
    **saturation.MEASURES,
    **equations.MEASURES,
    **structure.MEASURES,
    **optimised.MEASURES,
    **optimum.MEASURES,
    **turnback.MEASURES,
    **ruft.MEASURES,
    **drawings.MEASURES,
    **clocks.MEASURES,
}
