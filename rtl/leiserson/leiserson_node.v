// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// One node of a bit-serial fat-tree.  All nodes are alike: where it stands makes no difference.
//
// Contract: a node has three ports of wires, U to its parent and L, R to its children, each way.
// The first 1 on an input wire in a delivery cycle is the M bit of a message; the bit behind it
// is an address bit, which the node strips.  From L and R, 1 leads to U and 0 to the sibling; from
// U, 0 leads to L and 1 to R.  The two output ports that an input can reach settle the rest
// (leiserson_port).  Acknowledges run the same paths backwards.
// Timing: see leiserson_port; clear_i begins a delivery cycle.
//
// Vectors of both children hold L's wires first, at [0 +: C_DOWN].
module leiserson_node #(
  parameter [8*8-1:0] FORM = "HARDWARE",            // "HARDWARE", "FAST": of concentrator_switch
  parameter C_UP     = 2,                           // wires to the parent, each way
  parameter C_DOWN   = 1,                           // wires to a child, each way
  parameter [8*7-1:0] CONCENTRATOR = "IDEAL",       // "IDEAL", "PARTIAL"
  parameter [8*8-1:0] PRIORITY     = "FIXED",       // "FIXED", "ROTATING"
  parameter PIPELINE = 1,                           // 0, 1: registers in each direction
  parameter LOST_W   = $clog2(2*C_DOWN + C_UP + 1)  // bits of a count of lost messages
) (
  input  wire                clk,        // rising edge
  input  wire                clear_i,    // a delivery cycle begins
  input  wire                restart_i,  // with clear_i: it is the first one
  // below
  input  wire [2*C_DOWN-1:0] up_i,        // bits from the children
  output wire [2*C_DOWN-1:0] up_ack_o,    // acknowledges of their messages
  output wire [2*C_DOWN-1:0] down_o,      // bits to the children
  input  wire [2*C_DOWN-1:0] down_ack_i,  // acknowledges of these
  // above
  output wire [C_UP-1:0]     up_o,        // bits to the parent
  input  wire [C_UP-1:0]     up_ack_i,    // acknowledges of these
  input  wire [C_UP-1:0]     down_i,      // bits from the parent
  output wire [C_UP-1:0]     down_ack_o,  // acknowledges of its messages
  // messages that find no wire in this clock
  output wire [LOST_W-1:0]   up_lost_o,   // to the parent
  output wire [LOST_W-1:0]   down_lost_o  // to the children
);

  localparam BELOW = 2 * C_DOWN;
  localparam R     = C_DOWN + C_UP;  // inputs of a down port: the sibling's wires, then U's

  // ---- selectors --------------------------------------------------------------------------------

  reg [BELOW-1:0] up_started_q;    // a message has come on this wire in this delivery cycle ...
  reg [BELOW-1:0] up_address_q;    // ... and its address bit is on the wire now
  reg [C_UP-1:0]  down_started_q;
  reg [C_UP-1:0]  down_address_q;

  always @(posedge clk)
    if (clear_i) begin
      up_started_q   <= {BELOW{1'b0}};
      up_address_q   <= {BELOW{1'b0}};
      down_started_q <= {C_UP{1'b0}};
      down_address_q <= {C_UP{1'b0}};
    end else begin
      up_address_q   <= up_i   & ~up_started_q;
      up_started_q   <= up_started_q   | up_i;
      down_address_q <= down_i & ~down_started_q;
      down_started_q <= down_started_q | down_i;
    end

  wire [BELOW-1:0] climb     = up_address_q   &  up_i;
  wire [BELOW-1:0] turn      = up_address_q   & ~up_i;
  wire [C_UP-1:0]  to_left   = down_address_q & ~down_i;
  wire [C_UP-1:0]  to_right  = down_address_q &  down_i;

  // ---- U, L and R -------------------------------------------------------------------------------

  wire [BELOW-1:0]  climb_ack;
  wire [R-1:0]      left_ack, right_ack;
  wire [LOST_W-1:0] left_lost, right_lost;

  leiserson_port #(
    .FORM(FORM), .R(BELOW), .S(C_UP), .CONCENTRATOR(CONCENTRATOR), .PRIORITY(PRIORITY),
    .PIPELINE(PIPELINE), .LOST_W(LOST_W)
  ) u_up (
    .clk(clk), .clear_i(clear_i), .restart_i(restart_i), .ask_i(climb), .wire_i(up_i),
    .wire_o(up_o), .ack_i(up_ack_i), .ack_o(climb_ack), .lost_o(up_lost_o)
  );

  leiserson_port #(
    .FORM(FORM), .R(R), .S(C_DOWN), .CONCENTRATOR(CONCENTRATOR), .PRIORITY(PRIORITY),
    .PIPELINE(PIPELINE), .LOST_W(LOST_W)
  ) u_left (
    .clk(clk), .clear_i(clear_i), .restart_i(restart_i), .ask_i({to_left, turn[BELOW-1:C_DOWN]}),
    .wire_i({down_i, up_i[BELOW-1:C_DOWN]}), .wire_o(down_o[C_DOWN-1:0]),
    .ack_i(down_ack_i[C_DOWN-1:0]), .ack_o(left_ack), .lost_o(left_lost)
  );

  leiserson_port #(
    .FORM(FORM), .R(R), .S(C_DOWN), .CONCENTRATOR(CONCENTRATOR), .PRIORITY(PRIORITY),
    .PIPELINE(PIPELINE), .LOST_W(LOST_W)
  ) u_right (
    .clk(clk), .clear_i(clear_i), .restart_i(restart_i), .ask_i({to_right, turn[C_DOWN-1:0]}),
    .wire_i({down_i, up_i[C_DOWN-1:0]}), .wire_o(down_o[BELOW-1:C_DOWN]),
    .ack_i(down_ack_i[BELOW-1:C_DOWN]), .ack_o(right_ack), .lost_o(right_lost)
  );

  assign up_ack_o    = climb_ack | {left_ack[C_DOWN-1:0], right_ack[C_DOWN-1:0]};
  assign down_ack_o  = left_ack[R-1:C_DOWN] | right_ack[R-1:C_DOWN];
  assign down_lost_o = left_lost + right_lost;

endmodule

`default_nettype wire
