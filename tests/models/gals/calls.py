"""A call of every public function that takes a size, a seed or an array of integers."""

from fractions import Fraction

from fattree_models import gals

CALLS = [
    (gals.AsyncFifo, {"depth": 100, "stages": 3}),
    (gals.bits_changed, {"depth": 100}),
    (gals.codes, {"depth": 100}),
    (gals.edges, {"write_period": 100, "read_period": 73, "phase": 5, "time": 127}),
    (gals.full_rate_depth, {"stages": 3, "phase": 0}),
    (gals.rate, {"depth": 4, "stages": 3, "phase": Fraction(1, 2)}),
    (
        gals.run,
        {"fifo": gals.AsyncFifo(4), "order": [1, 2, 3, 2, 2], "offered": [1, 0, 0, 0, 0]}
        | {"wanted": [1, 0, 1, 0, 1]},
    ),
]
