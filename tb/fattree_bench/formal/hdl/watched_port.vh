// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`ifndef WATCHED_PORT_VH
`define WATCHED_PORT_VH
`include "watched_path.vh"
`default_nettype none

// Judges one concentrator switch by what it owes to a watched input: on its wires, and in the
// registers from which they follow.  All judgements are 1 as long as nothing is wrong.
module watched_port #(
  parameter R = 4,
  parameter S = 2,
  parameter [8*8-1:0] PRIORITY = "FIXED",
  parameter PIPELINE = 0,
  parameter R_W = (R > 1) ? $clog2(R) : 1,  // derived
  parameter U_W = $clog2(S + 1),            // derived
  parameter L_W = $clog2(R + 1)             // derived
) (
  input  wire             clk,
  input  wire             first_i,    // clock of all: nothing is known yet
  input  wire             clear_i,
  input  wire             restart_i,
  input  wire [R-1:0]     request_i,
  input  wire [R-1:0]     wire_i,
  input  wire [S-1:0]     ack_i,
  input  wire             watch_i,    // 0: the watched message is not among the inputs
  input  wire [R_W-1:0]   watched_i,  // constant
  // the switch: outputs, registers
  input  wire [S-1:0]     shown_i,
  input  wire [U_W-1:0]   used_i,
  input  wire [S*R_W-1:0] select_i,
  input  wire [R_W-1:0]   turn_i,
  // what follows for the outside
  output wire             held_o,     // the watched input has a path
  output wire             ack_o,      // it is due an acknowledge
  output wire [L_W-1:0]   lost_o,     // requests of this clock that must be lost
  // judgements
  output wire             given_o,    // the wire that it is given shows 1
  output wire             stands_o,   // its path shows its input
  output wire             silent_o,   // wires without path are silent
  output wire             counts_o,   // wires in use
  output wire             shows_o,    // the wire of its path is set to it,
  output wire             alone_o,    // no other is
  output wire             within_o,   // wires in use are set to inputs that there are
  output wire             in_turn_o   // the input that comes first
);

  localparam S_W = (S > 1) ? $clog2(S) : 1;

  wire           held, gets;
  wire [S_W-1:0] place, to;
  wire [U_W-1:0] used, used_next;
  wire [R_W-1:0] head;

  watched_path #(.R(R), .S(S), .PRIORITY(PRIORITY)) u_owed (
    .clk(clk), .clear_i(clear_i), .restart_i(restart_i), .request_i(request_i),
    .watch_i(watch_i), .watched_i(watched_i), .used_o(used), .used_next_o(used_next),
    .held_o(held), .place_o(place), .given_o(gets), .to_o(to), .lost_o(lost_o), .first_o(head)
  );

  // What is due now; it is on the outputs now or, with PIPELINE = 1, a clock later.
  wire           due_new, due_old, due_bit, due_ack;
  wire [S_W-1:0] due_to, due_place;
  wire [U_W-1:0] due_used;
  generate
    if (PIPELINE == 0) begin : gen_now
      assign due_new   = gets;
      assign due_to    = to;
      assign due_old   = held;
      assign due_place = place;
      assign due_bit   = wire_i[watched_i];
      assign due_ack   = held && ack_i[place];
      assign due_used  = used_next;
    end else begin : gen_later
      reg           new_q, old_q, bit_q, ack_q;
      reg [S_W-1:0] to_q, place_q;
      reg [U_W-1:0] used_q;
      always @(posedge clk) begin
        new_q   <= gets && !clear_i;
        to_q    <= to;
        old_q   <= held && !clear_i;
        place_q <= place;
        bit_q   <= wire_i[watched_i];
        ack_q   <= held && ack_i[place] && !clear_i;
        used_q  <= clear_i ? {U_W{1'b0}} : used_next;
      end
      assign due_new   = new_q;
      assign due_to    = to_q;
      assign due_old   = old_q;
      assign due_place = place_q;
      assign due_bit   = bit_q;
      assign due_ack   = ack_q;
      assign due_used  = used_q;
    end
  endgenerate

  reg     quiet, own, others, inside;
  integer o;
  always @* begin
    quiet  = 1'b1;
    others = 1'b1;
    inside = 1'b1;
    for (o = 0; o < S; o = o + 1) begin
      if (o >= due_used && shown_i[o]) quiet = 1'b0;
      if (o < used && select_i[o*R_W +: R_W] == watched_i && !(held && place == o))
        others = 1'b0;
      if (o < used && select_i[o*R_W +: R_W] >= R) inside = 1'b0;
    end
    own = place < used && select_i[place*R_W +: R_W] == watched_i;
  end

  assign held_o    = !first_i && held;
  assign ack_o     = due_ack;
  assign given_o   = first_i || !due_new || shown_i[due_to];
  assign stands_o  = first_i || !due_old || shown_i[due_place] == due_bit;
  assign silent_o  = first_i || quiet;
  assign counts_o  = first_i || used_i == used;
  assign shows_o   = first_i || !held || own;
  assign alone_o   = first_i || !watch_i || others;
  assign within_o  = first_i || inside;
  assign in_turn_o = first_i || (turn_i == head && head < R);

endmodule

`default_nettype wire
`endif
