// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// The VC allocator of one switch, after a reset, for all requests, and all sets of VCs that are
// free or have all their credits, at all times.
//
// Two input VCs, any, are watched: a and another, b.  a may have a VC if one is free at the port
// where it wants one, of its class and, with KEEP, of its number.
//
//   V1  an output port gives at most one VC a clock
//   V2  who is granted a VC wants one and may have it
//   V3  the VCs that are claimed are those granted, each to one input VC alone
//   V4  an output port gives a VC if someone may have one
//   V5  a VC that still misses credits is given only if none that has them all may be had
//   V6  while a may have a VC in every clock, its port gives b at most one: so a waits for at most
//       INS x VCS - 1 grants of others
//   V7  the same, if VCs for a are free only now and then: of clocks in which a might have had one
module xgft_vc_allocator_proof #(
  parameter INS     = 2,
  parameter OUTS    = 2,
  parameter VCS     = 2,
  parameter CLASSES = 1,
  parameter [8*4-1:0]  MODE    = "ANY",
  parameter [8*11-1:0] ARBITER = "ROUND_ROBIN",
  // derived
  parameter INPUTS   = INS * VCS,
  parameter OUTPUTS  = OUTS * VCS,
  parameter PORT_W   = $clog2(OUTS),
  parameter NUMBER_W = $clog2(INPUTS)
) (
  input wire                     clk,
  input wire [INPUTS-1:0]        want_i,
  input wire [INPUTS*PORT_W-1:0] port_i,
  input wire [INPUTS-1:0]        class_i,
  input wire [OUTPUTS-1:0]       free_i,
  input wire [OUTPUTS-1:0]       home_i,
  input wire [NUMBER_W-1:0]      a_i,
  input wire [NUMBER_W-1:0]      b_i
);

  reg                   first = 1'b1;
  wire [INPUTS-1:0]     grant;
  wire [OUTPUTS-1:0]    claim;
  wire [INPUTS*VCS-1:0] vc;

  xgft_vc_allocator #(
    .INS(INS), .OUTS(OUTS), .VCS(VCS), .CLASSES(CLASSES), .PORT_W(PORT_W), .MODE(MODE),
    .ARBITER(ARBITER)
  ) u_allocator (
    .clk(clk), .rst(first), .want_i(want_i), .port_i(port_i), .class_i(class_i), .free_i(free_i),
    .home_i(home_i), .grant_o(grant), .vc_o(vc), .claim_o(claim)
  );

  // ---- in one clock -----------------------------------------------------------------------------

  integer            i, p, v;
  reg [OUTS-1:0]     give, asked;   // by output port: it gives one, someone may have one
  reg [OUTPUTS-1:0]  given;         // by output VC: it is granted
  reg [INPUTS-1:0]   may;           // by input VC: it may have one
  reg [VCS-1:0]      open, got;     // VCs that an input VC may have, and what it got
  reg                once, alone, allowed, complete, there;
  always @* begin
    give     = {OUTS{1'b0}};
    asked    = {OUTS{1'b0}};
    given    = {OUTPUTS{1'b0}};
    may      = {INPUTS{1'b0}};
    open     = {VCS{1'b0}};
    got      = {VCS{1'b0}};
    p        = 0;
    once     = 1'b1;
    alone    = 1'b1;
    allowed  = 1'b1;
    complete = 1'b1;
    there    = 1'b1;
    for (i = 0; i < INPUTS; i = i + 1) begin
      p = port_i[i*PORT_W +: PORT_W];
      if (want_i[i] && p >= OUTS) there = 1'b0;
      for (v = 0; v < VCS; v = v + 1)
        open[v] = want_i[i] && free_i[p*VCS + v]
                  && (CLASSES == 1 || class_i[i] == (v >= VCS / 2))
                  && (MODE != "KEEP" || v == i % VCS);
      may[i] = open != {VCS{1'b0}};
      if (may[i]) asked[p] = 1'b1;
      if (grant[i]) begin
        got = vc[i*VCS +: VCS];
        if (give[p]) once = 1'b0;
        give[p] = 1'b1;
        if (got == {VCS{1'b0}} || (got & (got - 1'b1)) != {VCS{1'b0}}
            || (got & ~open) != {VCS{1'b0}})
          allowed = 1'b0;
        if ((got & given[p*VCS +: VCS]) != {VCS{1'b0}}) alone = 1'b0;
        if ((got & home_i[p*VCS +: VCS]) == {VCS{1'b0}}
            && (open & home_i[p*VCS +: VCS]) != {VCS{1'b0}}) complete = 1'b0;
        given[p*VCS +: VCS] = given[p*VCS +: VCS] | got;
      end
    end
  end

  // ---- a and b ----------------------------------------------------------------------------------

  localparam [INPUTS-1:0] FIRST = 1;

  reg [NUMBER_W-1:0] a_q, b_q;
  reg [PORT_W-1:0]   port_q;      // where a wanted a VC in the clock before
  reg                class_q;
  reg                waiting_q;   // and got none
  reg                passed_q;    // b got one since then
  reg                might_q;     // a might have had one
  reg                overtaken_q; // b got one of its port since a wants one that a might have had
  wire [INPUTS-1:0]  one_a   = FIRST << a_q;
  wire [INPUTS-1:0]  one_b   = (a_q == b_q) ? {INPUTS{1'b0}} : FIRST << b_q;
  wire               wants_a = |(want_i & one_a), may_a = |(may & one_a), wins_a = |(grant & one_a);
  wire [PORT_W-1:0]  port_a  = port_i[a_q*PORT_W +: PORT_W], port_b = port_i[b_q*PORT_W +: PORT_W];
  wire               beats   = |(grant & one_b) && port_a == port_b;  // b gets what a wants
  wire               same    = waiting_q && port_a == port_q && class_q == |(class_i & one_a);
  always @(posedge clk) begin
    first       <= 1'b0;
    port_q      <= port_a;
    class_q     <= |(class_i & one_a);
    waiting_q   <= !first && wants_a && !wins_a;
    might_q     <= may_a;
    passed_q    <= !first && may_a && ((same && might_q && passed_q) || beats);
    overtaken_q <= !first && ((same && overtaken_q) || (may_a && beats));
    if (first) begin
      a_q <= a_i;
      b_q <= b_i;
    end
  end

  always @* begin
    `GIVEN(a_i < INPUTS && b_i < INPUTS)
    `GIVEN(there)
    if (!first) begin
      `PROVE(V1, once)
      `PROVE(V2, (grant & ~want_i) == {INPUTS{1'b0}} && allowed)
      `PROVE(V3, claim == given && alone)
      `PROVE(V4, give == asked)
      `PROVE(V5, complete)
      `PROVE(V6, !(same && might_q && passed_q && may_a && beats))
      `PROVE(V7, !(same && overtaken_q && may_a && beats))
    end
  end

endmodule

`default_nettype wire
