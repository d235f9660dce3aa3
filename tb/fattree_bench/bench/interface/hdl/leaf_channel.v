// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A channel with valid and ready that comes out of a design: what readers in Python see, and rules.
//
// Contract: side_i is all that goes with valid.  Bits of broken_o: valid is X; it is high in the
// second clock of a reset, or later in it; X with it; it fell before ready; what goes with
// it changed before ready.
// Timing: combinational, against what was there in the clock before.
module leaf_channel #(
  parameter SIDE_W = 34  // bits of side_i
) (
  input  wire              clk,
  input  wire              reset_i,   // of the design
  input  wire              check_i,   // the design is not in reset, and was
  input  wire              valid_i,
  input  wire              ready_i,   // 0 or 1
  input  wire [SIDE_W-1:0] side_i,
  output wire              valid_o,   // 0 or 1
  output wire [SIDE_W-1:0] side_o,    // the same; X and Z are 0
  output wire [4:0]        broken_o
);

  reg              reset_q;
  reg              waits_q;  // a word was not taken in the clock before
  reg [SIDE_W-1:0] side_q;
  wire             unknown;

  initial begin
    reset_q = 1'b0;
    waits_q = 1'b0;
  end

  assign valid_o = (valid_i === 1'b1);

  leaf_known #(.W(SIDE_W)) u_known (
    .value_i(side_i), .value_o(side_o), .unknown_o(unknown)
  );

  assign broken_o = {
    check_i & waits_q & valid_o & (side_i !== side_q),
    check_i & waits_q & ~valid_o,
    check_i & valid_o & unknown,
    reset_i & reset_q & valid_o,
    check_i & ((valid_i ^ valid_i) !== 1'b0)
  };

  always @(posedge clk) begin
    reset_q <= reset_i;
    waits_q <= check_i & valid_o & ~ready_i;
    side_q  <= side_i;
  end

endmodule

`default_nettype wire
