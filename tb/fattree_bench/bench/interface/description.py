"""What a user says of a design: the tables of its TOML file, each a dataclass."""

# ruff: noqa: RUF009 -- entry() makes fields

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

from fattree_bench import user_toml
from fattree_bench.bench.interface import names
from fattree_bench.bench.interface.entries import entry, read
from fattree_bench.bench.interface.kinds import KINDS
from fattree_bench.errors import UserError, meant

LINKS = tuple(KINDS)
LANGUAGES = ("1364-1995", "1364-2001", "1364-2005", "1800-2009", "1800-2012", "1800-2017")
MOST_LEAVES = 256


@dataclass(frozen=True)
class DesignTable:
    """What is built: a name may hold {leaves}, {inputs}, {outputs} and {width}."""

    top: str = entry("the name of the design's top module")
    sources: tuple[str, ...] = entry("a list of files or globs: .v, .sv, .f; !GLOB: but these")
    name: str = entry("a name for reports", "")
    leaves: int = entry(default=0, low=2, high=MOST_LEAVES)
    inputs: int = entry(default=0, low=1, high=MOST_LEAVES)
    outputs: int = entry(default=0, low=1, high=MOST_LEAVES)
    letters: str | tuple[str, ...] = entry('a letter a leaf, as "NESWL", or a list of texts', "")
    width: int = entry(default=32, low=1, high=4096)
    includes: tuple[str, ...] = entry("a folder", ())
    defines: dict[str, str | int] = entry("a text or a number", dict)
    parameters: dict[str, str | int] = entry("a Verilog expression or a number", dict)
    ties: dict[str, str | int] = entry("a Verilog expression or a number", dict)
    declare: tuple[str, ...] = entry("a declaration, as 'axis_if s [4] (.clk(clk))'", ())
    language: str = entry(default="", words=LANGUAGES)
    lint: str = entry(default="tell", words=("tell", "stop"))
    waive: tuple[str, ...] = entry("a name of a Verilator warning, as WIDTHTRUNC", ())
    errors: tuple[str, ...] = entry("a text that a line of the log holds", ())
    simulators: tuple[str, ...] = entry(default=(), words=("verilator", "icarus"))
    python: str = entry("a Python file, with scenarios, graph(), route() or predict()", "")


@dataclass(frozen=True)
class ClockTable:
    """The clock of all leaves."""

    name: str = entry("the clock's port", "clk")


@dataclass(frozen=True)
class ResetTable:
    """The reset: how long, and how long leaves wait afterwards."""

    name: str = entry("the reset's port; empty: there is none", "rst")
    active: int = entry(default=1, low=0, high=1)
    clocks: int = entry(default=2, low=1, high=100_000)
    wait: int = entry(default=0, low=0, high=100_000)
    late: int = entry(default=0, low=0, high=100_000)

    @property
    def silent(self) -> int:
        """Clocks behind a reset in which leaves wait: it must be everywhere in the design."""
        return max(self.wait, self.late)


@dataclass(frozen=True)
class PortTable:
    """The ports of one direction: NAME, NAME:BITS of a leaf, or ~NAME, whose bits are inverted.

    {i} in a name is the leaf's number or letter; without it one port has the bits of all leaves,
    those of leaf 0 as `leaf0` says.  `fields` are those of `packet`, the most significant first.
    """

    valid: str = entry("a port", "")
    ready: str = entry("a port", "")
    data: str = entry("a port", "")
    dest: str = entry("a port", "")
    route: str = entry("a port", "")
    id: str = entry("a port", "")
    last: str = entry("a port", "")
    keep: str = entry("a port", "")
    user: str = entry("a port", "")
    head: str = entry("a port", "")
    type: str = entry("a port", "")
    length: str = entry("a port", "")
    vc: str = entry("a port", "")
    stop: str = entry("a port", "")
    credit: str = entry("a port", "")
    credit_vc: str = entry("a port", "")
    grant: str = entry("a port", "")
    packet: str = entry("a port", "")
    fields: str = entry("names with bits, as valid:1 dest:4 data:32", "")


@dataclass(frozen=True)
class LinkTable:
    """What leaves speak; `send` is what goes into the design."""

    kind: str = entry(words=LINKS)
    send: PortTable = entry("a table of ports")
    receive: PortTable = entry("a table of ports")
    vcs: int = entry(default=1, low=1, high=4)
    vc: str = entry(default="binary", words=("binary", "one-hot"))
    mode: str = entry(default="stop", words=("stop", "resend"))
    slack: int = entry(default=0, low=0, high=64)
    lag: int = entry(default=0, low=0, high=8)
    credits: int = entry(default=4, low=1, high=64)
    count: str = entry(default="pulse", words=("pulse", "count"))
    slot: int = entry(default=1, low=1, high=64)
    stable: bool = entry(default=True)
    addresses: tuple[int, ...] = entry("a whole number, 0 or more", (), low=0)
    route: str | tuple[list[int], ...] = entry("a list of rows, or an expression", "")
    types: dict[str, int] = entry("codes of head, body, tail, single", dict, low=0)
    length: str = entry(default="packet", words=("packet", "rest"))
    leaf0: str = entry(default="lowest", words=("lowest", "highest"))


@dataclass(frozen=True)
class TrafficTable:
    """What the design takes: words of a packet, whether leaves send to themselves, legal pairs."""

    words: str | int = entry('words of a packet, as 4 or "1-16"', "")
    self: bool = entry(default=True)
    pairs: str | tuple[list[int | str], ...] = entry("pairs, as [[0, 1], [1, 0]], or a rule", "")


@dataclass(frozen=True)
class LatencyTable:
    """Clocks from a packet's first word at an input to that at its output, if it is alone."""

    least: int = entry(default=0, low=0, high=1_000_000)
    usual: float | None = entry(default=None, low=0, high=1_000_000)
    most: int | None = entry(default=None, low=0, high=1_000_000)


@dataclass(frozen=True)
class DropsTable:
    """Packets may be dropped, whole; a port counts them."""

    counter: str = entry("the port that counts dropped packets, as NAME:BITS", "")


@dataclass(frozen=True)
class PromisesTable:
    """What is promised beyond delivery."""

    order: bool | str = entry("true, false, pair or channel", False, words=("pair", "channel"))
    reset: bool = entry(default=False)
    latency: LatencyTable | None = entry("a table of least, usual, most", None)
    fairness: float | None = entry(default=None, low=0.01, high=1)
    drops: DropsTable | None = entry('a table, as { counter = "dropped" }, or empty', None)
    accepts: dict[str, float] = entry("loads by pattern", dict, low=0.001, high=1)


@dataclass(frozen=True)
class TapTable:
    """What passes a link of the graph: Verilog expressions, in which {design} is the design.

    With `count` there are so many of them, and {i} is the number of each.
    """

    valid: str = entry("an expression: a word passes in this clock")
    data: str = entry("an expression: the word")
    count: int = entry(default=1, low=1, high=4096)


@dataclass(frozen=True)
class LimitsTable:
    """When a run is ended: clocks of an item, clocks without progress, bytes of log."""

    clocks: int = entry(default=100_000, low=100, high=2_000_000_000)
    quiet: int = entry(default=1500, low=50, high=10_000_000)
    log: int = entry(default=20_000_000, low=10_000, high=2_000_000_000)


@dataclass(frozen=True)
class Tables:
    """All of a file."""

    design: DesignTable = entry("a table")
    link: LinkTable = entry("a table")
    clock: ClockTable = entry("a table", ClockTable)
    reset: ResetTable = entry("a table", ResetTable)
    traffic: TrafficTable = entry("a table", TrafficTable)
    promises: PromisesTable = entry("a table", PromisesTable)
    taps: dict[str, TapTable] = entry("taps", dict)
    limits: LimitsTable = entry("a table", LimitsTable)


@dataclass(frozen=True)
class Wrong:
    """Makes errors of a file: its name, a key, what is wrong with it."""

    path: Path

    def __call__(self, told: str) -> UserError:
        return UserError(f"{self.path.name}: {told.removeprefix('.')}")

    def unknown(self, key: str, name: str, known: list[str]) -> UserError:
        """A name that is none of those known."""
        return self(f"{key}: {name}: there is {', '.join(known)}{meant(name, known)}")


def tables(path: Path) -> Tables:
    """What a file says; UserError names file, key, value and what is allowed."""
    said, wrong = user_toml.read(path, str(path)), Wrong(path)
    made = read(Tables, said, wrong)
    for told in names.problems(said):
        raise wrong(told)
    return made


def roles() -> list[str]:
    """Names of fields that a packet may have."""
    return [one.name for one in fields(PortTable) if one.name not in ("packet", "fields")]
