"""Numbers that checks of the models leave, for measures to speak of."""

from fattree_bench.bench.result import Test


def left(**numbers: float) -> Test:
    """A check by pytest and the numbers that it has left."""
    return Test("xgft", "file.py", {}, "pytest", 0, "case", True, recorded=numbers)
