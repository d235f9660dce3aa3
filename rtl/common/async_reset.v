// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Brings a reset to other clocks, and clears the links between clocks while all are in it.
//
// Contract: rst_i, for one clock or more, starts it.  rst_o and rsts_o are resets of clk and of
// each of clocks_i; clear_o and clears_o clear their sides of async_links: a pointer that jumped to
// 0 would announce flits and credits that do not exist to a clock that still runs.  Clearing starts
// when all clocks are in the reset, lasts two edges or more of each, and ends before any clock
// leaves the reset.  ready_o: the reset is over everywhere; senders wait for it.
// Timing: rst_o at once; all in all about 8 SYNC edges each of clk and of the slowest other clock.
// A clock that stands still holds all of them in reset.
module async_reset #(
  parameter CLOCKS = 1,  // other clocks
  parameter SYNC   = 2   // flip-flops of each synchroniser, >= 2
) (
  input  wire              clk,       // rising edge
  input  wire              rst_i,     // synchronous: starts the reset of all clocks
  output wire              rst_o,     // the reset of clk's side
  output wire              clear_o,   // clears the links' side of clk
  output wire              ready_o,   // for clk: no reset is on
  input  wire [CLOCKS-1:0] clocks_i,  // rising edges of the other clocks
  output wire [CLOCKS-1:0] rsts_o,    // for each of them
  output wire [CLOCKS-1:0] clears_o   // for each of them
);

  localparam [CLOCKS-1:0] ALL = {CLOCKS{1'b1}};

  reg               asked_q;  // rst_i came and is not served yet
  reg               hold_q;   // the request that all go into reset
  reg               clear_q;  // to clear
  reg               clean_q;  // they have cleared
  wire [CLOCKS-1:0] there, cleared;  // who is there, or was until a short time ago

  initial begin  // after power-up, for other clocks look at it before the first reset
    asked_q = 1'b0;
    hold_q  = 1'b0;
    clear_q = 1'b0;
    clean_q = 1'b0;
  end

  // As long as somebody is still in the last reset, no new one starts: he would miss it.
  wire start = asked_q & ~hold_q & (there == ~ALL);
  wire clear = hold_q & ~clean_q & (there == ALL);
  wire clean = clear_q & (cleared == ALL);
  wire over  = clean_q & (cleared == ~ALL);
  always @(posedge clk) begin
    asked_q <= rst_i | (asked_q & ~start);
    hold_q  <= start | (hold_q & ~over);
    clear_q <= (clear | clear_q) & ~clean;
    clean_q <= (clean | clean_q) & ~over;
  end

  assign rst_o   = rst_i | asked_q | hold_q;
  assign clear_o = clear_q;
  assign ready_o = ~asked_q & ~hold_q & (there == ~ALL);

  genvar c;
  generate
    for (c = 0; c < CLOCKS; c = c + 1) begin : gen_clock
      reg [1:0] in_q;     // edges with the reset: one, two
      reg [1:0] clean_in_q;  // edges with the clearing
      initial begin
        in_q       = 2'b00;
        clean_in_q = 2'b00;
      end
      always @(posedge clocks_i[c]) begin
        in_q       <= {in_q[0] & rsts_o[c], rsts_o[c]};
        clean_in_q <= {clean_in_q[0] & clears_o[c], clears_o[c]};
      end
      synchroniser #(.SYNC(SYNC), .WIDTH(1)) u_told (
        .clk(clocks_i[c]), .rst(1'b0), .value_i(hold_q), .value_o(rsts_o[c])
      );
      synchroniser #(.SYNC(SYNC), .WIDTH(1)) u_clear (
        .clk(clocks_i[c]), .rst(1'b0), .value_i(clear_q), .value_o(clears_o[c])
      );
      synchroniser #(.SYNC(SYNC), .WIDTH(1)) u_there (
        .clk(clk), .rst(1'b0), .value_i(in_q[1]), .value_o(there[c])
      );
      synchroniser #(.SYNC(SYNC), .WIDTH(1)) u_cleared (
        .clk(clk), .rst(1'b0), .value_i(clean_in_q[1]), .value_o(cleared[c])
      );
    end
  endgenerate

endmodule

`default_nettype wire
