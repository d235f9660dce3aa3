// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// A router of a modified fat-tree without registers, for all traffic.  Given is that packets come
// whole, flits one a clock without a gap, that clients never send to themselves, and that there are
// half as many columns as clients: so nothing climbs in the top row.
//
// One input, any, is watched: ports 0 and 1 from below, then lanes from above.  All its flits, and
// no others, are marked in a bit that the router does not look at.
//
//   M1  a flit leaves once at most, and none leaves that did not come
//   M2  a head goes where its destination is: up if it is in no interval of the router, else to its
//       side, by the lane of its input if it comes from above
//   M3  a body goes where its head went, and nowhere if its head was lost
//   M4  what leaves is what came, unmodified
//   M5  a head that climbs is never lost, and with exact lanes none is
//   M6  it is told when a head is lost, and never else
//   M7  IMFT: by up link q from port q.  MFT: by link 0 unless another packet is on it; of two
//       heads that of port 0
//   M8  doubled lanes: a head that turns takes the lowest lane on which nobody is; a head that is
//       lost finds somebody on its lane, or on all if it turns
module mft_router_proof #(
  parameter ROW    = 0,
  parameter ABOVE  = 2,
  parameter COUNT  = 3,
  parameter ADDR_W = 2,
  parameter [8*4-1:0] MODE  = "IMFT",
  parameter [8*8-1:0] LANES = "EXACT",
  // derived
  parameter INPUTS = 2 + ABOVE,
  parameter FLIT_W = ADDR_W + 4  // head, tail, free, mark, destination
) (
  input wire                     clk,
  input wire [INPUTS-1:0]        watched_i,  // one-hot
  input wire [ADDR_W-1:0]        column_i,
  input wire [INPUTS-1:0]        valid_i,
  input wire [INPUTS*FLIT_W-1:0] flit_i
);

  localparam OUTS = 2 + 2 * COUNT;
  localparam MARK = ADDR_W;
  localparam TAIL = ADDR_W + 2;
  localparam HEAD = ADDR_W + 3;

  reg                   first = 1'b1;
  reg  [INPUTS-1:0]     watched_q, open_q;
  reg  [ADDR_W-1:0]     column_q;
  wire [OUTS-1:0]       valid;
  wire [OUTS*FLIT_W-1:0] flits;
  wire [2*(ABOVE+1)-1:0] lost;

  mft_router #(
    .ROW(ROW), .ABOVE(ABOVE), .COUNT(COUNT), .WIDTH(ADDR_W + 2), .ADDR_W(ADDR_W), .PIPELINE(0),
    .MODE(MODE), .LANES(LANES)
  ) u_router (
    .clk(clk), .rst(first), .column_i(column_q), .up_valid_i(valid_i[1:0]),
    .up_flit_i(flit_i[2*FLIT_W-1:0]), .up_valid_o(valid[1:0]), .up_flit_o(flits[2*FLIT_W-1:0]),
    .down_valid_i(valid_i[INPUTS-1:2]), .down_flit_i(flit_i[INPUTS*FLIT_W-1:2*FLIT_W]),
    .down_valid_o(valid[OUTS-1:2]), .down_flit_o(flits[OUTS*FLIT_W-1:2*FLIT_W]), .lost_o(lost)
  );

  // ---- what is given ----------------------------------------------------------------------------

  reg              polite;
  reg [FLIT_W-1:0] given;
  integer          i;
  always @* begin
    polite = 1'b1;
    given  = {FLIT_W{1'b0}};
    for (i = 0; i < INPUTS; i = i + 1) begin
      given = flit_i[i*FLIT_W +: FLIT_W];
      if (valid_i[i] ? given[HEAD] == open_q[i] || given[MARK] != watched_q[i] : open_q[i])
        polite = 1'b0;
      if (i < 2 && valid_i[i] && given[HEAD] && given[ROW] == i
          && (given[ADDR_W-1:0] >> (ROW + 1)) == (column_q >> ROW)) polite = 1'b0;
    end
  end

  // ---- the watched input ------------------------------------------------------------------------

  reg [OUTS-1:0]   shows;      // a marked flit leaves
  reg [OUTS-1:0]   way_q;      // where the head of its packet left
  reg [OUTS-1:0]   may;        // where a head may go
  reg [FLIT_W-1:0] coming, leaving;
  reg              comes, below, port, climbs, told, side, other_head;
  reg [COUNT-1:0]  lanes;      // taken on its side
  reg [COUNT-1:0]  own;        // that on which it is
  reg [COUNT-1:0]  needed;     // that must be taken by others
  integer          o, k;
  always @* begin
    comes      = |(valid_i & watched_q);
    below      = |watched_q[1:0];
    port       = watched_q[1];
    coming     = {FLIT_W{1'b0}};
    leaving    = {FLIT_W{1'b0}};
    may        = {OUTS{1'b0}};
    for (k = 0; k < INPUTS; k = k + 1)
      if (watched_q[k]) coming = flit_i[k*FLIT_W +: FLIT_W];
    side       = coming[ROW];
    climbs     = below && (coming[ADDR_W-1:0] >> (ROW + 1)) != (column_q >> ROW);
    for (o = 0; o < OUTS; o = o + 1) begin
      shows[o] = valid[o] && flits[o*FLIT_W + MARK];
      if (shows[o]) leaving = flits[o*FLIT_W +: FLIT_W];
      if (o < 2) may[o] = climbs;
      else may[o] = !climbs && ((o - 2) / COUNT == side)
                    && (below || watched_q[2 + ((o - 2) % COUNT) % ABOVE]
                        && (o - 2) % COUNT < ABOVE);
    end
    told = 1'b0;
    for (k = 0; k < ABOVE; k = k + 1)
      if (watched_q[2+k]) told = lost[k] || lost[ABOVE+1+k];
    if (below) told = lost[(port ? 0 : ABOVE + 1) + ABOVE];
    lanes      = side ? valid[2+COUNT +: COUNT] : valid[2 +: COUNT];
    own        = side ? shows[2+COUNT +: COUNT] : shows[2 +: COUNT];
    needed     = below ? own - 1'b1 : {COUNT{1'b0}};
    if (shows == {OUTS{1'b0}}) needed = below ? {COUNT{1'b1}} : watched_q[INPUTS-1:2];
    other_head = port ? flit_i[HEAD] : flit_i[FLIT_W + HEAD];
  end

  wire head = comes && coming[HEAD];
  wire gone = head && shows == {OUTS{1'b0}};

  always @(posedge clk) begin
    first <= 1'b0;
    if (first) begin
      watched_q <= watched_i;
      column_q  <= column_i;
      open_q    <= {INPUTS{1'b0}};
    end else begin
      for (i = 0; i < INPUTS; i = i + 1)
        open_q[i] <= valid_i[i] && !flit_i[i*FLIT_W + TAIL];
      if (head) way_q <= shows;
    end
  end

  always @* begin
    `GIVEN(!first || (watched_i != {INPUTS{1'b0}}
                      && (watched_i & (watched_i - 1'b1)) == {INPUTS{1'b0}}))
    `GIVEN(!first || !column_i[ADDR_W-1])  // N / 2 columns
    `GIVEN(first || (polite && (ABOVE > 1 || !valid_i[2])))  // at the top nothing comes from above
    if (!first) begin
      `PROVE(M1, (shows & (shows - 1'b1)) == {OUTS{1'b0}} && (comes || shows == {OUTS{1'b0}}))
      `PROVE(M2, !head || (shows & ~may) == {OUTS{1'b0}})
      `PROVE(M3, !comes || head || shows == way_q)
      `PROVE(M4, shows == {OUTS{1'b0}} || leaving == coming)
      `PROVE(M5, !gone || (LANES == "DOUBLING" && !climbs))
      `PROVE(M6, told == gone)
      `PROVE(M7, !head || !climbs || ((MODE == "IMFT") ? shows[port] == 1'b1
                 : (shows[0] || (valid[0] && (port || !other_head)))))
      `PROVE(M8, !head || climbs || LANES == "EXACT" || (needed & ~lanes) == {COUNT{1'b0}})
    end
  end

endmodule

`default_nettype wire
