// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// The schedules of the load-balanced switch (lbbvn_meeting), for all line cards and slots: two
// different line cards a and b, and two different slots t and u modulo N.
//
//   L1  in a slot two inputs are not connected to the same middle: a permutation
//   L2  nor two middles to the same output
//   L3  in two slots an input is not connected to the same middle: each pair once in N slots
//   L4  nor a middle to the same output
//   L5  the input of a middle, and the middle of an output, are told as they are
//   L6  phase 2 is the inverse of phase 1, and with SAME phase 1 once more
module lbbvn_schedule_proof #(
  parameter N_LOG = 4,
  parameter [8*7-1:0] SCHEDULE = "BITREV"
) (
  input wire [N_LOG-1:0] a_i,
  input wire [N_LOG-1:0] b_i,
  input wire [N_LOG-1:0] t_i,
  input wire [N_LOG-1:0] u_i
);

  // By who asks, in which slot.
  wire [N_LOG-1:0] middle, middle_b, middle_u, input_back, output_back;
  wire [N_LOG-1:0] out, out_b, out_u, middle_back;
  lbbvn_meeting #(N_LOG, SCHEDULE, "MIDDLE_OF_INPUT")  u_middle     (a_i, t_i, middle);
  lbbvn_meeting #(N_LOG, SCHEDULE, "MIDDLE_OF_INPUT")  u_middle_b   (b_i, t_i, middle_b);
  lbbvn_meeting #(N_LOG, SCHEDULE, "MIDDLE_OF_INPUT")  u_middle_u   (a_i, u_i, middle_u);
  lbbvn_meeting #(N_LOG, SCHEDULE, "INPUT_OF_MIDDLE")  u_input_back (middle, t_i, input_back);
  lbbvn_meeting #(N_LOG, SCHEDULE, "OUTPUT_OF_MIDDLE") u_output_back(middle, t_i, output_back);
  lbbvn_meeting #(N_LOG, SCHEDULE, "OUTPUT_OF_MIDDLE") u_out        (a_i, t_i, out);
  lbbvn_meeting #(N_LOG, SCHEDULE, "OUTPUT_OF_MIDDLE") u_out_b      (b_i, t_i, out_b);
  lbbvn_meeting #(N_LOG, SCHEDULE, "OUTPUT_OF_MIDDLE") u_out_u      (a_i, u_i, out_u);
  lbbvn_meeting #(N_LOG, SCHEDULE, "MIDDLE_OF_OUTPUT") u_middle_back(out, t_i, middle_back);

  always @* begin
    `GIVEN(a_i != b_i && t_i != u_i)
    `PROVE(L1, middle != middle_b)
    `PROVE(L2, out != out_b)
    `PROVE(L3, middle != middle_u)
    `PROVE(L4, out != out_u)
    `PROVE(L5, input_back == a_i && middle_back == a_i)
    `PROVE(L6, (SCHEDULE == "SAME") ? out == middle : output_back == a_i)
  end

endmodule

`default_nettype wire
