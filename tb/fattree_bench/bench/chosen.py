"""STIMULUS, a test's own variables: `rows`, how much random traffic it has, and plain fields.

The fields are those that a sequence class which is the test itself declares.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass

import numpy as np

from fattree_bench.bench.groups import Group
from fattree_bench.bench.scenario import Body, Scenario
from fattree_bench.errors import UserError
from fattree_bench.settings import Settings, parsed, plain, plain_real
from fattree_models.common.checks import BoolArray

ROWS = "rows"
MOST_ROWS = 1_000_000
Values = Mapping[str, str]  # of variables of a test, by name
Value = bool | int | float | str
KINDS = {bool: "0 or 1", int: "a whole number", float: "a number", str: "a text"}


def read(text: str) -> dict[str, str]:
    """NAME=value words between slashes; ValueError says what is wrong."""
    words = [word.partition("=") for word in text.split("/") if text]
    given = {name: value for name, _, value in words}
    if len(given) < len(words) or not all(name and value for name, _, value in words):
        raise ValueError("must be NAME=value, each name once, with / between them")
    if not 1 <= plain(given.get(ROWS, "1")) <= MOST_ROWS:
        raise ValueError(f"{ROWS} must be 1 … {MOST_ROWS}")
    return given


def write(values: Values) -> str:
    """As `read` reads it; an empty text is as by default."""
    return "/".join(f"{name}={value}" for name, value in values.items() if value)


class Chosen(Settings):
    """Variables of the tests of a run."""

    stimulus = parsed("STIMULUS", "", "variables of a test, as rows=50/load=0.9", read, write)

    def rows(self, usual: int) -> int:
        """Slots, clocks or delivery cycles of random traffic."""
        return int(self.stimulus.get(ROWS, usual))

    def refuse(self, tests: Callable[[], Iterable[Scenario]]) -> None:
        """UserError for a variable that none of the tests has, or a wrong value."""
        if not self.stimulus:
            return
        known = {name: x for test in tests() for name, x in variables(test.body).items()}
        for name, value in self.stimulus.items():
            told = f"STIMULUS={write(self.stimulus)}: {name}"
            if name not in (ROWS, *known):
                raise UserError(f"{told}: no such variable; there is {', '.join((ROWS, *known))}")
            try:
                made(known.get(name, 0), value)
            except ValueError:
                raise UserError(f"{told}: must be {KINDS[type(known[name])]}") from None


def variables(body: Body) -> dict[str, Value]:
    """What a test takes besides `rows`, and what is usual."""
    own = vars(body).get("__annotations__", {})
    usual = {x.name: x.default for x in fields(body) if x.name in own} if is_dataclass(body) else {}
    return {k: x for k, x in usual.items() if isinstance(x, Value) and k != "family"}


def made(usual: Value, text: str) -> Value:
    """A value of the type of what is usual; ValueError if the text is none."""
    if isinstance(usual, bool):
        return bool(("0", "1").index(text))
    if isinstance(usual, int):
        return plain(text)
    return plain_real(text) if isinstance(usual, float) else text


def given(body: Body, values: Values) -> dict[str, Value]:
    """The fields of a test's sequence that were chosen."""
    return {k: made(x, values[k]) for k, x in variables(body).items() if k in values}


def packed(groups: Mapping[str, Group]) -> dict[str, str]:
    """The bins that were hit, by group: packed bits, as JSON keeps them."""
    return {k: np.packbits(x.hits.ravel() > 0).tobytes().hex() for k, x in groups.items()}


def unpacked(text: str, size: int) -> BoolArray:
    """The first bits of `packed`, clear where there are none."""
    bits = np.unpackbits(np.frombuffer(bytes.fromhex(text) + bytes(size), np.uint8))
    return bits[:size].astype(np.bool_)
