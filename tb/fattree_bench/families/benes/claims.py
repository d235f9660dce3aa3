"""The measure of a drawing that folds to a tree: both do the same."""

from collections.abc import Sequence

from fattree_bench.bench.claims import Measured, alike
from fattree_bench.bench.result import Test


def drawn_as_folded(tests: Sequence[Test]) -> Measured:
    """The Benes network as drawn does what the tree that it folds to does, to the clock."""
    return alike(tests, "benes-8", "benes-8-drawn")
