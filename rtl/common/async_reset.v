// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Brings a reset to other clocks: nobody leaves it before all have had two edges in it.
//
// Contract: rst_i, for one clock or more, starts it.  rst_o and rsts_o are resets of clk and of each
// of clocks_i.  ready_o: all of them are over; until then nobody sends.
// Timing: rst_o at once, the others SYNC edges of their clock later; all in all about 4 SYNC edges
// each of clk and of the slowest other clock.  A clock that stands still holds all of them in reset.
module async_reset #(
  parameter CLOCKS = 1,  // other clocks
  parameter SYNC   = 2   // flip-flops of each synchroniser, >= 2
) (
  input  wire              clk,       // rising edge
  input  wire              rst_i,     // synchronous
  output wire              rst_o,     // for clk
  output wire              ready_o,   // for clk: no reset is on
  input  wire [CLOCKS-1:0] clocks_i,  // rising edges
  output wire [CLOCKS-1:0] rsts_o     // for each of them
);

  reg               asked_q;  // rst_i came and is not served yet
  reg               hold_q;   // all are told to be in reset
  wire [CLOCKS-1:0] there;    // who is, or was until a short time ago

  initial begin  // after power-up, for other clocks look at it before the first reset
    asked_q = 1'b0;
    hold_q  = 1'b0;
  end

  // As long as somebody is still in the last reset, no new one starts: he would miss it.
  wire start = asked_q & ~hold_q & (there == {CLOCKS{1'b0}});
  always @(posedge clk) begin
    asked_q <= rst_i | (asked_q & ~start);
    hold_q  <= start | (hold_q & (there != {CLOCKS{1'b1}}));
  end

  assign rst_o   = rst_i | asked_q | hold_q;
  assign ready_o = ~asked_q & ~hold_q & (there == {CLOCKS{1'b0}});

  genvar c;
  generate
    for (c = 0; c < CLOCKS; c = c + 1) begin : gen_clock
      reg [1:0] in_q;  // edges with the reset: one, two
      initial in_q = 2'b00;
      synchroniser #(.SYNC(SYNC), .WIDTH(1)) u_told (
        .clk(clocks_i[c]), .rst(1'b0), .value_i(hold_q), .value_o(rsts_o[c])
      );
      always @(posedge clocks_i[c]) in_q <= {in_q[0] & rsts_o[c], rsts_o[c]};
      synchroniser #(.SYNC(SYNC), .WIDTH(1)) u_there (
        .clk(clk), .rst(1'b0), .value_i(in_q[1]), .value_o(there[c])
      );
    end
  endgenerate

endmodule

`default_nettype wire
