// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Two fat-trees of 8 leaves in one design, and glue between them.  What arrives at a leaf on the
// left goes into the same leaf on the right, a clock later, and on to its neighbour there.
//
//     make sim NETWORK=lbbvn N=8 WIDTH=16 ACTIVE=0 TOP=examples/two_trees.v INSTANCE=u_right
module two_trees (
  input wire clk  // the only port that the bench drives
);

  localparam N_LOG = 3;
  localparam N     = 8;
  localparam W     = 16;

  // ---- a reset, and traffic at random -----------------------------------------------------------

  reg  [2:0]  started = 3'd0;
  reg  [31:0] random  = 32'h1234567;
  wire        rst     = ~started[2];
  always @(posedge clk) begin
    if (rst) started <= started + 3'd1;
    random <= {random[30:0], random[31] ^ random[21] ^ random[1] ^ random[0]};
  end

  reg  [N-1:0]       left_valid;
  reg  [N*N_LOG-1:0] left_dst;
  reg  [N*W-1:0]     left_data;
  integer            x;
  always @(posedge clk)
    for (x = 0; x < N; x = x + 1) begin
      left_valid[x]               <= random[x] & ~rst;
      left_dst[x*N_LOG +: N_LOG]  <= random[x +: N_LOG] ^ x[N_LOG-1:0];
      left_data[x*W +: W]         <= {random[W-4:0], x[2:0]};
    end

  // ---- the glue ---------------------------------------------------------------------------------

  wire [N-1:0]       joined_valid;
  wire [N*W-1:0]     joined_data;
  reg  [N-1:0]       right_valid;
  reg  [N*N_LOG-1:0] right_dst;
  reg  [N*W-1:0]     right_data;
  integer            y;
  always @(posedge clk)
    for (y = 0; y < N; y = y + 1) begin
      right_valid[y]              <= joined_valid[y] & ~rst;
      right_dst[y*N_LOG +: N_LOG] <= y[N_LOG-1:0] + 3'd1;
      right_data[y*W +: W]        <= joined_data[y*W +: W];
    end

  // ---- the trees --------------------------------------------------------------------------------

  lbbvn_tree #(.N_LOG(N_LOG), .W(W)) u_left (
    .clk(clk), .rst(rst),
    .valid_i(left_valid), .dst_i(left_dst), .data_i(left_data),
    .valid_o(joined_valid), .data_o(joined_data),
    .row_write_i(1'b0), .row_level_i(4'd0), .row_slot_i(3'd0), .row_i(1'b0), .last_slot_i(3'd0),
    .conflicts_up_o(), .conflicts_down_o(), .injected_o(), .delivered_o()
  );

  lbbvn_tree #(.N_LOG(N_LOG), .W(W)) u_right (
    .clk(clk), .rst(rst),
    .valid_i(right_valid), .dst_i(right_dst), .data_i(right_data),
    .valid_o(), .data_o(),
    .row_write_i(1'b0), .row_level_i(4'd0), .row_slot_i(3'd0), .row_i(1'b0), .last_slot_i(3'd0),
    .conflicts_up_o(), .conflicts_down_o(), .injected_o(), .delivered_o()
  );

endmodule

`default_nettype wire
