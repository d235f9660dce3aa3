// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Where the leaf of an address is, seen from a node: below it or not, and below which child.
//
// ADDRESS "NUMBER": the address is the leaf's number, and is divided.
// ADDRESS "VECTOR": it is the leaf's digits d_1 .. d_H, a bit field each, d_1 lowest: the fields
// above the node's level are compared, and the node's own is the child.  For children that are
// powers of two the two are the same bits.
// Contract: subtree_i is the node's a_l+1 .. a_H, written as in addresses.
// Timing: combinational.  Divisions are by constants.
module turnback_digit #(
  parameter DOWN   = 4,                   // children, >= 1
  parameter BELOW  = 16,                  // leaves below the node
  parameter FIELDS = 2,                   // bits of the fields d_1 .. d_l-1: those below the digit
  parameter ADDR_W = 6,                   // bits of an address
  parameter PORT_W = 2,                   // bits of a child's number
  parameter [8*6-1:0] ADDRESS = "NUMBER"  // "NUMBER", "VECTOR"
) (
  input  wire              ask_i,      // somebody wants to know
  input  wire [ADDR_W-1:0] address_i,  // address of a leaf, as ADDRESS says
  input  wire [15:0]       subtree_i,  // the node's subtree, of BELOW leaves; a constant
  output reg               below_o,    // the leaf is below the node
  output reg  [PORT_W-1:0] child_o     // below this child
);

  localparam CHILD   = BELOW / DOWN;  // leaves below a child
  localparam DIGIT_W = $clog2(DOWN);

  reg [31:0] address, digit;
  wire       unused = &{1'b0, digit};
  always @* begin : look
    address = 32'd0;
    digit   = 32'd0;
    below_o = 1'b0;
    if (ask_i) begin
      address = {{(32-ADDR_W){1'b0}}, address_i};
      if (ADDRESS == "VECTOR") begin
        below_o = address >> (FIELDS + DIGIT_W) == {16'd0, subtree_i};
        digit   = (address >> FIELDS) & ((32'd1 << DIGIT_W) - 32'd1);
      end else begin
        below_o = address / BELOW == {16'd0, subtree_i};
        digit   = (address / CHILD) % DOWN;
      end
    end
    child_o = digit[PORT_W-1:0];
  end

  `CHECK_PARAMETER(DOWN >= 1 && BELOW % DOWN == 0, "DOWN", DOWN, "a divisor of BELOW")
  `CHECK_CHOICE(ADDRESS == "NUMBER" || ADDRESS == "VECTOR", "ADDRESS", ADDRESS, "NUMBER, VECTOR")

endmodule

`default_nettype wire
