// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// (R, S) concentrator switch: electrical paths for requests that may come at any time.
//
// Contract: a wire that requests (request_i, one clock) gets the lowest output wire that is still
// free, or, where none is, is lost.  Requests of the same clock are served in order of priority:
// from wire 0 up ("FIXED"), or from a wire that moves on by one with every clear_i, wrapping around
// ("ROTATING").  A path stands until clear_i: output shows input, and acknowledges go back the same
// way.  In the clock of its request a path shows 1, the message's M bit; wire_i is not looked at.
// Timing: request to path O(log (R S)) gates.  PIPELINE = 1 puts one register into wire_o and one
// into ack_o; PIPELINE = 0 makes both combinational.  clear_i is synchronous.
//
// A prefix sum counts the requests of the clock that come before each; that many wires behind those
// in use lies its own.  So paths never move, and late comers take what is left.  FORM = "FAST" is
// the same function as a simulator likes it (fast/concentrator_switch_fast.v).
module concentrator_switch #(
  parameter [8*8-1:0] FORM = "HARDWARE",   // "HARDWARE": O(log (R S)); "FAST": to simulate
  parameter R        = 4,                  // input wires, >= 1
  parameter S        = 2,                  // output wires, >= 1
  parameter [8*8-1:0] PRIORITY = "FIXED",  // "FIXED", "ROTATING"
  parameter PIPELINE = 1,                  // 0, 1: registers in each direction
  parameter LOST_W   = $clog2(R + 1)       // bits of the count of lost requests
) (
  input  wire              clk,        // rising edge
  input  wire              clear_i,    // a delivery cycle begins: all wires are free
  input  wire              restart_i,  // with clear_i: it is the first one
  input  wire [R-1:0]      request_i,  // wire i asks for a path
  input  wire [R-1:0]      wire_i,     // bits of the messages
  output wire [S-1:0]      wire_o,     // bits of those that have a path
  input  wire [S-1:0]      ack_i,      // acknowledges from where wire_o leads
  output wire [R-1:0]      ack_o,      // acknowledges to where wire_i comes from
  output wire [LOST_W-1:0] lost_o      // requests of this clock that found no wire
);

  generate
    if (FORM == "FAST") begin : gen_fast
      concentrator_switch_fast #(
        .R(R), .S(S), .PRIORITY(PRIORITY), .PIPELINE(PIPELINE), .LOST_W(LOST_W)
      ) u_fast (
        .clk(clk), .clear_i(clear_i), .restart_i(restart_i), .request_i(request_i),
        .wire_i(wire_i), .wire_o(wire_o), .ack_i(ack_i), .ack_o(ack_o), .lost_o(lost_o)
      );
    end else begin : gen_hardware
      localparam STAGES   = (R > 1) ? $clog2(R) : 1;
      localparam SELECT_W = STAGES;
      localparam USED_W   = $clog2(S + 1);

      `include "count_below.vh"

      // ---- requests in order of priority --------------------------------------------------------

      wire [SELECT_W-1:0] first;
      wire [R-1:0]        asking;  // input (i + first) mod R stands at place i

      rotating_first #(.R(R), .PRIORITY(PRIORITY)) u_first (
        .clk(clk), .clear_i(clear_i), .restart_i(restart_i), .first_o(first)
      );
      assign asking = (PRIORITY == "FIXED") ? request_i :
        (request_i >> first) | (request_i << (R - {{(32-SELECT_W){1'b0}}, first}));

      // ---- paths --------------------------------------------------------------------------------

      reg [USED_W-1:0]     used_q,   used;    // wires in use: 0 .. used-1
      reg [S*SELECT_W-1:0] select_q, select;  // which input they show
      reg [S-1:0]          opened;            // paths of this clock's requests
      reg [LOST_W-1:0]     lost;

      wire [STAGES*R-1:0] below = count_below(asking);  // requests of a higher priority, by place
      wire [31:0]         busy  = {{(32-USED_W){1'b0}}, used_q};

      always @* begin : serve
        integer i, b, place, from;
        used   = used_q;
        select = select_q;
        opened = {S{1'b0}};
        lost   = {LOST_W{1'b0}};
        for (i = 0; i < R; i = i + 1) begin
          place = 0;
          for (b = 0; b < STAGES; b = b + 1)
            place[b] = below[b*R + i];
          place = place + busy;
          from  = i + {{(32-SELECT_W){1'b0}}, first};
          if (from >= R) from = from - R;
          if (asking[i] && place < S) begin
            select[place*SELECT_W +: SELECT_W] = from[SELECT_W-1:0];
            opened[place] = 1'b1;
            place = place + 1;
            used = place[USED_W-1:0];
          end else if (asking[i])
            lost = lost + 1'b1;
        end
      end
      assign lost_o = lost;

      always @(posedge clk) begin
        used_q   <= clear_i ? {USED_W{1'b0}} : used;
        select_q <= select;
      end

      // Apart: without registers forward and backward must not seem to wait for each other.
      reg [S-1:0] shown;
      always @* begin : forward
        integer o;
        shown = opened;
        for (o = 0; o < S; o = o + 1)
          if (o < busy) shown[o] = wire_i[select_q[o*SELECT_W +: SELECT_W]];
      end

      reg [R-1:0] acked;
      always @* begin : backward
        integer o;
        acked = {R{1'b0}};
        for (o = 0; o < S; o = o + 1)
          if (o < busy) acked[select_q[o*SELECT_W +: SELECT_W]] = ack_i[o];
      end

      delay_line #(.DEPTH(PIPELINE), .WIDTH(S)) u_forward (
        .clk(clk), .rst(clear_i), .data_i(shown), .data_o(wire_o)
      );
      delay_line #(.DEPTH(PIPELINE), .WIDTH(R)) u_backward (
        .clk(clk), .rst(clear_i), .data_i(acked), .data_o(ack_o)
      );
    end
  endgenerate

  `CHECK_PARAMETER(R >= 1, "R", R, ">= 1")
  `CHECK_PARAMETER(S >= 1, "S", S, ">= 1")
  `CHECK_PARAMETER(PIPELINE == 0 || PIPELINE == 1, "PIPELINE", PIPELINE, "0 or 1")
  `CHECK_CHOICE(FORM == "HARDWARE" || FORM == "FAST", "FORM", FORM, "HARDWARE, FAST")

endmodule

`default_nettype wire
