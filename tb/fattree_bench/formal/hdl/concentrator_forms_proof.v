// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`include "peek.vh"
`default_nettype none

// Both forms of a concentrator switch, from the first clear on, for all requests, messages and
// acknowledges, for all times.
//
//   F1  the same bits on the same wires
//   F2  the same acknowledges: that of one input, any, is watched
//   F3  as many requests are lost
//
// Invariants, with which these hold by induction:
//
//   I1  as many wires are in use, at most S
//   I2  a wire in use shows the same input, one that there is; in the fast form others show none
//   I3  the same input comes first
module concentrator_forms_proof #(
  parameter R        = 4,                 // input wires
  parameter S        = 2,                 // output wires
  parameter [8*8-1:0] PRIORITY = "FIXED", // "FIXED", "ROTATING"
  parameter PIPELINE = 0,                 // 0, 1
  parameter R_W = (R > 1) ? $clog2(R) : 1 // derived: bits of an input's number
) (
  input wire           clk,
  input wire           clear_i,
  input wire           restart_i,
  input wire [R-1:0]   request_i,
  input wire [R-1:0]   wire_i,
  input wire [S-1:0]   ack_i,
  input wire [R_W-1:0] watched_i
);

  localparam F_W = $clog2(R + 1);
  localparam U_W = $clog2(S + 1);
  localparam L_W = $clog2(R + 1);

  reg  first = 1'b1;  // clock: all is cleared
  wire clear   = first | clear_i;
  wire restart = first | restart_i;
  always @(posedge clk) first <= 1'b0;

  wire [S-1:0]   shown_h, shown_f;
  wire [R-1:0]   acked_h, acked_f;
  wire [L_W-1:0] lost_h,  lost_f;

  concentrator_switch #(
    .FORM("HARDWARE"), .R(R), .S(S), .PRIORITY(PRIORITY), .PIPELINE(PIPELINE)
  ) u_h (
    .clk(clk), .clear_i(clear), .restart_i(restart), .request_i(request_i), .wire_i(wire_i),
    .wire_o(shown_h), .ack_i(ack_i), .ack_o(acked_h), .lost_o(lost_h)
  );
  concentrator_switch #(
    .FORM("FAST"), .R(R), .S(S), .PRIORITY(PRIORITY), .PIPELINE(PIPELINE)
  ) u_f (
    .clk(clk), .clear_i(clear), .restart_i(restart), .request_i(request_i), .wire_i(wire_i),
    .wire_o(shown_f), .ack_i(ack_i), .ack_o(acked_f), .lost_o(lost_f)
  );

  `PEEK([U_W-1:0], used_h, \u_h.gen_hardware.used_q , u_h.gen_hardware.used_q)
  `PEEK([S*R_W-1:0], select_h, \u_h.gen_hardware.select_q , u_h.gen_hardware.select_q)
  `PEEK([R_W-1:0], turn_h, \u_h.gen_hardware.first , u_h.gen_hardware.first)
  `PEEK([U_W-1:0], used_f, \u_f.gen_fast.u_fast.used_q , u_f.gen_fast.u_fast.used_q)
  `PEEK([S*F_W-1:0], from_f, \u_f.gen_fast.u_fast.from_q , u_f.gen_fast.u_fast.from_q)
  `PEEK([R_W-1:0], turn_f, \u_f.gen_fast.u_fast.first , u_f.gen_fast.u_fast.first)

  reg     same;
  integer o;
  always @* begin
    same = 1'b1;
    for (o = 0; o < S; o = o + 1)
      if (o < used_h)
        same = same && from_f[o*F_W +: F_W] < R
                    && from_f[o*F_W +: F_W] == select_h[o*R_W +: R_W];
      else
        same = same && from_f[o*F_W +: F_W] == R;

    `PROVE(F1, first || shown_h == shown_f)
    `PROVE(F2, first || watched_i >= R || acked_h[watched_i] == acked_f[watched_i])
    `PROVE(F3, first || lost_h == lost_f)
    `PROVE(I1, first || (used_h == used_f && used_h <= S))
    `PROVE(I2, first || same)
    `PROVE(I3, first || (turn_h == turn_f && turn_h < R))
  end

endmodule

`default_nettype wire
