"""`make history`: draw what regressions have recorded."""

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape

from fattree_bench.errors import UserError
from fattree_bench.report.history import NAME, draw, read
from fattree_bench.settings import Settings, collect, parsed, refuse_unknown
from fattree_bench.sim.variables import Folders, resolved


class Asked(Settings):
    """Where the history is, and where the figure goes."""

    history = parsed(
        "HISTORY",
        "",
        f"CSV file with a line for each regression; empty: BUILD/history/{NAME}",
        lambda path: resolved(path) if path else None,
    )
    build = Folders.build


def run(console: Console, arguments: Sequence[str]) -> int:
    """Write BUILD/history/history.svg; damaged lines are reported and skipped."""
    values = collect(arguments, Asked.parameters)
    refuse_unknown(values, Asked.parameters)
    asked = Asked.from_variables(values)
    folder = asked.build / "history"
    path = asked.history or folder / NAME
    if path.exists() and not path.is_file():
        raise UserError(f"HISTORY={path}: is not a regular file")
    try:
        rows, damaged = read(path)
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; make regress writes one") from None
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    for line in damaged:
        console.print(f"[yellow]{escape(line)}[/]", soft_wrap=True)
    if not rows:
        raise UserError(f"{path}: holds no regression")
    draw(rows, folder / "history.svg", asked.build / "matplotlib")
    console.print(
        f"regressions: {len(rows)}; the last {'passed' if rows[-1]['good'] else 'failed'}, with "
        f"{rows[-1].get('passed', 0):.1f} % of {rows[-1]['tests']:.0f} tests passed"
    )
    console.print(f"figure: {folder / 'history.svg'}", soft_wrap=True)
    return 0
