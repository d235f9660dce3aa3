"""Numbers and lists in what a user writes: `shift:3`, `hotspot:0,5:0.1`, `1,5:0.3`."""

import re

from fattree_models.common.checks import check_integer

MAX_NODES = 2**20


def check_nodes(nodes: int) -> int:
    """Return `nodes` as an int if there can be a network of so many, 2 … 2^20."""
    return check_integer("nodes", nodes, 2, MAX_NODES)


def check_text(name: str, text: str) -> str:
    """Return `text` if it is a str."""
    if not isinstance(text, str):
        raise ValueError(f"{name}: is {text!r}; allowed is text")
    return text


def integer(name: str, word: str, low: int, high: int) -> int:
    """Return a decimal number low … high.

    Examples
    --------
    >>> integer("radix", "4", 2, 64)
    4
    >>> integer("radix", "1_0", 2, 64)
    Traceback (most recent call last):
    ...
    ValueError: radix: is '1_0'; allowed are 2 … 64
    """
    # Python would take 1_000 and digits of other scripts too.
    if not re.fullmatch("[+-]?[0-9]{1,18}", word) or not low <= int(word) <= high:
        raise ValueError(f"{name}: is {word!r}; allowed are {low} … {high}")
    return int(word)


def real(name: str, word: str, most: float) -> float:
    """Return a number 0 … `most`.

    Examples
    --------
    >>> real("share", "2.5e-1", 1.0)
    0.25
    >>> real("share", "2", 1.0)
    Traceback (most recent call last):
    ...
    ValueError: share: is '2'; allowed are 0 … 1
    """
    plain = re.fullmatch(r"[0-9]*\.?[0-9]+(e[+-]?[0-9]+)?|[0-9]+\.", word.lower())
    if not plain or not 0.0 <= float(word) <= most:
        raise ValueError(f"{name}: is {word!r}; allowed are 0 … {most:g}")
    return float(word)


def split_list(text: str) -> list[str]:
    """Split a list of patterns, or of injections, at its commas.

    Their names begin with a letter, what stands in the lists within them does not.

    Examples
    --------
    >>> split_list("uniform,hotspot:0,5:0.1,shift:-3")
    ['uniform', 'hotspot:0,5:0.1', 'shift:-3']
    """
    return [word.strip() for word in re.split(r",(?=\s*[A-Za-z_])", check_text("list", text))]
