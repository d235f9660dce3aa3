// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "prove.vh"
`include "peek.vh"
`include "watched_port.vh"
`default_nettype none

// COPIES concentrator switches side by side, for all requests, messages and acknowledges, for all
// times.  A message is one bit a clock, and the switch never looks at it.
//
// Any input of each copy is watched.  It asks at most once from clear to clear (the selector of a node
// sees to that), the others as often as they like.
//
//   S1  request number p < S since clear, in order of priority, gets wire p, alone: it shows 1 in the
//       clock of the request, then the input's wire, unmodified, until clear
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
//   I5  what a wire in use shows is an input of its own copy
module concentrator_switch_proof #(
  parameter COPIES   = 1,
  parameter R        = 4,
  parameter S        = 2,
  parameter [8*8-1:0] PRIORITY = "FIXED",
  parameter PIPELINE = 0,
  parameter R_W      = (R > 1) ? $clog2(R) : 1  // derived
) (
  input wire                  clk,
  input wire                  clear_i,
  input wire                  restart_i,
  input wire [COPIES*R-1:0]   request_i,
  input wire [COPIES*R-1:0]   wire_i,
  input wire [COPIES*S-1:0]   ack_i,
  input wire [COPIES*R_W-1:0] watched_i
);

  localparam U_W    = $clog2(S + 1);
  localparam L_W    = $clog2(R + 1);
  localparam LOST_W = $clog2(COPIES * R + 1);

  reg                    first = 1'b1;  // clock: all is cleared
  reg  [COPIES*R_W-1:0]  watched_q;
  wire [COPIES*R_W-1:0]  watched = first ? watched_i : watched_q;
  wire                   clear   = first | clear_i;
  wire                   restart = first | restart_i;
  always @(posedge clk) begin
    first     <= 1'b0;
    watched_q <= watched;
  end

  wire [COPIES*S-1:0] shown;
  wire [COPIES*R-1:0] acked;
  wire [LOST_W-1:0]   lost;

  concentrator_switch #(
    .COPIES(COPIES), .R(R), .S(S), .PRIORITY(PRIORITY), .PIPELINE(PIPELINE), .LOST_W(LOST_W)
  ) u_switch (
    .clk(clk), .clear_i(clear), .restart_i(restart), .request_i(request_i), .wire_i(wire_i),
    .wire_o(shown), .ack_i(ack_i), .ack_o(acked), .lost_o(lost)
  );

  `PEEK([COPIES*U_W-1:0], used_q, \u_switch.used_q , u_switch.used_q)
  `PEEK([COPIES*S*R_W-1:0], select_q, \u_switch.select_q , u_switch.select_q)
  `PEEK([R_W-1:0], turn, \u_switch.first , u_switch.first)

  wire [COPIES-1:0]     given, stands, silent, answered, counts, shows, alone, within, in_turn, once;
  wire [COPIES*L_W-1:0] too_many;

  genvar k;
  generate
    for (k = 0; k < COPIES; k = k + 1) begin : gen_copy
      wire [R_W-1:0] source = watched[k*R_W +: R_W];
      wire           held, due_ack;

      watched_port #(.R(R), .S(S), .PRIORITY(PRIORITY), .PIPELINE(PIPELINE)) u_port (
        .clk(clk), .first_i(first), .clear_i(clear), .restart_i(restart),
        .request_i(request_i[k*R +: R]), .wire_i(wire_i[k*R +: R]), .ack_i(ack_i[k*S +: S]),
        .watch_i(1'b1), .watched_i(source), .shown_i(shown[k*S +: S]),
        .used_i(used_q[k*U_W +: U_W]), .select_i(select_q[k*S*R_W +: S*R_W]), .turn_i(turn),
        .held_o(held), .ack_o(due_ack), .lost_o(too_many[k*L_W +: L_W]),
        .given_o(given[k]), .stands_o(stands[k]), .silent_o(silent[k]), .counts_o(counts[k]),
        .shows_o(shows[k]), .alone_o(alone[k]), .within_o(within[k]), .in_turn_o(in_turn[k])
      );
      assign answered[k] = first || acked[k*R + source] == due_ack;

      reg asked_q;
      always @(posedge clk)
        asked_q <= !clear && (asked_q || request_i[k*R + source]);
      assign once[k] = source < R && (first || !((asked_q || held) && request_i[k*R + source]));
    end
  endgenerate

  reg [LOST_W-1:0] lost_in_all;
  integer          n;
  always @* begin
    lost_in_all = {LOST_W{1'b0}};
    for (n = 0; n < COPIES; n = n + 1)
      lost_in_all = lost_in_all + too_many[n*L_W +: L_W];

    `GIVEN(&once)
    `PROVE(S1, &given)
    `PROVE(S2, &stands)
    `PROVE(S3, &silent)
    `PROVE(S4, &answered)
    `PROVE(S5, first || lost == lost_in_all)
    `PROVE(I1, &counts)
    `PROVE(I2, &shows)
    `PROVE(I3, &alone)
    `PROVE(I4, &in_turn)
    `PROVE(I5, &within)
  end

endmodule

`default_nettype wire
