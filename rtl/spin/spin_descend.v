// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Who gets the output to a child of RSPIN, and who is led into a shared buffer instead.
//
// Contract: while the output is free, buffers go before inputs, the older one first, and inputs in
//   a round robin.  Of the packets for children that get no output one gets an empty buffer, the
//   lowest of several, inputs again in a round robin.
// Timing: combinational from asks to grants.
//
// Vectors by input and child: input i owns slice i.  An input does not ask for its own child.
module spin_descend #(
  parameter INPUTS   = 8,  // children, then parents
  parameter CHILDREN = 4,  // outputs, >= 2
  parameter SHARED   = 1   // 0, 1: there are two shared buffers
) (
  input  wire                         clk,        // rising edge
  input  wire                         rst,        // synchronous: the lowest input is first
  input  wire [INPUTS*CHILDREN-1:0]   ask_i,      // by input and child: its packet goes there
  input  wire [CHILDREN-1:0]          free_i,     // by child: its output may be taken
  input  wire [2*CHILDREN-1:0]        buffer_i,   // by buffer and child: its packet goes there
  input  wire [1:0]                   empty_i,    // by buffer: it may be taken
  output wire [CHILDREN*INPUTS-1:0]   grant_o,    // by child: the input that gets its output
  output wire [CHILDREN*2-1:0]        leave_o,    // by child: the buffer that does
  output wire [2*INPUTS-1:0]          store_o     // by buffer: the input that gets it
);

  wire [INPUTS-1:0] waits;   // packets for children without an output
  reg               young_q; // the buffer that was taken last

  genvar c, i;
  generate
    for (c = 0; c < CHILDREN; c = c + 1) begin : gen_child
      wire [INPUTS-1:0] ask, grant;
      wire [1:0]        stored = {buffer_i[CHILDREN + c], buffer_i[c]};
      wire              direct = free_i[c] & (stored == 2'b00);

      for (i = 0; i < INPUTS; i = i + 1) begin : gen_input
        assign ask[i] = ask_i[i*CHILDREN + c];
      end

      arbiter #(.R(INPUTS)) u_arbiter (
        .clk(clk), .rst(rst), .request_i(ask), .taken_i(direct & (ask != {INPUTS{1'b0}})),
        .grant_o(grant)
      );

      assign grant_o[c*INPUTS +: INPUTS] = direct ? grant : {INPUTS{1'b0}};
      assign leave_o[c*2 +: 2] = !free_i[c] ? 2'b00 : (stored != 2'b11) ? stored
                                 : young_q ? 2'b01 : 2'b10;
    end

    for (i = 0; i < INPUTS; i = i + 1) begin : gen_waits
      wire [CHILDREN-1:0] granted;
      for (c = 0; c < CHILDREN; c = c + 1) begin : gen_granted
        assign granted[c] = grant_o[c*INPUTS + i];
      end
      assign waits[i] = (ask_i[i*CHILDREN +: CHILDREN] & ~granted) != {CHILDREN{1'b0}};
    end

    if (SHARED == 1) begin : gen_shared
      wire [INPUTS-1:0] chosen;
      wire              taken = (empty_i != 2'b00) & (waits != {INPUTS{1'b0}});

      arbiter #(.R(INPUTS)) u_arbiter (
        .clk(clk), .rst(rst), .request_i(waits), .taken_i(taken), .grant_o(chosen)
      );
      assign store_o = empty_i[0] ? {{INPUTS{1'b0}}, chosen}
                     : empty_i[1] ? {chosen, {INPUTS{1'b0}}} : {(2*INPUTS){1'b0}};

      always @(posedge clk)
        if (rst)        young_q <= 1'b0;
        else if (taken) young_q <= ~empty_i[0];
    end else begin : gen_none
      assign store_o = {(2*INPUTS){1'b0}};
      wire unused = &{1'b0, waits, empty_i};
      always @(posedge clk) young_q <= 1'b0;
    end
  endgenerate

  `CHECK_PARAMETER(CHILDREN >= 2, "CHILDREN", CHILDREN, ">= 2")
  `CHECK_PARAMETER(SHARED == 0 || SHARED == 1, "SHARED", SHARED, "0 or 1")

endmodule

`default_nettype wire
