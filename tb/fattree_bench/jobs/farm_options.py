"""The variables FARM_…: what to request from a farm."""

import re

from fattree_bench.settings import Settings, number, parsed


def _word(value: str) -> str:
    if value and not re.fullmatch(r"[\w.,:@/+-]+", value):
        raise ValueError("must be one word")
    return value


def _line(value: str) -> str:
    if len(value.splitlines()) > 1:
        raise ValueError("must be one line")
    return value


def _directives(value: str) -> tuple[str, ...]:
    return tuple(d.strip() for d in _line(value).split(";") if d.strip())


def _walltime(value: str) -> int:
    """HH:MM or HH:MM:SS in seconds."""
    parts = re.fullmatch(r"(\d{1,4}):([0-5]\d)(?::([0-5]\d))?", value)
    hours, minutes, rest = (int(part or 0) for part in parts.groups()) if parts else (0, 0, 0)
    if (seconds := 3600 * hours + 60 * minutes + rest) < 60:
        raise ValueError("must be HH:MM or HH:MM:SS, at least a minute")
    return seconds


def clock(seconds: int) -> str:
    """Seconds as HH:MM:SS."""
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _memory(value: str) -> str:
    if not re.fullmatch(r"0*[1-9]\d*(\.\d+)? ?[KMGT]i?B", value):
        raise ValueError("must be a number with its unit, as 4GB or 500MB")
    return value


class FarmOptions(Settings):
    """What to request from the farm."""

    queue = parsed("FARM_QUEUE", "", "queue or partition; empty: the farm's default", _word)
    account = parsed("FARM_ACCOUNT", "", "account or project to charge", _word)
    walltime = parsed(
        *("FARM_WALLTIME", "04:00:00", "of a farm job, HH:MM:SS; it is replaced when it ends"),
        _walltime,
        clock,
    )
    memory = parsed("FARM_MEMORY", "4GB", "of a farm job, all its cores together", _memory)
    cores = number("FARM_CORES", 1, 1, 1024, "of a farm job: so many runs at once in it")
    directives = parsed(
        *("FARM_DIRECTIVES", "", "more options for the farm, separated by ;"),
        _directives,
        "; ".join,
    )
    prologue = parsed(
        "FARM_PROLOGUE", "", "shell commands before a worker starts, as module load …", _line
    )
    interface = parsed(
        "FARM_INTERFACE", "", "network interface that the farm's hosts reach, as ib0", _word
    )
    wait = number(
        *("FARM_WAIT", 3600, 0, 10**7),
        "seconds without any worker after which to give up; 0: never",
    )
