"""Writes the bench top of a design: the design, adapters at its leaves, the player of flits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from fattree_bench.bench.links.flit.words import UNMIX
from fattree_bench.families.foreign import axi_leaves, rules
from fattree_bench.families.foreign.design import Design
from fattree_bench.families.foreign.leaves import played
from fattree_bench.families.foreign.ports import Side

HEAD = """// Made for {name} by the environment; it is made anew with each build.

`timescale 1ns/1ns
`default_nettype none

module foreign_bench
`include "bench_clock.vh"

"""
CONTROL = """
  wire        rst, reset, known, run, shy, clear, early;
  wire [7:0]  gap, hold;
  wire [31:0] now, seed, broken_count;
  wire        playing;
  wire        begins = playing & u_player.restart & (u_player.clocks == 32'd0);

  foreign_control #(.RESET_CLOCKS(RESET_CLOCKS), .WAIT_CLOCKS(WAIT_CLOCKS)) u_control (
    .clk(clk), .rst_i(rst), .begins_i(begins), .reset_o(reset), .known_o(known), .run_o(run),
    .gap_o(gap), .hold_o(hold), .shy_o(shy), .clear_o(clear), .before_o(early), .clock_o(now)
  );

  wire check = known & ~reset;
  wire slot_first, slot_last;

  foreign_slots #(.SLOT(SLOT)) u_slots (
    .clk(clk), .run_i(run), .first_o(slot_first), .last_o(slot_last)
  );

  wire [RULES-1:0]     broken;
  wire [PLACES*48-1:0] broken_log;

  foreign_rules #(.BITS(RULES), .PLACES(PLACES)) u_rules (
    .clk(clk), .clear_i(clear), .before_i(early), .clock_i(now), .broken_i(broken),
    .count_o(broken_count), .log_o(broken_log)
  );
"""
PLAYER = """
  wire              write;
  wire [NODE_W-1:0] table_address;
  wire [7:0]        entries;

  flit_player #(
    .NODES(NODES), .VCS(VCS), .DEPTH(DEPTH), .WIDTH(WIDTH), .HOPS_W(MARK_W), .ADDR_W(NODE_W),
    .NODE_W(NODE_W), .NUMBER_W(NUMBER_W), .QUEUE(4), .ROWS(ROWS), .STATE_W(STATE_W),
    .HOME_W(HOME_W), .DATA_STRIDE(DATA_STRIDE), .SIDE_STRIDE(32), .UNMIX(UNMIX)
  ) u_player (
    .clk(clk), .busy_o(playing), .rst_o(rst), .seed_o(seed), .write_o(write),
    .address_o(table_address), .entries_o(entries), .valid_o(in_valid), .flit_o(in_flit),
    .credit_i(in_credit), .valid_i(seen_valid), .flit_i(seen_flit), .credit_o(seen_credit),
    .state_i({dropped, broken_log, broken_count}), .home_i(home)
  );

  wire unused = &{1'b0, seed, write, table_address, entries, gap, hold, shy, slot_first, slot_last,
                  check};

endmodule

`default_nettype wire
"""


AGENTS: dict[str, Callable[[Design], Iterable[str]]] = {
    "FRAME": played,
    "AXI": axi_leaves.single,
}


def _taps(design: Design) -> Iterable[str]:
    """A recorder of what passes the taps."""
    if not design.taps:
        return
    yield """
  wire [TAPS-1:0]             tap_there;
  wire [TAPS*WIDTH-1:0]       tap_word;
  wire [TAPS*VCS-1:0]         tap_valid;
  wire [TAPS*(WIDTH+3)-1:0]   tap_flit;
"""
    for i, (valid, data) in enumerate(design.taps.values()):
        yield f"  assign tap_there[{i}] = (({valid}) === 1'b1);\n"
        yield f"  assign tap_word[{i}*WIDTH +: WIDTH] = {data};\n"
    yield """
  genvar t;
  generate
    for (t = 0; t < TAPS; t = t + 1) begin : gen_tap
      if (VCS > 1) begin : gen_more
        assign tap_valid[t*VCS +: VCS] = {{(VCS-1){1'b0}}, tap_there[t]};
      end else begin : gen_one
        assign tap_valid[t] = tap_there[t];
      end
      assign tap_flit[t*(WIDTH+3) +: WIDTH+3] = {3'b010, tap_word[t*WIDTH +: WIDTH]};
    end
  endgenerate

  flit_recorder #(
    .LINKS(TAPS), .VCS(VCS), .WIDTH(WIDTH), .HOPS_W(1), .ROWS(TAP_ROWS), .HASHED(0)
  ) u_taps (
    .clk(clk), .run_i(playing), .row_i(u_player.clocks), .valid_i(tap_valid), .flit_i(tap_flit),
    .credit_i({(TAPS*VCS){1'b0}}), .shown_i(1'b0)
  );
"""


def constants(design: Design, agent: str) -> dict[str, Any]:
    """Local parameters of the bench top."""
    said, kind = design.said, design.said.link.kind
    rows = burst_rows(design)
    words = design.flit_words
    marks = design.receive.bits("id") or 1
    bits = design.send.bits("dest") or 1
    table = sum(address << (bits * i) for i, address in enumerate(design.addresses))
    return {
        "NODES": design.leaves,
        **({"TAPS": len(design.taps), "TAP_ROWS": rows} if design.taps else {}),
        "INPUTS": design.inputs,
        "OUTPUTS": design.outputs,
        "VCS": design.vcs,
        "DEPTH": design.depth,
        "COUNT_W": "$clog2(DEPTH) + 1",
        "WIDTH": design.width,
        "WORDS": design.words_a_flit,
        "DATA_W": design.data_bits,
        "MARK_W": marks,
        "FLIT_W": "WIDTH + 2 + MARK_W",
        "NODE_W": design.node_bits,
        "NUMBER_W": words.number_bits,
        "MOST": design.packet_words.longest,
        "DEST_W": bits,
        f"[{design.outputs * bits - 1}:0] ADDRESSES": f"{design.outputs * bits}'d{table}",
        "RESET_CLOCKS": said.reset.clocks,
        "WAIT_CLOCKS": said.reset.wait,
        "SLOT": said.link.slot,
        "RULES": rules.bits(kind, design.inputs, design.outputs),
        "SEND_RULES": len(rules.SEND[kind]),
        "RECEIVE_RULES": len(rules.RECEIVE[kind]),
        "PLACES": rules.PLACES,
        "STATE_W": state_bits(design),
        "HOME_W": home_bits(design),
        "ROWS": rows if agent == "FRAME" else 2,
        "DATA_STRIDE": data_stride(design),
        "[63:0] UNMIX": f"64'd{UNMIX}",
    }


def burst_rows(design: Design) -> int:
    """Clocks of a burst: waking Python is cheap, memories stay in the cache."""
    rows = max(64, (1 << 15) // design.leaves)
    return min(1024, 1 << (rows.bit_length() - 1))


def data_stride(design: Design) -> int:
    return 32 if design.width <= 32 else 64


def state_bits(design: Design) -> int:
    """Count and log of broken rules, and dropped packets."""
    return 32 + rules.PLACES * rules.ENTRY_BITS + 32


def home_bits(design: Design) -> int:
    return design.inputs * design.vcs


def text(design: Design, agent: str) -> str:
    """The whole file."""
    lines = [HEAD.format(name=design.name)]
    for name, value in constants(design, agent).items():
        lines.append(f"  localparam {name} = {value};\n")
    lines += _wires("send", design.send, "INPUTS")
    lines += _wires("receive", design.receive, "OUTPUTS")
    lines.append(CONTROL)
    lines += _design(design)
    lines += AGENTS[agent](design)
    lines += _taps(design)
    lines.append(PLAYER)
    return "".join(lines)


def _wires(direction: str, side: Side, leaves: str) -> Iterable[str]:
    """A wire for each field, all leaves' side by side, and for the port of packets."""
    yield "\n"
    for one in side.fields.values():
        yield f"  wire [{leaves}*{one.bits}-1:0] {direction}_{one.role};\n"
    if side.packet:
        together = side.together
        bits = sum(one.bits for one in together)
        yield f"  wire [{leaves}*{bits}-1:0] {direction}_packet;\n"
        parts = [f"{direction}_{one.role}[p*{one.bits} +: {one.bits}]" for one in together]
        packed, fields = f"{direction}_packet[p*{bits} +: {bits}]", f"{{{', '.join(parts)}}}"
        to, what = (packed, fields) if direction == "send" else (fields, packed)
        yield f"  genvar p_{direction};\n  generate\n".replace(f"p_{direction}", f"{direction}_p")
        loop = f"{direction}_p"
        yield f"    for ({loop} = 0; {loop} < {leaves}; {loop} = {loop} + 1) begin : gen_{loop}\n"
        yield f"      assign {to} = {what};\n".replace("[p*", f"[{loop}*")
        yield "    end\n  endgenerate\n"


def _design(design: Design) -> Iterable[str]:
    """The instance of the design."""
    said = design.said
    parameters = [f".{name}({value})" for name, value in design.parameters.items()]
    ports = [f".{said.clock.name}(clk)"]
    if said.reset.name:
        ports.append(f".{said.reset.name}({'' if said.reset.active else '~'}reset)")
    for direction, side, leaves in (
        ("send", design.send, design.inputs),
        ("receive", design.receive, design.outputs),
    ):
        every = [(one.port, f"{direction}_{one.role}", one.bits) for one in side.fields.values()]
        if side.packet:
            bits = sum(one.bits for one in side.together)
            every.append((side.packet, f"{direction}_packet", bits))
        for port, wire, bits in every:
            if port:
                ports += _connected(port, wire, bits, leaves)
    ports += [f".{name}({value})" for name, value in design.ties.items()]
    counter, bits = design.counter
    yield "\n  wire [31:0] dropped;\n"
    if counter:
        yield f"  wire [{bits - 1}:0] counted;\n"
        yield (
            f"  assign dropped = {{{{{32 - bits}{{1'b0}}}}, counted}};\n"
            if bits < 32
            else ("  assign dropped = counted;\n")
        )
        ports.append(f".{counter}(counted)")
    else:
        yield "  assign dropped = 32'd0;\n"
    chosen = f" #(\n    {_list(parameters)}\n  )" if parameters else ""
    yield f"\n  {said.design.top}{chosen} u_design (\n    {_list(ports)}\n  );\n"


def _connected(port: str, wire: str, bits: int, leaves: int) -> list[str]:
    """A port of all leaves, or one of each."""
    if "{i}" not in port:
        return [f".{port}({wire})"]
    return [f".{port.format(i=i)}({wire}[{i * bits} +: {bits}])" for i in range(leaves)]


def _list(items: list[str]) -> str:
    return ",\n    ".join(items)
