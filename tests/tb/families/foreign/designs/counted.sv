// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A switch in SystemVerilog, as others write them: virtual channels (VCs) one-hot, credits counted.
//
// Contract: a packet is words up to a tail in one VC of an output, which nobody else enters
// meanwhile.  Each VC of each input holds DEPTH words.  The credits of those that left come back in
// one number: those of VC 0 in even clocks, those of VC 1 in odd ones.
// Timing: a word is at its output two clocks after it came.
module counted #(
  parameter int PORTS = 3,
  parameter int W     = 32,
  parameter int D     = $clog2(PORTS)  // derived
) (
  input  logic               clk,
  input  logic               rst,          // synchronous
  input  logic [PORTS-1:0]   valid_i,
  input  logic [2*PORTS-1:0] vc_i,         // one-hot
  input  logic [PORTS*W-1:0] data_i,
  input  logic [PORTS*D-1:0] dest_i,
  input  logic [PORTS-1:0]   tail_i,
  output logic [2*PORTS-1:0] credit_o,     // how many
  output logic [2*PORTS-1:0] credit_vc_o,  // of which VC, one-hot
  output logic [PORTS-1:0]   valid_o,
  output logic [2*PORTS-1:0] vc_o,
  output logic [PORTS*W-1:0] data_o,
  output logic [PORTS-1:0]   tail_o,
  input  logic [2*PORTS-1:0] credit_i,
  input  logic [2*PORTS-1:0] credit_vc_i
);

  `include "counted.svh"

  localparam int QUEUES = 2 * PORTS;  // of each input and VC; number 2 * input + VC

  logic [W+D:0]       queue [QUEUES*DEPTH];
  logic [1:0]         first_q [QUEUES];
  logic [1:0]         end_q [QUEUES];
  logic [2:0]         count_q [QUEUES];
  logic [2:0]         freed_q [QUEUES];   // credits that are to come back
  logic [2:0]         left_q [QUEUES];    // by output and VC: credits
  logic [QUEUES-1:0]  held_q;             // a packet is on its way
  logic [D-1:0]       holder_q [QUEUES];  // its input
  logic [3:0]         turn_q [PORTS];     // by output: the queue that it looks at first
  logic               phase_q;            // the VC of which credits come back

  always_ff @(posedge clk) begin : move
    logic [QUEUES-1:0] gone, spent;
    logic [W+D:0]      word;
    logic              sends;
    logic [2:0]        back;
    int                q, h;
    gone    = '0;
    spent   = '0;
    phase_q <= ~phase_q;
    for (int o = 0; o < PORTS; o++) begin
      sends      = 1'b0;
      valid_o[o] <= 1'b0;
      for (int k = 0; k < QUEUES; k++) begin
        q    = (k + int'(turn_q[o])) % QUEUES;
        h    = 2 * o + q % 2;
        word = queue[q*DEPTH + int'(first_q[q])];
        if (!sends && count_q[q] != 0 && left_q[h] != 0 && int'(word[W +: D]) == o
            && (!held_q[h] || int'(holder_q[h]) == q / 2)) begin
          sends             = 1'b1;
          gone[q]           = 1'b1;
          spent[h]          = 1'b1;
          valid_o[o]        <= 1'b1;
          vc_o[2*o +: 2]    <= (q % 2 == 0) ? 2'b01 : 2'b10;
          data_o[o*W +: W]  <= word[W-1:0];
          tail_o[o]         <= word[W+D];
          held_q[h]         <= ~word[W+D];
          holder_q[h]       <= D'(q / 2);
          turn_q[o]         <= 4'((q + 1) % QUEUES);
        end
      end
    end
    for (int i = 0; i < QUEUES; i++) begin
      if (valid_i[i/2] && vc_i[i]) begin
        queue[i*DEPTH + int'(end_q[i])] <=
          {tail_i[i/2], dest_i[(i/2)*D +: D], data_i[(i/2)*W +: W]};
        end_q[i] <= behind(end_q[i]);
      end
      if (gone[i]) first_q[i] <= behind(first_q[i]);
      count_q[i] <= count_q[i] + 3'(valid_i[i/2] & vc_i[i]) - 3'(gone[i]);
      left_q[i]  <= left_q[i] - 3'(spent[i]) + (credit_vc_i[i] ? 3'(credit_i[(i/2)*2 +: 2]) : 3'd0);
      back = (i % 2 == int'(phase_q)) ? ((freed_q[i] > 3'd3) ? 3'd3 : freed_q[i]) : 3'd0;
      freed_q[i] <= freed_q[i] + 3'(gone[i]) - back;
      credit_vc_o[i] <= (back != 3'd0);
      if (i % 2 == int'(phase_q)) credit_o[(i/2)*2 +: 2] <= back[1:0];
    end
    if (rst) begin
      for (int i = 0; i < QUEUES; i++) begin
        first_q[i] <= '0;
        end_q[i]   <= '0;
        count_q[i] <= '0;
        freed_q[i] <= '0;
        left_q[i]  <= 3'(DEPTH);
      end
      for (int i = 0; i < PORTS; i++) turn_q[i] <= '0;
      held_q      <= '0;
      phase_q     <= 1'b0;
      valid_o     <= '0;
      credit_o    <= '0;
      credit_vc_o <= '0;
    end
  end

endmodule

`default_nettype wire
