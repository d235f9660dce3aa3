// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Switch of the bufferless fat-tree (root = level 0).
//
//                   C_UP lanes            C_UP lanes
//                        ^                     |
//            +-----------|---------------------|-----------+
//            |        up port                  |           |
//            |           ^       +----------+  v           |
//            |           |  +--->| delay    |->down ports  |
//            |           |  |    +----------+    |         |
//            +-----------|--|--------------------|---------+
//                        |  |                    v
//             2 children, C_DOWN lanes   2 children, C_DOWN lanes
//
// A packet from below leaves upward when its destination lies outside this subtree; otherwise it
// turns here and goes down to the other child.  A packet from above goes down to the child that
// holds its destination.  Nothing comes back to the child it came from.
//
// Contract: order of a port's inputs, lowest first: up port: left child's lanes, right child's
// lanes; down ports: lanes from above, then the other child's lanes.  SELF: lowest first, the rest
// is lost and counted.  SCHEDULED: settings say which input feeds which lane.
// With GROUPS > 1 (static upper half) the up port is split, see lbbvn_up_port.
// Timing: every port is one clock with PIPELINE = 1, else combinational.  A turning packet waits
// TURN_DELAY clocks, so that it meets the packets from above of its own slot.
//
// A lane is a valid bit, H header bits (SELF: the destination; SCHEDULED: one bit tied to zero) and
// W data bits.  Vectors to the children have the left child's C_DOWN lanes lowest.
module lbbvn_node #(
  parameter FORM       = "HARDWARE",  // "HARDWARE", "FAST": of packet_concentrator
  parameter CONTROL    = "SELF",      // "SELF", "SCHEDULED"
  parameter PIPELINE   = 1,           // 1: a register at every port
  parameter N_LOG      = 4,           // n: the tree has 2^n leaves
  parameter LEVEL      = 1,           // of this node, 0 .. n - 1
  parameter C_UP       = 4,           // lanes to the parent, each way; 0: the root, without one
  parameter C_DOWN     = 3,           // lanes to each child, each way
  parameter GROUPS     = 1,           // parts of the up port; 1: any lane goes anywhere
  parameter TURN_DELAY = 2,           // clocks
  parameter H          = 4,           // header bits of a lane
  parameter W          = 32,          // data bits of a lane
  // derived
  parameter UP       = (C_UP > 0) ? C_UP : 1,  // vectors are never empty
  parameter BELOW    = 2 * C_DOWN,             // lanes to both children
  parameter UP_SEL   = $clog2(BELOW),          // bits that select an input of the up port
  parameter DOWN_SEL = (C_UP + C_DOWN > 1) ? $clog2(C_UP + C_DOWN) : 1  // of a down port
) (
  input  wire                      clk,            // rising edge
  input  wire                      rst,            // synchronous: packets inside are lost
  input  wire [N_LOG-1:0]          pos_i,          // index of this node in its level
  input  wire [BELOW-1:0]          up_valid_i,     // from the children: a packet is there
  input  wire [BELOW*H-1:0]        up_header_i,    // by lane: header of that packet
  input  wire [BELOW*W-1:0]        up_data_i,      // by lane: payload of that packet
  output wire [BELOW-1:0]          down_valid_o,   // to the children
  output wire [BELOW*H-1:0]        down_header_o,  // by lane: header; zero when idle
  output wire [BELOW*W-1:0]        down_data_o,    // by lane: payload; zero when idle
  output wire [UP-1:0]             up_valid_o,     // to the parent
  output wire [UP*H-1:0]           up_header_o,    // by lane: header; zero when idle
  output wire [UP*W-1:0]           up_data_o,      // by lane: payload; zero when idle
  input  wire [UP-1:0]             down_valid_i,   // from the parent
  input  wire [UP*H-1:0]           down_header_i,  // by lane: header of a packet
  input  wire [UP*W-1:0]           down_data_i,    // by lane: payload of a packet
  input  wire [UP-1:0]             up_enable_i,    // SCHEDULED, this slot: an up lane is fed ...
  input  wire [UP*UP_SEL-1:0]      up_select_i,    // ... by this input
  input  wire [BELOW-1:0]          down_enable_i,  // SCHEDULED, this slot: a down lane is fed ...
  input  wire [BELOW*DOWN_SEL-1:0] down_select_i,  // ... by this input
  output wire [N_LOG:0]            up_lost_o,      // SELF: lost in this clock on the way up
  output wire [N_LOG:0]            down_lost_o     // on the way down, to both children
);

  localparam DOWN_R = C_UP + C_DOWN;  // inputs of a down port
  localparam SIDE   = (CONTROL == "SELF") ? N_LOG - LEVEL - 1 : 0;  // header bit that names a child

  wire [BELOW-1:0] turning;

  lbbvn_up_port #(
    .FORM(FORM), .CONTROL(CONTROL), .PIPELINE(PIPELINE), .N_LOG(N_LOG), .LEVEL(LEVEL),
    .C_UP(C_UP), .GROUPS(GROUPS), .R(BELOW), .H(H), .W(W)
  ) u_up (
    .clk(clk), .rst(rst), .pos_i(pos_i), .valid_i(up_valid_i), .header_i(up_header_i),
    .data_i(up_data_i), .enable_i(up_enable_i), .select_i(up_select_i), .valid_o(up_valid_o),
    .header_o(up_header_o), .data_o(up_data_o), .turning_o(turning), .lost_o(up_lost_o)
  );

  // ---- turning packets wait for their slot to come back from above ------------------------------

  wire [BELOW-1:0]   turned;
  wire [BELOW*H-1:0] turned_header;
  wire [BELOW*W-1:0] turned_data;

  delay_line #(.DEPTH(TURN_DELAY), .WIDTH(BELOW*H)) u_turn_header (
    .clk(clk), .rst(rst), .data_i(up_header_i), .data_o(turned_header)
  );
  delay_line #(.DEPTH(TURN_DELAY), .WIDTH(BELOW*(W+1))) u_turn (
    .clk(clk), .rst(rst), .data_i({turning, up_data_i}), .data_o({turned, turned_data})
  );

  // ---- down ports: 0 leads to the left child, 1 to the right one --------------------------------

  wire [2*(N_LOG+1)-1:0] down_lost;

  genvar c;
  generate
    for (c = 0; c < 2; c = c + 1) begin : gen_down
      localparam OTHER = (1 - c) * C_DOWN;  // lanes of the other child start here
      wire [DOWN_R-1:0]   ask;
      wire [DOWN_R*H-1:0] header;
      wire [DOWN_R*W-1:0] data;

      assign ask   [DOWN_R-1   -: C_DOWN]   = turned       [OTHER   +: C_DOWN];
      assign header[DOWN_R*H-1 -: C_DOWN*H] = turned_header[OTHER*H +: C_DOWN*H];
      assign data  [DOWN_R*W-1 -: C_DOWN*W] = turned_data  [OTHER*W +: C_DOWN*W];

      if (C_UP > 0) begin : gen_above
        reg [C_UP-1:0] mine;  // SELF: the destination is below this child
        integer        i;
        always @*
          for (i = 0; i < C_UP; i = i + 1)
            mine[i] = down_valid_i[i] & (CONTROL != "SELF" || down_header_i[i*H + SIDE] == c);
        assign ask   [C_UP-1:0]   = mine;
        assign header[C_UP*H-1:0] = down_header_i;
        assign data  [C_UP*W-1:0] = down_data_i;
      end else begin : gen_root
        wire unused = &{1'b0, down_valid_i, down_header_i, down_data_i};
      end

      lbbvn_port #(
        .FORM(FORM), .CONTROL(CONTROL), .PIPELINE(PIPELINE),
        .R(DOWN_R), .S(C_DOWN), .H(H), .W(W), .LOST_W(N_LOG + 1)
      ) u_port (
        .clk(clk), .rst(rst), .ask_i(ask), .header_i(header), .data_i(data),
        .enable_i(down_enable_i[c*C_DOWN +: C_DOWN]),
        .select_i(down_select_i[c*C_DOWN*DOWN_SEL +: C_DOWN*DOWN_SEL]),
        .valid_o(down_valid_o[c*C_DOWN +: C_DOWN]),
        .header_o(down_header_o[c*C_DOWN*H +: C_DOWN*H]),
        .data_o(down_data_o[c*C_DOWN*W +: C_DOWN*W]), .lost_o(down_lost[c*(N_LOG+1) +: N_LOG+1])
      );
    end
  endgenerate

  assign down_lost_o = down_lost[N_LOG:0] + down_lost[2*N_LOG+1:N_LOG+1];

endmodule

`default_nettype wire
