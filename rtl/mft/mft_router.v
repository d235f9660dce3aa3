// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Router of a modified fat-tree (Bouhraoua and Elrabaa 2006): without buffers or waiting.
//
// Contract: its left links reach the clients of one interval, its right links those of the next;
//   both follow from row and column.  A packet from below turns if its destination is in either,
//   else it climbs (mft_climb).  A packet from above goes to the side of its destination, by the
//   lane of its input (mft_lanes).  A packet is led as its head was: its flits come one a clock,
//   without a gap.
//   Clients never send to themselves, so only port 1 turns to the left, and only port 0 to the
//   right.  All turns in the top row: its routers have nothing that climbs.
// Timing: PIPELINE clocks from an input to an output; with 0 it is wires, and remembers a bit or
//   two an input: where the packet goes that is passing.
//
// Flit, from bit 0: WIDTH data bits, tail mark, head mark.  Data of a head, from bit 0: the
// destination (ADDR_W bits).
// Ports from above: lanes of parent 0, then those of parent 1.  Down: left lanes, then right lanes.
module mft_router #(
  parameter ROW      = 0,               // of the router, 0 .. ADDR_W - 1; 0 at the clients
  parameter ABOVE    = 2,               // lanes from above, >= 1; at the top 1 that is idle
  parameter COUNT    = 3,               // lanes down on each side, see mft_lanes
  parameter WIDTH    = 32,              // data bits of a flit
  parameter ADDR_W   = 2,               // bits of a client's number
  parameter PIPELINE = 1,               // registers behind it, >= 0
  parameter [8*4-1:0] MODE  = "IMFT",   // "IMFT": link q for port q; "MFT": either
  parameter [8*8-1:0] LANES = "EXACT",  // "EXACT": one each; "DOUBLING": fewer, can be short
  parameter FLIT_W   = WIDTH + 2        // derived
) (
  input  wire                      clk,           // rising edge
  input  wire                      rst,           // synchronous: what is inside is gone
  input  wire [ADDR_W-1:0]         column_i,      // of the router, 0 .. 2^(ADDR_W-1) - 1; constant
  input  wire [1:0]                up_valid_i,    // by port: a flit comes from below
  input  wire [2*FLIT_W-1:0]       up_flit_i,     // by port: that flit
  output wire [1:0]                up_valid_o,    // by link: a flit goes up
  output wire [2*FLIT_W-1:0]       up_flit_o,     // by link: that flit
  input  wire [ABOVE-1:0]          down_valid_i,  // by lane from above: a flit comes
  input  wire [ABOVE*FLIT_W-1:0]   down_flit_i,   // by lane from above: that flit
  output wire [2*COUNT-1:0]        down_valid_o,  // by lane down: a flit leaves
  output wire [2*COUNT*FLIT_W-1:0] down_flit_o,   // by lane down: that flit
  output wire [2*(ABOVE+1)-1:0]    lost_o         // by side: lost_o of mft_lanes
);

  localparam HEAD      = FLIT_W - 1;
  localparam [0:0] TOP = (ROW == ADDR_W - 1);

  genvar q, j, s;

  // ---- from below: does it turn? ----------------------------------------------------------------

  wire [1:0] turns;
  reg  [1:0] turns_q;  // of the packet that each port is in

  generate
    for (q = 0; q < 2; q = q + 1) begin : gen_port
      localparam [0:0] OTHER = 1 - q;
      wire [ADDR_W-1:0] to     = up_flit_i[q*FLIT_W +: ADDR_W];
      wire              here   = ((to >> (ROW + 1)) == (column_i >> ROW));
      wire              head   = up_flit_i[q*FLIT_W + HEAD];
      assign turns[q] = TOP ? 1'b1 : head ? here : turns_q[q];
      always @(posedge clk) turns_q[q] <= turns[q];

      `CHECK_SHARED(clk, rst, !(up_valid_i[q] && head && here) || to[ROW] == OTHER,
                    "a packet turns to the side that it came from")
    end
  endgenerate

  generate
    if (TOP) begin : gen_top
      assign up_valid_o = 2'b00;
      assign up_flit_o  = {(2*FLIT_W){1'b0}};
    end else begin : gen_climb
      wire [1:0]          climb_valid;
      wire [2*FLIT_W-1:0] climb_flit;

      mft_climb #(.FLIT_W(FLIT_W), .MODE(MODE)) u_climb (
        .clk(clk), .valid_i(up_valid_i & ~turns), .flit_i(up_flit_i), .valid_o(climb_valid),
        .flit_o(climb_flit)
      );
      delay_line #(.DEPTH(PIPELINE), .WIDTH(2 * (FLIT_W + 1))) u_up (
        .clk(clk), .rst(rst), .data_i({climb_flit, climb_valid}), .data_o({up_flit_o, up_valid_o})
      );
    end
  endgenerate

  // ---- from above: left or right? ---------------------------------------------------------------

  wire [ABOVE-1:0] right;
  reg  [ABOVE-1:0] right_q;  // where the packet goes that each lane is in

  generate
    for (j = 0; j < ABOVE; j = j + 1) begin : gen_above
      assign right[j] = down_flit_i[j*FLIT_W + HEAD] ? down_flit_i[j*FLIT_W + ROW] : right_q[j];
      always @(posedge clk) right_q[j] <= right[j];
    end
  endgenerate

  // ---- down -------------------------------------------------------------------------------------

  wire [2*COUNT-1:0]        lane_valid;
  wire [2*COUNT*FLIT_W-1:0] lane_flit;

  generate
    for (s = 0; s < 2; s = s + 1) begin : gen_side
      localparam FROM = 1 - s;  // the port that turns to this side
      mft_lanes #(.ABOVE(ABOVE), .COUNT(COUNT), .FLIT_W(FLIT_W), .LANES(LANES)) u_lanes (
        .clk(clk), .valid_i(down_valid_i & (s == 1 ? right : ~right)), .flit_i(down_flit_i),
        .turn_valid_i(up_valid_i[FROM] & turns[FROM]),
        .turn_flit_i(up_flit_i[FROM*FLIT_W +: FLIT_W]), .valid_o(lane_valid[s*COUNT +: COUNT]),
        .flit_o(lane_flit[s*COUNT*FLIT_W +: COUNT*FLIT_W]), .lost_o(lost_o[s*(ABOVE+1) +: ABOVE+1])
      );
    end
  endgenerate

  delay_line #(.DEPTH(PIPELINE), .WIDTH(2 * COUNT * (FLIT_W + 1))) u_down (
    .clk(clk), .rst(rst), .data_i({lane_flit, lane_valid}), .data_o({down_flit_o, down_valid_o})
  );

  `CHECK_PARAMETER(ROW >= 0 && ROW < ADDR_W, "ROW", ROW, "0 to ADDR_W - 1")
  `CHECK_PARAMETER(ADDR_W >= 1 && ADDR_W <= WIDTH, "ADDR_W", ADDR_W, "1 to WIDTH")

endmodule

`default_nettype wire
