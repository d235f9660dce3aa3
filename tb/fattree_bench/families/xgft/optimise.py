"""`make optimise`: the cheapest fat-trees of switches for a number of processors."""

from collections import Counter

from fattree_bench.errors import UserError
from fattree_bench.families.xgft.shape import port_limit
from fattree_bench.settings import Settings, Variable, number, word
from fattree_models import xgft
from fattree_models.xgft.optimum import MAX_PROCESSORS

MAX_LEVELS = MAX_PROCESSORS.bit_length() - 1  # each has two sub-trees at least


class Sought(Settings):
    """What trees are sought."""

    p = number("P", 60, 2, MAX_PROCESSORS, "processors")
    levels = number(
        *("LEVELS", "", 1, MAX_LEVELS, "levels of switches, {allowed}; empty: any number"),
        usual=lambda _: 0,
    )
    max_ports = port_limit()
    constraint: Variable[xgft.Constraint] = word(
        "CONSTRAINT",
        "FULL",
        {
            "FULL": "all of a sub-tree can send out of it at once",
            "NONE": "",
            "PRINTED": "(7) of the paper",
        },
    )
    top = number("TOP", 5, 1, 1000, "trees that are listed")

    def rows(self) -> list[dict[str, str]]:
        """A row a tree, the cheapest first, text by title; UserError if there is none."""
        try:
            found = xgft.cheapest(
                self.p, self.levels or None, self.constraint, self.max_ports or None, self.top
            )
        except ValueError as error:
            given = {"P": self.p, **self.changed()}
            told = " ".join(f"{name}={value}" for name, value in given.items())
            raise UserError(f"{told}: {error}") from None
        ties = Counter(one.cost for one in found)
        return [_row(one, ties[one.cost]) for one in found[: self.top]]


def _row(one: xgft.Design, ties: int) -> dict[str, str]:
    tree = one.tree
    m, w = (",".join(map(str, digits)) for digits in (tree.m, tree.w))
    count = xgft.counts(tree)
    by_level = zip(one.routers, one.ports, strict=True)
    return {
        "NETWORK=xgft": f"M={m} W={w}",
        "cost": str(one.cost),
        "switches": str(count.switches),
        "ports": str(count.ports),
        "links": str(count.links),
        "ties": str(ties),
        "switches x ports by level": ", ".join(f"{n} x {ports}" for n, ports in by_level),
    }


OPTIMISER = Sought
