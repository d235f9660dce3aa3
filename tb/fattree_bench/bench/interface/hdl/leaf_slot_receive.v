// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A receiver of a word a slot, one leaf's.  With slots of one clock it is one of AXI4-Stream, or of
// any link with valid and ready.
//
// Contract: it comes in the slot's last clock, if ready_o was high in the whole slot; where nobody
// looks at ready_o (BLIND), always.
// Timing: ready_o changes with the slot, and does not depend on valid_i in the same clock.
module leaf_slot_receive #(
  parameter COUNT_W = 4,  // bits of a count of flits
  parameter BLIND   = 1,
  parameter [31:0] SEED = 32'd1
) (
  input  wire               clk,
  input  wire               rst,
  input  wire [7:0]         hold_i,   // see leaf_control
  input  wire               shy_i,
  input  wire               first_i,  // of leaf_slots
  input  wire               last_i,
  input  wire [COUNT_W-1:0] space_i,  // room for flits
  input  wire               valid_i,
  output wire               ready_o,
  output wire               came_o,   // a word came, and there was room
  output wire               crowded_o
);

  reg  on_q;
  reg  seen_q;  // valid in the clock before
  reg  due_q;   // valid since the last word came: it may have fallen again
  wire pause;
  wire room = (space_i != {COUNT_W{1'b0}});
  wire sent = valid_i & last_i & (ready_o | (BLIND != 0));

  leaf_pause #(.SEED(SEED)) u_pause (
    .clk(clk), .rst(rst), .share_i(hold_i), .step_i(last_i), .pause_o(pause)
  );

  assign ready_o   = first_i ? room & ~pause & (~shy_i | seen_q | due_q) : on_q;
  assign came_o    = sent & room;
  assign crowded_o = sent & ~room;
  always @(posedge clk) begin
    on_q   <= ready_o & ~last_i & ~rst;
    seen_q <= valid_i & ~rst;
    due_q  <= (valid_i | due_q) & ~sent & ~rst;
  end

endmodule

`default_nettype wire
