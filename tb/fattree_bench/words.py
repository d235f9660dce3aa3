"""Figures in the words of a report: shares, counts, durations, dates."""

import signal
from collections.abc import Iterable
from datetime import UTC, datetime
from math import isnan
from typing import NamedTuple

SPACE = "\N{NO-BREAK SPACE}"
DASH = "–"


def number(value: int) -> str:
    """A count with its thousands apart, as in "12 345"."""
    return f"{value:,}".replace(",", SPACE)


def percent(hit: int, total: int) -> str:
    """A share, rounded down: only what is complete is 100 %; a dash if there is nothing."""
    if not total:
        return DASH
    if hit == total:
        return f"100{SPACE}%"
    tenths = 1000 * hit // total
    return f"{tenths // 10}.{tenths % 10}{SPACE}%"


def plural(count: int, noun: str) -> str:
    return f"{number(count)} {noun}{'' if count == 1 else 's'}"


def span(values: Iterable[float], form: str = "d") -> str:
    """Least and greatest, as in "3 … 5"; one number if they look the same."""
    known = list(values)
    low, high = format(min(known), form), format(max(known), form)
    return low if low == high else f"{low} … {high}"


def known(value: float, form: str = ".3f") -> str:
    """A figure, or a dash for one that nothing has left (NaN).

    >>> known(0.25), known(float("nan"))
    ('0.250', '–')
    """
    return DASH if isnan(value) else format(value, form)


def shows(replay: str, time: int | None = None) -> str:
    """The command that plays on a page what a replay line repeats; from a time on, if one is given.

    >>> shows("make sim NETWORK=lbbvn TEST=frame SIM=verilator SEED=1", 7)
    'make show NETWORK=lbbvn TEST=frame SIM=verilator SEED=1 SLOT=7'
    """
    command = replay.replace(" sim ", " show ", 1)
    return command if time is None else f"{command} SLOT={time}"


def duration(seconds: float) -> str:
    """As in "0.4 s", "48 s", "12 min 5 s", "3 h 20 min"."""
    if seconds < 10:
        return f"{seconds:.1f}{SPACE}s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole}{SPACE}s"
    if whole < 3600:
        return f"{whole // 60}{SPACE}min {whole % 60}{SPACE}s"
    return f"{whole // 3600}{SPACE}h {whole % 3600 // 60}{SPACE}min"


def killer(status: int) -> str:
    """The signal that an exit status tells of, its own or as a shell says it; "" none.

    >>> killer(-11), killer(137), killer(1)
    ('SIGSEGV', 'SIGKILL', '')
    """
    try:
        return signal.Signals(-status if status < 0 else status - 128).name
    except ValueError:
        return ""


def utc(when: str) -> datetime | None:
    """The time of a report (ISO 8601), or None if it is not one; without a zone it is UTC."""
    try:
        time = datetime.fromisoformat(when)
    except ValueError:
        return None
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)


def moment(when: str) -> str:
    """As in "2026-11-21 15:36 UTC"; other text is left as it is."""
    time = utc(when)
    return when if time is None else f"{time:%Y-%m-%d %H:%M} UTC"


class Units(NamedTuple):
    """What times and loads of a network are counted in."""

    time: str = "clocks"
    packets: str = "flits"
    node: str = "node"

    @property
    def load(self) -> str:
        """As in "flits per node and clock"."""
        return f"{self.packets} per {self.node} and {self.time.removesuffix('s')}"
