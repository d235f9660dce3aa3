// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// The reset, and what the first clock chooses for good.
//
// Contract: a case, if its bits say so, chooses in place of the free inputs.  So a proof of all its
// cases, each with less to look at, is a proof of everything.
// Timing: registers; a case is constant.
module prove_start #(
  parameter CHANNELS = 2,  // inputs times virtual channels
  parameter OUTPUTS  = 2,
  parameter RESET    = 1,  // clocks
  parameter READY    = 1   // the clock in which it is over for the design
) (
  input  wire                clk,
  // wild, loose, mode and front, watch and plain and only and source
  input  wire [CHANNELS+OUTPUTS+5:0] case_i,
  input  wire [CHANNELS-1:0] source_i,  // free: the lowest bit chooses
  input  wire                plain_i,
  input  wire                front_i,
  output wire                reset_o,
  output wire                run_o,
  output wire [CHANNELS-1:0] source_o,
  output wire                plain_o,
  output wire                front_o,
  output wire [OUTPUTS-1:0]  only_o,    // outputs of watched words; 0: all
  output wire                loose_o,   // senders end packets as they like
  output wire                wild_o     // and all but the watched one keep no rule
);

  localparam AGE_W = $clog2(READY + 2);

  reg [AGE_W-1:0]    age_q = {AGE_W{1'b0}};
  reg [CHANNELS-1:0] source_q;
  reg                plain_q, front_q;

  assign reset_o  = {{(32-AGE_W){1'b0}}, age_q} < RESET;
  assign run_o    = {{(32-AGE_W){1'b0}}, age_q} >= READY;
  wire mode, watches, case_front, case_plain;
  wire [CHANNELS-1:0] case_source;
  assign {wild_o, loose_o, mode, case_front, watches, case_plain, only_o, case_source} = case_i;
  assign source_o = watches ? case_source : source_q;
  assign plain_o  = watches ? case_plain : plain_q;
  assign front_o  = mode ? case_front : front_q;

  always @(posedge clk) begin
    if (!run_o) age_q <= age_q + 1'b1;
    if (age_q == {AGE_W{1'b0}}) begin
      source_q <= source_i & (~source_i + 1'b1);
      plain_q  <= plain_i;
      front_q  <= front_i;
    end
  end

endmodule

`default_nettype wire
