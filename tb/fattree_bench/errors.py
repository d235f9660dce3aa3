"""The one exception that is a user's mistake: one clear line, exit status 2."""

import difflib
from collections.abc import Iterable


class UserError(Exception):
    """Names the parameter, its value and what is allowed."""


def one_line(text: str) -> str:
    """The same on one line: what cannot be printed, as a newline in a value, is spelled out."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def meant(word: str, known: Iterable[str]) -> str:
    """What a user may have meant, to be put behind "no such word"; empty if nothing is near.

    >>> meant("netwrok", ["NETWORK", "TEST"]), meant("foo", ["NETWORK", "TEST"])
    ('; did you mean NETWORK?', '')
    """
    by_case = {name.upper(): name for name in known}
    found = difflib.get_close_matches(word.upper(), by_case, n=1, cutoff=0.7)
    return f"; did you mean {by_case[found[0]]}?" if found else ""
