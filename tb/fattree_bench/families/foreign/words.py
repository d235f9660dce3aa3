"""What figures of a foreign design say, in sentences for the terminal."""

from fattree_bench.bench.levels import PROMISES
from fattree_bench.bench.links.flit.sentences import arrived, measured
from fattree_bench.bench.result import ScenarioResult


def told(result: ScenarioResult) -> list[str]:
    """How many flits, what was measured, and what nobody could check."""
    unknown = [name for name in PROMISES if name not in result.promises]
    without = f"no promise of {', '.join(unknown)}; " if unknown else ""
    return [
        arrived(result),
        *map(measured, result.measurements),
        f"not checked: {without}no graph of the routes, no model of the clocks",
    ]
