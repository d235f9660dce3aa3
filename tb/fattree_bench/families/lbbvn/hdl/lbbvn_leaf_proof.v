// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// A leaf of the bufferless fat-tree with its delay line, for all that is offered and all that comes
// out of the tree, and resets at any time.  Given is that idle lanes out of the tree are zero.
//
//   E1  what is offered for others goes into the tree, unmodified, and nothing else does: nothing
//       in a reset
//   E2  idle payload into the tree is zero, and the header of SCHEDULED always
//   E3  the user gets what comes out of the tree, else what was looped back LATENCY clocks ago, if
//       there was no reset since, else zeros
//   E4  it is told what is taken in, and that a loop-back is lost
module lbbvn_leaf_proof #(
  parameter CONTROL = "SELF",
  parameter LATENCY = 2        // >= 1
) (
  input wire       clk,
  input wire       rst_i,
  input wire       valid_i,
  input wire [1:0] dst_i,
  input wire [1:0] data_i,
  input wire       loop_i,
  input wire       down_valid_i,
  input wire [1:0] down_data_i
);

  localparam [1:0] NUMBER = 2'd2;
  localparam       NAMED  = (CONTROL == "SELF");  // headers have destinations

  reg        first = 1'b1;
  wire       rst   = rst_i | first;
  wire       valid, up_valid, entered, lost;
  wire [1:0] data, up_header, up_data;

  lbbvn_leaf #(
    .CONTROL(CONTROL), .N_LOG(2), .LATENCY(LATENCY), .H(2), .W(2)
  ) u_leaf (
    .clk(clk), .rst(rst), .number_i(NUMBER), .valid_i(valid_i), .dst_i(dst_i), .data_i(data_i),
    .valid_o(valid), .data_o(data), .up_valid_o(up_valid), .up_header_o(up_header),
    .up_data_o(up_data), .down_valid_i(down_valid_i), .down_data_i(down_data_i), .loop_i(loop_i),
    .entered_o(entered), .lost_o(lost)
  );

  wire takes = valid_i & ~rst;
  wire own   = takes & (NAMED ? dst_i == NUMBER : loop_i);

  reg  [3*LATENCY-1:0] line_q;  // {payload, there is one}, the oldest highest
  wire [2:0]           looped = line_q[3*LATENCY-1 -: 3];
  always @(posedge clk) begin
    first  <= 1'b0;
    line_q <= rst ? {(3*LATENCY){1'b0}} : {line_q, own ? data_i : 2'd0, own};
  end

  wire [1:0] header = NAMED ? dst_i : 2'd0;

  always @* begin
    `GIVEN(down_valid_i || down_data_i == 2'd0)
    if (!first) begin
      `PROVE(E1, up_valid == (takes && !own)
                 && (!up_valid || {up_header, up_data} == {header, data_i}))
      `PROVE(E2, (up_valid || up_data == 2'd0) && (NAMED || up_header == 2'd0))
      `PROVE(E3, valid == (down_valid_i || looped[0])
                 && data == (down_valid_i ? down_data_i : looped[2:1]))
      `PROVE(E4, entered == takes && lost == (down_valid_i && looped[0]))
    end
  end

endmodule

`default_nettype wire
