"""Measures of what papers say of modified fat-trees."""

from collections.abc import Sequence

from fattree_bench.bench.claims import NOTHING, Figure, Measured, leaves, recorded, results
from fattree_bench.bench.means import shares
from fattree_bench.bench.result import ScenarioResult, Test
from fattree_bench.bench.wormhole.claims import accepted

FULL = 0.99  # of a link, at least: it is used by 100 %
LITTLE = 0.20  # of a lane at a client, as the survey prints it
NEAR = 0.05  # part by which traffic that is drawn may miss a mean
NEARLY_ALL = 0.90  # of what clients can send
REGULAR = 0.40, 0.50  # of a regular fat-tree
TOLERANCE = 0.10  # of a trend


def _rows(tests: Sequence[Test], *scenarios: str) -> list[ScenarioResult]:
    """Results with what went over the links of the network."""
    return [result for result in results(tests, scenarios) if result.rows("rows")]


def _uses(runs: Sequence[ScenarioResult]) -> dict[int, tuple[float, float]]:
    """Use of an up link to the top row, and of a lane of a client, by clients: parts of 1."""
    uses: dict[int, list[tuple[float, float]]] = {}
    for run in runs:
        rows = run.rows("rows")
        if len(rows) > 1:
            top, bottom = rows[-2]["use_up"], rows[0]["use_down"]
            assert top is not None and bottom is not None
            uses.setdefault(leaves(run), []).append((top / 100, bottom / 100))
    return {
        size: (sum(top for top, _ in own) / len(own), sum(low for _, low in own) / len(own))
        for size, own in sorted(uses.items())
    }


def top_and_bottom(tests: Sequence[Test]) -> Measured:
    """Links at the top are full, lanes at the clients nearly empty; corrected: by what law."""
    uniform, complement = (_uses(_rows(tests, f"full_{name}")) for name in ("rate", "complement"))
    if not uniform or set(uniform) != set(complement):
        return NOTHING
    text = ", ".join(
        f"N={n}: top {100 * top:.1f} %, bottom {100 * bottom:.1f} %"
        for n, (top, bottom) in uniform.items()
    )
    printed = all(top >= FULL and bottom < LITTLE for top, bottom in uniform.values())
    law = all(
        abs(top / (n / (2 * (n - 1))) - 1) <= NEAR and abs(bottom * (n - 1) - 1) <= NEAR
        for n, (top, bottom) in uniform.items()
    )
    full = min(top for top, _ in complement.values())
    most = max(bottom for _, bottom in (*uniform.values(), *complement.values()))
    return Measured(
        Figure(f"uniform {text}", printed),
        Figure(
            f"top N/(2(N-1)) {'' if law else 'not '}met, complement {100 * full:.0f} %; "
            f"bottom at most {100 * most:.1f} %",
            law and full >= FULL and most < LITTLE,
        ),
    )


def nearly_full(tests: Sequence[Test]) -> Measured:
    """More than 90 % of uniform traffic at full rate arrives, against 40 to 50 % elsewhere."""
    own = accepted(tests, "uniform")
    regular = [rate for (rate,) in recorded(tests, "accepted_by_a_regular_tree")]
    if not own or not regular:
        return NOTHING
    text, least = shares(own), min(rate.low for rate in own.values())
    low, high = REGULAR
    near = all(low - TOLERANCE <= rate <= high + TOLERANCE for rate in regular)
    told = ", ".join(f"{100 * rate:.0f} %" for rate in regular)
    return Measured(
        Figure(f"{text}; a regular tree {told}", least > NEARLY_ALL and near),
        Figure(f"{text}, more than a regular tree's {told}", least > max(NEARLY_ALL, *regular)),
    )
