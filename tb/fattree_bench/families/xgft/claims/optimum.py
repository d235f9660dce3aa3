"""Measures of the OXGFT paper's equations and optima, by what checks of the model have left."""

from collections.abc import Sequence

from fattree_bench.bench.claims import NOTHING, Figure, Measured, found, named, recorded
from fattree_bench.bench.result import Test
from fattree_bench.families.xgft.claims.shared import equal


def cost_of_trees(tests: Sequence[Test]) -> Measured:
    """Eq. (1) gives the sum over switches of the square of their links."""
    return Measured(equal(tests, cost=("cost", "cost_counted")))


def switches_and_ports(tests: Sequence[Test]) -> Measured:
    """Eq. (2) and (3) give the switches of the graph, and their links."""
    return Measured(
        equal(
            tests, switches=("routers", "routers_counted"), ports=("router_ports", "ports_counted")
        )
    )


def seventh_equation(tests: Sequence[Test]) -> Measured:
    """The cheapest trees that keep to (7) are the published ones; as corrected, to a repair of it.

    Repairs: R_(i+1) >= S_1 ... S_i, and S_i <= R_(i+1) / R_i.
    """
    rows = recorded(tests, "cost_published", "cost_printed", "cost_repaired", "cost_ratio")
    if not rows:
        return NOTHING
    told = ", ".join(f"{printed:.0f} for {published:.0f}" for published, printed, *_ in rows)
    same = sum(own == published for published, _, *repairs in rows for own in repairs)
    return Measured(
        Figure(f"least cost {told}", all(row[0] == row[1] for row in rows)),
        Figure(f"{same} of {2 * len(rows)} repairs give what is published", same == 2 * len(rows)),
    )


def _optimum(tests: Sequence[Test], processors: int) -> tuple[str, bool, int]:
    """The published tree in words, whether none costs less, and how many cost the same."""
    names = ("cost_published", "cost_least", "cost_found", "trees_of_least", "cost_next")
    rows = [row for own, *row in recorded(tests, "processors", *names) if own == processors]
    if not rows:
        return "", False, 0
    published, least, _, trees, following = (int(number) for number in rows[0])
    return (
        f"cost {published}, least of all trees {least}, of {trees}; then {following}",
        all(row[0] == row[1] == row[2] < row[4] for row in rows),
        max(int(row[3]) for row in rows),
    )


def optimum_of_36(tests: Sequence[Test]) -> Measured:
    """36 processors, two levels: no tree costs as little as the published one."""
    text, least, trees = _optimum(tests, 36)
    return found(text, least and trees == 1) if text else NOTHING


def optimum_of_60(tests: Sequence[Test]) -> Measured:
    """60 processors, three levels: the same; as corrected, none costs less."""
    text, least, trees = _optimum(tests, 60)
    if not text:
        return NOTHING
    corrected = Figure(f"it is one of the {trees} cheapest", least)
    return Measured(Figure(text, least and trees == 1), corrected)


def less_power(tests: Sequence[Test]) -> Measured:
    """By (1) the optimum of 60 costs less than the plain tree, in a reading of its vectors."""
    names = ("processors", "cost_optimum", "cost_plain_least", "cost_plain_most")
    rows = {int(row[0]): tuple(map(int, row[1:])) for row in recorded(tests, *names)}
    if not {36, 60} <= set(rows):
        return NOTHING
    told = ", ".join(
        f"{p}: {optimum} against {least}" + (f" … {most}" if most > least else "")
        for p, (optimum, least, most) in sorted(rows.items())
    )
    optimum, _, most = rows[60]
    return found(f"cost by processors: {told}", optimum < most)


def power_and_performance(tests: Sequence[Test]) -> Measured:
    """Of the trees whose sub-trees can all send at full rate OXGFT is the cheapest."""
    rows = recorded(tests, "cost_of_optimum", "cost_of_full_rate", "cheaper_trees")
    if not rows:
        return NOTHING
    best = sum(optimum == full for optimum, full, _ in rows)
    others = sum(int(cheaper) for *_, cheaper in rows)
    text = f"{best} of {len(rows)} optima; {others} trees cost less, none at full rate"
    return found(text, best == len(rows) and others > 0)


MEASURES = named(
    cost_of_trees,
    switches_and_ports,
    seventh_equation,
    optimum_of_36,
    optimum_of_60,
    less_power,
    power_and_performance,
)
