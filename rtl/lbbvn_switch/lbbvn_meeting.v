// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Who is connected to whom in slot t of a load-balanced Birkhoff-von Neumann switch.
//
//   SCHEDULE    phase 1, input x to middle p(x)  phase 2, middle m to output q(m)
//   "BITREV"    rev(x) + t                       the inverse of p
//   "ROTATOR"   x + t                            the inverse of p
//   "TDM"       t - x                            the inverse of p
//   "XOR"       rev(x) XOR t                     the inverse of p
//   "SAME"      rev(x) + t                       rev(m) + t: p once more
//
// Contract: all numbers are modulo N; rev() has the bits of a number in reverse order.
// Timing: combinational.
// A module and no function, so that the C++ of line cards is shared: Verilator numbers each call.
module lbbvn_meeting #(
  parameter N_LOG = 4,                            // log2 of the line cards
  parameter [8*7-1:0]  SCHEDULE = "BITREV",       // "BITREV", "ROTATOR", "TDM", "XOR", "SAME"
  parameter [8*16-1:0] WHO = "MIDDLE_OF_INPUT"    // whom card_i meets in phase 1: this or
                                                  // "INPUT_OF_MIDDLE"; in phase 2:
                                                  // "OUTPUT_OF_MIDDLE", "MIDDLE_OF_OUTPUT"
) (
  input  wire [N_LOG-1:0] card_i,  // input, middle or output
  input  wire [N_LOG-1:0] slot_i,  // slot t, modulo N
  output reg  [N_LOG-1:0] card_o   // whom it is connected to
);

  localparam SAME    = (SCHEDULE == "SAME");
  localparam FORWARD = (WHO == "MIDDLE_OF_INPUT")  // p, not its inverse
                       || (WHO == (SAME ? "OUTPUT_OF_MIDDLE" : "MIDDLE_OF_OUTPUT"));
  localparam MIRROR  = (SCHEDULE != "ROTATOR" && SCHEDULE != "TDM");

  always @* begin : meet
    reg [N_LOG-1:0] own, other;
    integer         b;
    own = card_i;
    if (MIRROR && FORWARD)
      for (b = 0; b < N_LOG; b = b + 1) own[b] = card_i[N_LOG-1-b];
    if (SCHEDULE == "XOR")      other = own ^ slot_i;
    else if (SCHEDULE == "TDM") other = slot_i - own;
    else if (FORWARD)           other = own + slot_i;
    else                        other = own - slot_i;
    card_o = other;
    if (MIRROR && !FORWARD)
      for (b = 0; b < N_LOG; b = b + 1) card_o[b] = other[N_LOG-1-b];
  end

  `CHECK_CHOICE(SCHEDULE == "BITREV" || SCHEDULE == "ROTATOR" || SCHEDULE == "TDM"
                || SCHEDULE == "XOR" || SCHEDULE == "SAME",
                "SCHEDULE", SCHEDULE, "BITREV, ROTATOR, TDM, XOR, SAME")
  `CHECK_CHOICE(WHO == "MIDDLE_OF_INPUT" || WHO == "INPUT_OF_MIDDLE"
                || WHO == "OUTPUT_OF_MIDDLE" || WHO == "MIDDLE_OF_OUTPUT",
                "WHO", WHO, "MIDDLE_OF_INPUT and the like")

endmodule

`default_nettype wire
