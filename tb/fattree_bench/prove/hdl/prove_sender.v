// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Any sender that keeps the rules of its link, one leaf's: whatever its free inputs say, what comes
// out of it is legal, so proofs with it rest on no assumption.
//
// Contract: packets of LEAST to MOST words in each virtual channel (VC), to outputs of LEGAL alone.
// With CREDITS a word needs a credit, else it is offered until it is taken; with EACH it may give
// way to another VC's; not if it stays.  A loose sender ends packets as it likes; a wild one also
// needs no credit and keeps no word and no destination: what holds with it holds with all others.
// Timing: combinational; a credit counts one clock later.
module prove_sender #(
  parameter VCS     = 1,
  parameter OUTPUTS = 2,
  parameter GOAL_W  = 1,        // bits of an output's number
  parameter [OUTPUTS-1:0] LEGAL = {OUTPUTS{1'b1}},
  parameter LEAST   = 1,
  parameter MOST    = 1,
  parameter DATA_W  = 2,
  parameter CREDITS = 0,        // of each VC first; 0: the link has a ready
  parameter BACK_W  = 1,        // bits of the credits that come back in a clock
  parameter HONEST  = 1,        // 0: it sends without credits
  parameter EACH    = 0         // each VC has a ready of its own
) (
  input  wire                  clk,
  input  wire                  run_i,      // the reset is over
  input  wire                  stays_i,
  input  wire                  loose_i,
  input  wire                  wild_i,
  // ---- free
  input  wire                  offer_i,
  input  wire [1:0]            vc_i,
  input  wire [GOAL_W-1:0]     goal_i,
  input  wire                  last_i,
  input  wire [DATA_W-1:0]     data_i,     // of a new word
  // ---- link
  input  wire [VCS-1:0]        ready_i,
  input  wire [VCS*BACK_W-1:0] back_i,
  output wire [VCS-1:0]        offer_o,    // a word stands there, its VC one-hot
  output wire [VCS-1:0]        new_o,      // and did not before
  output wire [VCS-1:0]        taken_o,    // and goes
  output wire [GOAL_W-1:0]     goal_o,
  output wire                  head_o,
  output wire                  last_o,
  output wire [DATA_W-1:0]     data_o,
  output reg                   over_o,     // more credits came back than went
  output reg  [VCS*8-1:0]      spent_o     // credits that are not back
);

  // verilator lint_off WIDTH
  // verilator lint_off CMPCONST
  // The number of a VC has two bits, and integers 32, whatever the sizes are.

  localparam COUNT_W  = $clog2(MOST + 1);
  localparam CREDIT_W = $clog2(CREDITS + 1) + BACK_W + 1;

  reg  [VCS-1:0]          open_q, waits_q, last_q;
  reg  [VCS*GOAL_W-1:0]   goal_q;
  reg  [VCS*DATA_W-1:0]   data_q;
  reg  [VCS*COUNT_W-1:0]  count_q;
  reg  [VCS*CREDIT_W-1:0] credit_q;

  reg  [VCS-1:0]     able, first, some, one;
  reg  [1:0]         vc, base;
  reg  [2:0]         at;
  reg  [GOAL_W-1:0]  lowest, wish;
  reg  [CREDIT_W-1:0] sum;
  reg  [COUNT_W-1:0] count;
  integer            v, k, w, o;

  wire [VCS-1:0] begun = open_q & {VCS{~wild_i}};
  wire [VCS-1:0] held  = waits_q & {VCS{~wild_i}};

  always @* begin
    lowest = {GOAL_W{1'b0}};
    for (o = OUTPUTS - 1; o >= 0; o = o - 1) if (LEGAL[o]) lowest = o[GOAL_W-1:0];
    wish = goal_i;
    if ({{(32-GOAL_W){1'b0}}, goal_i} >= OUTPUTS || !LEGAL[goal_i]) wish = lowest;
    for (v = 0; v < VCS; v = v + 1)
      able[v] = (CREDITS == 0) || (HONEST == 0) || wild_i
                || credit_q[v*CREDIT_W +: CREDIT_W] != {CREDIT_W{1'b0}};
    first = able & ((EACH == 0 || stays_i) ? held : {VCS{1'b0}});  // those that must go first
    some  = (first != {VCS{1'b0}}) ? first : able;
    base  = (vc_i < VCS) ? vc_i : 2'd0;
    vc    = base;
    for (k = VCS - 1; k >= 0; k = k - 1) begin
      at = {1'b0, base} + k[2:0];
      if (at >= VCS) at = at - VCS;
      if (at < VCS && some[at]) vc = at[1:0];
    end
    one    = {VCS{1'b0}};
    one[vc] = 1'b1;
    count = count_q[vc*COUNT_W +: COUNT_W] + 1'b1;
  end

  wire waits = held[vc];
  wire valid = run_i & able[vc] & (LEGAL != {OUTPUTS{1'b0}})
               & (offer_i | (held != {VCS{1'b0}}));
  wire goes  = valid & ((CREDITS != 0) | ready_i[vc]);

  assign offer_o = valid ? one : {VCS{1'b0}};
  assign new_o   = waits ? {VCS{1'b0}} : offer_o;
  assign taken_o = goes ? one : {VCS{1'b0}};
  assign goal_o  = (begun[vc] | waits) ? goal_q[vc*GOAL_W +: GOAL_W] : wish;
  assign head_o  = ~open_q[vc];
  assign last_o  = waits ? last_q[vc] : (loose_i && MOST != 1) ? last_i
                   : (count == MOST) | (last_i & (count >= LEAST));
  assign data_o  = waits ? data_q[vc*DATA_W +: DATA_W] : data_i;

  always @* begin
    over_o = 1'b0;
    for (w = 0; w < VCS; w = w + 1) begin
      sum = credit_q[w*CREDIT_W +: CREDIT_W] + back_i[w*BACK_W +: BACK_W]
            - {{(CREDIT_W-1){1'b0}}, taken_o[w]};
      if (CREDITS != 0 && HONEST != 0 && run_i && sum > CREDITS) over_o = 1'b1;
      spent_o[w*8 +: 8] = CREDITS - credit_q[w*CREDIT_W +: CREDIT_W];
    end
  end

  always @(posedge clk) begin : step
    integer x;
    for (x = 0; x < VCS; x = x + 1) begin
      if (offer_o[x]) begin
        goal_q[x*GOAL_W +: GOAL_W] <= goal_o;
        last_q[x]                  <= last_o;
        data_q[x*DATA_W +: DATA_W] <= data_o;
        waits_q[x]                 <= ~goes;
      end
      if (taken_o[x]) begin
        open_q[x]                    <= ~last_o;
        count_q[x*COUNT_W +: COUNT_W] <= last_o ? {COUNT_W{1'b0}} : count;
      end
      credit_q[x*CREDIT_W +: CREDIT_W] <= credit_q[x*CREDIT_W +: CREDIT_W]
        + back_i[x*BACK_W +: BACK_W] - {{(CREDIT_W-1){1'b0}}, taken_o[x]};
    end
    if (!run_i) begin
      open_q   <= {VCS{1'b0}};
      waits_q  <= {VCS{1'b0}};
      count_q  <= {(VCS*COUNT_W){1'b0}};
      credit_q <= {VCS{CREDITS[CREDIT_W-1:0]}};
    end
  end

  // verilator lint_on WIDTH
  // verilator lint_on CMPCONST

endmodule

`default_nettype wire
