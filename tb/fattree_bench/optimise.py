"""`make optimise`: lists the cheapest networks for a number of processors."""

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from fattree_bench.families import offered
from fattree_bench.families.optimiser import Optimiser
from fattree_bench.settings import collect

OPTIMISER: type[Optimiser] = next(found for _, found in offered("optimise", "OPTIMISER"))


def run(console: Console, arguments: Sequence[str]) -> int:
    """0; UserError: no such network exists."""
    asked = OPTIMISER.from_variables(collect(arguments, OPTIMISER.parameters))
    rows = asked.rows()
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title, text in rows[0].items():
        grid.add_column(escape(title), justify="right" if text.isdigit() else "left")
    for row in rows:
        grid.add_row(*map(escape, row.values()))
    console.print(grid)
    return 0
