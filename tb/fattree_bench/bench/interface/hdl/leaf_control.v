// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// What the bench of a design with adapters is told beside its packets, and what time it is there.
//
// Contract: Python writes gap, hold, shy and read.  A reset of the player, a clock, becomes one of
// RESET_CLOCKS clocks for the design; the adapters are silent for WAIT_CLOCKS more.  What comes out
// in a reset, and in LATE_CLOCKS behind its first clock, does not count.
// gap_o, hold_o: of 256, how often a sender pauses between two words, a receiver in a clock.
// shy_o: receivers wait for a word before they say that they take it.
// clock_o counts from the first clock of an item, and before_o is high until that comes: since
// read changed, which is when Python has read what was noted so far (clear_o).
// Timing: reset_o is high from the clock of rst_i on.
module leaf_control #(
  parameter RESET_CLOCKS = 1,  // >= 1
  parameter WAIT_CLOCKS  = 0,  // >= LATE_CLOCKS
  parameter LATE_CLOCKS  = 0   // until the reset is everywhere in the design
) (
  input  wire        clk,
  input  wire        rst_i,     // reset of the player
  input  wire        begins_i,  // this is the first clock of an item
  output wire        reset_o,   // reset of the design
  output wire        quiet_o,   // what comes out of the design does not count
  output wire        silent_o,  // and no word may come
  output wire        run_o,     // words may be on the links
  output wire [7:0]  gap_o,
  output wire [7:0]  hold_o,
  output wire        shy_o,
  output wire        clear_o,   // what was noted has been read
  output wire        before_o,  // the item has not begun
  output wire [31:0] clock_o    // of the item
);

  localparam [31:0] ALL  = RESET_CLOCKS + WAIT_CLOCKS;
  localparam [31:0] WAIT = WAIT_CLOCKS;
  localparam [31:0] LATE = LATE_CLOCKS;

  reg [7:0]  gap, hold;
  reg        shy, read;
  reg [7:0]  gap_q, hold_q;
  reg        shy_q, read_q, before_q;
  reg [31:0] left_q;   // clocks of reset and wait that are left
  reg [31:0] since_q;  // clocks since the reset began
  reg        reset_q, known_q;
  reg [31:0] clock_q;

  initial begin
    gap      = 8'd0;
    hold     = 8'd0;
    shy      = 1'b0;
    read     = 1'b0;
    gap_q    = 8'd0;
    hold_q   = 8'd0;
    shy_q    = 1'b0;
    read_q   = 1'b0;
    before_q = 1'b1;
    known_q  = 1'b0;
    reset_q  = 1'b0;
    left_q   = 32'd0;
    since_q  = 32'hffffffff;
    clock_q  = 32'd0;
  end

  assign reset_o  = rst_i | (left_q > WAIT);
  wire [31:0] since = (reset_o & ~reset_q) ? 32'd0 : since_q;

  assign quiet_o  = ~known_q | reset_o | (since <= LATE);
  assign silent_o = reset_o & (since > LATE);
  assign run_o    = ~quiet_o & (left_q == 32'd0);
  assign gap_o    = gap_q;
  assign hold_o   = hold_q;
  assign shy_o    = shy_q;
  assign clear_o  = (read != read_q);
  assign before_o = ~begins_i & (before_q | clear_o);
  assign clock_o  = begins_i ? 32'd0 : clock_q;

  always @(posedge clk) begin
    gap_q    <= gap;
    hold_q   <= hold;
    shy_q    <= shy;
    read_q   <= read;
    before_q <= before_o;
    clock_q  <= clock_o + 32'd1;
    known_q  <= known_q | rst_i;
    reset_q  <= reset_o;
    if (since != 32'hffffffff) since_q <= since + 32'd1;
    if (rst_i) left_q <= ALL - 32'd1;
    else if (left_q != 32'd0) left_q <= left_q - 32'd1;
  end

endmodule

`default_nettype wire
