// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Relays packets: each output takes the packet of the lowest input that wants it.
//
// Contract: a packet a slot and input; of several for one output all but the lowest input's are
//   lost, and counted.  An idle output is zero.  Counters are cleared by rst and wrap around.
// Timing: a slot is a clock; one clock from an input to an output.
module relay_switch #(
  parameter N_LOG   = 2,  // 2^N_LOG inputs, and as many outputs: 1 .. 6
  parameter W       = 16, // payload bits
  parameter COUNT_W = 32  // bits of a counter
) (
  input  wire                        clk,
  input  wire                        rst,
  input  wire [(1<<N_LOG)-1:0]       valid_i,
  input  wire [(1<<N_LOG)*N_LOG-1:0] dst_i,
  input  wire [(1<<N_LOG)*W-1:0]     data_i,
  output reg  [(1<<N_LOG)-1:0]       valid_o,
  output reg  [(1<<N_LOG)*W-1:0]     data_o,
  output reg  [COUNT_W-1:0]          sent_o,  // packets that came in
  output reg  [COUNT_W-1:0]          lost_o   // those of them that no output took
);

  localparam N = 1 << N_LOG;

  reg [N-1:0]       valid;
  reg [N*W-1:0]     data;
  reg [COUNT_W-1:0] sent, lost;

  integer x, y;
  always @* begin
    valid = {N{1'b0}};
    data  = {(N*W){1'b0}};
    sent  = {COUNT_W{1'b0}};
    lost  = {COUNT_W{1'b0}};
    for (x = 0; x < N; x = x + 1) begin
      if (valid_i[x]) begin
        sent = sent + 1'b1;
        for (y = 0; y < N; y = y + 1)
          if (dst_i[x*N_LOG +: N_LOG] == y[N_LOG-1:0]) begin
            if (valid[y]) lost = lost + 1'b1;
            else          data[y*W +: W] = data_i[x*W +: W];
            valid[y] = 1'b1;
          end
      end
    end
  end

  always @(posedge clk)
    if (rst) begin
      valid_o <= {N{1'b0}};
      data_o  <= {(N*W){1'b0}};
      sent_o  <= {COUNT_W{1'b0}};
      lost_o  <= {COUNT_W{1'b0}};
    end else begin
      valid_o <= valid;
      data_o  <= data;
      sent_o  <= sent_o + sent;
      lost_o  <= lost_o + lost;
    end

  `CHECK_PARAMETER(N_LOG >= 1 && N_LOG <= 6, "N_LOG", N_LOG, "1 to 6")

endmodule

`default_nettype wire
