// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "prove.vh"
`include "peek.vh"
`include "watched_port.vh"
`default_nettype none

// NODES nodes of a bit-serial fat-tree, side by side, with ideal concentrators, for all bits on all
// wires in all clocks.  A message is one bit a clock, and a node looks at two bits of it.
//
// One input wire of each node, any, is watched; wires are numbered L first, then R, then U.
//
//   N1  the bit behind the M bit names the port: from L and R, 1 is U and 0 the sibling; from U, 0 is
//       L and 1 is R.  Message number p since clear for a port of S wires gets wire p < S, alone.  It
//       shows the M bit in the clock of that address bit (a register later with PIPELINE = 1)
//   N2  behind it comes the message without the address bit, unmodified, until clear: late comers do
//       not disturb a path that stands
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
//   I7  the watched message has one path at most, not back, and is past its address bit if it has one
//   I8  who has a wire of a port, or is at its address bit, has begun elsewhere
module leiserson_node_proof #(
  parameter NODES    = 1,
  parameter C_UP     = 2,
  parameter C_DOWN   = 1,
  parameter [8*8-1:0] PRIORITY = "FIXED",
  parameter PIPELINE = 0,
  parameter INPUTS   = 2 * C_DOWN + C_UP,                // derived: wires of a node
  parameter W_W      = (INPUTS > 1) ? $clog2(INPUTS) : 1  // derived
) (
  input wire                      clk,
  input wire                      clear_i,
  input wire                      restart_i,
  input wire [NODES*2*C_DOWN-1:0] up_i,
  input wire [NODES*2*C_DOWN-1:0] down_ack_i,
  input wire [NODES*C_UP-1:0]     up_ack_i,
  input wire [NODES*C_UP-1:0]     down_i,
  input wire [NODES*W_W-1:0]      watched_i
);

  localparam BELOW  = 2 * C_DOWN;
  localparam R      = C_DOWN + C_UP;  // inputs of L and R: the sibling's wires, then U's
  localparam B_W    = $clog2(BELOW);
  localparam R_W    = $clog2(R);
  localparam UU_W   = $clog2(C_UP + 1);
  localparam DU_W   = $clog2(C_DOWN + 1);
  localparam LOST_W = 8;

  reg                   first = 1'b1;  // clock: all is cleared
  reg  [NODES*W_W-1:0]  watched_q;
  wire [NODES*W_W-1:0]  watched = first ? watched_i : watched_q;
  wire                  clear   = first | clear_i;
  wire                  restart = first | restart_i;
  always @(posedge clk) begin
    first     <= 1'b0;
    watched_q <= watched;
  end

  wire [NODES*BELOW-1:0] up_ack, down;
  wire [NODES*C_UP-1:0]  up, down_ack;
  wire [LOST_W-1:0]      up_lost, down_lost;

  leiserson_node #(
    .NODES(NODES), .C_UP(C_UP), .C_DOWN(C_DOWN), .PRIORITY(PRIORITY), .PIPELINE(PIPELINE),
    .LOST_W(LOST_W)
  ) u_node (
    .clk(clk), .clear_i(clear), .restart_i(restart),
    .up_i(up_i), .up_ack_o(up_ack), .down_o(down), .down_ack_i(down_ack_i),
    .up_o(up), .up_ack_i(up_ack_i), .down_i(down_i), .down_ack_o(down_ack),
    .up_lost_o(up_lost), .down_lost_o(down_lost)
  );

  `PEEK([NODES*BELOW-1:0], up_started_q, \u_node.up_started_q , u_node.up_started_q)
  `PEEK([NODES*BELOW-1:0], up_address_q, \u_node.up_address_q , u_node.up_address_q)
  `PEEK([NODES*C_UP-1:0], down_started_q, \u_node.down_started_q , u_node.down_started_q)
  `PEEK([NODES*C_UP-1:0], down_address_q, \u_node.down_address_q , u_node.down_address_q)
  `PEEK([NODES*UU_W-1:0], up_used,
        \u_node.u_up.gen_ideal.u_switch.used_q , u_node.u_up.gen_ideal.u_switch.used_q)
  `PEEK([NODES*C_UP*B_W-1:0], up_select,
        \u_node.u_up.gen_ideal.u_switch.select_q , u_node.u_up.gen_ideal.u_switch.select_q)
  `PEEK([B_W-1:0], up_turn,
        \u_node.u_up.gen_ideal.u_switch.first , u_node.u_up.gen_ideal.u_switch.first)
  `PEEK([NODES*2*DU_W-1:0], down_used,
        \u_node.u_down.gen_ideal.u_switch.used_q , u_node.u_down.gen_ideal.u_switch.used_q)
  `PEEK([NODES*2*C_DOWN*R_W-1:0], down_select,
        \u_node.u_down.gen_ideal.u_switch.select_q , u_node.u_down.gen_ideal.u_switch.select_q)
  `PEEK([R_W-1:0], down_turn,
        \u_node.u_down.gen_ideal.u_switch.first , u_node.u_down.gen_ideal.u_switch.first)

  // By node; ports in the order U, L, R.
  wire [3*NODES-1:0] given, stands, silent, counts, shows, alone, within, in_turn;
  wire [NODES-1:0]   answered, back, selects, one, elsewhere, there;
  wire [NODES*$clog2(BELOW+1)-1:0] many_up;
  wire [2*NODES*$clog2(R+1)-1:0]   many_down;

  genvar q;
  generate
    for (q = 0; q < NODES; q = q + 1) begin : gen_node
      wire [W_W-1:0]    source = watched[q*W_W +: W_W];
      wire [C_DOWN-1:0] in_l   = up_i[q*BELOW +: C_DOWN];
      wire [C_DOWN-1:0] in_r   = up_i[q*BELOW + C_DOWN +: C_DOWN];
      wire [C_UP-1:0]   in_u   = down_i[q*C_UP +: C_UP];
      wire [C_DOWN-1:0] out_l  = down[q*BELOW +: C_DOWN];
      wire [C_DOWN-1:0] out_r  = down[q*BELOW + C_DOWN +: C_DOWN];
      wire [C_UP-1:0]   out_u  = up[q*C_UP +: C_UP];

      wire from_l = source < C_DOWN;
      wire from_u = source >= BELOW;
      wire from_r = !from_l && !from_u;

      reg [INPUTS-1:0]  begun_q, address_q;
      wire [INPUTS-1:0] sent = {in_u, in_r, in_l};
      always @(posedge clk) begin
        begun_q   <= clear ? {INPUTS{1'b0}} : begun_q | sent;
        address_q <= clear ? {INPUTS{1'b0}} : sent & ~begun_q;
      end
      wire [C_DOWN-1:0] at_l = address_q[0 +: C_DOWN];
      wire [C_DOWN-1:0] at_r = address_q[C_DOWN +: C_DOWN];
      wire [C_UP-1:0]   at_u = address_q[BELOW +: C_UP];

      wire           held_u, held_l, held_r, ack_u, ack_l, ack_r;
      wire [W_W-1:0] below = source - C_DOWN;  // its number at L and R, if it is not from L

      watched_port #(.R(BELOW), .S(C_UP), .PRIORITY(PRIORITY), .PIPELINE(PIPELINE)) u_u (
        .clk(clk), .first_i(first), .clear_i(clear), .restart_i(restart),
        .request_i({at_r & in_r, at_l & in_l}), .wire_i({in_r, in_l}),
        .ack_i(up_ack_i[q*C_UP +: C_UP]),
        .watch_i(!from_u), .watched_i(source[B_W-1:0]), .shown_i(out_u),
        .used_i(up_used[q*UU_W +: UU_W]), .select_i(up_select[q*C_UP*B_W +: C_UP*B_W]),
        .turn_i(up_turn), .held_o(held_u), .ack_o(ack_u),
        .lost_o(many_up[q*$clog2(BELOW+1) +: $clog2(BELOW+1)]),
        .given_o(given[3*q]), .stands_o(stands[3*q]), .silent_o(silent[3*q]),
        .counts_o(counts[3*q]), .shows_o(shows[3*q]), .alone_o(alone[3*q]),
        .within_o(within[3*q]), .in_turn_o(in_turn[3*q])
      );
      watched_port #(.R(R), .S(C_DOWN), .PRIORITY(PRIORITY), .PIPELINE(PIPELINE)) u_l (
        .clk(clk), .first_i(first), .clear_i(clear), .restart_i(restart),
        .request_i({at_u & ~in_u, at_r & ~in_r}), .wire_i({in_u, in_r}),
        .ack_i(down_ack_i[q*BELOW +: C_DOWN]),
        .watch_i(!from_l), .watched_i(below[R_W-1:0]), .shown_i(out_l),
        .used_i(down_used[2*q*DU_W +: DU_W]),
        .select_i(down_select[2*q*C_DOWN*R_W +: C_DOWN*R_W]),
        .turn_i(down_turn), .held_o(held_l), .ack_o(ack_l),
        .lost_o(many_down[2*q*$clog2(R+1) +: $clog2(R+1)]),
        .given_o(given[3*q+1]), .stands_o(stands[3*q+1]), .silent_o(silent[3*q+1]),
        .counts_o(counts[3*q+1]), .shows_o(shows[3*q+1]), .alone_o(alone[3*q+1]),
        .within_o(within[3*q+1]), .in_turn_o(in_turn[3*q+1])
      );
      wire [W_W-1:0] number_r = from_l ? source : below;
      watched_port #(.R(R), .S(C_DOWN), .PRIORITY(PRIORITY), .PIPELINE(PIPELINE)) u_r (
        .clk(clk), .first_i(first), .clear_i(clear), .restart_i(restart),
        .request_i({at_u & in_u, at_l & ~in_l}), .wire_i({in_u, in_l}),
        .ack_i(down_ack_i[q*BELOW + C_DOWN +: C_DOWN]),
        .watch_i(!from_r), .watched_i(number_r[R_W-1:0]), .shown_i(out_r),
        .used_i(down_used[(2*q+1)*DU_W +: DU_W]),
        .select_i(down_select[(2*q+1)*C_DOWN*R_W +: C_DOWN*R_W]),
        .turn_i(down_turn), .held_o(held_r), .ack_o(ack_r),
        .lost_o(many_down[(2*q+1)*$clog2(R+1) +: $clog2(R+1)]),
        .given_o(given[3*q+2]), .stands_o(stands[3*q+2]), .silent_o(silent[3*q+2]),
        .counts_o(counts[3*q+2]), .shows_o(shows[3*q+2]), .alone_o(alone[3*q+2]),
        .within_o(within[3*q+2]), .in_turn_o(in_turn[3*q+2])
      );

      wire [INPUTS-1:0] acks = {down_ack[q*C_UP +: C_UP], up_ack[q*BELOW +: BELOW]};
      assign answered[q] = first || acks[source] == (ack_u || ack_l || ack_r);

      wire came_l = |begun_q[0 +: C_DOWN];
      wire came_r = |begun_q[C_DOWN +: C_DOWN];
      wire came_u = |begun_q[BELOW +: C_UP];
      assign back[q] = first || ((came_l || came_r || out_u == {C_UP{1'b0}})
                                 && (came_r || came_u || out_l == {C_DOWN{1'b0}})
                                 && (came_l || came_u || out_r == {C_DOWN{1'b0}}));

      wire [INPUTS-1:0] started = {down_started_q[q*C_UP +: C_UP], up_started_q[q*BELOW +: BELOW]};
      wire [INPUTS-1:0] address = {down_address_q[q*C_UP +: C_UP], up_address_q[q*BELOW +: BELOW]};
      assign selects[q] = first || (started == begun_q && address == address_q);
      assign one[q] = first
        || (!((held_u && held_l) || (held_u && held_r) || (held_l && held_r))
            && (!(held_u || held_l || held_r) || (started[source] && !address[source]))
            && !(held_u && from_u) && !(held_l && from_l) && !(held_r && from_r));
      assign elsewhere[q] = first
        || ((address & ~started) == {INPUTS{1'b0}}
            && (came_l || came_r || up_used[q*UU_W +: UU_W] == {UU_W{1'b0}})
            && (came_r || came_u || down_used[2*q*DU_W +: DU_W] == {DU_W{1'b0}})
            && (came_l || came_u || down_used[(2*q+1)*DU_W +: DU_W] == {DU_W{1'b0}}));
      assign there[q] = source < INPUTS;
    end
  endgenerate

  reg [LOST_W-1:0] all_up, all_down;
  integer          n;
  always @* begin
    all_up   = {LOST_W{1'b0}};
    all_down = {LOST_W{1'b0}};
    for (n = 0; n < NODES; n = n + 1)
      all_up = all_up + many_up[n*$clog2(BELOW+1) +: $clog2(BELOW+1)];
    for (n = 0; n < 2 * NODES; n = n + 1)
      all_down = all_down + many_down[n*$clog2(R+1) +: $clog2(R+1)];

    `GIVEN(&there)
    `PROVE(N1, &given)
    `PROVE(N2, &stands)
    `PROVE(N3, &silent)
    `PROVE(N4, &back)
    `PROVE(N5, &answered)
    `PROVE(N6, first || (up_lost == all_up && down_lost == all_down))
    `PROVE(I1, &selects)
    `PROVE(I2, &counts)
    `PROVE(I3, &shows)
    `PROVE(I4, &alone)
    `PROVE(I5, &in_turn)
    `PROVE(I6, &within)
    `PROVE(I7, &one)
    `PROVE(I8, &elsewhere)
  end

endmodule

`default_nettype wire
