"""Variables of the command line, and how their values are checked."""

from dataclasses import dataclass

from fattree_bench.errors import UserError


@dataclass(frozen=True)
class Parameter:
    """A variable of the command line that describes a network."""

    name: str
    default: str
    help: str


def choice(name: str, value: str, allowed: tuple[str, ...]) -> str:
    """The value of a variable if it is one of the allowed words; UserError otherwise."""
    if value not in allowed:
        listed = ", ".join(allowed[:-1])
        raise UserError(f"{name}={value}: must be {f'{listed} or ' if listed else ''}{allowed[-1]}")
    return value


def integer(name: str, value: str, allowed: str, low: int, high: int) -> int:
    """The value of a variable as a number from low to high; UserError says what is allowed."""
    try:
        number = int(value)
    except ValueError:
        number = low - 1
    if not low <= number <= high:
        raise UserError(f"{name}={value}: must be {allowed}")
    return number
