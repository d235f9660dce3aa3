"""The interface of a design that a user describes: its ports, adapters at its leaves, its rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from fattree_bench.bench.interface import axi_leaves, rules
from fattree_bench.bench.interface.declared import declared
from fattree_bench.bench.interface.design import Design
from fattree_bench.bench.interface.interface import (
    Bits,
    Block,
    Interface,
    Packed,
    Shown,
    gives,
    takes,
)
from fattree_bench.bench.interface.leaves import played
from fattree_bench.bench.interface.pins import every_port, inverted, pin, sides
from fattree_bench.bench.links.flit.player import LINKS

HDL = Path(__file__).resolve().parent / "hdl"
REGISTERS = ("gap", "hold", "shy", "read")  # of leaf_control
# Wires of the player: those of the design are named after the fields of its link.
PLAYED = {
    **{"busy_o": "playing", "send_valid": "in_valid", "send_flit": "in_flit"},
    **{"send_credit": "in_credit", "receive_valid": "seen_valid", "receive_flit": "seen_flit"},
    **{"receive_credit": "seen_credit", "address": "table_address"},
}
LOG_BITS = rules.PLACES * rules.ENTRY_BITS
LEAVES: dict[str, Callable[[Design], Iterable[str]]] = {"FRAME": played, "AXI": axi_leaves.single}


def interface(name: str, design: Design, agent: str) -> Interface:
    """All but the player and the recorder of taps."""
    wires: dict[str, Bits] = {"dropped": 32}
    wires |= {"unasked": "INPUTS"} if design.said.link.kind == "stream" else {}
    wires |= {"tap_valid": "TAPS*VCS", "tap_flit": "TAPS*(WIDTH + 3)"} if design.taps else {}
    packed = []
    for direction, leaves, side in sides(design):
        for x in side.fields.values():
            wires |= dict.fromkeys(
                (f"{direction}_{x.role}", pin(direction, x)), f"{leaves}*{x.bits}"
            )
        if side.packet:
            wire = f"{direction}_packet"
            fields = tuple((pin(direction, x), x.bits) for x in side.together)
            wires[wire] = f"{leaves}*{sum(x.bits for x in side.together)}"
            packed.append(Packed(wire, leaves, fields, split=direction == "receive"))
    own = (*declared(design), *inverted(design), *_dropped(design))
    text = "".join([*own, *LEAVES[agent](design), *_taps(design)])
    return Interface(
        name=name,
        origin=design.path.name,
        design=Block(design.said.design.top, "u_design", design.parameters, every_port(design)),
        constants=constants(design, agent),
        wires=wires,
        packed=tuple(packed),
        text=text,
        state=state(design),
        blocks=_blocks(design),
        named=False,
        hints={"links": LINKS},
        registers=("clk", *(["axis_*"] if agent == "AXI" else [])),
    )


def state(design: Design) -> tuple[Shown, ...]:
    """Count and log of broken rules; of a stream, inputs with ready and no valid; dropped."""
    bits = (design.inputs // 32 + 1) * 32
    ready = [Shown(f"{{{bits - design.inputs}'d0, unasked}}", bits)]
    found = [Shown("broken_count", 32), Shown("broken_log", LOG_BITS)]
    return (*found, *ready * (design.said.link.kind == "stream"), Shown("dropped", 32))


def constants(design: Design, agent: str) -> dict[str, Bits]:
    """Local parameters of the bench top."""
    kind = design.said.link.kind
    bits = design.send.bits("dest") or 1
    return {
        "LEAVES": design.leaves,
        **({"TAPS": len(design.taps)} if design.taps else {}),
        "INPUTS": design.inputs,
        "OUTPUTS": design.outputs,
        "VCS": design.vcs,
        "DEPTH": design.depth,
        "COUNT_W": "$clog2(DEPTH) + 1",
        **_word_constants(design),
        **({"NODE_W": design.node_bits} if agent == "FRAME" else {}),
        "MOST": design.packet_words.longest,
        "DEST_W": bits,
        **_table("ADDRESSES", design.addresses, bits),
        **_table("ROUTES", design.routes.ravel().tolist(), design.send.bits("route")),
        "RULES": rules.bits(kind, design.inputs, design.outputs),
        "SEND_RULES": len(rules.SEND[kind]),
        "RECEIVE_RULES": len(rules.RECEIVE[kind]),
    }


def _table(name: str, values: Sequence[int], bits: int) -> dict[str, Bits]:
    """Numbers of so many bits each, the first lowest; none if there are no bits."""
    size, table = len(values) * bits, sum(x << bits * i for i, x in enumerate(values))
    return {f"[{size - 1}:0] {name}": f"{size}'d{table}"} if bits else {}


def _word_constants(design: Design) -> dict[str, Bits]:
    """Bits of words and flits."""
    return {
        "WIDTH": design.width,
        "WORDS": design.words_a_flit,
        "DATA_W": design.data_bits,
        "MARK_W": design.mark_bits,
        "FLIT_W": "WIDTH + 2 + MARK_W",
    }


def _blocks(design: Design) -> tuple[Block, ...]:
    """What all leaves share: the reset and pauses, slots, rules that were broken."""
    reset = design.said.reset
    control = Block(
        "leaf_control",
        "u_control",
        {"RESET_CLOCKS": reset.clocks, "WAIT_CLOCKS": reset.silent, "LATE_CLOCKS": reset.late},
        (
            takes("clk", "clk"),
            takes("rst_i", "rst"),
            takes("begins_i", "playing & u_player.restart & (u_player.clocks == 32'd0)"),
            gives("reset_o", "reset"),
            gives("quiet_o", "quiet"),
            gives("silent_o", "silent"),
            gives("run_o", "run"),
            gives("gap_o", "gap", 8),
            gives("hold_o", "hold", 8),
            gives("shy_o", "shy"),
            gives("clear_o", "clear"),
            gives("before_o", "early"),
            gives("clock_o", "now", 32),
        ),
        tuple(sorted(HDL.glob("leaf_*.v"))),
        registers=REGISTERS,
    )
    slots = Block(
        "leaf_slots",
        "u_slots",
        {"SLOT": design.said.link.slot if design.said.link.kind != "stream" else 1},
        (
            takes("clk", "clk"),
            takes("run_i", "run"),
            gives("first_o", "slot_first"),
            gives("last_o", "slot_last"),
        ),
    )
    noted = Block(
        "leaf_rules",
        "u_rules",
        {"BITS": "RULES", "PLACES": rules.PLACES},
        (
            takes("clk", "clk"),
            takes("clear_i", "clear"),
            takes("before_i", "early"),
            takes("clock_i", "now"),
            takes("broken_i", "broken", "RULES"),
            gives("count_o", "broken_count", 32),
            gives("log_o", "broken_log", LOG_BITS),
        ),
    )
    return control, slots, noted


def _dropped(design: Design) -> Iterable[str]:
    """The design's counter of drops, in 32 bits."""
    name, bits = design.counter
    if not name:
        yield "  assign dropped = 32'd0;\n"
        return
    above = f"{{{32 - bits}{{1'b0}}}}, " if bits < 32 else ""
    yield f"  assign dropped = {{{above}counted}};\n"


def _taps(design: Design) -> Iterable[str]:
    """What passes the taps, as a recorder takes it."""
    if not design.taps:
        return
    yield """
  wire [TAPS-1:0]             tap_there;
  wire [TAPS*WIDTH-1:0]       tap_word;
"""
    for i, (valid, data) in enumerate(design.taps.values()):
        yield f"  assign tap_there[{i}] = (({valid}) === 1'b1);\n"
        yield f"  assign tap_word[{i}*WIDTH +: WIDTH] = {data};\n"
    yield """
  generate
    for (g = 0; g < TAPS; g = g + 1) begin : gen_tap
      if (VCS > 1) begin : gen_more
        assign tap_valid[g*VCS +: VCS] = {{(VCS-1){1'b0}}, tap_there[g]};
      end else begin : gen_one
        assign tap_valid[g] = tap_there[g];
      end
      assign tap_flit[g*(WIDTH+3) +: WIDTH+3] = {3'b010, tap_word[g*WIDTH +: WIDTH]};
    end
  endgenerate
"""
