// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A switch with credits and virtual channels (VCs): a queue for each VC of each input, a register
// at each output.
//
// Contract: a packet is words from head to tail in one VC, which nobody else enters meanwhile.
// Each VC of each input holds 4 words; a credit comes back for each that leaves.
// Timing: a word is at its output two clocks after it came.
module credits #(
  parameter PORTS = 4,
  parameter VCS   = 2,
  parameter W     = 16,
  parameter D     = $clog2(PORTS)  // derived
) (
  input  wire                 clk,
  input  wire                 rst,       // synchronous
  input  wire [PORTS*VCS-1:0] valid_i,   // by VC
  input  wire [PORTS*W-1:0]   data_i,
  input  wire [PORTS*D-1:0]   dest_i,
  input  wire [PORTS-1:0]     tail_i,
  output reg  [PORTS*VCS-1:0] credit_o,
  output reg  [PORTS*VCS-1:0] valid_o,
  output reg  [PORTS*W-1:0]   data_o,
  output reg  [PORTS-1:0]     head_o,
  output reg  [PORTS-1:0]     tail_o,
  input  wire [PORTS*VCS-1:0] credit_i
);

  localparam QUEUES = PORTS * VCS;

  reg [W+D:0]        queue [0:QUEUES*4-1];
  reg [2*QUEUES-1:0] first_q, end_q;
  reg [3*QUEUES-1:0] count_q;
  reg [QUEUES-1:0]   held_q;    // by output and VC: a packet is on its way
  reg [4*QUEUES-1:0] holder_q;  // its input
  reg [3*QUEUES-1:0] left_q;    // credits of each output's VC
  reg [PORTS-1:0]    turn_q;    // the VC that an output looks at first
  reg [4*PORTS-1:0]  next_q;    // and the input

  always @(posedge clk) begin : move
    reg [QUEUES-1:0] gone;
    reg [W+D:0]      word;
    reg              sends;
    integer          i, o, k, v, j, q, h;
    gone = {QUEUES{1'b0}};
    for (o = 0; o < PORTS; o = o + 1) begin
      sends = 1'b0;
      valid_o[o*VCS +: VCS] <= {VCS{1'b0}};
      for (k = 0; k < VCS; k = k + 1) begin
        v = (k + {31'd0, turn_q[o]}) % VCS;
        h = o * VCS + v;
        for (i = 0; i < PORTS; i = i + 1) begin
          j = (i + {28'd0, next_q[o*4 +: 4]}) % PORTS;
          q = j * VCS + v;
          word = queue[q*4 + {30'd0, first_q[q*2 +: 2]}];
          if (!sends && !gone[q] && count_q[q*3 +: 3] != 3'd0 && left_q[h*3 +: 3] != 3'd0
              && word[W +: D] == o[D-1:0]
              && (held_q[h] ? {28'd0, holder_q[h*4 +: 4]} == j : 1'b1)) begin
            sends      = 1'b1;
            gone[q]    = 1'b1;
            valid_o[h] <= 1'b1;
            data_o[o*W +: W] <= word[W-1:0];
            head_o[o]  <= ~held_q[h];
            tail_o[o]  <= word[W+D];
            held_q[h]  <= ~word[W+D];
            holder_q[h*4 +: 4] <= j[3:0];
            turn_q[o]  <= ~turn_q[o];
            if (word[W+D]) next_q[o*4 +: 4] <= j[3:0] + 4'd1;
            first_q[q*2 +: 2] <= first_q[q*2 +: 2] + 2'd1;
            left_q[h*3 +: 3]  <= left_q[h*3 +: 3] - 3'd1 + {2'd0, credit_i[h]};
          end
        end
      end
    end
    for (o = 0; o < QUEUES; o = o + 1) begin
      if (valid_i[o]) begin
        queue[o*4 + {30'd0, end_q[o*2 +: 2]}] <=
          {tail_i[o/VCS], dest_i[(o/VCS)*D +: D], data_i[(o/VCS)*W +: W]};
        end_q[o*2 +: 2] <= end_q[o*2 +: 2] + 2'd1;
      end
      count_q[o*3 +: 3] <= count_q[o*3 +: 3] + {2'd0, valid_i[o]} - {2'd0, gone[o]};
    end
    credit_o <= gone;
    for (o = 0; o < PORTS; o = o + 1)
      for (v = 0; v < VCS; v = v + 1) begin
        sends = 1'b0;
        for (i = 0; i < PORTS; i = i + 1) begin
          q = i * VCS + v;
          word = queue[q*4 + {30'd0, first_q[q*2 +: 2]}];
          if (gone[q] && word[W +: D] == o[D-1:0]) sends = 1'b1;
        end
        h = o * VCS + v;
        if (!sends && credit_i[h]) left_q[h*3 +: 3] <= left_q[h*3 +: 3] + 3'd1;
      end
    if (rst) begin
      first_q  <= {(2*QUEUES){1'b0}};
      end_q    <= {(2*QUEUES){1'b0}};
      count_q  <= {(3*QUEUES){1'b0}};
      held_q   <= {QUEUES{1'b0}};
      left_q   <= {QUEUES{3'd4}};
      turn_q   <= {PORTS{1'b0}};
      next_q   <= {(4*PORTS){1'b0}};
      valid_o  <= {QUEUES{1'b0}};
      credit_o <= {QUEUES{1'b0}};
    end
  end

endmodule

`default_nettype wire
