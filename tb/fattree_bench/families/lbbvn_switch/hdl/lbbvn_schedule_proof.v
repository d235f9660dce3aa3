// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// The schedules of the load-balanced switch (switch_schedule.vh), for all line cards and slots: two
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

  `include "switch_schedule.vh"

  wire [N_LOG-1:0] middle = middle_of_input(a_i, t_i);
  wire [N_LOG-1:0] out    = output_of_middle(a_i, t_i);

  always @* begin
    `GIVEN(a_i != b_i && t_i != u_i)
    `PROVE(L1, middle != middle_of_input(b_i, t_i))
    `PROVE(L2, out != output_of_middle(b_i, t_i))
    `PROVE(L3, middle != middle_of_input(a_i, u_i))
    `PROVE(L4, out != output_of_middle(a_i, u_i))
    `PROVE(L5, input_of_middle(middle, t_i) == a_i && middle_of_output(out, t_i) == a_i)
    `PROVE(L6, (SCHEDULE == "SAME") ? out == middle : output_of_middle(middle, t_i) == a_i)
  end

endmodule

`default_nettype wire
