// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A receiver that gives credits, one leaf's, and its rule: bit 0 of broken_o, a word came without a
// credit.
//
// Contract: the design has CREDITS of each virtual channel (VC) first.  That of a word comes back
// at once, but that of a flit's last word when the player has let go of the flit.  BACK_W bits say
// how many come back in a clock; with ALONE in one VC a clock.
// Timing: a credit comes back in the clock after that at the earliest.
module leaf_credit_receive #(
  parameter VCS     = 1,
  parameter COUNT_W = 4,   // bits of a count of flits
  parameter CREDITS = 4,
  parameter BACK_W  = 1,
  parameter ALONE   = 0,
  parameter [31:0] SEED = 32'd1
) (
  input  wire                   clk,
  input  wire                   rst,
  input  wire                   run_i,
  input  wire [7:0]             hold_i,    // see leaf_control
  input  wire [VCS*COUNT_W-1:0] space_i,   // room for flits
  input  wire [VCS-1:0]         valid_i,   // a word is there, its VC one-hot
  output wire [VCS-1:0]         came_o,    // a word came, and there was room
  output wire                   crowded_o,
  input  wire [VCS-1:0]         flit_i,    // with it a flit is whole
  input  wire [VCS-1:0]         credit_i,  // of the player
  output reg  [VCS*BACK_W-1:0]  credit_o,
  output wire [0:0]             broken_o
);

  localparam [31:0] ALL  = CREDITS;
  localparam [31:0] MOST = (1 << BACK_W) - 1;  // that come back in a clock

  reg  [VCS*8-1:0] has_q;   // credits of the design
  reg  [VCS*8-1:0] owed_q;  // that are to come back
  reg  [VCS-1:0]   room, bare;
  reg              taken;
  wire             pause;
  integer          v, w;

  leaf_pause #(.SEED(SEED)) u_pause (
    .clk(clk), .rst(rst), .share_i(hold_i), .step_i(1'b1), .pause_o(pause)
  );

  always @* begin
    taken    = 1'b0;
    credit_o = {(VCS*BACK_W){1'b0}};
    for (v = 0; v < VCS; v = v + 1) begin
      room[v] = (space_i[v*COUNT_W +: COUNT_W] != {COUNT_W{1'b0}});
      bare[v] = valid_i[v] & (has_q[v*8 +: 8] == 8'd0);
      if (run_i && !pause && owed_q[v*8 +: 8] != 8'd0 && (ALONE == 0 || !taken)) begin
        credit_o[v*BACK_W +: BACK_W] =
          ({24'd0, owed_q[v*8 +: 8]} > MOST) ? MOST[BACK_W-1:0] : owed_q[v*8 +: BACK_W];
        taken = 1'b1;
      end
    end
  end

  assign came_o    = valid_i & room;
  assign crowded_o = (valid_i & ~room) != {VCS{1'b0}};
  assign broken_o  = run_i & (bare != {VCS{1'b0}});

  always @(posedge clk)
    for (w = 0; w < VCS; w = w + 1) begin
      has_q[w*8 +: 8]  <= has_q[w*8 +: 8] - {7'd0, valid_i[w] & ~bare[w]}
        + {{(8-BACK_W){1'b0}}, credit_o[w*BACK_W +: BACK_W]};
      owed_q[w*8 +: 8] <= owed_q[w*8 +: 8] + {7'd0, credit_i[w]}
        + {7'd0, came_o[w] & ~flit_i[w]} - {{(8-BACK_W){1'b0}}, credit_o[w*BACK_W +: BACK_W]};
      if (rst) begin
        has_q[w*8 +: 8]  <= ALL[7:0];
        owed_q[w*8 +: 8] <= 8'd0;
      end
    end

endmodule

`default_nettype wire
