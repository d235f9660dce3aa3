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
  input  wire              silent_i,  // of leaf_control
  input  wire              quiet_i,
  input  wire              valid_i,
  input  wire              ready_i,   // 0 or 1
  input  wire [SIDE_W-1:0] side_i,
  output wire              valid_o,   // 0 or 1
  output wire [SIDE_W-1:0] side_o,    // the same; X and Z are 0
  output wire [4:0]        broken_o
);

  reg              waits_q;  // a word was not taken in the clock before
  reg [SIDE_W-1:0] side_q;
  wire             unknown;

  wire             check = ~quiet_i;

  initial waits_q = 1'b0;

  assign valid_o = (valid_i === 1'b1);

  leaf_heard #(.W(SIDE_W)) u_side (
    .clk(clk), .quiet_i(1'b0), .run_i(1'b1), .value_i(side_i), .value_o(side_o),
    .unknown_o(unknown)
  );

  assign broken_o = {
    check & waits_q & valid_o & (side_i !== side_q),
    check & waits_q & ~valid_o,
    check & valid_o & unknown,
    silent_i & valid_o,
    check & ((valid_i ^ valid_i) !== 1'b0)
  };

  always @(posedge clk) begin
    waits_q <= check & valid_o & ~ready_i;
    side_q  <= side_i;
  end

endmodule

`default_nettype wire
