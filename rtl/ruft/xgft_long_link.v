// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Long link: a chain of LONG registers in each direction, so that a long wire costs clocks and not
// clock rate.
//
// Contract: what is on the link at one end is there at the other LONG clocks later: flits in their
// virtual channels (VCs) forward, credits back.  A reset empties the link.
// Timing: LONG = 0 is a wire.  A credit is back 2 LONG clocks later than without the link; so a VC
// runs at full rate if the queue behind it holds 2 LONG flits more (see xgft_switch).
//
// VC v owns bit v of each vector.
module xgft_long_link #(
  parameter LONG   = 2,  // registers in each direction, >= 0
  parameter VCS    = 2,  // virtual channels
  parameter FLIT_W = 34  // bits of a flit
) (
  input  wire              clk,       // rising edge
  input  wire              rst,       // synchronous: flits and credits inside are lost
  input  wire [VCS-1:0]    valid_i,   // from the sender: the VC of a flit
  input  wire [FLIT_W-1:0] flit_i,    // that flit, with valid_i
  output wire [VCS-1:0]    credit_o,  // to the sender: room for one flit more
  output wire [VCS-1:0]    valid_o,   // to the receiver: the VC of a flit
  output wire [FLIT_W-1:0] flit_o,    // that flit, LONG clocks later
  input  wire [VCS-1:0]    credit_i   // from the receiver: room for one flit more
);

  // Place r is r registers behind the end at which something enters.
  genvar r;
  generate
    for (r = 0; r <= LONG; r = r + 1) begin : gen_place
      wire [VCS-1:0]    valid, credit;
      wire [FLIT_W-1:0] flit;
      if (r == 0) begin : gen_end
        wire unused = &{1'b0, clk, rst};
        assign valid  = valid_i;
        assign flit   = flit_i;
        assign credit = credit_i;
      end else begin : gen_register
        reg [VCS-1:0]    valid_q, credit_q;
        reg [FLIT_W-1:0] flit_q;
        always @(posedge clk) begin
          valid_q  <= rst ? {VCS{1'b0}} : gen_place[r-1].valid;
          credit_q <= rst ? {VCS{1'b0}} : gen_place[r-1].credit;
          if (gen_place[r-1].valid != {VCS{1'b0}}) flit_q <= gen_place[r-1].flit;
        end
        assign valid  = valid_q;
        assign flit   = flit_q;
        assign credit = credit_q;
      end
    end
  endgenerate

  assign valid_o  = gen_place[LONG].valid;
  assign flit_o   = gen_place[LONG].flit;
  assign credit_o = gen_place[LONG].credit;

  `CHECK_PARAMETER(LONG >= 0, "LONG", LONG, ">= 0")

endmodule

`default_nettype wire
