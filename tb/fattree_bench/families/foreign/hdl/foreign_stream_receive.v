// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A receiver of AXI4-Stream, or of any link with valid and ready, one leaf's, and its rules.
//
// Contract: side_i is all that stands beside valid: data, last, id, dest, keep.  In still_i is what
// must stay the same through a packet.  Rules, from bit 0 of broken_o: valid is X; valid fell before
// ready; what is beside it changed before ready; valid in reset; X beside valid; a field changed in a
// packet; a word is not full; it names another leaf; a packet without end; bits beyond the flit.
// Timing: ready_o does not depend on valid_i in the same clock.
module foreign_stream_receive #(
  parameter SIDE_W  = 34,
  parameter STILL_W = 1,
  parameter [31:0] SEED = 32'd1
) (
  input  wire               clk,
  input  wire               rst,        // of the player
  input  wire               reset_i,    // of the design
  input  wire               known_i,    // outputs must be 0 or 1
  input  wire               run_i,
  input  wire [7:0]         hold_i,
  input  wire               shy_i,
  input  wire               space_i,    // there is room for a word
  input  wire               valid_i,
  output wire               ready_o,
  input  wire [SIDE_W-1:0]  side_i,
  input  wire [STILL_W-1:0] still_i,
  input  wire               tail_i,
  input  wire               full_i,     // every byte of the word counts
  input  wire               mine_i,     // it names this leaf
  input  wire               copies_i,   // of foreign_collect
  input  wire               long_i,
  output wire               came_o,     // a word came
  output wire [9:0]         broken_o
);

  reg                seen_q;    // valid in the clock before
  reg                waits_q;   // and it was not taken
  reg                reset_q;   // the design was in reset
  reg                inside_q;  // of a packet
  reg  [SIDE_W-1:0]  side_q;
  reg  [STILL_W-1:0] still_q;
  wire               pause;
  wire               valid = (valid_i === 1'b1);

  initial reset_q = 1'b0;

  foreign_pause #(.SEED(SEED)) u_pause (
    .clk(clk), .rst(rst), .share_i(hold_i), .step_i(1'b1), .pause_o(pause)
  );

  assign ready_o = run_i & space_i & ~pause & (~shy_i | seen_q);
  assign came_o  = valid & ready_o;

  wire check = known_i & ~reset_i;
  assign broken_o = {
    copies_i & came_o,
    long_i & came_o,
    came_o & (mine_i !== 1'b1),
    came_o & (full_i !== 1'b1),
    came_o & inside_q & (still_i !== still_q),
    check & valid & ((^side_i) === 1'bx),
    reset_i & reset_q & valid,
    check & waits_q & valid & (side_i !== side_q),
    check & waits_q & ~valid,
    check & ((valid_i ^ valid_i) !== 1'b0)
  };

  always @(posedge clk) begin
    seen_q   <= valid;
    waits_q  <= check & valid & ~ready_o;
    reset_q  <= reset_i;
    side_q   <= side_i;
    if (came_o) begin
      still_q  <= still_i;
      inside_q <= ~tail_i;
    end
    if (rst) begin
      seen_q   <= 1'b0;
      waits_q  <= 1'b0;
      inside_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
