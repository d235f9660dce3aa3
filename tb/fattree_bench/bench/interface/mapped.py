"""Designs that join managers to memories, as a file describes them: tables, channels, address map.

Packets of the bench are accesses there: as many beats as a packet has flits.  A flit is made for
each beat when an access is over, with a tag that no wire of the design carries.
"""

# ruff: noqa: RUF009 -- entry() makes fields

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from fattree_bench import user_toml
from fattree_bench.bench.interface import buses, names, ports
from fattree_bench.bench.interface import description as d
from fattree_bench.bench.interface.buses import KINDS, Channel
from fattree_bench.bench.interface.design import MOST_WIDTH, Design
from fattree_bench.bench.interface.entries import entry, read
from fattree_bench.bench.links.flit.words import FlitWords
from fattree_bench.errors import UserError, meant
from fattree_bench.paths import ROOT

PAGE = 4096  # bytes that no burst of AXI4 crosses the end of
LATER = ("order", "latency", "drops", "accepts")  # promises that are not for these yet
BURSTS = ("incr", "wrap", "fixed")


@dataclass(frozen=True)
class MappedLinkTable:
    """What managers and memories speak; `send` is the managers' side, `receive` the memories'."""

    slot = vcs = 1  # what other links may say
    leaf0 = "lowest"

    kind: str = entry("a kind of link")
    send: dict[str, str] = entry("ports by signal, or their prefix")
    receive: dict[str, str] = entry("ports by signal, or their prefix")
    addresses: tuple[int, ...] = entry("a whole number, 0 or more", low=0)
    spans: tuple[int, ...] = entry("a number of bytes", low=1)
    address_bits: int = entry(default=32, low=1, high=64)
    id_bits: int = entry(default=4, low=1, high=32)
    memory_id_bits: int = entry(default=0, low=0, high=32)
    outstanding: int = entry(default=8, low=1, high=256)
    holes: bool = entry(default=True)
    bursts: tuple[str, ...] = entry(default=BURSTS, words=BURSTS)
    extra: tuple[str, ...] = entry(default=())
    size_bits: int = entry(default=0, low=0, high=8)
    pipelined: bool = entry(default=False)
    word_addresses: bool = entry(default=False)


@dataclass(frozen=True)
class MappedTables:
    """All of a file."""

    design: d.DesignTable = entry("a table")
    link: MappedLinkTable = entry("a table")
    clock: d.ClockTable = entry("a table", d.ClockTable)
    reset: d.ResetTable = entry("a table", d.ResetTable)
    traffic: d.TrafficTable = entry("a table", d.TrafficTable)
    promises: d.PromisesTable = entry("a table", d.PromisesTable)
    limits: d.LimitsTable = entry("a table", d.LimitsTable)


LINKS = (*d.LINKS, *KINDS)
NOT_YET = ("axi3", "ahb", "apb", "avalon", "tl_uh", "tl_c", "ace", "chi")
CHANNEL_RULES = (  # bits of broken_o of leaf_channel
    "{0}valid is X or Z",
    "{0}valid is high in reset",
    "X or Z together with {0}valid",
    "{0}valid fell before {0}ready",
    "a field of {0}valid changed before {0}ready",
)
READY_RULE = "{0}ready is X or Z"


@dataclass(frozen=True)
class MappedDesign(Design):
    """A design with managers at its inputs, and memories at its outputs."""

    said: MappedTables  # type: ignore[assignment]
    vcs: ClassVar[int] = 1
    depth: ClassVar[int] = 8
    words_a_flit: ClassVar[int] = 1
    longer: ClassVar[int] = 5
    width: ClassVar[int] = MOST_WIDTH  # of a flit: not of a word
    taps: ClassVar[dict[str, tuple[str, str]]] = {}

    __hash__ = Design.__hash__

    def check(self) -> None:
        """UserError for what does not go together."""
        link, wrong, width = self.said.link, self.wrong, self.said.design.width
        for name in LATER:
            if getattr(self.said.promises, name):
                raise wrong(f"promises.{name}: is not for link.kind = '{link.kind}' yet")
        if width not in self.speaks.widths:
            told = ", ".join(map(str, self.speaks.widths))
            raise wrong(f"design.width = {width}: link.kind = '{link.kind}' has {told} bits")
        for name in set(link.extra) - set(self.speaks.extra):
            may = " or ".join(", ".join(self.speaks.extra).rsplit(", ", 1))
            raise wrong(f"link.extra: {name!r} in the list: must be {may}")
        if not link.bursts:
            raise wrong(f"link.bursts = []: must be some of {', '.join(BURSTS)}")
        super().check()
        for direction in ("send", "receive"):
            _ = list(self.signals(direction))
        if len(link.spans) != len(link.addresses) or len(link.addresses) != self.outputs:
            raise wrong(f"link.spans: must be {self.outputs} numbers of bytes, one a memory")
        if self.memory_id_bits < link.id_bits:
            raise wrong("link.memory_id_bits: must be id_bits or more")
        if self.room > PAGE:
            longest = self.packet_words.longest
            raise wrong(
                f"traffic.words: {longest} words of {width} bits are more than {PAGE} bytes"
            )
        windows = sorted(zip(link.addresses, link.spans, strict=True))
        for (start, span), (above, _) in zip(windows, [*windows[1:], (1 << 64, 0)], strict=True):
            if start % self.room or span < self.room:
                told = f"must start at a multiple of {self.room} bytes, and hold as many: a packet"
                raise wrong(f"link.addresses: {start:#x}: {told}")
            if start + span > min(above, 1 << link.address_bits):
                told = "reaches into another" if start + span > above else "is above address_bits"
                raise wrong(f"link.spans: {span:#x} bytes from {start:#x} on: {told}")

    @property
    def speaks(self) -> buses.Kind:
        return KINDS[self.said.link.kind]

    @property
    def fails(self) -> bool:
        """A memory may answer with an error."""
        refuses = self.speaks.refuses
        return not refuses or any(name in refuses for name in self.said.link.extra)

    @property
    def beats(self) -> bool:
        """An access may have several words."""
        return self.speaks.beats

    @property
    def memory_id_bits(self) -> int:
        link = self.said.link
        usual = link.id_bits + (self.inputs - 1).bit_length()
        return link.memory_id_bits or usual

    @property
    def room(self) -> int:
        """Bytes that the longest access needs: a power of two."""
        return 1 << (self.packet_words.longest * self.said.design.width // 8 - 1).bit_length()

    @property
    def holes(self) -> list[tuple[int, int]]:
        """Addresses that no memory owns: first, and the one behind the last; whole rooms."""
        link, found, at = self.said.link, [], 0
        end = 1 << link.address_bits
        for start, span in [*sorted(zip(link.addresses, link.spans, strict=True)), (end, 0)]:
            at = -(-at // self.room) * self.room
            if start - at >= self.room:
                found.append((at, start))
            at = start + span
        return found if link.holes and self.fails else []

    @cached_property
    def flit_words(self) -> FlitWords:
        node = self.node_bits
        return FlitWords(self.width, node, node, self.width - node - max(7, node + 1), 1)

    def _side(self, direction: str) -> ports.Side:
        """What the rest of the bench asks of a link's fields."""
        bits = {"dest": 64, "data": self.said.design.width, "ready": 1}
        bits |= {"last": 1} if self.beats else {}
        return ports.Side({role: ports.Field(role, "", one) for role, one in bits.items()})

    def sizes(self, side: str) -> buses.Sizes:
        link, width = self.said.link, self.said.design.width
        size = link.size_bits or max(1, (width // 8 - 1).bit_length().bit_length())
        tag = link.id_bits if side == "send" else self.memory_id_bits
        return buses.Sizes(width, link.address_bits, tag, size, link.extra)

    def channels(self, side: str) -> list[Channel]:
        return self.speaks.channels(self.sizes(side))

    def pins(self, side: str) -> dict[str, int]:
        """Bits of the pins of a leaf, where they are not those of channels."""
        link, of = self.said.link, self.sizes(side)
        shift = (of.width // 8 - 1).bit_length() if link.word_addresses else 0
        own = of._replace(address=of.address - shift)
        return buses.wishbone_pins(own, link.pipelined) if link.kind == "wishbone" else {}

    def wires(self, side: str) -> dict[str, int]:
        """Bits of all signals of a leaf's channels."""
        found: dict[str, int] = {}
        for one in self.channels(side):
            found |= {**one.fields, f"{one.name}valid": 1, f"{one.name}ready": 1}
        return found

    def signals(self, side: str) -> Iterator[tuple[str, str, int]]:
        """Signal, port (which may hold {i}) and bits of a leaf."""
        told, pins = getattr(self.said.link, side), self.pins(side)
        known = pins or self.wires(side)
        for name in told:
            if name not in (*known, "prefix"):
                raise self.wrong.unknown(f"link.{side}", name, ["prefix", *known])
        prefix = told.get("prefix", "")
        upper = prefix.replace("{i}", "").isupper()
        for name, bits in known.items():
            usual = buses.wishbone_port(name, side) if pins else name
            port = told.get(name) or (prefix and prefix + (usual.upper() if upper else usual))
            if not port:
                raise self.wrong(f"link.{side}.{name}: is missing; or name link.{side}.prefix")
            if "~" in port or not ports.NAME.fullmatch(port):
                raise self.wrong(f"link.{side}.{name} = {port!r}: must be a port, as s_axi_{name}")
            yield name, port, bits

    def rules(self, side: str) -> list[str]:
        """The rules that a leaf's channels must keep, in the order of their bits."""
        back, own = [], []
        for one in self.channels(side):
            if one.asks == (side == "receive"):  # it comes out of the design
                own += [rule.format(one.name) for rule in CHANNEL_RULES]
            else:
                back.append(READY_RULE.format(one.name))
        pipelined, plain = self.said.link.pipelined, not self.pins(side)
        rules = [*back, *own]
        return rules if plain else buses.wishbone_rules(side, rules, pipelined)

    def told(self, number: int) -> tuple[str, str, int]:
        """Rule, side and leaf of a bit of all leaves' broken_o, those of inputs first."""
        send, receive = self.rules("send"), self.rules("receive")
        if number < self.inputs * len(send):
            leaf, rule = divmod(number, len(send))
            return send[rule], "input", leaf
        leaf, rule = divmod(number - self.inputs * len(send), len(receive))
        return receive[rule], "output", leaf


def shimmed(link: str) -> bool:
    """True, or UserError where no shim is written."""
    if link in KINDS:
        raise UserError(f"--shim: not for --link {link} yet: name ports by link.send.prefix")
    return True


def design(text: str) -> Design:
    """The design of a file, of whatever kind; ValueError if there is none."""
    path = (ROOT / text).resolve()
    if not text or not path.is_file():
        return Design.read(text)
    said = user_toml.read(path, str(path))
    link = said.get("link")
    kind = link.get("kind") if isinstance(link, dict) else None
    wrong = d.Wrong(path)
    if kind in NOT_YET:
        raise wrong(f"link.kind = {kind!r}: not for these yet; there is {', '.join(LINKS)}")
    if isinstance(kind, str) and kind not in LINKS:
        told = f"must be {', '.join(LINKS[:-1])} or {LINKS[-1]}{meant(kind, LINKS)}"
        raise wrong(f"link.kind = {kind!r}: {told}")
    if kind not in KINDS:
        return Design.read(text)
    made = MappedDesign(path, read(MappedTables, said, wrong))
    for told in names.problems(said):
        raise wrong(told)
    for key in said["link"]:
        users = [name for name, one in KINDS.items() if key in one.keys]  # none: of all kinds
        if users and kind not in users:
            kinds = " or ".join(map(repr, users))
            raise wrong(f"link.{key}: is of link.kind = {kinds}, not of '{kind}'")
    if not made.beats and str(made.said.traffic.words) not in ("", "1"):
        raise wrong(
            f"traffic.words = {made.said.traffic.words!r}: link.kind = '{kind}' has 1 alone"
        )
    made.check()
    return made
