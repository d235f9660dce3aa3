"""`make history`: draw what regressions have left: trends on a page, and a badge."""

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape

from fattree_bench.errors import UserError
from fattree_bench.report.history import NAME, read
from fattree_bench.report.trends import write_trends
from fattree_bench.settings import Settings, collect, parsed, refuse_unknown
from fattree_bench.sim.variables import Folders, resolved


class Asked(Settings):
    """Where the history is, and where the page goes."""

    history = parsed(
        "HISTORY",
        "",
        f"file with a line a regression; empty: BUILD/history/{NAME}",
        lambda path: resolved(path) if path else None,
    )
    build = Folders.build


def run(console: Console, arguments: Sequence[str]) -> int:
    """Write BUILD/history/index.html and badge.svg; what is damaged is told and skipped."""
    values = collect(arguments, Asked.parameters)
    refuse_unknown(values, Asked.parameters)
    asked = Asked.from_variables(values)
    path = asked.history or asked.build / "history" / NAME
    if path.exists() and not path.is_file():
        raise UserError(f"HISTORY={path}: is no regular file")
    try:
        entries, damaged = read(path)
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; make regress writes one") from None
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    for line in damaged:
        console.print(f"[yellow]{escape(line)}[/]", soft_wrap=True)
    if not entries:
        raise UserError(f"{path}: holds no entry")
    page = write_trends(entries, asked.build / "history", damaged)
    latest = entries[-1]
    console.print(
        f"{len(entries)} regressions; the last {'passed' if latest.good else 'failed'}: "
        f"{latest.passed} of {latest.tests} tests"
    )
    console.print(f"report: {page}", soft_wrap=True)
    console.print(f"badge: {page.with_name('badge.svg')}", soft_wrap=True)
    return 0
