// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// What leaves send has no list of hops yet: a check, for simulation.
//
// Vectors by leaf.
module xgft_departures #(
  parameter LEAVES = 16,                  // links
  parameter VCS    = 2,                   // virtual channels a link
  parameter WIDTH  = 32,                  // data bits of a flit
  parameter HOPS_W = 0,                   // bits of the list of hops, see xgft_network
  // derived
  parameter FLIT_W = WIDTH + 2 + HOPS_W   // bits of a flit
) (
  input wire                     clk,      // rising edge
  input wire                     rst,      // synchronous: nothing is checked
  input wire [LEAVES*VCS-1:0]    valid_i,  // the VC of a flit that a leaf sends
  input wire [LEAVES*FLIT_W-1:0] flit_i    // by leaf: {hops, head, tail, data}
);

  generate
    if (HOPS_W > 0) begin : gen_hops
      reg listed;
      always @* begin : look
        integer p;
        p      = 0;
        listed = 1'b0;
        if (valid_i != {(LEAVES*VCS){1'b0}})
          for (p = 0; p < LEAVES; p = p + 1)
            listed = listed | (valid_i[p*VCS +: VCS] != {VCS{1'b0}}
                               && flit_i[p*FLIT_W + WIDTH + 2 +: HOPS_W] != {HOPS_W{1'b0}});
      end
      `CHECK_ALWAYS(clk, rst, !listed, "a flit of a leaf has a list of hops")
    end else begin : gen_none
      wire unused = &{1'b0, clk, rst, valid_i, flit_i};
    end
  endgenerate

endmodule

`default_nettype wire
