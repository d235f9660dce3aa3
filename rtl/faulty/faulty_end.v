// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// What the end of a cable knows of it, and how it comes back.
//
// Contract: dead_i: the cable is dead, as was detected, or was so until DETECT clocks after it came
// back.  known_o: it is not used.  When it is whole again, an end whose queues are empty has all
// credits on the link, ready_o; once both ends have, the cable is alive, in the next clock.
// Timing: known_o is there in the clock of dead_i; ready_o a clock after empty_i.
module faulty_end (
  input  wire clk,      // acts at its rising edges
  input  wire rst,      // synchronous: alive, unless dead_i says otherwise
  input  wire dead_i,   // the cable is dead, as was detected
  input  wire empty_i,  // nothing of the cable is left at this end
  input  wire told_i,   // the other end has all credits on the link
  output wire known_o,  // flits and credits of the cable do not count
  output wire ready_o   // this end has, if known_o
);

  reg down_q;   // it was dead, and is not alive yet
  reg clean_q;  // nothing was left

  assign known_o = dead_i | down_q;
  assign ready_o = clean_q & ~dead_i;

  always @(posedge clk) begin
    down_q  <= ~rst & known_o & ~(ready_o & told_i);
    clean_q <= ~rst & known_o & ~dead_i & empty_i;
  end

endmodule

`default_nettype wire
