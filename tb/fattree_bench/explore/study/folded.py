"""Tables and text in 80 columns: columns that do not fit follow below, with the labels again."""

import textwrap
from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

WIDTH = 80
LABEL = 30  # of a row's label; longer ones are folded
GAP = 2


def tell(console: Console, text: str, style: str = "") -> None:
    """A paragraph; its further lines are indented."""
    deeper = " " * (len(text) - len(text.lstrip()) + 2)
    for line in textwrap.wrap(text, WIDTH, subsequent_indent=deeper, break_on_hyphens=False):
        console.print(escape(line), style=style, soft_wrap=True, highlight=False)


def print_rows(console: Console, rows: Sequence[Mapping[str, str]]) -> None:
    """A table; the first column has the labels of the rows."""
    if not rows:
        return
    label, *titles = rows[0]
    first = min(LABEL, max(len(label), *(len(row[label]) for row in rows)))
    while titles:
        own: list[str] = []
        left = WIDTH - first
        while titles and (not own or _wide(titles[0], rows) <= left):
            left -= _wide(titles[0], rows)
            own.append(titles.pop(0))
        grid = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0))
        grid.add_column(label, width=first)
        for title in own:
            grid.add_column(title, justify="right", no_wrap=True)
        for row in rows:
            grid.add_row(*(escape(row[title]) for title in (label, *own)))
        console.print(grid, soft_wrap=True)
        if titles:
            console.print()


def _wide(title: str, rows: Sequence[Mapping[str, str]]) -> int:
    return GAP + max(len(title), *(len(row[title]) for row in rows))
