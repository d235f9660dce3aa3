// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Two switches with two leaves each and a link between them, which look ahead.
//
// Contract: a word is {valid, last, port, dest, data}; `port` is the output that it takes at the
// switch it enters, 0 and 1 for the leaves of the switch, 2 for the other switch, the same in all
// words of a packet; valid and data stay until ready.  Of each pair of leaves packets keep their
// order.
// Timing: a clock in each switch.
module ahead #(
  parameter W = 32  // bits of a word's data
) (
  input  wire               clk,
  input  wire               rst,      // synchronous
  input  wire [4*(W+6)-1:0] in,
  output wire [3:0]         ready_o,
  output wire [4*(W+6)-1:0] out,      // `port` is what a third switch would be asked for
  input  wire [3:0]         ready_i
);

  localparam B = W + 6;
  wire [2*B-1:0] over;  // what switch 0 and 1 have for the other
  wire [1:0]     room;  // switch 0 and 1 take what the other has

  ahead_switch #(.W(W)) u_low (
    .clk(clk), .rst(rst), .in({over[B +: B], in[0 +: 2*B]}), .ready_o({room[0], ready_o[1:0]}),
    .out({over[0 +: B], out[0 +: 2*B]}), .ready_i({room[1], ready_i[1:0]})
  );
  ahead_switch #(.W(W)) u_high (
    .clk(clk), .rst(rst), .in({over[0 +: B], in[2*B +: 2*B]}), .ready_o({room[1], ready_o[3:2]}),
    .out({over[B +: B], out[2*B +: 2*B]}), .ready_i({room[0], ready_i[3:2]})
  );

endmodule

// One of them: each input asks the output that its word brings, in turns, a packet at a time.
module ahead_switch #(
  parameter W = 32
) (
  input  wire               clk,
  input  wire               rst,
  input  wire [3*(W+6)-1:0] in,       // of two leaves and of the other switch
  output wire [2:0]         ready_o,
  output wire [3*(W+6)-1:0] out,      // `port` says the output at the next switch
  input  wire [2:0]         ready_i
);

  localparam B = W + 6;
  wire [8:0] takes;  // by output: the input whose word it takes, one-hot
  assign ready_o = takes[2:0] | takes[5:3] | takes[8:6];

  genvar g, h;
  generate
    for (g = 0; g < 3; g = g + 1) begin : gen_output
      localparam [1:0] SELF = g;
      reg  [B-1:0] out_q;
      reg  [2:0]   held_q;   // the input whose packet is on its way, one-hot
      reg  [2:0]   after_q;  // these inputs come first
      wire [2:0]   asks;
      wire [2:0]   some  = ((asks & after_q) != 3'd0) ? asks & after_q : asks;
      wire [2:0]   grant = (held_q != 3'd0) ? held_q & asks : some & (~some + 3'd1);
      wire         free  = ~out_q[B-1] | ready_i[g];
      wire [B-1:0] word  = ({B{grant[0]}} & in[0 +: B]) | ({B{grant[1]}} & in[B +: B])
                         | ({B{grant[2]}} & in[2*B +: B]);
      for (h = 0; h < 3; h = h + 1) begin : gen_ask
        assign asks[h] = in[h*B + B - 1] & (in[h*B + W + 2 +: 2] == SELF);
      end
      assign takes[g*3 +: 3] = free ? grant : 3'd0;
      assign out[g*B +: B]   = out_q;
      always @(posedge clk) begin
        if (free) out_q <= {word[B-1 -: 2], 1'b0, word[W], word[W+1:0]};
        if (free && grant != 3'd0) begin
          held_q  <= word[B-2] ? 3'd0 : grant;
          after_q <= ~((grant - 3'd1) | grant);
        end
        if (rst) begin
          out_q[B-1] <= 1'b0;
          held_q     <= 3'd0;
          after_q    <= 3'd0;
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
