"""Links between managers and memories: AXI4, AXI4-Lite, TileLink-UL and Wishbone B4.

Agents in Python see channels with valid and ready alone; Wishbone's pins become such by adapters.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

RESPONSE_BITS, BURST_BITS, OPCODE_BITS = 2, 2, 3
EXTRA = {"lock": 1, "cache": 4, "prot": 3, "qos": 4, "region": 4}  # signals that AXI4 may have
FIXED, INCR, WRAP = 0, 1, 2
BYTE = 8
WORDS = (8, 16, 32, 64, 128, 256, 512, 1024)


def steps(address: int, size: int, burst: int, beats: int) -> list[int]:
    """The address of each beat of 2^size bytes (AXI4, A3.4.1).

    >>> steps(0x104, 2, WRAP, 4)
    [260, 264, 268, 256]
    """
    step = 1 << size
    if burst == FIXED:
        return [address] * beats
    if burst == WRAP:
        base = address & ~(step * beats - 1)
        return [base + (address - base + step * k) % (step * beats) for k in range(beats)]
    return [address, *((address & ~(step - 1)) + step * k for k in range(1, beats))]


def lanes(address: int, size: int, bus: int) -> range:
    """The bytes of a word that a beat at an address may use.

    >>> lanes(0x105, 2, 8)
    range(5, 8)
    """
    start = (address & ~((1 << size) - 1)) % bus
    return range(address % bus, start + (1 << size))


def mask(bytes_: int) -> int:
    """The bits of a word's bytes, each given as a bit."""
    return sum(0xFF << BYTE * k for k in range(bytes_.bit_length()) if bytes_ >> k & 1)


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


class Sizes(NamedTuple):
    """Of a link at managers or at memories: bits of a word, address, ID and size; more signals."""

    width: int
    address: int
    tag: int
    size: int
    extra: tuple[str, ...]


def axi4(of: Sizes) -> list[Channel]:
    """The five channels of AXI4."""

    def address(name: str) -> dict[str, int]:
        own = {"id": of.tag, "addr": of.address, "len": 8, "size": 3, "burst": BURST_BITS}
        own |= {extra: EXTRA[extra] for extra in of.extra}
        return {f"{name}{field}": bits for field, bits in own.items()}

    return [
        Channel("aw", True, address("aw")),
        Channel("w", True, {"wdata": of.width, "wstrb": of.width // 8, "wlast": 1}),
        Channel("b", False, {"bid": of.tag, "bresp": RESPONSE_BITS}),
        Channel("ar", True, address("ar")),
        Channel("r", False, {"rid": of.tag, "rdata": of.width, "rresp": RESPONSE_BITS, "rlast": 1}),
    ]


def axi4_lite(of: Sizes) -> list[Channel]:
    """The same of AXI4-Lite: accesses of one word, in the order in which they were sent."""
    kept = ("addr", "prot", "data", "strb", "resp")
    return [
        one._replace(fields={name: x for name, x in one.fields.items() if name.endswith(kept)})
        for one in axi4(of)
    ]


def tl_ul(of: Sizes) -> list[Channel]:
    """A and D of TileLink-UL (TileLink 1.8, chapter 6), without what carries nothing there."""
    both = {"opcode": OPCODE_BITS, "size": of.size, "source": of.tag}
    ask = both | {"address": of.address, "mask": of.width // 8, "data": of.width}
    answer = both | {"data": of.width} | dict.fromkeys(of.extra, 1)
    return [
        Channel("a_", True, {f"a_{name}": bits for name, bits in ask.items()}),
        Channel("d_", False, {f"d_{name}": bits for name, bits in answer.items()}),
    ]


def wishbone(of: Sizes) -> list[Channel]:
    """Requests and answers of Wishbone B4, between the agents and leaf_wishbone_*."""
    ask = {"we": 1, "address": of.address, "data": of.width, "mask": of.width // 8}
    answer = {"data": of.width, "err": 1}
    return [
        Channel("q_", True, {f"q_{name}": bits for name, bits in ask.items()}),
        Channel("p_", False, {f"p_{name}": bits for name, bits in answer.items()}),
    ]


class Kind(NamedTuple):
    """What a link can do.

    Attributes
    ----------
    channels : of a leaf.
    extra : further signals with their bits, if the file names them.
    keys : of [link], besides those of all kinds.
    widths : bits that a word may have.
    beats : an access may have several words.
    sized : it may have less than a word; so may tags, which it then has.
    refuses : further signals that show errors; none: errors are always shown.
    unique : no two accesses on their way have the same tag.
    """

    channels: Callable[[Sizes], list[Channel]]
    extra: Mapping[str, int]
    keys: tuple[str, ...] = ()
    widths: tuple[int, ...] = WORDS
    beats: bool = False
    sized: bool = False
    refuses: tuple[str, ...] = ()
    unique: bool = False


TAGS = ("id_bits", "memory_id_bits")
KINDS = {
    "axi4": Kind(axi4, EXTRA, (*TAGS, "bursts"), beats=True, sized=True),
    "axi4_lite": Kind(axi4_lite, EXTRA, widths=(32, 64)),
    "tl_ul": Kind(
        tl_ul, ERRORS := {"denied": 1, "error": 1}, (*TAGS, "size_bits"),
        sized=True, refuses=tuple(ERRORS), unique=True,
    ),
    "wishbone": Kind(
        wishbone, {"err": 1}, ("pipelined", "word_addresses"), (8, 16, 32, 64), refuses=("err",)
    ),
}  # fmt: skip

# ---- Wishbone's pins -----------------------------------------------------------------------------

ASKS = ("cyc", "stb", "we", "adr", "dat_w", "sel")


def wishbone_pins(of: Sizes, pipelined: bool) -> dict[str, int]:
    """Bits of the pins of a leaf."""
    bits = {"adr": of.address, "dat_w": of.width, "sel": of.width // 8, "dat_r": of.width}
    pins = [*ASKS, "dat_r", "ack", *of.extra, *["stall"] * pipelined]
    return {pin: bits.get(pin, 1) for pin in pins}


def wishbone_port(pin: str, side: str) -> str:
    """How a pin is mostly called in a design, behind a prefix: dat_i, ack_o.

    >>> wishbone_port("dat_w", "send"), wishbone_port("dat_w", "receive")
    ('dat_i', 'dat_o')
    """
    into = (pin in ASKS) == (side == "send")
    return f"{pin.removesuffix('_w').removesuffix('_r')}_{'oi'[into]}"


RULES = {  # bits of broken_o of leaf_wishbone_manager, leaf_wishbone_memory
    "send": ("ack together with err", "ack or err, and nothing was asked"),
    "receive": ("cyc or stb fell before {0}", "what goes with stb changed before {0}"),
}


def wishbone_rules(side: str, channels: list[str], pipelined: bool) -> list[str]:
    """Rules of a leaf, given those of the channels behind its adapter."""
    until = "stall fell" if pipelined else "ack or err"
    names = {"q_valid": "stb", "q_ready": until, "p_valid": "ack or err", "p_ready": "the bench"}
    of_pins = [re.sub("|".join(names), lambda name: names[name[0]], rule) for rule in channels]
    return of_pins + [rule.format("its answer") for rule in RULES[side]]


JOINED = {  # wires of all leaves, and what they are
    "send": {"we": "q_we", "dat_w": "q_data", "sel": "q_mask"},
    "receive": {"q_we": "we", "q_data": "dat_w", "q_mask": "sel", "dat_r": "p_data"},
}
CONTROL = {  # ports of the adapter's, and the wires of a leaf that they are
    "send": ("q_valid_i q_we_i q_ready_o p_valid_o p_err_o cyc_o stb_o ack_i", "err_i stall_i"),
    "receive": (
        "q_valid_o q_ready_i p_valid_i p_err_i p_ready_o cyc_i stb_i ack_o",
        "err_o stall_o",
    ),
}


def wishbone_adapters(
    side: str, leaves: int, pins: Mapping[str, int], address: int, rules: tuple[int, int]
) -> Iterator[str]:
    """Between channels and pins; `address`: its bits; `rules`: leaf 0's first, how many each."""
    adr, dat, sel = pins["adr"], pins["dat_w"], pins["sel"]
    shift, pipelined, own = address - adr, int("stall" in pins), len(RULES[side])
    for wire, same in JOINED[side].items():
        yield f"  assign {side}_{wire} = {side}_{same};\n"
    for i in range(leaves):

        def at(wire: str, bits: int, low: int = 0, i: int = i) -> str:
            return f"{side}_{wire}[{i * bits + low} +: {bits - low}]"

        always, may = (x.split() for x in CONTROL[side])
        ports = {x: f"{side}_{x[:-2]}[{i}]" for x in always}
        ports |= {x: f"{side}_{x[:-2]}[{i}]" for x in may if x[:-2] in pins}
        if side == "send":
            ports |= {x: "1'b0" for x in may if x not in ports}
            ports |= {"dat_i": at("dat_r", dat), "dat_o": at("p_data", dat)}
            yield f"  assign {at('adr', adr)} = {at('q_address', address, shift)};\n"
        else:
            ports |= {x: "" for x in may if x not in ports}
            every = [f"{side}_we[{i}]", at("adr", adr), at("dat_w", dat), at("sel", sel)]
            ports["side_i"] = f"{{{', '.join(every)}}}"
            low = f", {shift}'d0" if shift else ""
            yield f"  assign {at('q_address', address)} = {{{at('adr', adr)}{low}}};\n"
        kind, width = ("manager", dat) if side == "send" else ("memory", 1 + adr + dat + sel)
        yield f"  leaf_wishbone_{kind} #(.W({width}), .PIPELINED({pipelined})) u_{side}_bus{i} (\n"
        yield "    .clk(clk), .run_i(run), .quiet_i(quiet),\n"
        yield "".join(f"    .{port}({wire}),\n" for port, wire in ports.items())
        first = rules[0] + (i + 1) * rules[1] - own
        yield f"    .broken_o(broken[{first} +: {own}])\n  );\n"
