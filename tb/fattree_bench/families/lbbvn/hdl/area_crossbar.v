// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A crossbar of N inputs and N outputs to compare lbbvn_tree with, made of the same blocks under
// the same rules.
//
// Contract: SELF: dst_i is the header; where several inputs want one output the lowest goes first
// and the rest are lost.  SCHEDULED: enable_i and select_i name the input of each output; where the
// settings come from is not a part of it.
// Timing: one register behind the crossbar, as behind a port of the tree.
module area_crossbar #(
  parameter [8*9-1:0] CONTROL = "SELF",
  parameter N_LOG = 4,
  parameter W     = 32,
  parameter N     = 1 << N_LOG  // derived
) (
  input  wire               clk,
  input  wire               rst,
  input  wire [N-1:0]       valid_i,
  input  wire [N*N_LOG-1:0] dst_i,     // SELF
  input  wire [N*W-1:0]     data_i,
  input  wire [N-1:0]       enable_i,  // SCHEDULED
  input  wire [N*N_LOG-1:0] select_i,  // SCHEDULED
  output wire [N-1:0]       valid_o,
  output wire [N*W-1:0]     data_o
);

  genvar x, y;
  generate
    for (y = 0; y < N; y = y + 1) begin : gen_output
      localparam [31:0] OUTPUT = y;
      wire [N-1:0] request;
      for (x = 0; x < N; x = x + 1) begin : gen_input
        if (CONTROL == "SELF")
          assign request[x] =
            valid_i[x] & ~rst & (dst_i[x*N_LOG +: N_LOG] == OUTPUT[N_LOG-1:0]);
        else
          assign request[x] = 1'b0;
      end
      area_column #(.CONTROL(CONTROL), .R(N), .W(W)) u_column (
        .clk(clk), .rst(rst), .valid_i(valid_i), .request_i(request), .data_i(data_i),
        .enable_i(enable_i[y]), .select_i(select_i[y*N_LOG +: N_LOG]),
        .valid_o(valid_o[y]), .data_o(data_o[y*W +: W])
      );
    end
  endgenerate

endmodule

// One output of it: R crosspoints, and who may use them.
module area_column #(
  parameter [8*9-1:0] CONTROL = "SELF",
  parameter R = 16,
  parameter W = 32,
  parameter SELECT_W = $clog2(R)  // derived
) (
  input  wire                clk,
  input  wire                rst,
  input  wire [R-1:0]        valid_i,
  input  wire [R-1:0]        request_i,
  input  wire [R*W-1:0]      data_i,
  input  wire                enable_i,
  input  wire [SELECT_W-1:0] select_i,
  output wire                valid_o,
  output wire [W-1:0]        data_o
);

  wire                   header;
  wire [$clog2(R+1)-1:0] lost;

  lbbvn_port #(.CONTROL(CONTROL), .PIPELINE(1), .R(R), .S(1), .H(1), .W(W)) u_port (
    .clk(clk), .rst(rst), .ask_i(CONTROL == "SELF" ? request_i : valid_i), .header_i({R{1'b0}}),
    .data_i(data_i), .enable_i(enable_i), .select_i(select_i), .valid_o(valid_o),
    .header_o(header), .data_o(data_o), .lost_o(lost)
  );

endmodule

`default_nettype wire
