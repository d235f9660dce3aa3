// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`include "peek.vh"
`include "watched_port.vh"
`default_nettype none

// One node of a bit-serial fat-tree, with ideal concentrators, for all bits on all wires in all
// clocks.  A message is one bit a clock, and a node looks at two bits of it.
//
// One input wire, any, is watched; wires are numbered L first, then R, then U.
//
//   N1  the bit behind the M bit names the port: from L and R, 1 is U and 0 the sibling; from U, 0
//       is L and 1 is R.  Message number p since clear for a port of S wires gets wire p < S,
//       alone.  It shows the M bit in the clock of that address bit (a register later with
//       PIPELINE = 1)
//   N2  behind it comes the message without the address bit, unmodified, until clear: late comers
//       do not disturb a path that stands
//   N3  wires that were given to no message are silent
//   N4  U, L, R never lead back: all is silent at a port until something comes in elsewhere
//   N5  an input wire gets the acknowledge of the wire that holds its path; without path, none
//   N6  messages that found no wire are counted, at U and at L and R
//
// Invariants, with which these hold by induction:
//
//   I1  the selectors know which messages have begun, and which are at their address bit
//   I2  wires in use = messages for the port since clear, at most S
//   I3  the wire of the watched message is set to its input
//   I4  no other wire in use is, at any port
//   I5  the input that comes first is the one whose turn it is
//   I6  wires in use are set to inputs that there are
//   I7  the watched message has one path at most, not back, and is past any address bit it has
//   I8  who has a wire of a port, or is at its address bit, has begun elsewhere
module leiserson_node_proof #(
  parameter C_UP     = 2,                                // wires to the parent, each way
  parameter C_DOWN   = 1,                                // wires to a child, each way
  parameter [8*8-1:0] PRIORITY = "FIXED",                // "FIXED", "ROTATING"
  parameter PIPELINE = 0,                                // 0, 1
  parameter INPUTS   = 2 * C_DOWN + C_UP,                // derived: wires of a node
  parameter W_W      = (INPUTS > 1) ? $clog2(INPUTS) : 1  // derived
) (
  input wire                clk,
  input wire                clear_i,
  input wire                restart_i,
  input wire [2*C_DOWN-1:0] up_i,
  input wire [2*C_DOWN-1:0] down_ack_i,
  input wire [C_UP-1:0]     up_ack_i,
  input wire [C_UP-1:0]     down_i,
  input wire [W_W-1:0]      watched_i
);

  localparam BELOW  = 2 * C_DOWN;
  localparam R      = C_DOWN + C_UP;  // inputs of L and R: the sibling's wires, then U's
  localparam B_W    = $clog2(BELOW);
  localparam R_W    = $clog2(R);
  localparam UU_W   = $clog2(C_UP + 1);
  localparam DU_W   = $clog2(C_DOWN + 1);
  localparam LOST_W = $clog2(INPUTS + 1);

  reg            first = 1'b1;  // clock: all is cleared
  reg  [W_W-1:0] source_q;
  wire [W_W-1:0] source  = first ? watched_i : source_q;
  wire           clear   = first | clear_i;
  wire           restart = first | restart_i;
  always @(posedge clk) begin
    first    <= 1'b0;
    source_q <= source;
  end

  wire [BELOW-1:0]  up_ack, down;
  wire [C_UP-1:0]   up, down_ack;
  wire [LOST_W-1:0] up_lost, down_lost;

  leiserson_node #(
    .C_UP(C_UP), .C_DOWN(C_DOWN), .PRIORITY(PRIORITY), .PIPELINE(PIPELINE), .LOST_W(LOST_W)
  ) u_node (
    .clk(clk), .clear_i(clear), .restart_i(restart),
    .up_i(up_i), .up_ack_o(up_ack), .down_o(down), .down_ack_i(down_ack_i),
    .up_o(up), .up_ack_i(up_ack_i), .down_i(down_i), .down_ack_o(down_ack),
    .up_lost_o(up_lost), .down_lost_o(down_lost)
  );

  `PEEK([BELOW-1:0], up_started_q, \u_node.up_started_q , u_node.up_started_q)
  `PEEK([BELOW-1:0], up_address_q, \u_node.up_address_q , u_node.up_address_q)
  `PEEK([C_UP-1:0], down_started_q, \u_node.down_started_q , u_node.down_started_q)
  `PEEK([C_UP-1:0], down_address_q, \u_node.down_address_q , u_node.down_address_q)
  `PEEK([UU_W-1:0], u_used,
        \u_node.u_up.gen_ideal.u_switch.gen_hardware.used_q ,
        u_node.u_up.gen_ideal.u_switch.gen_hardware.used_q)
  `PEEK([C_UP*B_W-1:0], u_select,
        \u_node.u_up.gen_ideal.u_switch.gen_hardware.select_q ,
        u_node.u_up.gen_ideal.u_switch.gen_hardware.select_q)
  `PEEK([B_W-1:0], u_turn,
        \u_node.u_up.gen_ideal.u_switch.gen_hardware.first ,
        u_node.u_up.gen_ideal.u_switch.gen_hardware.first)
  `PEEK([DU_W-1:0], l_used,
        \u_node.u_left.gen_ideal.u_switch.gen_hardware.used_q ,
        u_node.u_left.gen_ideal.u_switch.gen_hardware.used_q)
  `PEEK([C_DOWN*R_W-1:0], l_select,
        \u_node.u_left.gen_ideal.u_switch.gen_hardware.select_q ,
        u_node.u_left.gen_ideal.u_switch.gen_hardware.select_q)
  `PEEK([R_W-1:0], l_turn,
        \u_node.u_left.gen_ideal.u_switch.gen_hardware.first ,
        u_node.u_left.gen_ideal.u_switch.gen_hardware.first)
  `PEEK([DU_W-1:0], r_used,
        \u_node.u_right.gen_ideal.u_switch.gen_hardware.used_q ,
        u_node.u_right.gen_ideal.u_switch.gen_hardware.used_q)
  `PEEK([C_DOWN*R_W-1:0], r_select,
        \u_node.u_right.gen_ideal.u_switch.gen_hardware.select_q ,
        u_node.u_right.gen_ideal.u_switch.gen_hardware.select_q)
  `PEEK([R_W-1:0], r_turn,
        \u_node.u_right.gen_ideal.u_switch.gen_hardware.first ,
        u_node.u_right.gen_ideal.u_switch.gen_hardware.first)

  wire [C_DOWN-1:0] in_l  = up_i[C_DOWN-1:0];
  wire [C_DOWN-1:0] in_r  = up_i[BELOW-1:C_DOWN];
  wire [C_DOWN-1:0] out_l = down[C_DOWN-1:0];
  wire [C_DOWN-1:0] out_r = down[BELOW-1:C_DOWN];

  wire from_l = source < C_DOWN;
  wire from_u = source >= BELOW;
  wire from_r = !from_l && !from_u;

  reg [INPUTS-1:0]  begun_q, address_q;
  wire [INPUTS-1:0] sent = {down_i, up_i};
  always @(posedge clk) begin
    begun_q   <= clear ? {INPUTS{1'b0}} : begun_q | sent;
    address_q <= clear ? {INPUTS{1'b0}} : sent & ~begun_q;
  end
  wire [C_DOWN-1:0] at_l = address_q[0 +: C_DOWN];
  wire [C_DOWN-1:0] at_r = address_q[C_DOWN +: C_DOWN];
  wire [C_UP-1:0]   at_u = address_q[BELOW +: C_UP];

  // Ports in the order U, L, R.
  wire [2:0]               held, ack, given, stands, silent, counts, shows, alone, within, in_turn;
  wire [W_W-1:0]           below    = source - C_DOWN;  // its number at L, R, if not from L
  wire [W_W-1:0]           number_r = from_l ? source : below;
  wire [$clog2(BELOW+1)-1:0] many_u;
  wire [$clog2(R+1)-1:0]   many_l, many_r;

  watched_port #(.R(BELOW), .S(C_UP), .PRIORITY(PRIORITY), .PIPELINE(PIPELINE)) u_u (
    .clk(clk), .first_i(first), .clear_i(clear), .restart_i(restart),
    .request_i({at_r & in_r, at_l & in_l}), .wire_i(up_i), .ack_i(up_ack_i),
    .watch_i(!from_u), .watched_i(source[B_W-1:0]), .shown_i(up),
    .used_i(u_used), .select_i(u_select), .turn_i(u_turn),
    .held_o(held[0]), .ack_o(ack[0]), .lost_o(many_u), .given_o(given[0]),
    .stands_o(stands[0]), .silent_o(silent[0]), .counts_o(counts[0]), .shows_o(shows[0]),
    .alone_o(alone[0]), .within_o(within[0]), .in_turn_o(in_turn[0])
  );
  watched_port #(.R(R), .S(C_DOWN), .PRIORITY(PRIORITY), .PIPELINE(PIPELINE)) u_l (
    .clk(clk), .first_i(first), .clear_i(clear), .restart_i(restart),
    .request_i({at_u & ~down_i, at_r & ~in_r}), .wire_i({down_i, in_r}),
    .ack_i(down_ack_i[C_DOWN-1:0]),
    .watch_i(!from_l), .watched_i(below[R_W-1:0]), .shown_i(out_l),
    .used_i(l_used), .select_i(l_select), .turn_i(l_turn),
    .held_o(held[1]), .ack_o(ack[1]), .lost_o(many_l), .given_o(given[1]),
    .stands_o(stands[1]), .silent_o(silent[1]), .counts_o(counts[1]), .shows_o(shows[1]),
    .alone_o(alone[1]), .within_o(within[1]), .in_turn_o(in_turn[1])
  );
  watched_port #(.R(R), .S(C_DOWN), .PRIORITY(PRIORITY), .PIPELINE(PIPELINE)) u_r (
    .clk(clk), .first_i(first), .clear_i(clear), .restart_i(restart),
    .request_i({at_u & down_i, at_l & ~in_l}), .wire_i({down_i, in_l}),
    .ack_i(down_ack_i[BELOW-1:C_DOWN]),
    .watch_i(!from_r), .watched_i(number_r[R_W-1:0]), .shown_i(out_r),
    .used_i(r_used), .select_i(r_select), .turn_i(r_turn),
    .held_o(held[2]), .ack_o(ack[2]), .lost_o(many_r), .given_o(given[2]),
    .stands_o(stands[2]), .silent_o(silent[2]), .counts_o(counts[2]), .shows_o(shows[2]),
    .alone_o(alone[2]), .within_o(within[2]), .in_turn_o(in_turn[2])
  );

  wire [INPUTS-1:0] acks    = {down_ack, up_ack};
  wire [INPUTS-1:0] started = {down_started_q, up_started_q};
  wire [INPUTS-1:0] address = {down_address_q, up_address_q};

  wire came_l = |begun_q[0 +: C_DOWN];
  wire came_r = |begun_q[C_DOWN +: C_DOWN];
  wire came_u = |begun_q[BELOW +: C_UP];

  always @* begin
    `GIVEN(source < INPUTS)
    `PROVE(N1, &given)
    `PROVE(N2, &stands)
    `PROVE(N3, &silent)
    `PROVE(N4, first || ((came_l || came_r || up == {C_UP{1'b0}})
                         && (came_r || came_u || out_l == {C_DOWN{1'b0}})
                         && (came_l || came_u || out_r == {C_DOWN{1'b0}})))
    `PROVE(N5, first || acks[source] == |ack)
    `PROVE(N6, first || (up_lost == many_u && down_lost == many_l + many_r))
    `PROVE(I1, first || (started == begun_q && address == address_q))
    `PROVE(I2, &counts)
    `PROVE(I3, &shows)
    `PROVE(I4, &alone)
    `PROVE(I5, &in_turn)
    `PROVE(I6, &within)
    `PROVE(I7, first || (!((held[0] && held[1]) || (held[0] && held[2]) || (held[1] && held[2]))
                         && (!(|held) || (started[source] && !address[source]))
                         && !(held[0] && from_u) && !(held[1] && from_l) && !(held[2] && from_r)))
    `PROVE(I8, first || ((address & ~started) == {INPUTS{1'b0}}
                         && (came_l || came_r || u_used == {UU_W{1'b0}})
                         && (came_r || came_u || l_used == {DU_W{1'b0}})
                         && (came_l || came_u || r_used == {DU_W{1'b0}})))
  end

endmodule

`default_nettype wire
