// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Flit link between the player's clock and that of a leaf, as only a simulation can have it: at an
// edge each side sees all that the other did before.
//
// Contract: as async_link, but for resets: clear_i empties it at once.
module flit_pace #(
  parameter VCS    = 2,
  parameter DEPTH  = 4,   // credits of a virtual channel
  parameter FLIT_W = 34
) (
  input  wire              clear_i,
  input  wire              send_clk,
  input  wire [VCS-1:0]    valid_i,
  input  wire [FLIT_W-1:0] flit_i,
  output reg  [VCS-1:0]    credit_o,
  input  wire              take_clk,
  output reg  [VCS-1:0]    valid_o,
  output reg  [FLIT_W-1:0] flit_o,
  input  wire [VCS-1:0]    credit_i
);

  localparam PLACE_W = $clog2(VCS * DEPTH + 1);

  reg [VCS+FLIT_W-1:0]  words [0:(1<<PLACE_W)-1];
  reg [PLACE_W-1:0]     written, taken;
  reg [VCS*PLACE_W-1:0] given, back;  // credits, by virtual channel
  integer               v, w;

  always @(posedge send_clk or posedge clear_i)
    if (clear_i) begin
      written  <= {PLACE_W{1'b0}};
      back     <= {(VCS*PLACE_W){1'b0}};
      credit_o <= {VCS{1'b0}};
    end else begin
      if (valid_i != {VCS{1'b0}}) begin
        words[written] <= {valid_i, flit_i};
        written        <= written + 1'b1;
      end
      for (v = 0; v < VCS; v = v + 1) begin
        credit_o[v] <= given[v*PLACE_W +: PLACE_W] != back[v*PLACE_W +: PLACE_W];
        if (given[v*PLACE_W +: PLACE_W] != back[v*PLACE_W +: PLACE_W])
          back[v*PLACE_W +: PLACE_W] <= back[v*PLACE_W +: PLACE_W] + 1'b1;
      end
    end

  always @(posedge take_clk or posedge clear_i)
    if (clear_i) begin
      taken   <= {PLACE_W{1'b0}};
      given   <= {(VCS*PLACE_W){1'b0}};
      valid_o <= {VCS{1'b0}};
    end else begin
      valid_o <= {VCS{1'b0}};
      if (written != taken) begin
        {valid_o, flit_o} <= words[taken];
        taken             <= taken + 1'b1;
      end
      for (w = 0; w < VCS; w = w + 1)
        if (credit_i[w]) given[w*PLACE_W +: PLACE_W] <= given[w*PLACE_W +: PLACE_W] + 1'b1;
    end

endmodule

`default_nettype wire
