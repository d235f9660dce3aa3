// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`ifndef WATCHED_PATH_VH
`define WATCHED_PATH_VH
`default_nettype none

// What a port of S wires owes to one of its R inputs, which is watched: a reference to be proved
// against, stated flat, for one input, without prefix sums.
//
// The requests of a delivery cycle have an order: of different clocks, the earlier one; of one
// clock, that of the input that comes first, counted from first_o on, wrapping around.  Request
// number p, counted from 0, is owed wire p.  From number S on requests are owed nothing.
module watched_path #(
  parameter R = 4,
  parameter S = 2,
  parameter [8*8-1:0] PRIORITY = "FIXED",
  parameter R_W = (R > 1) ? $clog2(R) : 1,  // derived
  parameter S_W = (S > 1) ? $clog2(S) : 1,  // derived
  parameter U_W = $clog2(S + 1),            // derived
  parameter L_W = $clog2(R + 1)             // derived
) (
  input  wire           clk,
  input  wire           clear_i,
  input  wire           restart_i,
  input  wire [R-1:0]   request_i,
  input  wire           watch_i,     // 0: the watched message is not among the inputs
  input  wire [R_W-1:0] watched_i,   // constant
  output reg  [U_W-1:0] used_o,      // wires that are given away, before this clock
  output reg  [U_W-1:0] used_next_o, // with those of this clock
  output reg            held_o,      // the watched input has a path, of an earlier clock ...
  output reg  [S_W-1:0] place_o,     // ... on this wire
  output reg            given_o,     // it gets a path in this clock ...
  output reg  [S_W-1:0] to_o,        // ... on this wire
  output reg  [L_W-1:0] lost_o,      // requests of this clock that are owed nothing
  output reg  [R_W-1:0] first_o      // input that comes first
);

  localparam [31:0] LAST = R - 1;
  localparam        N_W  = $clog2(R + S + 1);

  wire asks = watch_i && request_i[watched_i];

  reg [N_W-1:0] before, total;  // requests of this cycle: before the watched one, all
  reg [R-1:0]   earlier;        // inputs that come before the watched one
  integer       i;
  always @* begin
    before = {{(N_W-U_W){1'b0}}, used_o};
    total  = before;
    for (i = 0; i < R; i = i + 1) begin
      earlier[i] = (first_o <= watched_i) ? (i >= first_o && i < watched_i)
                                          : (i >= first_o || i < watched_i);
      total  = total  + request_i[i];
      before = before + (request_i[i] && earlier[i]);
    end
    given_o     = asks && before < S;
    to_o        = before[S_W-1:0];
    used_next_o = (total < S) ? total[U_W-1:0] : S;
    lost_o      = (total < S) ? {L_W{1'b0}} : total - S;
  end

  always @(posedge clk)
    if (clear_i) begin
      used_o  <= {U_W{1'b0}};
      held_o  <= 1'b0;
      first_o <= (PRIORITY == "FIXED" || restart_i || first_o == LAST[R_W-1:0]) ? {R_W{1'b0}}
                                                                                : first_o + 1'b1;
    end else begin
      used_o <= used_next_o;
      if (given_o) begin
        held_o  <= 1'b1;
        place_o <= to_o;
      end
    end

endmodule

`default_nettype wire
`endif
