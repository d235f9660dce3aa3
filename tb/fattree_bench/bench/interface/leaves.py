"""The leaves of a design in the bench top, where a player in Verilog sends and receives."""

from __future__ import annotations

from collections.abc import Iterable

from fattree_bench.bench.interface.channels import wired
from fattree_bench.bench.interface.design import Design

WIRES = """
  wire [LEAVES*VCS-1:0]    out_valid, out_credit;
  wire [LEAVES*FLIT_W-1:0] out_flit;

  generate
"""
INPUTS = """
    for (g = 0; g < LEAVES; g = g + 1) begin : gen_input
      if (g < INPUTS) begin : gen_there
        localparam [31:0] SELF = g;
        localparam [31:0] SEED = 32'h9E3779B9 ^ (g * 32'd69621);
        wire              offered, head, tail, take;
        wire [VCS-1:0]    able, known, some, vc;
        wire [DATA_W-1:0] word;
        wire [NODE_W-1:0] address;
        leaf_feed #(
          .VCS(VCS), .DEPTH(DEPTH), .WIDTH(WIDTH), .FLIT_W(FLIT_W), .ADDR_W(NODE_W),
          .WORDS(WORDS), .W(DATA_W), .SEED(SEED)
        ) u_feed (
          .clk(clk), .rst(rst), .run_i(run), .gap_i(gap), .valid_i(in_valid[g*VCS +: VCS]),
          .flit_i(in_flit[g*FLIT_W +: FLIT_W]), .credit_o(in_credit[g*VCS +: VCS]),
          .able_i(able & known), .some_o(some), .valid_o(offered), .vc_o(vc), .word_o(word),
          .head_o(head), .tail_o(tail), .address_o(address), .take_i(take)
        );
{send}
        wire unused = &{{1'b0, SELF, some, vc, head, tail, address}};
      end else begin : gen_not
        assign in_credit[g*VCS +: VCS] = {{VCS{{1'b0}}}};
        wire unused = &{{1'b0, in_valid[g*VCS +: VCS], in_flit[g*FLIT_W +: FLIT_W]}};
      end
    end
"""
OUTPUTS = """
    for (g = 0; g < LEAVES; g = g + 1) begin : gen_output
      if (g < OUTPUTS) begin : gen_there
        localparam [31:0] SEED = 32'h7F4A7C15 ^ (g * 32'd69621);
        wire              tail, head, copies, long;
        wire [VCS-1:0]    came;
        wire [VCS*COUNT_W-1:0] space;
        wire [MARK_W-1:0] marks;
        leaf_collect #(
          .VCS(VCS), .DEPTH(DEPTH), .WIDTH(WIDTH), .FLIT_W(FLIT_W), .MARK_W(MARK_W),
          .WORDS(WORDS), .W(DATA_W), .MOST(MOST)
        ) u_collect (
          .clk(clk), .rst(quiet), .valid_i(came), .word_i(receive_data[g*DATA_W +: DATA_W]),
          .tail_i(tail), .marks_i(marks), .head_o(head), .valid_o(out_valid[g*VCS +: VCS]),
          .flit_o(out_flit[g*FLIT_W +: FLIT_W]), .credit_i(out_credit[g*VCS +: VCS]),
          .space_o(space), .copies_o(copies), .long_o(long)
        );
{receive}
        wire unused = &{{1'b0, head, space, copies, long}};
      end else begin : gen_not
        assign out_valid[g*VCS +: VCS]      = {{VCS{{1'b0}}}};
        assign out_flit[g*FLIT_W +: FLIT_W] = {{FLIT_W{{1'b0}}}};
        wire unused = &{{1'b0, out_credit[g*VCS +: VCS]}};
      end
    end
  endgenerate
"""
JOINED = """
  assign seen_valid = out_valid;
  assign seen_flit  = out_flit;
  assign out_credit = seen_credit;
  assign busy_o     = playing;
"""


def played(design: Design) -> Iterable[str]:
    """Adapters between the player and the ports of each leaf."""
    send, receive = wired(design)
    yield WIRES
    yield INPUTS.format(send=send)
    yield OUTPUTS.format(receive=receive)
    yield JOINED
