// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// The lanes that leave a router of a modified fat-tree downwards on one side, left or right.
//
// Contract: a packet that descends has the lane of its input.  A packet keeps its lane from head to
//   tail; flits of a packet come one a clock, without a gap.
//   "EXACT": one lane more than inputs from above; the last is for the packet that turns.  So
//   every packet has a lane.
//   "DOUBLING": as many lanes as inputs, at the top one.  A packet that turns takes the lowest free
//   lane; of heads in one clock those that descend come first.  A head that finds its
//   lane held, or none free, is lost, and its packet with it.
// Timing: combinational.  Cost: DOUBLING remembers a lane a bit who turns and who is lost; EXACT is
//   wires.
module mft_lanes #(
  parameter ABOVE  = 2,                 // inputs from above, >= 1; at the top 1 that is idle
  parameter COUNT  = 3,                 // lanes out, >= 1
  parameter FLIT_W = 34,                // bits of a flit; the highest is the head mark
  parameter [8*8-1:0] LANES = "EXACT"   // "EXACT", "DOUBLING"
) (
  input  wire                    clk,           // rising edge
  input  wire [ABOVE-1:0]        valid_i,       // by input: a flit descends to this side
  input  wire [ABOVE*FLIT_W-1:0] flit_i,        // by input: that flit
  input  wire                    turn_valid_i,  // a flit turns to this side
  input  wire [FLIT_W-1:0]       turn_flit_i,   // that flit; its head mark takes a lane
  output wire [COUNT-1:0]        valid_o,       // by lane: a flit leaves
  output wire [COUNT*FLIT_W-1:0] flit_o,        // by lane: that flit
  output wire [ABOVE:0]          lost_o         // by input, turning packets last: a head is lost
);

  localparam DUE = (LANES == "EXACT") ? ABOVE + 1 : ABOVE;  // lanes, but at the top

  generate
    if (LANES == "DOUBLING") begin : gen_doubling
      wire [COUNT-1:0] head, passes, busy;
      reg  [COUNT-1:0] lost_q;  // the packet on this input is lost
      reg  [COUNT-1:0] turn_q;  // lane of the packet that turns; none if it is lost
      wire             turn_head = turn_flit_i[FLIT_W-1];
      // What it holds already.  A head that comes now takes what those that descend leave free.
      wire [COUNT-1:0] held   = (turn_valid_i & ~turn_head) ? turn_q : {COUNT{1'b0}};
      wire [COUNT-1:0] lowest = ~passes & (passes + 1'b1);
      wire [COUNT-1:0] turn   = turn_head ? lowest : turn_q;
      wire [COUNT-1:0] turns  = turn_valid_i ? turn : {COUNT{1'b0}};

      genvar j;
      for (j = 0; j < COUNT; j = j + 1) begin : gen_lane
        assign head[j] = flit_i[j*FLIT_W + FLIT_W-1];
        assign busy[j] = head[j] ? held[j] : lost_q[j];
        assign flit_o[j*FLIT_W +: FLIT_W] = turns[j] ? turn_flit_i : flit_i[j*FLIT_W +: FLIT_W];
      end

      assign passes  = valid_i & ~busy;
      assign valid_o = passes | turns;
      assign lost_o  = {turn_valid_i & turn_head & (lowest == {COUNT{1'b0}}),
                        valid_i & head & busy};

      always @(posedge clk) begin
        lost_q <= valid_i & busy;
        turn_q <= turn;
      end
    end else begin : gen_exact
      localparam FIRST = COUNT - 1;  // lanes of those that descend
      wire unused = &{1'b0, clk, valid_i, flit_i};
      if (FIRST > 0) begin : gen_descending
        assign valid_o[0 +: FIRST]       = valid_i;
        assign flit_o[0 +: FIRST*FLIT_W] = flit_i;
      end
      assign valid_o[FIRST]                   = turn_valid_i;
      assign flit_o[FIRST*FLIT_W +: FLIT_W] = turn_flit_i;
      assign lost_o                           = {(ABOVE+1){1'b0}};
    end
  endgenerate

  `CHECK_CHOICE(LANES == "EXACT" || LANES == "DOUBLING", "LANES", LANES, "EXACT, DOUBLING")
  `CHECK_PARAMETER(COUNT == DUE || (COUNT == 1 && ABOVE == 1), "COUNT", COUNT,
                   "ABOVE, and one more if EXACT; at the top 1")

endmodule

`default_nettype wire
