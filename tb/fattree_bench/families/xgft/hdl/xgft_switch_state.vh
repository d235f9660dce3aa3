// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the registers of a switch with two ports hold (DEPTH <= 2, no AHEAD, ROUND_ROBIN), to be
// included in xgft_switch_proof: together with its rules the invariants make up an inductive set.
// Between them they say where each flit is and which packet holds which output VC.

`include "xgft_switch_peeks.vh"

localparam PLACE_W = $clog2(INPUTS);
localparam STATE_W = 3 + VCS;

reg                 counted, whole, alone, follows, routes, watched_well;  // I1 .. I6
reg [INPUTS-1:0]    held;          // output VCs that packets hold
reg [INPUTS-1:0]    within, marks;  // after the flit on the link: inside a packet, of that mark
reg [FLIT_W-1:0]    at_front, behind, last;
reg [PLACE_W-1:0]   place;         // the output VC that a packet holds
reg                 port, first_there, last_there, in_turn;
reg [WAY_W-1:0]     there;         // flits on their way to the target
reg [VCS-1:0]       vc;
integer             a;
always @* begin
  counted      = 1'b1;
  whole        = 1'b1;
  alone        = 1'b1;
  follows      = 1'b1;
  routes       = 1'b1;
  watched_well = watched_q != {INPUTS{1'b0}}
                 && (watched_q & (watched_q - 1'b1)) == {INPUTS{1'b0}};
  held         = {INPUTS{1'b0}};
  for (a = 0; a < INPUTS; a = a + 1) begin
    at_front  = flits[(a/VCS)*FLIT_W +: FLIT_W];
    within[a] = valid[a] ? !at_front[TAIL] : inside_q[a];
    marks[a]  = valid[a] ? at_front[MARK] : mark_q[a];
    if (rooms[a*COUNT_W +: COUNT_W] + {3'd0, valid[a]} + away_q[a*COUNT_W +: COUNT_W] != DEPTH
        || readies[a] != (rooms[a*COUNT_W +: COUNT_W] != {COUNT_W{1'b0}})
        || homes[a] != (rooms[a*COUNT_W +: COUNT_W] == DEPTH)) counted = 1'b0;
    if (frees[a] && within[a]) follows = 1'b0;
    if (valid[a] && (at_front[HEAD] == inside_q[a]
                     || (inside_q[a] && at_front[MARK] != mark_q[a]))) follows = 1'b0;
  end
  there       = {{(WAY_W-1){1'b0}}, shows[target_q]};
  in_turn     = marked_q && shows[target_q] && ahead_q == {WAY_W{1'b0}}
                && leaving == marked_flit_q;
  first_there = 1'b0;
  last_there  = 1'b0;
  for (a = 0; a < INPUTS; a = a + 1) begin
    at_front = {heads[a], tails[a], headers[a*3 +: 3]};
    behind   = nexts[a*FLIT_W +: FLIT_W];
    last     = mores[a] ? behind : at_front;
    port     = states[a*STATE_W + 2];
    vc       = states[a*STATE_W + 3 +: VCS];
    place    = port * VCS + ((VCS > 1) ? vc[VCS-1] : 1'b0);

    if (credit_q[a*COUNT_W +: COUNT_W] + {3'd0, credits[a]} + presents[a] + mores[a] != DEPTH
        || (mores[a] && !presents[a])) counted = 1'b0;

    if (presents[a] && !active[a] && !at_front[HEAD]) whole = 1'b0;
    if (mores[a] && at_front[TAIL] != behind[HEAD]) whole = 1'b0;
    if (open_q[a] != (presents[a] ? !last[TAIL] : active[a])) whole = 1'b0;

    if (active[a]) begin
      if (vc == {VCS{1'b0}} || (vc & (vc - 1'b1)) != {VCS{1'b0}}) alone = 1'b0;
      if (held[place] || frees[place]) alone = 1'b0;
      held[place] = 1'b1;
      if (presents[a] ? at_front[HEAD] == within[place] : !within[place]) follows = 1'b0;
      if (within[place] && marks[place] != watched_q[a]) follows = 1'b0;
    end

    if (presents[a] && at_front[MARK] != watched_q[a]) routes = 1'b0;
    if (mores[a] && behind[MARK] != watched_q[a]) routes = 1'b0;
    if (!active[a] && routed[a] && !presents[a]) routes = 1'b0;
    if (presents[a] && at_front[HEAD] && (active[a] || routed[a]) && port != at_front[0])
      routes = 1'b0;

    if (watched_q[a]) begin
      first_there = (at_front[HEAD] ? at_front[0] : port) == target_q;
      if (presents[a] && first_there) begin
        if (marked_q && ahead_q == there && at_front == marked_flit_q) in_turn = 1'b1;
        there = there + 1'b1;
      end
      last_there = !presents[a] ? port == target_q
                 : !mores[a] ? first_there
                 : behind[HEAD] ? behind[0] == target_q : first_there;
      if (mores[a] && last_there) begin
        if (marked_q && ahead_q == there && behind == marked_flit_q) in_turn = 1'b1;
        there = there + 1'b1;
      end
      if (open_q[a] && packet_q != last_there) watched_well = 1'b0;
    end
  end
  if ((frees | held) != {INPUTS{1'b1}}) alone = 1'b0;
  if (way_q != there || (marked_q && !in_turn)) watched_well = 1'b0;
end
