// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// A client's end of a modified fat-tree, for all traffic after a reset.  Given is that packets
// come whole, flits one a clock without a gap, none of more than ROOM flits.
//
// One lane, any, is watched, and one of its flits that is taken, any.  All flits of the watched
// lane, and no others, are marked.
//
//   K1  the flit that is taken when n others of its lane are inside is the n + 1st from then that
//       leaves, unmodified: none is lost, doubled or out of order
//   K2  packets leave whole: behind a head comes the rest of its packet, and nothing between
//   K3  no clock is idle while a FIFO holds a flit
//   K4  a packet is lost if and only if fewer than ROOM flits are free when its head comes
//   K5  nothing leaves that was not taken
//   K6  a packet waits for no more than one packet of each other lane
//   K7  the lane of what leaves is told
//   K8  where nothing leaves, flit and lane are zero
module mft_client_proof #(
  parameter COUNT = 2,
  parameter FIFO  = 3,
  parameter ROOM  = 2,
  parameter LANE_W = (COUNT > 1) ? $clog2(COUNT) : 1  // derived
) (
  input wire               clk,
  input wire [LANE_W-1:0]  watched_i,
  input wire               mark_i,   // watch the flit that comes
  input wire [COUNT-1:0]   valid_i,
  input wire [COUNT*4-1:0] flit_i    // head, tail, free, mark
);

  localparam FLIT_W = 4;
  localparam MARK   = 0;
  localparam TAIL   = 2;
  localparam HEAD   = 3;
  localparam SUM_W  = $clog2(FIFO + 2);
  localparam LEN_W  = $clog2(ROOM + 2);
  localparam WAIT_W = $clog2(COUNT + 2);

  reg                  first = 1'b1;
  reg  [LANE_W-1:0]    watched_q;
  wire                 valid;
  wire [FLIT_W-1:0]    leaving;
  wire [LANE_W-1:0]    lane;
  wire [COUNT-1:0]     holds, overflow;

  mft_client #(.COUNT(COUNT), .FLIT_W(FLIT_W), .FIFO(FIFO), .ROOM(ROOM)) u_client (
    .clk(clk), .rst(first), .valid_i(valid_i), .flit_i(flit_i), .valid_o(valid),
    .flit_o(leaving), .lane_o(lane), .holds_o(holds), .overflow_o(overflow)
  );

  // ---- what is given ----------------------------------------------------------------------------

  reg [COUNT*LEN_W-1:0] length_q;  // flits of the packet that comes; 0: none
  reg                   polite;
  reg [FLIT_W-1:0]      given;
  integer               i;
  always @* begin
    polite = 1'b1;
    given  = {FLIT_W{1'b0}};
    for (i = 0; i < COUNT; i = i + 1) begin
      given = flit_i[i*FLIT_W +: FLIT_W];
      if (valid_i[i] ? given[HEAD] != (length_q[i*LEN_W +: LEN_W] == 0)
                       || given[MARK] != (watched_q == i)
                       || (!given[TAIL] && length_q[i*LEN_W +: LEN_W] == ROOM - 1)
                     : length_q[i*LEN_W +: LEN_W] != 0) polite = 1'b0;
    end
  end

  // ---- the watched lane -------------------------------------------------------------------------

  reg [SUM_W-1:0]  inside_q;       // flits of it
  reg              open_q;         // the packet that comes is taken
  reg              marked_q;       // the watched flit is inside
  reg [SUM_W-1:0]  ahead_q;        // flits before it
  reg [FLIT_W-1:0] marked_flit_q;
  reg              leaves_q;       // a packet is leaving: its head was there, its tail not yet
  reg              mark_q;         // of the watched lane
  reg [WAIT_W-1:0] waited_q;       // packets of others that left while one of it waited

  wire              comes  = valid_i[watched_q];
  wire [FLIT_W-1:0] coming = flit_i[watched_q*FLIT_W +: FLIT_W];
  wire              room   = ({{(32-SUM_W){1'b0}}, inside_q} + ROOM <= FIFO);
  wire              enters = comes && (coming[HEAD] ? room : open_q);
  wire              leaves = valid && leaving[MARK];
  wire              waits  = inside_q != {SUM_W{1'b0}} && !(leaves_q && mark_q);

  always @(posedge clk) begin
    first <= 1'b0;
    if (comes) open_q <= enters;
    if (first) begin
      watched_q <= watched_i;
      length_q  <= {(COUNT*LEN_W){1'b0}};
      inside_q  <= {SUM_W{1'b0}};
      marked_q  <= 1'b0;
      leaves_q  <= 1'b0;
      waited_q  <= {WAIT_W{1'b0}};
    end else begin
      for (i = 0; i < COUNT; i = i + 1)
        length_q[i*LEN_W +: LEN_W] <=
          (valid_i[i] && !flit_i[i*FLIT_W + TAIL]) ? length_q[i*LEN_W +: LEN_W] + 1'b1 : 0;
      inside_q <= inside_q + enters - leaves;
      if (valid) begin
        leaves_q <= !leaving[TAIL];
        mark_q   <= leaving[MARK];
      end
      if (!waits || leaves) waited_q <= {WAIT_W{1'b0}};
      else if (valid && leaving[HEAD] && waited_q != {WAIT_W{1'b1}}) waited_q <= waited_q + 1'b1;
      if (!marked_q && enters && mark_i) begin
        marked_q      <= 1'b1;
        ahead_q       <= inside_q - leaves;
        marked_flit_q <= coming;
      end else if (leaves) begin
        marked_q <= marked_q && ahead_q != {SUM_W{1'b0}};
        ahead_q  <= ahead_q - 1'b1;
      end
    end
  end

  always @* begin
    `GIVEN(!first || watched_i < COUNT)
    `GIVEN(first || polite)
    if (!first) begin
      `PROVE(K1, !(leaves && marked_q && ahead_q == {SUM_W{1'b0}}) || leaving == marked_flit_q)
      `PROVE(K2, !valid || (leaves_q ? !leaving[HEAD] && leaving[MARK] == mark_q : leaving[HEAD]))
      `PROVE(K3, valid || inside_q == {SUM_W{1'b0}})
      `PROVE(K4, overflow[watched_q] == (comes && coming[HEAD] && !room))
      `PROVE(K5, !leaves || inside_q != {SUM_W{1'b0}})
      `PROVE(K6, waited_q < COUNT)
      `PROVE(K7, !valid || (lane == watched_q) == leaving[MARK])
      `PROVE(K8, valid || {leaving, lane} == {(FLIT_W+LANE_W){1'b0}})
    end
  end

endmodule

`default_nettype wire
