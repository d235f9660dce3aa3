// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// Resets of two sides with clocks of their own, to be included in a wrapper with inputs again_i (a
// reset is asked for), enter_i and leave_i (by side: whether it goes into its reset, or out of it)
// and `ticks`, by side.  Neither leaves before both have had two edges in it.  `live`: they have,
// and no other reset has been asked for; `resets`, by side.

reg [1:0] asked_q = 2'b00;  // sides that have not gone into the reset that was asked for
reg [1:0] resets  = 2'b11;
reg [1:0] once_q  = 2'b00;  // sides that had an edge in it
reg [1:0] twice_q = 2'b00;
wire      live    = (twice_q == 2'b11);

always @(posedge clk)
  if (again_i && live && resets == 2'b00) begin
    asked_q <= 2'b11;
    once_q  <= 2'b00;
    twice_q <= 2'b00;
  end else begin
    asked_q <= asked_q & ~enter_i;
    resets  <= (resets | (asked_q & enter_i)) & ~({2{live}} & leave_i);
    once_q  <= once_q | (resets & ticks);
    twice_q <= twice_q | (once_q & resets & ticks);
  end
