// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Any receiver that keeps the rules of its link, one leaf's.
//
// Contract: without CREDITS it is ready when its free inputs say so; with them it gives back at
// most as many as it got words, with ALONE of one virtual channel (VC) a clock.  A prompt receiver
// is always ready, and gives back at once.  A wild one gives back what it never got, where credits
// go back one by one: what holds with it holds with all others.
// Timing: a credit goes back one clock after its word at the earliest.
module prove_receiver #(
  parameter VCS     = 1,
  parameter CREDITS = 0,   // that the design has first of each VC; 0: the link has a ready
  parameter BACK_W  = 1,   // bits of the credits that go back in a clock
  parameter ALONE   = 0
) (
  input  wire                  clk,
  input  wire                  run_i,
  input  wire                  prompt_i,
  input  wire                  wild_i,
  input  wire [VCS-1:0]        open_i,   // free: ready, or a credit goes back
  input  wire [VCS-1:0]        valid_i,  // a word is there, its VC one-hot
  output wire [VCS-1:0]        ready_o,
  output reg  [VCS*BACK_W-1:0] back_o,
  output wire [VCS-1:0]        came_o,
  output wire                  bare_o    // a word came without a credit
);

  // verilator lint_off WIDTH
  // verilator lint_off CMPCONST
  // The number of a VC has two bits, and integers 32, whatever the sizes are.

  localparam COUNT_W = $clog2(CREDITS + 1) + BACK_W;
  localparam [COUNT_W-1:0] ONE = 1;
  localparam [31:0] MOST = (1 << BACK_W) - 1;

  reg  [VCS*COUNT_W-1:0] owed_q;
  reg  [1:0]             turn_q;
  reg  [VCS-1:0]         bare;
  reg                    taken;
  reg  [COUNT_W-1:0]     owed;
  reg  [2:0]             at;
  integer                v, w;

  assign ready_o = (prompt_i ? {VCS{1'b1}} : open_i) & {VCS{run_i}};
  assign came_o  = run_i ? valid_i & ((CREDITS != 0) ? {VCS{1'b1}} : ready_o) : {VCS{1'b0}};
  assign bare_o  = run_i & (bare != {VCS{1'b0}});

  always @* begin
    taken  = 1'b0;
    back_o = {(VCS*BACK_W){1'b0}};
    for (v = 0; v < VCS; v = v + 1) begin
      at       = {1'b0, turn_q} + v[2:0];
      if (at >= VCS) at = at - VCS;
      owed     = (wild_i && BACK_W == 1) ? ONE : owed_q[at*COUNT_W +: COUNT_W];
      bare[at] = CREDITS != 0 && valid_i[at] && owed == CREDITS;
      if (CREDITS != 0 && ready_o[at] && owed != {COUNT_W{1'b0}}
          && (ALONE == 0 || !taken)) begin
        back_o[at*BACK_W +: BACK_W] =
          ({{(32-COUNT_W){1'b0}}, owed} > MOST) ? MOST[BACK_W-1:0] : owed[BACK_W-1:0];
        taken = 1'b1;
      end
    end
  end

  always @(posedge clk) begin
    turn_q <= (turn_q == VCS - 1) ? 2'd0 : turn_q + 2'd1;
    for (w = 0; w < VCS; w = w + 1)
      owed_q[w*COUNT_W +: COUNT_W] <= owed_q[w*COUNT_W +: COUNT_W]
        + {{(COUNT_W-1){1'b0}}, came_o[w]} - back_o[w*BACK_W +: BACK_W];
    if (!run_i) begin
      turn_q <= 2'd0;
      owed_q <= {(VCS*COUNT_W){1'b0}};
    end
  end

  // verilator lint_on WIDTH
  // verilator lint_on CMPCONST

endmodule

`default_nettype wire
