"""Designs that join managers to memories, as a file describes them: tables, channels, address map.

Packets of the bench are accesses there: as many beats as a packet has flits.  A flit is made for
each beat when an access is over, with a tag that no wire of the design carries.
"""

# ruff: noqa: RUF009 -- entry() makes fields

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

from fattree_bench import user_toml
from fattree_bench.bench.interface import description as d
from fattree_bench.bench.interface import names, ports
from fattree_bench.bench.interface.design import MOST_WIDTH, Design
from fattree_bench.bench.interface.entries import entry, read
from fattree_bench.bench.links.flit.words import FlitWords
from fattree_bench.errors import UserError, meant
from fattree_bench.paths import ROOT

PAGE = 4096  # bytes that no burst of AXI4 crosses the end of
RESPONSE_BITS, BURST_BITS = 2, 2
EXTRA = {"lock": 1, "cache": 4, "prot": 3, "qos": 4, "region": 4}  # signals that AXI4 may have
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
    extra: tuple[str, ...] = entry(default=(), words=tuple(EXTRA))


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


class Channel(NamedTuple):
    """A channel with valid and ready: its name, the fields with their bits, the way.

    `asks`: from managers to memories.
    """

    name: str
    asks: bool
    fields: dict[str, int]

    @property
    def bits(self) -> int:
        return sum(self.fields.values())


def axi4(design: MappedDesign, side: str) -> list[Channel]:
    """The five channels of AXI4 at managers ("send") or memories ("receive")."""
    link, width = design.said.link, design.said.design.width
    tag = link.id_bits if side == "send" else design.memory_id_bits

    def address(name: str) -> dict[str, int]:
        own = {"id": tag, "addr": link.address_bits, "len": 8, "size": 3, "burst": BURST_BITS}
        own |= {extra: EXTRA[extra] for extra in link.extra}
        return {f"{name}{field}": bits for field, bits in own.items()}

    return [
        Channel("aw", True, address("aw")),
        Channel("w", True, {"wdata": width, "wstrb": width // 8, "wlast": 1}),
        Channel("b", False, {"bid": tag, "bresp": RESPONSE_BITS}),
        Channel("ar", True, address("ar")),
        Channel("r", False, {"rid": tag, "rdata": width, "rresp": RESPONSE_BITS, "rlast": 1}),
    ]


def axi4_lite(design: MappedDesign, side: str) -> list[Channel]:
    """The same of AXI4-Lite: accesses of one word, in the order in which they were sent."""
    kept = ("addr", "prot", "data", "strb", "resp")
    return [
        one._replace(fields={name: x for name, x in one.fields.items() if name.endswith(kept)})
        for one in axi4(design, side)
    ]


KINDS = {"axi4": axi4, "axi4_lite": axi4_lite}
OF_AXI4 = ("id_bits", "memory_id_bits", "bursts")  # keys
LINKS = (*d.LINKS, *KINDS)
NOT_YET = ("axi3", "ahb", "apb", "avalon", "wishbone", "tl_ul", "tl_uh", "ace", "chi")
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
        if width not in self.widths:
            told = ", ".join(map(str, self.widths))
            raise wrong(f"design.width = {width}: link.kind = '{link.kind}' has {told} bits")
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
    def widths(self) -> tuple[int, ...]:
        """Bits that a word may have."""
        return (8, 16, 32, 64, 128, 256, 512, 1024) if self.beats else (32, 64)

    @property
    def beats(self) -> bool:
        """An access may have several words."""
        return self.said.link.kind == "axi4"

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
        return found if link.holes else []

    @cached_property
    def flit_words(self) -> FlitWords:
        node = self.node_bits
        return FlitWords(self.width, node, node, self.width - node - max(7, node + 1), 1)

    def _side(self, direction: str) -> ports.Side:
        """What the rest of the bench asks of a link's fields."""
        bits = {"dest": 64, "data": self.said.design.width, "ready": 1}
        bits |= {"last": 1} if self.beats else {}
        return ports.Side({role: ports.Field(role, "", one) for role, one in bits.items()})

    def channels(self, side: str) -> list[Channel]:
        return KINDS[self.said.link.kind](self, side)

    def wires(self, side: str) -> dict[str, int]:
        """Bits of all signals of a leaf."""
        found: dict[str, int] = {}
        for one in self.channels(side):
            found |= {**one.fields, f"{one.name}valid": 1, f"{one.name}ready": 1}
        return found

    def signals(self, side: str) -> Iterator[tuple[str, str, int]]:
        """Signal, port (which may hold {i}) and bits of a leaf."""
        told, known = getattr(self.said.link, side), self.wires(side)
        for name in told:
            if name not in (*known, "prefix"):
                raise self.wrong.unknown(f"link.{side}", name, ["prefix", *known])
        prefix = told.get("prefix", "")
        upper = prefix.replace("{i}", "").isupper()
        for name, bits in known.items():
            port = told.get(name) or (prefix and prefix + (name.upper() if upper else name))
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
        return [*back, *own]

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
    for key in OF_AXI4:
        if key in said["link"] and not made.beats:
            raise wrong(f"link.{key}: is of link.kind = 'axi4', not of '{kind}'")
    if not made.beats and str(made.said.traffic.words) not in ("", "1"):
        raise wrong(
            f"traffic.words = {made.said.traffic.words!r}: link.kind = '{kind}' has 1 alone"
        )
    made.check()
    return made
