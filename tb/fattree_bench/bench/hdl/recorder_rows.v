// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Numbers the rows that port_recorders take at a network's own ports; it knows no player.
//
// Contract: a row is taken in each clock in which take_o is high: that of step_i or, with
// CLOCKS = 2, the second clock of each slot, the first of which follows a reset or a clock without
// step_i.  Each edge of `rewind`, which Python writes, makes the next row number 0; seen_rows is
// how many were taken since.
module recorder_rows #(
  parameter CLOCKS = 1  // of a row, 1 or 2
) (
  input  wire        clk,
  input  wire        rst_i,   // of the network
  input  wire        step_i,  // this clock is of a row
  output wire        take_o,
  output wire [31:0] row_o
);

  reg        rewind;
  reg        rewind_q;   // as its edges show it
  reg        rewound_q;  // the last that was obeyed
  reg [31:0] next_q;
  reg [31:0] seen_rows;
  initial {rewind, rewind_q, rewound_q, next_q, seen_rows} = 67'd0;
  always @(posedge rewind or negedge rewind) rewind_q <= rewind;

  generate
    if (CLOCKS == 1) begin : gen_clock
      wire unused = &{1'b0, rst_i};
      assign take_o = (step_i === 1'b1);  // of a design that nobody has reset it may be X
    end else begin : gen_clocks
      reg  second_q, rst_q;
      wire second = second_q & ~(rst_q & ~rst_i);
      initial {second_q, rst_q} = 2'b00;
      always @(posedge clk) begin
        second_q <= step_i & ~second;
        rst_q    <= rst_i;
      end
      assign take_o = step_i & second;
    end
  endgenerate

  assign row_o = (rewind_q != rewound_q) ? 32'd0 : next_q;

  // verilator lint_off BLKSEQ
  always @(posedge clk) begin
    // At once: Python looks while registers change.  A row is taken, or none since the rewind.
    if (take_o || rewind_q != rewound_q) seen_rows = row_o + {31'd0, take_o};
    next_q    <= take_o ? row_o + 32'd1 : row_o;
    rewound_q <= rewind_q;
  end
  // verilator lint_on BLKSEQ

endmodule

`default_nettype wire
