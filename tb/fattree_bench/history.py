"""`make history`: draw what regressions have recorded."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.markup import escape

from fattree_bench.errors import UserError
from fattree_bench.report.history import NAME, draw, read
from fattree_bench.settings import Settings, collect, parsed, refuse_unknown
from fattree_bench.sim.variables import Folders, resolved

T = TypeVar("T")


class Asked(Settings):
    """Where the history is, and where the figure goes."""

    history = parsed(
        "HISTORY",
        "",
        f"CSV file with a line for each regression; empty: BUILD/history/{NAME}",
        lambda path: resolved(path) if path else None,
    )
    build = Folders.build


def rows_of(
    console: Console,
    arguments: Sequence[str],
    read: Callable[[Path], tuple[list[T], list[str]]],
    suffix: str = "",
) -> tuple[list[T], Asked]:
    """What regressions have left in a file, a row each; damaged lines are reported and skipped.

    `suffix` : replaces the suffix of the history, unless empty.
    """
    values = collect(arguments, Asked.parameters)
    refuse_unknown(values, Asked.parameters)
    asked = Asked.from_variables(values)
    path = asked.history or asked.build / "history" / NAME
    path = path.with_suffix(suffix) if suffix else path
    if path.exists() and not path.is_file():
        raise UserError(f"HISTORY={path}: is not a regular file")
    try:
        rows, damaged = read(path)
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; make regress writes one") from None
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    for line in damaged:
        console.print(f"[yellow]{escape(line)}[/]", soft_wrap=True, emoji=False)
    if not rows:
        raise UserError(f"{path}: holds no regression")
    return rows, asked


def run(console: Console, arguments: Sequence[str]) -> int:
    """Write BUILD/history/history.svg."""
    rows, asked = rows_of(console, arguments, read)
    folder = asked.build / "history"
    draw(rows, folder / "history.svg", asked.build / "matplotlib")
    console.print(
        f"regressions: {len(rows)}; the last {'passed' if rows[-1]['good'] else 'failed'}, with "
        f"{rows[-1].get('passed', 0):.1f} % of {rows[-1]['tests']:.0f} tests passed"
    )
    console.print(f"figure: {folder / 'history.svg'}", soft_wrap=True)
    return 0
