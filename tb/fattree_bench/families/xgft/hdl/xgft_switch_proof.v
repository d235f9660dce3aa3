// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`include "peek.vh"
`default_nettype none

// A whole wormhole switch with two ports, after a reset, for all traffic.  Given is that senders
// respect credits and send packets, whole and one after the other (see flit_senders.vh), and that
// receivers give back no more credits than they got flits.  What is proved of the switch's outputs
// is what is given of its inputs, so that it holds on every link of a network.
//
// One input VC, any, is watched, and one of its flits, any, to one output port, any.  All flits of
// the watched input VC, and of no other, are marked in the bit where heads have the source's
// number; D-mod-k routing does not look at it.  The two data bits beside it are free.
//
//   N1  the queue at the other end of a link never gets more flits than it has room for
//   N2  on a link at most one VC has a flit
//   N3  packets are whole in an output VC: after a head comes no other head before the tail, and no
//       flit of another input VC
//   N4  the flit that comes from an input VC when n others of it are on their way to the same
//       output port is the n + 1st from then that leaves there, unmodified: none is lost, doubled
//       or out of order
//   N5  no flit is at an output port but where its packet was sent to
//   N6  when a flit leaves, a credit goes back to whom it came from, and never else
//   N7  no deadlock: if no sender is inside a packet, and receivers have given back all credits,
//       something leaves within STAGES + 1 clocks as long as something is there
//
// And of the registers, up to DEPTH = 2, so that induction gets from one clock to the next:
//
//   I1  at both ends of a link credits, those on their way and flits are DEPTH together
//   I2  the flits that wait in a VC are packets, whole and one after the other
//   I3  each packet holds one output VC, and each that is not free is held by one packet
//   I4  what waits of a packet follows what has left of it
//   I5  the port of a packet is where it was sent to
//   I6  the flits of the watched input VC on their way to the target are in order
module xgft_switch_proof #(
  parameter VCS    = 1,
  parameter DEPTH  = 1,
  parameter STAGES = 1,
  parameter BITS   = 31,  // of the watched flit that N4 looks at: a mask
  parameter [8*4-1:0]  MODE    = "ANY",
  parameter [8*11-1:0] ARBITER = "ROUND_ROBIN",
  // derived
  parameter PORTS   = 2,
  parameter FLIT_W  = 5,
  parameter COUNT_W = $clog2(DEPTH + 1)
) (
  input wire                    clk,
  input wire [PORTS*VCS-1:0]    watched_i,  // one-hot: the input VC
  input wire                    target_i,   // an output port
  input wire                    mark_i,     // watch the flit that comes
  input wire [PORTS*VCS-1:0]    valid_i,
  input wire [PORTS*FLIT_W-1:0] flit_i,     // head, tail, free, mark, free: heads: destination
  input wire [PORTS*VCS-1:0]    credit_i
);

  localparam INPUTS = PORTS * VCS;
  localparam MARK   = 1;
  localparam TAIL   = 3;
  localparam HEAD   = 4;
  localparam WAY_W  = $clog2(DEPTH + 2);

  reg                     first = 1'b1;
  wire [INPUTS-1:0]       credits, valid;
  wire [PORTS*FLIT_W-1:0] flits;
  wire [INPUTS*(3+VCS)-1:0] states;

  xgft_switch #(
    .DOWN(PORTS), .UP(0), .BELOW(PORTS), .SPREAD(1), .VCS(VCS), .DEPTH(DEPTH),
    .WIDTH(3), .ADDR_W(1), .NODE_W(1), .ADDRESSES(PORTS), .STAGES(STAGES), .MODE(MODE),
    .ARBITER(ARBITER)
  ) u_switch (
    .clk(clk), .rst(first), .pos_i(16'd0), .number_i(16'd0), .seed_i(32'd0), .write_i(1'b0),
    .address_i(1'b0), .entry_i(1'b0), .valid_i(valid_i), .flit_i(flit_i), .credit_o(credits),
    .valid_o(valid), .flit_o(flits), .credit_i(credit_i), .state_o(states), .home_o()
  );

  `include "flit_senders.vh"

  // ---- receivers, all output VCs ----------------------------------------------------------------

  reg [INPUTS*COUNT_W-1:0] away_q;   // flits that were on the link and whose credits are not back
  reg [INPUTS-1:0]         inside_q;  // a packet's head was there, its tail not yet
  reg [INPUTS-1:0]         mark_q;    // of that packet
  reg [INPUTS-1:0]         awake, over, torn, astray;
  reg                      marked_right, home;
  reg [FLIT_W-1:0]         flit;
  integer                  r, o;
  always @(posedge clk)
    for (r = 0; r < INPUTS; r = r + 1) begin
      away_q[r*COUNT_W +: COUNT_W] <=
        first ? {COUNT_W{1'b0}} : away_q[r*COUNT_W +: COUNT_W] + valid[r] - credit_i[r];
      inside_q[r] <= !first && (valid[r] ? !flits[(r/VCS)*FLIT_W + TAIL] : inside_q[r]);
      if (valid[r]) mark_q[r] <= flits[(r/VCS)*FLIT_W + MARK];
    end
  always @* begin
    marked_right = 1'b1;
    home         = 1'b1;
    flit         = {FLIT_W{1'b0}};
    for (o = 0; o < INPUTS; o = o + 1) begin
      flit     = flits[(o/VCS)*FLIT_W +: FLIT_W];
      awake[o] = away_q[o*COUNT_W +: COUNT_W] != {COUNT_W{1'b0}};
      over[o]  = valid[o] && away_q[o*COUNT_W +: COUNT_W] == DEPTH;
      torn[o]  = valid[o] && (flit[HEAD] == inside_q[o]
                              || (inside_q[o] && flit[MARK] != mark_q[o]));
      if (valid_i[o] && flit_i[(o/VCS)*FLIT_W + MARK] != watched_q[o]) marked_right = 1'b0;
      if (credit_q[o*COUNT_W +: COUNT_W] != DEPTH) home = 1'b0;
    end
  end

  // ---- the watched input VC ---------------------------------------------------------------------

  reg [INPUTS-1:0]   watched_q;
  reg                target_q;
  reg                packet_q;  // the packet that comes goes to the target
  reg [WAY_W-1:0]    way_q;     // flits on their way there
  reg                marked_q;  // the watched flit is one of them
  reg [WAY_W-1:0]    ahead_q;   // flits before it
  reg [FLIT_W-1:0]   marked_flit_q;
  reg [2:0]          idle_q;    // clocks in which something might have left, and did not

  reg                comes;     // from the watched input VC
  reg [FLIT_W-1:0]   coming, leaving;
  reg [PORTS-1:0]    shows;     // by output port: a marked flit is on the link
  reg                several;
  integer            i, p;
  always @* begin
    comes   = |(valid_i & watched_q);
    coming  = {FLIT_W{1'b0}};
    shows   = {PORTS{1'b0}};
    several = 1'b0;
    for (i = 0; i < INPUTS; i = i + 1)
      if (watched_q[i]) coming = flit_i[(i/VCS)*FLIT_W +: FLIT_W];
    for (p = 0; p < PORTS; p = p + 1) begin
      shows[p] = valid[p*VCS +: VCS] != {VCS{1'b0}} && flits[p*FLIT_W + MARK];
      if ((valid[p*VCS +: VCS] & (valid[p*VCS +: VCS] - 1'b1)) != {VCS{1'b0}}) several = 1'b1;
    end
    leaving = flits[target_q*FLIT_W +: FLIT_W];
  end

  wire here   = coming[HEAD] ? coming[0] == target_q : packet_q;
  wire enters = comes && here;
  wire leaves = shows[target_q];
  wire lazy   = !home && open_q == {INPUTS{1'b0}} && awake == {INPUTS{1'b0}}
                && valid == {INPUTS{1'b0}};
  always @(posedge clk) begin
    first <= 1'b0;
    if (comes) packet_q <= here;
    if (first) begin
      watched_q <= watched_i;
      target_q  <= target_i;
      way_q     <= {WAY_W{1'b0}};
      marked_q  <= 1'b0;
      idle_q    <= 3'd0;
    end else begin
      way_q  <= way_q + enters - leaves;
      idle_q <= !lazy ? 3'd0 : (idle_q == 3'd7) ? idle_q : idle_q + 3'd1;
      if (!marked_q && enters && mark_i) begin
        marked_q      <= 1'b1;
        ahead_q       <= way_q - leaves;
        marked_flit_q <= coming;
      end else if (leaves) begin
        marked_q <= marked_q && ahead_q != {WAY_W{1'b0}};
        ahead_q  <= ahead_q - 1'b1;
      end
    end
  end

  `include "xgft_switch_state.vh"

  always @* begin
    `GIVEN(!first || (watched_i != {INPUTS{1'b0}}
                      && (watched_i & (watched_i - 1'b1)) == {INPUTS{1'b0}}))
    `GIVEN(first || (polite && marked_right && (credit_i & ~awake) == {INPUTS{1'b0}}))
    if (!first) begin
      `PROVE(N1, over == {INPUTS{1'b0}})
      `PROVE(N2, !several)
      `PROVE(N3, torn == {INPUTS{1'b0}})
      `PROVE(N4, !(leaves && marked_q && ahead_q == {WAY_W{1'b0}})
                 || ((leaving ^ marked_flit_q) & BITS) == 0)
      `PROVE(N5, !leaves || way_q != {WAY_W{1'b0}})
      `PROVE(N6, |(credits & watched_q) == |shows && !(&shows))
      `PROVE(N7, !lazy || idle_q <= STAGES)
      `PROVE(I1, counted)
      `PROVE(I2, whole)
      `PROVE(I3, alone)
      `PROVE(I4, follows)
      `PROVE(I5, routes)
      `PROVE(I6, watched_well)
    end
  end

endmodule

`default_nettype wire
