"""Variables of the command line, each declared once: how to read, check, write and pass it on.

A class of settings declares its variables as attributes; an instance holds their values:

    class Tree(Settings):
        n = power_of_two("N", 16, 1, 10, "leaves", rtl="N_LOG")
        control = word("CONTROL", "SELF", ("SELF", "SCHEDULED"), "who routes", rtl=True)
        width = number("WIDTH", 32, lambda s: s.n + 4, 64, "payload bits, log2(N) + 4 … 64")

    tree = Tree.from_variables({"N": "8"})
    tree.n, tree.variables()  # 3, {"N": "8", "CONTROL": "SELF", "WIDTH": "32"}

Variables are read in the order in which they stand, those of a derived class before those of its
bases; a bound may be a function of what was read before (`s`).  A derived class changes a variable
with `but()`, and drops it with `but(fixed=True)`.
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Self, TypeVar, overload

from fattree_bench.errors import UserError, meant, one_line

T = TypeVar("T")
S = TypeVar("S", bound="Settings")
W = TypeVar("W", bound=str)
Bound = int | Callable[[Any], int]  # a number, or a function of what was read before
IGNORED = ("PYTHON",)  # make's own business


class Attribute(Generic[T]):
    """What a class of settings declares: a variable, or a part of several."""

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> Self | T:
        if instance is None:
            return self
        raise AttributeError(f"{self} is not read yet")  # values stand in the instance itself

    def variables(self) -> "tuple[Variable[Any], ...]":
        raise NotImplementedError

    def read_from(self, variables: Mapping[str, str], settings: Any) -> T:
        """The checked value; UserError says what is allowed."""
        raise NotImplementedError

    def write_to(self, told: dict[str, str], value: T, settings: Any) -> None:
        """Tell the variables that make this value."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Variable(Attribute[T]):
    """One variable: its name, what it is if it is not given, and what it means."""

    name: str
    default: str
    help: str
    read: Callable[[str, Any], T]  # its text and what was read before; ValueError if it is wrong
    write: Callable[[T], str] = str
    rtl: str | bool = False  # the Verilog parameter that it becomes as it is; True: of its name
    usual: Callable[[Any], T] | None = None  # what an empty text stands for
    stated: bool = False  # every result says it, also the default
    fixed: bool = False  # it cannot be given: it is always as by default
    environment: bool = False  # may also be set there
    old: tuple[str, ...] = ()  # other names that it goes by
    draw: Callable[[], str] | None = None  # what the word "random" stands for
    words: tuple[str, ...] = ()  # that it may be
    labelled: bool = False  # a value means nothing without the name, as in N=8
    split: Callable[[str], list[str]] | None = None  # how a list of values is cut, if not at commas
    per_run: bool = False  # of one run: a sweep sets it or leaves it out

    def but(self, **changes: Any) -> Self:
        """The same with another default, help …"""
        return replace(self, **changes)

    def variables(self) -> "tuple[Variable[Any], ...]":
        return () if self.fixed else (self,)

    def read_from(self, variables: Mapping[str, str], settings: Any) -> T:
        given = [variables[k] for k in (self.name, *self.old) if k in variables]
        text = given[0] if given and not self.fixed else self.default
        if self.usual and not text:
            return self.usual(settings)
        try:
            return self.read(text, settings)
        except (OSError, ValueError) as error:
            told = getattr(error, "strerror", None) or error
            raise UserError(f"{self.name}={one_line(text)}: {told}") from None

    def write_to(self, told: dict[str, str], value: T, settings: Any) -> None:
        usual = self.usual and value == self.usual(settings)
        if not self.fixed:
            told[self.name] = "" if usual else self.write(value)


class Part(Attribute[S]):
    """The variables of another class; `given`: what it needs to know of these settings."""

    def __init__(
        self, kind: type[S], given: Callable[[Any], Mapping[str, object]] = lambda _: {}
    ) -> None:
        self.kind, self.given = kind, given

    def variables(self) -> tuple[Variable[Any], ...]:
        return self.kind.parameters

    def read_from(self, variables: Mapping[str, str], settings: Any) -> S:
        return self.kind.from_variables(variables, **self.given(settings))

    def write_to(self, told: dict[str, str], value: S, settings: Any) -> None:
        told |= value.variables()


class Settings:
    """Values of the variables that a class declares, checked; they stay as they are."""

    parameters: ClassVar[tuple[Variable[Any], ...]] = ()
    _attributes: ClassVar[tuple[tuple[str, Attribute[Any]], ...]] = ()
    _given: tuple[str, ...] = ()  # attributes that were not read

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        home: dict[str, type] = {}  # where a variable is declared first
        for level in reversed(cls.__mro__):
            for name in (k for k, x in vars(level).items() if isinstance(x, Attribute)):
                home.setdefault(name, level)
        names = [k for level in cls.__mro__ for k, first in home.items() if first is level]
        now = [(k, getattr(cls, k)) for k in names]
        cls._attributes = tuple((k, x) for k, x in now if isinstance(x, Attribute))
        cls.parameters = tuple(v for _, x in cls._attributes for v in x.variables())

    @classmethod
    def from_variables(cls, variables: Mapping[str, str], **given: object) -> Self:
        """Read the variables; UserError names the first that is wrong.

        Those not there have their defaults; others than these are not looked at.  `given` become
        attributes that need no reading.
        """
        made = object.__new__(cls)
        values = vars(made)
        values.update(given)
        for name, attribute in cls._attributes:
            values[name] = attribute.read_from(variables, made)
        values["_given"] = tuple(given)
        made.check()
        return made

    def check(self) -> None:
        """UserError for what does not go together."""

    def but(self, **changes: object) -> Self:
        """Copy with attributes replaced; the new values are not validated."""
        made = object.__new__(type(self))
        vars(made).update(dict(self._state()), _given=self._given, **changes)
        return made

    def _state(self) -> tuple[tuple[str, Any], ...]:
        names = (*self._given, *(name for name, _ in self._attributes))
        return tuple((name, vars(self)[name]) for name in names)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._state() == self._state()

    def __hash__(self) -> int:
        return hash(self._state())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{n}={value!r}' for n, value in self._state())})"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name}: settings stay as they are")

    def variables(self) -> dict[str, str]:
        """What makes these settings again: the replay line."""
        told: dict[str, str] = {}
        for name, attribute in self._attributes:
            attribute.write_to(told, vars(self)[name], self)
        return told

    def changed(self) -> dict[str, str]:
        """The variables that are not as by default, and those that every result states."""
        defaults = {p.name: p.default for p in self.parameters if not p.stated}
        return {k: x for k, x in self.variables().items() if x != defaults.get(k)}

    def verilog(self) -> dict[str, str | int]:
        """The Verilog parameters that variables become as they are."""
        own = [(x, vars(self)[k]) for k, x in self._attributes if isinstance(x, Variable)]
        return {
            x.name if x.rtl is True else str(x.rtl): f'"{v}"' if isinstance(v, str) else int(v)
            for x, v in own
            if x.rtl
        }


# ---- kinds of variables --------------------------------------------------------------------------
#
# What is allowed stands in the help: instead of {allowed}, or at its end.


def word(
    name: str,
    default: str,
    allowed: Iterable[W] | Mapping[W, str],
    help: str = "",
    *,
    rtl: str | bool = False,
) -> Variable[W]:
    """One of the allowed words, which may have meanings; capitals are read in any case."""
    words = tuple(allowed)
    capitals = all(w == w.upper() for w in words)
    if isinstance(allowed, Mapping):
        told = listed([f"{w} ({meaning})" if meaning else w for w, meaning in allowed.items()])
    else:
        told = listed(words)

    def read(text: str, _: Any) -> W:
        return choice(name, text.upper() if capitals else text, words)

    return Variable(name, default, _help(help, told, ": "), read, rtl=rtl, words=words)


def number(
    name: str,
    default: int | str,
    low: Bound,
    high: Bound,
    help: str,
    *,
    allowed: str = "",
    fits: Callable[[int], bool] = lambda _: True,
    usual: Callable[[Any], int] | None = None,
    rtl: str | bool = False,
) -> Variable[int]:
    """A whole number from low to high.

    `allowed` is what an error says, with {low}, {high} and what was read before as {s}.  A range
    that depends on it must stand in the help.
    """
    if isinstance(low, int) and isinstance(high, int):
        allowed = allowed or (listed(range(low, high + 1)) if high - low < 3 else "{low} … {high}")
        if "…" not in help:
            help = _help(help, allowed.format(low=low, high=high), ", ")

    def read(text: str, s: Any) -> int:
        least, most = (bound if isinstance(bound, int) else bound(s) for bound in (low, high))
        told = (allowed or "{low} … {high}").format(low=least, high=most, s=s)
        value = integer(name, text, told, least, most)
        if not fits(value):
            raise UserError(f"{name}={value}: must be {told}")
        return value

    return Variable(name, str(default), help, read, rtl=rtl, usual=usual, labelled=True)


def power_of_two(
    name: str,
    default: int,
    low: int,
    high: int,
    help: str,
    *,
    allowed: str = "a power of two, {low} … {high}",
    rtl: str | bool = False,
) -> Variable[int]:
    """A number whose logarithm settings keep, low … high."""
    exponents = {str(1 << n): n for n in range(low, high + 1)}
    told = allowed.format(low=1 << low, high=1 << high)

    def read(text: str, _: Any) -> int:
        return exponents[choice(name, text, tuple(exponents), told)]

    def write(n: int) -> str:
        return str(1 << n)

    help = _help(help, told, ": ")
    return Variable(name, str(default), help, read, write, rtl, labelled=True)


def flag(
    name: str, default: int, on: str = "", off: str = "", *, rtl: str | bool = False
) -> Variable[bool]:
    """A switch; `on` and `off` say what 1 and 0 mean."""
    told = ", ".join(f"{k}: {meaning}" for k, meaning in ((1, on), (0, off)) if meaning)

    def read(text: str, _: Any) -> bool:
        return choice(name, text, ("0", "1")) == "1"

    def write(value: bool) -> str:
        return str(int(value))

    return Variable(name, str(default), told, read, write, rtl, labelled=True)


def parsed(
    name: str, default: str, help: str, read: Callable[[str], T], write: Callable[[T], str] = str
) -> Variable[T]:
    """What `read` makes of the text; its ValueError or OSError gets the name."""
    return Variable(name, default, help, lambda text, _: read(text), write)


def text(name: str, default: str, help: str, words: Iterable[str] = ()) -> Variable[str]:
    """Any text; there are words that it may hold, for {allowed} in the help."""
    told = tuple(words)
    help = help.format(allowed=listed(told)) if told else help
    return parsed(name, default, help, str).but(words=told)


def choice(name: str, value: str, allowed: tuple[W, ...], told: str = "") -> W:
    """The value of a variable if it is one of the allowed words; UserError otherwise."""
    for word in allowed:
        if word == value:
            return word
    near = "" if told else meant(value, allowed)
    raise UserError(f"{name}={value}: must be {told or listed(allowed)}{near}")


def plain(word: str) -> int:
    """A whole number in digits 0 to 9 alone; ValueError for what else Python would take.

    >>> plain("-12")
    -12
    >>> plain("1_000")
    Traceback (most recent call last):
    ...
    ValueError: is not a whole number
    """
    # Not ' 1', +1, -0, 1_000, digits of other scripts.
    if not re.fullmatch("(?!-0+$)-?[0-9]{1,18}", word):
        raise ValueError("is not a whole number")
    return int(word)


def plain_real(word: str) -> float:
    """A number with a point or an exponent; ValueError as of `plain`.

    >>> plain_real("0.5"), plain_real("2e-3")
    (0.5, 0.002)
    """
    if not re.fullmatch(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,3})?", word):
        raise ValueError("is not a number")
    return float(word)


def integer(name: str, value: str, allowed: str, low: int, high: int) -> int:
    """The value of a variable as a number from low to high; UserError says what is allowed."""
    try:
        number = plain(value)
    except ValueError:
        number = low - 1
    if not low <= number <= high:
        raise UserError(f"{name}={value}: must be {allowed}")
    return number


def listed(words: Iterable[object]) -> str:
    """A, B or C."""
    *most, last = map(str, words)
    return f"{', '.join(most)} or {last}" if most else last


def _help(help: str, allowed: str, between: str) -> str:
    if "{allowed}" in help:
        return help.format(allowed=allowed)
    return f"{help}{between}{allowed}" if help else allowed


# ---- from the command line -----------------------------------------------------------------------


def collect(
    arguments: Iterable[str], declared: Iterable[Variable[Any]], others: bool = False
) -> dict[str, str]:
    """NAME=value arguments, over what the environment says of the variables that may stand there.

    Old names become new ones.  UserError names what is not a variable, unless `others` may come.
    """
    declared = tuple(declared)
    new = {old: v.name for v in declared for old in v.old}
    found = {
        k: os.environ[k]
        for v in declared
        if v.environment
        for k in (v.name, *v.old)
        if os.environ.get(k)
    }
    given: dict[str, str] = {}
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if not equals or not name:
            raise UserError(f"{argument}: variables are given as NAME=value")
        given[name] = value
    for name, value in {**found, **given}.items():
        if not value.isprintable():
            raise UserError(f"{name}={value}: must be one line of characters that can be printed")
    for source in (found, given):
        for old in [k for k in source if k in new]:
            source.setdefault(new[old], source.pop(old))
    values = {k: x for k, x in {**found, **given}.items() if k not in IGNORED}
    if not others:
        refuse_unknown(values, declared)
    for drawn in declared:
        if drawn.draw and values.get(drawn.name) == "random":
            values[drawn.name] = drawn.draw()
    return values


def refuse_unknown(given: Iterable[str], declared: Iterable[Variable[Any]]) -> None:
    """UserError for the first name that is not a variable."""
    declared = tuple(declared)
    known = dict.fromkeys(v.name for v in declared)
    old = {k for v in declared for k in v.old}
    listing = ", ".join(known) or "none"
    for name in given:
        if name not in known and name not in old:
            near = meant(name, [k for v in declared for k in (v.name, *v.old)])
            raise UserError(f"{name}: no such variable{near or ';'} there is {listing}")
