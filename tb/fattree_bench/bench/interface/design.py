"""A design as its file describes it, checked, with all that follows from it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from fattree_bench.bench.interface import files, names, pairs, ports, routes, widths
from fattree_bench.bench.interface.description import Tables, Wrong, tables
from fattree_bench.bench.links.flit.words import MAX_FLITS, FlitWords
from fattree_bench.paths import ROOT
from fattree_models import traffic
from fattree_models.common.checks import BoolArray, Int64Array

NUMBER_BITS = 12  # of a packet's number in its tag, where words can be put together
LEAST_NUMBER_BITS = 6
MOST_WIDTH = 64  # bits of a flit of the bench
LEAST_DEPTH = 8  # flits that an adapter keeps


@dataclass(frozen=True)
class Design:
    """A design from elsewhere; two of the same file with the same contents are equal.

    Attributes
    ----------
    path : of the file.
    said : its tables.
    """

    path: Path
    said: Tables

    def __hash__(self) -> int:
        return hash(self.path)

    @classmethod
    def read(cls, text: str) -> Design:
        """The design of a file, named from the root; ValueError if there is none."""
        if not text:
            raise ValueError("must be a TOML file that describes your design")
        path = (ROOT / text).resolve()
        if not path.is_file():
            raise ValueError("no such file")
        design = cls(path, tables(path))
        design.check()
        return design

    def __str__(self) -> str:
        """What makes it again."""
        inside = self.path.is_relative_to(ROOT)
        return str(self.path.relative_to(ROOT) if inside else self.path)

    @property
    def wrong(self) -> Wrong:
        return Wrong(self.path)

    def check(self) -> None:
        """UserError for what does not go together; what is worked out is worked out here."""
        table = self.said.design
        if table.leaves and (table.inputs or table.outputs):
            raise self.wrong("design.leaves: goes alone, or inputs and outputs do")
        if not table.leaves and not (table.inputs and table.outputs):
            raise self.wrong("design.leaves: is missing; it, or inputs and outputs, must be there")
        known = ", ".join(f"{{{name}}}" for name in self.names) + "; a brace itself is {{"
        texts = {"declare": dict(enumerate(table.declare))}
        for key in ("parameters", "ties", "defines", "declare"):
            for name, value in texts.get(key, getattr(table, key)).items():
                try:
                    self._filled(value)
                except ValueError:
                    raise self.wrong(f"design.{key}.{name} = {value!r}: may hold {known}") from None
        _ = self.python, self.files, self.parameters, self.legal, self.send, self.receive
        _ = self.counter, self.words_a_flit, self.taps
        if self.said.link.addresses and len(self.said.link.addresses) != self.outputs:
            raise self.wrong(f"link.addresses: must be {self.outputs} numbers, one an output")
        if self.outputs > 1 and not {"dest", "route"} & self.send.fields.keys():
            raise self.wrong("link.send.dest: is missing; a word must say to which leaf it goes")
        if "route" in self.send and not self.said.link.route:
            raise self.wrong("link.route: is missing; it says what goes with a packet as its route")
        for at, address in enumerate(self.addresses):
            if address >> self.send.bits("dest") and "dest" in self.send:
                bits = self.send.bits("dest")
                raise self.wrong(f"link.send.dest: {bits} bits cannot hold {address}, of leaf {at}")

    # ---- sizes -----------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        return self.said.design.name or self.path.stem

    @property
    def inputs(self) -> int:
        return self.said.design.leaves or self.said.design.inputs

    @property
    def outputs(self) -> int:
        return self.said.design.leaves or self.said.design.outputs

    @property
    def leaves(self) -> int:
        """Of the bench: some may only send, or only receive."""
        return max(2, self.inputs, self.outputs)

    @property
    def names(self) -> dict[str, int]:
        """What texts may hold."""
        return {
            "leaves": max(self.inputs, self.outputs),
            "inputs": self.inputs,
            "outputs": self.outputs,
            "width": self.said.design.width,
        }

    @property
    def node_bits(self) -> int:
        return (self.leaves - 1).bit_length()

    @property
    def addresses(self) -> tuple[int, ...]:
        """What the design calls each output."""
        return self.said.link.addresses or tuple(range(self.outputs))

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """What {i} stands for in the name of a leaf's port."""
        said = tuple(self.said.design.letters)
        alike = len(set(said)) < len(said) or not all(map(names.LETTER.fullmatch, said))
        if said and (alike or len(said) != self.names["leaves"]):
            told = f"design.letters: must be {self.names['leaves']} different letters, one a leaf"
            raise self.wrong(told)
        return said or tuple(map(str, range(self.leaves)))

    @cached_property
    def legal(self) -> BoolArray:
        """Which input may send to which output, bool [inputs, outputs]."""
        return pairs.legal(self.wrong, self.said.traffic, (self.inputs, self.outputs), self.letters)

    @cached_property
    def routes(self) -> Int64Array:
        """What goes with a packet as its route, int64 [inputs, outputs]."""
        return routes.routes(self.wrong, self.said.link.route or "0", self.legal, self.letters)

    def _filled(self, value: str | int) -> str:
        return names.filled(value, self.names) if isinstance(value, str) else str(value)

    @cached_property
    def parameters(self) -> dict[str, str]:
        """Verilog parameters: numbers, expressions, and strings, which may lack their quotes."""
        found = self.said.design.parameters.items()
        return {k: f'"{x}"' if self._named_text(k, x) else self._filled(x) for k, x in found}

    def _named_text(self, key: str, value: str | int) -> bool:
        """Whether a parameter is a mere name, which nothing but a string can be."""
        if str(value).lower() in self.names:
            told = f"a size is written '{{{str(value).lower()}}}', a string '\"{value}\"'"
            raise self.wrong(f"design.parameters.{key} = '{value}': {told}")
        return isinstance(value, str) and bool(names.IDENTIFIER.fullmatch(value))

    @cached_property
    def ties(self) -> dict[str, str]:
        """Inputs that are constant, or are what the file declares: no name of a wire of ours."""
        end = " " if self.said.design.declare else ""
        return {k: self._filled(x) + end for k, x in self.said.design.ties.items()}

    @cached_property
    def files(self) -> files.Files:
        table = self.said.design
        found = files.found(self.wrong, self.path.parent, table.sources, table.includes)
        found.defines |= {k: self._filled(x) for k, x in table.defines.items()}
        return found

    @cached_property
    def taps(self) -> dict[str, tuple[str, str]]:
        """Expressions of each tap: a word passes, and which."""
        found: dict[str, tuple[str, str]] = {}
        for name, tap in self.said.taps.items():
            if tap.count > 1 and "{i}" not in name:
                raise self.wrong(f"taps.{name}: must hold {{i}}, for there are {tap.count} of them")
            for i in range(tap.count):
                valid, data = (
                    told.replace("{design}", "u_design").replace("{i}", str(i))
                    for told in (tap.valid, tap.data)
                )
                found[name.replace("{i}", str(i))] = valid, data
        if found and self.words_a_flit > 1:
            need = self._need(LEAST_NUMBER_BITS)
            raise self.wrong(f"taps: words of {need} bits can be followed, not of {self.data_bits}")
        if found and self.python is None:
            raise self.wrong("taps: need design.python, a file with graph()")
        return found

    @property
    def python(self) -> Path | None:
        """The user's Python, in the folder of the file."""
        told = self.said.design.python
        path = (self.path.parent / told).resolve() if told else None
        if path is not None and not path.is_file():
            raise self.wrong(f"design.python: {told}: no such file below {self.path.parent}")
        return path

    @property
    def system_verilog(self) -> bool:
        """Whether it needs more than Verilog-2005."""
        language = self.said.design.language
        if language:
            return language.startswith("1800")
        return any(path.suffix == ".sv" for path in self.files.sources)

    # ---- link ------------------------------------------------------------------------------------

    def _side(self, direction: str) -> ports.Side:
        numbers = {"dest": max(self.addresses), "id": self.inputs - 1, "route": self.routes.max()}
        return widths.side(self.wrong, self.said, direction, numbers, self.names)

    @cached_property
    def send(self) -> ports.Side:
        """Ports by which packets go into the design."""
        return self._side("send")

    @cached_property
    def receive(self) -> ports.Side:
        """Ports by which they come out."""
        return self._side("receive")

    @property
    def can_wait(self) -> bool:
        """A receiver can make the design wait."""
        return any(role in self.receive for role in ("ready", "stop", "credit"))

    @property
    def vcs(self) -> int:
        return self.said.link.vcs

    @property
    def depth(self) -> int:
        """Flits that an adapter keeps: a power of two."""
        link = self.said.link
        least = max(LEAST_DEPTH, link.credits if link.kind == "credit" else 0)
        least = max(least, 2 * max(self.flits)) if self.whole else least
        return 1 << (max(least, 4 * (link.slack + link.lag)) - 1).bit_length()

    @cached_property
    def counter(self) -> tuple[str, int]:
        """The port that counts drops and its bits; an empty name: there is none."""
        drops = self.said.promises.drops
        name, _, bits = (drops.counter if drops else "").partition(":")
        if bits and not (bits.isdigit() and 1 <= int(bits) <= 32):
            raise self.wrong(f"promises.drops.counter = '{name}:{bits}': must be 1 … 32 bits")
        return name, int(bits or 32) if name else 0

    # ---- packets ---------------------------------------------------------------------------------

    @cached_property
    def packet_words(self) -> traffic.Lengths:
        """Words of packets."""
        ends = [{"last", "type", "length"} & x.fields.keys() for x in (self.send, self.receive)]
        least = 2 if "type" in self.send and "single" not in self.said.link.types else 1
        told = str(self.said.traffic.words) or (f"{least}-16" if ends[0] else "1")
        try:
            found = traffic.lengths(told)
        except ValueError as error:
            raise self.wrong(f"traffic.words = {told!r}: {error}") from None
        if len(found.choice.values) > 1 and not all(ends):
            raise self.wrong(
                f"traffic.words = {told!r}: packets of several lengths need last, type or length "
                "of link.send and of link.receive"
            )
        for way, side in (("send", self.send), ("receive", self.receive)):
            if "length" in side:
                widths.length(self.wrong, f"link.{way}", side, self.said.link.length, found.longest)
        if min(found.choice.values) < least:
            raise self.wrong(
                f"traffic.words = {told!r}: one word needs a code single in link.types"
            )
        return found

    @property
    def data_bits(self) -> int:
        """Bits of a word that carry data, both ways."""
        return min(self.send.bits("data"), self.receive.bits("data"))

    def _need(self, number: int) -> int:
        """Bits of a flit whose tag has so many bits for a packet's number."""
        return number + self.node_bits + max(7, self.node_bits + 1)

    @cached_property
    def words_a_flit(self) -> int:
        """Words that carry a flit of the bench: its tag may be wider than a word."""
        bits, longest = self.data_bits, self.packet_words.longest
        if self.send.bits("data") != self.receive.bits("data"):
            raise self.wrong("link.receive.data: has other bits than link.send.data")
        lengths = self.packet_words.choice.values
        for number in (NUMBER_BITS, LEAST_NUMBER_BITS):
            words = math.ceil(self._need(number) / bits)
            if any(length % words == 0 for length in lengths):
                return words
        words = math.ceil(self._need(LEAST_NUMBER_BITS) / bits)
        raise self.wrong(
            f"traffic.words: packets of at most {longest} words of {bits} bits cannot carry a tag "
            f"of {self._need(LEAST_NUMBER_BITS)} bits; {words} words would"
        )

    @property
    def mark_bits(self) -> int:
        """Bits of what a word says of its source, where flits list their hops."""
        return self.receive.bits("id") or 1

    @property
    def width(self) -> int:
        """Data bits of a flit of the bench."""
        return min(MOST_WIDTH, self.words_a_flit * self.data_bits)

    @cached_property
    def flit_words(self) -> FlitWords:
        """How to read flits."""
        node = self.node_bits
        number = self.width - node - max(7, node + 1)
        return FlitWords(self.width, node, node, number, 1, masked=True)

    @cached_property
    def flits(self) -> tuple[int, ...]:
        """Lengths of packets that can be sent, in flits of the bench."""
        words = self.words_a_flit
        lengths = [int(x) // words for x in self.packet_words.choice.values if x % words == 0]
        return tuple(length for length in lengths if length <= MAX_FLITS)

    @property
    def whole(self) -> bool:
        """A packet whose first word says its length waits in the adapter until it is whole."""
        return "length" in self.send

    @property
    def before(self) -> int:
        """Clocks from a packet's creation to the design, in an idle bench, if not `whole`."""
        return 2
