// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`default_nettype none

// The nodes of one level of a bit-serial fat-tree, side by side.
//
// Contract: a node has three ports of wires, U to its parent and L, R to its children, each way.
// The first 1 on an input wire in a delivery cycle is the M bit of a message; the bit behind it
// is an address bit, which the node strips.  From L and R, 1 leads to U and 0 to the sibling; from
// U, 0 leads to L and 1 to R.  The two output ports that an input can reach settle the rest
// (leiserson_port).  Acknowledges run the same paths backwards.
// Timing: see leiserson_port; clear_i begins a delivery cycle.
//
// Node q owns wires [q*C_UP +: C_UP] of the channel above and wires [2*q*C_DOWN +: 2*C_DOWN] of the
// channels below, L first.
module leiserson_node #(
  parameter NODES    = 1,                        // nodes of the level
  parameter C_UP     = 2,                        // wires to the parent, each way
  parameter C_DOWN   = 1,                        // wires to a child, each way
  parameter [8*7-1:0] CONCENTRATOR = "IDEAL",
  parameter [8*8-1:0] PRIORITY     = "FIXED",
  parameter PIPELINE = 1,
  parameter LOST_W   = 8
) (
  input  wire                      clk,
  input  wire                      clear_i,
  input  wire                      restart_i,
  // below
  input  wire [NODES*2*C_DOWN-1:0] up_i,
  output wire [NODES*2*C_DOWN-1:0] up_ack_o,
  output wire [NODES*2*C_DOWN-1:0] down_o,
  input  wire [NODES*2*C_DOWN-1:0] down_ack_i,
  // above
  output wire [NODES*C_UP-1:0]     up_o,
  input  wire [NODES*C_UP-1:0]     up_ack_i,
  input  wire [NODES*C_UP-1:0]     down_i,
  output wire [NODES*C_UP-1:0]     down_ack_o,
  // messages that find no wire in this clock
  output wire [LOST_W-1:0]         up_lost_o,
  output wire [LOST_W-1:0]         down_lost_o
);

  localparam BELOW = NODES * 2 * C_DOWN;
  localparam ABOVE = NODES * C_UP;
  localparam R     = C_DOWN + C_UP;  // inputs of a down port: the sibling's wires, then U's

  // ---- selectors --------------------------------------------------------------------------------

  reg [BELOW-1:0] up_started_q;    // a message has come on this wire in this delivery cycle ...
  reg [BELOW-1:0] up_address_q;    // ... and its address bit is on the wire now
  reg [ABOVE-1:0] down_started_q;
  reg [ABOVE-1:0] down_address_q;

  always @(posedge clk)
    if (clear_i) begin
      up_started_q   <= {BELOW{1'b0}};
      up_address_q   <= {BELOW{1'b0}};
      down_started_q <= {ABOVE{1'b0}};
      down_address_q <= {ABOVE{1'b0}};
    end else begin
      up_started_q   <= up_started_q   | up_i;
      up_address_q   <= up_i   & ~up_started_q;
      down_started_q <= down_started_q | down_i;
      down_address_q <= down_i & ~down_started_q;
    end

  wire [BELOW-1:0] climb     = up_address_q   &  up_i;
  wire [BELOW-1:0] turn      = up_address_q   & ~up_i;
  wire [ABOVE-1:0] to_left   = down_address_q & ~down_i;
  wire [ABOVE-1:0] to_right  = down_address_q &  down_i;

  // ---- U ----------------------------------------------------------------------------------------

  wire [BELOW-1:0] climb_ack;

  leiserson_port #(
    .COPIES(NODES), .R(2*C_DOWN), .S(C_UP), .CONCENTRATOR(CONCENTRATOR), .PRIORITY(PRIORITY),
    .PIPELINE(PIPELINE), .LOST_W(LOST_W)
  ) u_up (
    .clk(clk), .clear_i(clear_i), .restart_i(restart_i),
    .ask_i(climb), .wire_i(up_i), .wire_o(up_o), .ack_i(up_ack_i), .ack_o(climb_ack),
    .lost_o(up_lost_o)
  );

  // ---- L and R ----------------------------------------------------------------------------------

  wire [2*NODES*R-1:0] ask, wires, ack;
  wire [BELOW-1:0]     turn_ack;

  genvar q;
  generate
    for (q = 0; q < NODES; q = q + 1) begin : gen_node
      localparam LEFT  = 2 * q * C_DOWN;
      localparam RIGHT = LEFT + C_DOWN;
      localparam ABOVE_Q = q * C_UP;
      localparam TO_LEFT  = 2 * q * R;
      localparam TO_RIGHT = TO_LEFT + R;
      assign ask  [TO_LEFT  +: R] = {to_left [ABOVE_Q +: C_UP], turn[RIGHT +: C_DOWN]};
      assign ask  [TO_RIGHT +: R] = {to_right[ABOVE_Q +: C_UP], turn[LEFT  +: C_DOWN]};
      assign wires[TO_LEFT  +: R] = {down_i  [ABOVE_Q +: C_UP], up_i[RIGHT +: C_DOWN]};
      assign wires[TO_RIGHT +: R] = {down_i  [ABOVE_Q +: C_UP], up_i[LEFT  +: C_DOWN]};
      assign turn_ack[RIGHT +: C_DOWN] = ack[TO_LEFT  +: C_DOWN];
      assign turn_ack[LEFT  +: C_DOWN] = ack[TO_RIGHT +: C_DOWN];
      assign down_ack_o[ABOVE_Q +: C_UP] = ack[TO_LEFT  + C_DOWN +: C_UP]
                                         | ack[TO_RIGHT + C_DOWN +: C_UP];
    end
  endgenerate

  assign up_ack_o = climb_ack | turn_ack;

  leiserson_port #(
    .COPIES(2*NODES), .R(R), .S(C_DOWN), .CONCENTRATOR(CONCENTRATOR), .PRIORITY(PRIORITY),
    .PIPELINE(PIPELINE), .LOST_W(LOST_W)
  ) u_down (
    .clk(clk), .clear_i(clear_i), .restart_i(restart_i),
    .ask_i(ask), .wire_i(wires), .wire_o(down_o), .ack_i(down_ack_i), .ack_o(ack),
    .lost_o(down_lost_o)
  );

endmodule

`default_nettype wire
