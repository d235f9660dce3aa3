// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// A switch of packets of one word: virtual channels (VCs) by number, credits counted.
//
// Contract: each VC of each input holds 4 words.  The credits of those that left come back in one
// number, of one VC a clock, each VC in its turn.
// Timing: a word is at its output two clocks after it came.
module numbered #(
  parameter PORTS = 3,
  parameter VCS   = 3,
  parameter W     = 32,
  parameter D     = $clog2(PORTS),  // derived
  parameter V     = $clog2(VCS)     // derived
) (
  input  wire               clk,
  input  wire               rst,          // synchronous
  input  wire [PORTS-1:0]   valid_i,
  input  wire [PORTS*V-1:0] vc_i,
  input  wire [PORTS*W-1:0] data_i,
  input  wire [PORTS*D-1:0] dest_i,
  output reg  [PORTS*2-1:0] credit_o,     // how many
  output reg  [PORTS*V-1:0] credit_vc_o,  // of which VC
  output reg  [PORTS-1:0]   valid_o,
  output reg  [PORTS*V-1:0] vc_o,
  output reg  [PORTS*W-1:0] data_o,
  input  wire [PORTS*2-1:0] credit_i,
  input  wire [PORTS*V-1:0] credit_vc_i
);

  localparam QUEUES = PORTS * VCS;  // of each input and VC; number VCS * input + VC

  reg [W+D-1:0]      queue [0:QUEUES*4-1];
  reg [2*QUEUES-1:0] first_q, end_q;
  reg [3*QUEUES-1:0] count_q;
  reg [3*QUEUES-1:0] freed_q;  // credits that are to come back
  reg [3*QUEUES-1:0] left_q;   // by output and VC: credits
  reg [4*PORTS-1:0]  turn_q;   // by output: the queue that it looks at first
  reg [V-1:0]        phase_q;  // the VC of which credits come back

  always @(posedge clk) begin : move
    reg [QUEUES-1:0] gone, spent;
    reg [W+D-1:0]    word;
    reg              sends, comes;
    reg [2:0]        back, given;
    integer          o, k, q, h, i, v;
    gone    = {QUEUES{1'b0}};
    spent   = {QUEUES{1'b0}};
    phase_q <= ({30'd0, phase_q} == VCS - 1) ? {V{1'b0}} : phase_q + 1'b1;
    for (o = 0; o < PORTS; o = o + 1) begin
      sends      = 1'b0;
      valid_o[o] <= 1'b0;
      for (k = 0; k < QUEUES; k = k + 1) begin
        q    = (k + {28'd0, turn_q[o*4 +: 4]}) % QUEUES;
        v    = q % VCS;
        h    = o * VCS + v;
        word = queue[q*4 + {30'd0, first_q[q*2 +: 2]}];
        if (!sends && count_q[q*3 +: 3] != 3'd0 && left_q[h*3 +: 3] != 3'd0
            && word[W +: D] == o[D-1:0]) begin
          sends             = 1'b1;
          gone[q]           = 1'b1;
          spent[h]          = 1'b1;
          valid_o[o]        <= 1'b1;
          vc_o[o*V +: V]    <= v[V-1:0];
          data_o[o*W +: W]  <= word[W-1:0];
          turn_q[o*4 +: 4]  <= (q == QUEUES - 1) ? 4'd0 : q[3:0] + 4'd1;
          first_q[q*2 +: 2] <= first_q[q*2 +: 2] + 2'd1;
        end
      end
    end
    for (q = 0; q < QUEUES; q = q + 1) begin
      i     = q / VCS;
      v     = q % VCS;
      comes = valid_i[i] && vc_i[i*V +: V] == v[V-1:0];
      given = (credit_vc_i[i*V +: V] == v[V-1:0]) ? {1'b0, credit_i[i*2 +: 2]} : 3'd0;
      back  = (freed_q[q*3 +: 3] > 3'd3) ? 3'd3 : freed_q[q*3 +: 3];
      if (phase_q != v[V-1:0]) back = 3'd0;
      if (comes) begin
        queue[q*4 + {30'd0, end_q[q*2 +: 2]}] <= {dest_i[i*D +: D], data_i[i*W +: W]};
        end_q[q*2 +: 2] <= end_q[q*2 +: 2] + 2'd1;
      end
      count_q[q*3 +: 3] <= count_q[q*3 +: 3] + {2'd0, comes} - {2'd0, gone[q]};
      left_q[q*3 +: 3]  <= left_q[q*3 +: 3] - {2'd0, spent[q]} + given;
      freed_q[q*3 +: 3] <= freed_q[q*3 +: 3] + {2'd0, gone[q]} - back;
      if (phase_q == v[V-1:0]) begin
        credit_o[i*2 +: 2]    <= back[1:0];
        credit_vc_o[i*V +: V] <= v[V-1:0];
      end
    end
    if (rst) begin
      first_q  <= {(2*QUEUES){1'b0}};
      end_q    <= {(2*QUEUES){1'b0}};
      count_q  <= {(3*QUEUES){1'b0}};
      freed_q  <= {(3*QUEUES){1'b0}};
      left_q   <= {QUEUES{3'd4}};
      turn_q   <= {(4*PORTS){1'b0}};
      phase_q  <= {V{1'b0}};
      valid_o  <= {PORTS{1'b0}};
      credit_o <= {(2*PORTS){1'b0}};
    end
  end

endmodule

`default_nettype wire
