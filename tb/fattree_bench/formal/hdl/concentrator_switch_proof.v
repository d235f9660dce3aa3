// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`include "peek.vh"
`include "watched_port.vh"
`default_nettype none

// A concentrator switch, for all requests, messages and acknowledges, for all times.  A message is
// one bit a clock, and the switch never looks at it.
//
// Any input is watched.  It asks at most once from clear to clear (the selector of a node sees to
// that), the others as often as they like.
//
//   S1  request number p < S since clear, in order of priority, gets wire p, alone: it shows 1 in
//       the clock of the request, then the input's wire, unmodified, until clear
//   S2  a path stands until clear: whoever asks later does not disturb it
//   S3  wires beyond the number of requests are silent: nothing spurious, nothing twice
//   S4  the acknowledge of an input is that of the wire that holds its path; without path, none
//   S5  what is lost are the requests beyond the S-th, all of them, and they are counted
//
// Invariants, with which these hold by induction:
//
//   I1  wires in use = requests since clear, at most S
//   I2  the wire of the watched input shows that input
//   I3  no other wire in use does
//   I4  the input that comes first is the one whose turn it is
//   I5  what a wire in use shows is an input that there is
module concentrator_switch_proof #(
  parameter R        = 4,                       // input wires
  parameter S        = 2,                       // output wires
  parameter [8*8-1:0] PRIORITY = "FIXED",       // "FIXED", "ROTATING"
  parameter PIPELINE = 0,                       // 0, 1
  parameter R_W      = (R > 1) ? $clog2(R) : 1  // derived
) (
  input wire           clk,
  input wire           clear_i,
  input wire           restart_i,
  input wire [R-1:0]   request_i,
  input wire [R-1:0]   wire_i,
  input wire [S-1:0]   ack_i,
  input wire [R_W-1:0] watched_i
);

  localparam U_W = $clog2(S + 1);
  localparam L_W = $clog2(R + 1);

  reg            first = 1'b1;  // clock: all is cleared
  reg  [R_W-1:0] watched_q;
  wire [R_W-1:0] watched = first ? watched_i : watched_q;
  wire           clear   = first | clear_i;
  wire           restart = first | restart_i;
  always @(posedge clk) begin
    first     <= 1'b0;
    watched_q <= watched;
  end

  wire [S-1:0]   shown;
  wire [R-1:0]   acked;
  wire [L_W-1:0] lost;

  concentrator_switch #(.R(R), .S(S), .PRIORITY(PRIORITY), .PIPELINE(PIPELINE)) u_switch (
    .clk(clk), .clear_i(clear), .restart_i(restart), .request_i(request_i), .wire_i(wire_i),
    .wire_o(shown), .ack_i(ack_i), .ack_o(acked), .lost_o(lost)
  );

  `PEEK([U_W-1:0], used_q, \u_switch.gen_hardware.used_q , u_switch.gen_hardware.used_q)
  `PEEK([S*R_W-1:0], select_q, \u_switch.gen_hardware.select_q , u_switch.gen_hardware.select_q)
  `PEEK([R_W-1:0], turn, \u_switch.gen_hardware.first , u_switch.gen_hardware.first)

  wire           given, stands, silent, counts, shows, alone, within, in_turn, held, due_ack;
  wire [L_W-1:0] too_many;

  watched_port #(.R(R), .S(S), .PRIORITY(PRIORITY), .PIPELINE(PIPELINE)) u_port (
    .clk(clk), .first_i(first), .clear_i(clear), .restart_i(restart),
    .request_i(request_i), .wire_i(wire_i), .ack_i(ack_i),
    .watch_i(1'b1), .watched_i(watched), .shown_i(shown),
    .used_i(used_q), .select_i(select_q), .turn_i(turn),
    .held_o(held), .ack_o(due_ack), .lost_o(too_many),
    .given_o(given), .stands_o(stands), .silent_o(silent), .counts_o(counts),
    .shows_o(shows), .alone_o(alone), .within_o(within), .in_turn_o(in_turn)
  );

  reg asked_q;
  always @(posedge clk)
    asked_q <= !clear && (asked_q || request_i[watched]);

  always @* begin
    `GIVEN(watched < R && (first || !((asked_q || held) && request_i[watched])))
    `PROVE(S1, given)
    `PROVE(S2, stands)
    `PROVE(S3, silent)
    `PROVE(S4, first || acked[watched] == due_ack)
    `PROVE(S5, first || lost == too_many)
    `PROVE(I1, counts)
    `PROVE(I2, shows)
    `PROVE(I3, alone)
    `PROVE(I4, in_turn)
    `PROVE(I5, within)
  end

endmodule

`default_nettype wire
