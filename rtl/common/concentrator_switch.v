// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "checks.vh"
`default_nettype none

// (R, S) concentrator switches: electrical paths for requests that may come at any time.
//
// Contract: a wire that requests (request_i, one clock) gets the lowest output wire that is still
// free, or, where none is, is lost.  Requests of the same clock are served in order of priority:
// from wire 0 up ("FIXED"), or from a wire that moves on by one with every clear_i, wrapping around
// ("ROTATING").  A path stands until clear_i: output shows input, and acknowledges go back the same
// way.  In the clock of its request a path shows 1, the message's M bit; wire_i is not looked at.
// Timing: request to path O(log (R S)) gates.  PIPELINE = 1 puts one register into wire_o and one into
// ack_o; PIPELINE = 0 makes both combinational.  clear_i is synchronous.
//
// A prefix sum counts the requests of the clock that come before each; that many wires behind those
// in use lies its own.  So paths never move, and late comers take what is left.
// COPIES independent switches stand side by side; copy k owns the k-th slice of each vector.
module concentrator_switch #(
  parameter COPIES   = 1,                        // switches side by side, >= 1
  parameter R        = 4,                        // input wires of each, >= 1
  parameter S        = 2,                        // output wires of each, >= 1
  parameter [8*8-1:0] PRIORITY = "FIXED",        // "FIXED", "ROTATING"
  parameter PIPELINE = 1,                        // 0, 1
  parameter LOST_W   = $clog2(COPIES * R + 1)    // bits of the count of lost requests
) (
  input  wire                clk,
  input  wire                clear_i,    // a delivery cycle begins: all wires are free
  input  wire                restart_i,  // with clear_i: it is the first one
  input  wire [COPIES*R-1:0] request_i,
  input  wire [COPIES*R-1:0] wire_i,
  output wire [COPIES*S-1:0] wire_o,
  input  wire [COPIES*S-1:0] ack_i,
  output wire [COPIES*R-1:0] ack_o,
  output reg  [LOST_W-1:0]   lost_o      // requests of this clock that found no wire, all copies
);

  localparam STAGES   = (R > 1) ? $clog2(R) : 1;
  localparam SELECT_W = STAGES;
  localparam USED_W   = $clog2(S + 1);

  `include "count_below.vh"

  // ---- requests in order of priority ------------------------------------------------------------

  wire [COPIES*R-1:0] ordered;  // input (i + first) mod R stands at place i
  wire [SELECT_W-1:0] first;

  generate
    if (PRIORITY == "ROTATING" && R > 1) begin : gen_rotating
      localparam [31:0] LAST = R - 1;
      reg     [SELECT_W-1:0]  first_q;
      reg     [COPIES*R-1:0]  turned;
      integer                 c;
      always @(posedge clk)
        if (clear_i)
          first_q <= (restart_i || first_q == LAST[SELECT_W-1:0]) ? {SELECT_W{1'b0}}
                                                                  : first_q + 1'b1;
      always @* begin
        turned = {(COPIES*R){1'b0}};
        // verilator unroll_disable
        for (c = 0; c < COPIES; c = c + 1)
          if (|request_i[c*R +: R])
            turned[c*R +: R] = (request_i[c*R +: R] >> first_q)
                             | (request_i[c*R +: R] << (R - {{(32-SELECT_W){1'b0}}, first_q}));
      end
      assign first   = first_q;
      assign ordered = turned;
    end else begin : gen_fixed
      wire unused = &{1'b0, restart_i};
      assign first   = {SELECT_W{1'b0}};
      assign ordered = request_i;
    end
  endgenerate

  // ---- paths ------------------------------------------------------------------------------------

  reg [COPIES*USED_W-1:0]     used_q,   used;     // wires in use: 0 .. used-1
  reg [COPIES*S*SELECT_W-1:0] select_q, select;   // which input they show
  reg [COPIES*S-1:0]          opened;             // paths of this clock's requests

  integer              k, i, b, busy, place, from;
  reg [R-1:0]          asking;
  reg [STAGES*R-1:0]   below;     // requests of a higher priority, by place
  always @* begin
    used   = used_q;
    select = select_q;
    opened = {(COPIES*S){1'b0}};
    lost_o = {LOST_W{1'b0}};
    asking = {R{1'b0}};
    below  = {(STAGES*R){1'b0}};
    busy   = 0;
    place  = 0;
    from   = 0;
    if (|request_i) begin
      // verilator unroll_disable
      for (k = 0; k < COPIES; k = k + 1) begin
        asking = ordered[k*R +: R];
        if (|asking) begin
          below = count_below(asking);
          busy  = {{(32-USED_W){1'b0}}, used_q[k*USED_W +: USED_W]};
          // verilator unroll_disable
          for (i = 0; i < R; i = i + 1)
            if (asking[i]) begin
              place = 0;
              for (b = 0; b < STAGES; b = b + 1)
                place[b] = below[b*R + i];
              place = place + busy;
              if (place < S) begin
                from = i + {{(32-SELECT_W){1'b0}}, first};
                if (from >= R) from = from - R;
                select[(k*S + place)*SELECT_W +: SELECT_W] = from[SELECT_W-1:0];
                opened[k*S + place] = 1'b1;
                place = place + 1;
                used[k*USED_W +: USED_W] = place[USED_W-1:0];
              end else begin
                lost_o = lost_o + 1'b1;
              end
            end
        end
      end
    end
  end

  always @(posedge clk) begin
    if (clear_i)         used_q   <= {(COPIES*USED_W){1'b0}};
    else if (|request_i) used_q   <= used;
    if (|request_i)      select_q <= select;
  end

  // Forward and backward are apart: without registers they must not seem to wait for each other.
  reg [COPIES*S-1:0] shown;
  integer            fm, fo, f_from, f_count;
  always @* begin
    shown   = opened;
    f_from  = 0;
    f_count = 0;
    // verilator unroll_disable
    for (fm = 0; fm < COPIES; fm = fm + 1) begin
      f_count = {{(32-USED_W){1'b0}}, used_q[fm*USED_W +: USED_W]};
      // verilator unroll_disable
      for (fo = 0; fo < S; fo = fo + 1)
        if (fo < f_count) begin
          f_from = {{(32-SELECT_W){1'b0}}, select_q[(fm*S + fo)*SELECT_W +: SELECT_W]};
          shown[fm*S + fo] = wire_i[fm*R + f_from];
        end
    end
  end

  reg [COPIES*R-1:0] acked;
  integer            bm, bo, b_from, b_count;
  always @* begin
    acked   = {(COPIES*R){1'b0}};
    b_from  = 0;
    b_count = 0;
    // verilator unroll_disable
    for (bm = 0; bm < COPIES; bm = bm + 1)
      if (|ack_i[bm*S +: S]) begin
        b_count = {{(32-USED_W){1'b0}}, used_q[bm*USED_W +: USED_W]};
        // verilator unroll_disable
        for (bo = 0; bo < S; bo = bo + 1)
          if (bo < b_count) begin
            b_from = {{(32-SELECT_W){1'b0}}, select_q[(bm*S + bo)*SELECT_W +: SELECT_W]};
            acked[bm*R + b_from] = ack_i[bm*S + bo];
          end
      end
  end

  delay_line #(.DEPTH(PIPELINE), .WIDTH(COPIES*S)) u_forward (
    .clk(clk), .rst(clear_i), .data_i(shown), .data_o(wire_o)
  );
  delay_line #(.DEPTH(PIPELINE), .WIDTH(COPIES*R)) u_backward (
    .clk(clk), .rst(clear_i), .data_i(acked), .data_o(ack_o)
  );

  `CHECK_PARAMETER(COPIES >= 1, "COPIES", COPIES, ">= 1")
  `CHECK_PARAMETER(R >= 1, "R", R, ">= 1")
  `CHECK_PARAMETER(S >= 1, "S", S, ">= 1")
  `CHECK_PARAMETER(PIPELINE == 0 || PIPELINE == 1, "PIPELINE", PIPELINE, "0 or 1")
  `CHECK_CHOICE(PRIORITY == "FIXED" || PRIORITY == "ROTATING",
                "PRIORITY", PRIORITY, "FIXED, ROTATING")

endmodule

`default_nettype wire
