// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// One concentrator, for all inputs.
//
//   C1  an output shows nothing but a valid input
//   C2  outputs show their inputs in ascending order: none twice
//   C3  outputs 0 .. min(valid inputs, S) - 1 are reached, no others
//   C4  the valid inputs that are not shown are counted as lost
//   C5  all of it is what a chain of priorities gives that hands out the outputs one by one
module concentrator_proof #(
  parameter R = 4,
  parameter S = 2
) (
  input wire [R-1:0] valid_i
);

  localparam SELECT_W = (R > 1) ? $clog2(R) : 1;
  localparam LOST_W   = $clog2(R + 1);

  wire [S-1:0]          valid;
  wire [S*SELECT_W-1:0] select;
  wire [LOST_W-1:0]     lost;

  concentrator #(.R(R), .S(S)) u_concentrator (
    .valid_i(valid_i), .valid_o(valid), .select_o(select), .lost_o(lost)
  );

  integer                i, l;
  reg [LOST_W-1:0]       given, total;
  reg [S-1:0]            chain_valid;
  reg [S*SELECT_W-1:0]   chain_select;
  reg [(1<<SELECT_W)-1:0] offered;
  reg                    shown, ordered, dense;

  always @* begin
    given        = {LOST_W{1'b0}};
    total        = {LOST_W{1'b0}};
    chain_valid  = {S{1'b0}};
    chain_select = {(S*SELECT_W){1'b0}};
    offered      = {(1<<SELECT_W){1'b0}};
    offered[R-1:0] = valid_i;
    for (i = 0; i < R; i = i + 1)
      if (valid_i[i]) begin
        for (l = 0; l < S; l = l + 1)
          if (given == l) begin
            chain_valid[l] = 1'b1;
            chain_select[l*SELECT_W +: SELECT_W] = i;
          end
        total = total + 1'b1;
        if (given < S) given = given + 1'b1;
      end

    shown   = 1'b1;
    ordered = 1'b1;
    dense   = 1'b1;
    for (l = 0; l < S; l = l + 1) begin
      if (valid[l] && !offered[select[l*SELECT_W +: SELECT_W]]) shown = 1'b0;
      if (valid[l] != (l < total)) dense = 1'b0;
    end
    for (l = 1; l < S; l = l + 1)
      if (valid[l] && select[l*SELECT_W +: SELECT_W] <= select[(l-1)*SELECT_W +: SELECT_W])
        ordered = 1'b0;

    `PROVE(C1, shown)
    `PROVE(C2, ordered)
    `PROVE(C3, dense)
    `PROVE(C4, lost == total - given)
    `PROVE(C5, valid == chain_valid && select == chain_select)
  end

endmodule

`default_nettype wire
