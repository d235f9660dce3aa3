"""What a user calls with: each name once; long values leave an error readable."""

import re
from collections.abc import Iterable

from fattree_bench.errors import UserError, one_line

SHOWN = 80  # letters of a value that stand in a message
WORD = 255  # letters of the longest name of a file: no word of a message is longer


def clipped(text: str, words: Iterable[str]) -> str:
    """A message in which long values of these NAME=value words keep both their ends.

    >>> clipped("N=" + 5000 * "9" + ": no", ["N=" + 5000 * "9"]).count("9")
    79
    """
    values = {word.partition("=")[2] or word for word in words}
    for value in sorted((one_line(x) for x in values if len(x) > WORD), key=len, reverse=True):
        text = text.replace(value, _ends(value))
    return re.sub(rf"\S{{{WORD + 1},}}", lambda found: _ends(found[0]), text)


def _ends(text: str) -> str:
    return f"{text[: SHOWN // 2]}…{text[1 - SHOWN // 2 :]}"


def refuse_twice(words: Iterable[str]) -> None:
    """UserError for the first name that NAME=value words give a second time."""
    given: dict[str, str] = {}
    for name, equals, value in (word.partition("=") for word in words):
        if equals and name in given:
            raise UserError(f"{name}: given twice, {given[name]!r} and {value!r}")
        given[name] = value
