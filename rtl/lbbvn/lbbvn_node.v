// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "checks.vh"
`default_nettype none

// Switch of the bufferless fat-tree: NODES nodes of one level side by side (root = level 0).
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
// With GROUPS > 1 (static upper half, level h) the up port is split into GROUPS equal parts; part
// g takes only packets for the node whose index is this node's XOR (g + 1).
// Timing: every port is one clock with PIPELINE = 1, else combinational.  A turning packet waits
// TURN_DELAY clocks, so that it meets the packets from above of its own slot.
//
// Vectors run over all nodes: lane i of the channel of node k is lane k*lanes + i, and the channel
// to child c of node k is channel 2k + c of the level below.  A lane is a valid bit, H header bits
// (SELF: the destination; SCHEDULED: one bit tied to zero) and W data bits.
module lbbvn_node #(
  parameter CONTROL    = "SELF",  // "SELF", "SCHEDULED"
  parameter PIPELINE   = 1,       // 1: a register at every port
  parameter N_LOG      = 4,       // n: the tree has 2^n leaves
  parameter LEVEL      = 1,       // level of these nodes, 0 .. n - 1
  parameter NODES      = 2,       // how many
  parameter C_UP       = 4,       // lanes to the parent, each way; 0: there is no parent
  parameter C_DOWN     = 3,       // lanes to each child, each way
  parameter GROUPS     = 1,       // parts of the up port; 1: any lane goes anywhere
  parameter TURN_DELAY = 2,       // clocks
  parameter H          = 4,       // header bits a lane
  parameter W          = 32,      // data bits a lane
  // derived
  parameter UP       = (C_UP > 0) ? C_UP : 1,  // vectors are never empty
  parameter BELOW    = NODES * 2 * C_DOWN,     // lanes to all children
  parameter ABOVE    = NODES * UP,             // lanes to all parents
  parameter UP_SEL   = $clog2(2 * C_DOWN),     // bits that select an input of the up port
  parameter DOWN_SEL = (C_UP + C_DOWN > 1) ? $clog2(C_UP + C_DOWN) : 1
) (
  input  wire                      clk,
  input  wire                      rst,
  input  wire [NODES*N_LOG-1:0]    pos_i,          // index of each node in its level
  // from and to the children
  input  wire [BELOW-1:0]          up_valid_i,
  input  wire [BELOW*H-1:0]        up_header_i,
  input  wire [BELOW*W-1:0]        up_data_i,
  output wire [BELOW-1:0]          down_valid_o,
  output wire [BELOW*H-1:0]        down_header_o,
  output wire [BELOW*W-1:0]        down_data_o,
  // to and from the parents
  output wire [ABOVE-1:0]          up_valid_o,
  output wire [ABOVE*H-1:0]        up_header_o,
  output wire [ABOVE*W-1:0]        up_data_o,
  input  wire [ABOVE-1:0]          down_valid_i,
  input  wire [ABOVE*H-1:0]        down_header_i,
  input  wire [ABOVE*W-1:0]        down_data_i,
  // settings of this slot (SCHEDULED)
  input  wire [ABOVE-1:0]          up_enable_i,
  input  wire [ABOVE*UP_SEL-1:0]   up_select_i,
  input  wire [BELOW-1:0]          down_enable_i,
  input  wire [BELOW*DOWN_SEL-1:0] down_select_i,
  // packets lost in this clock, all nodes together (SELF)
  output wire [N_LOG:0]            up_lost_o,
  output wire [N_LOG:0]            down_lost_o
);

  localparam UP_R   = 2 * C_DOWN;     // inputs of an up port
  localparam DOWN_R = C_UP + C_DOWN;  // inputs of a down port
  localparam FIELD  = N_LOG - LEVEL;  // destination bits from here on name the node of this level

  // ---- who leaves upward, who turns -------------------------------------------------------------

  wire [BELOW-1:0] outside;  // the destination is not in this subtree

  generate
    if (CONTROL == "SELF" && LEVEL > 0) begin : gen_outside
      reg [BELOW-1:0] differs;
      integer         k, i;
      always @* begin
        differs = {BELOW{1'b0}};
        for (k = 0; k < NODES; k = k + 1)
          for (i = 0; i < UP_R; i = i + 1)
            differs[k*UP_R + i] =
              up_header_i[(k*UP_R + i)*H + FIELD +: LEVEL] != pos_i[k*N_LOG +: LEVEL];
      end
      assign outside = differs;
    end else begin : gen_inside
      wire unused = &{1'b0, pos_i};
      assign outside = {BELOW{1'b0}};
    end
  endgenerate

  // ---- up ports ---------------------------------------------------------------------------------

  generate
    if (C_UP > 0) begin : gen_up
      wire [NODES*GROUPS*UP_R-1:0] request;

      if (CONTROL != "SELF") begin : gen_no_request
        assign request = {(NODES*GROUPS*UP_R){1'b0}};
      end else if (GROUPS == 1) begin : gen_whole
        assign request = up_valid_i & outside;
      end else begin : gen_parts
        reg [NODES*GROUPS*UP_R-1:0] wants;
        reg [LEVEL-1:0]             away;  // destination's node XOR this one
        integer                     k, i, g;
        always @* begin
          wants = {(NODES*GROUPS*UP_R){1'b0}};
          away  = {LEVEL{1'b0}};
          for (k = 0; k < NODES; k = k + 1)
            for (i = 0; i < UP_R; i = i + 1) begin
              away = up_header_i[(k*UP_R + i)*H + FIELD +: LEVEL] ^ pos_i[k*N_LOG +: LEVEL];
              for (g = 0; g < GROUPS; g = g + 1)
                wants[(k*GROUPS + g)*UP_R + i] =
                  up_valid_i[k*UP_R + i] && {{(32-LEVEL){1'b0}}, away} == g + 1;
            end
        end
        assign request = wants;
      end

      lbbvn_port #(
        .CONTROL(CONTROL), .PIPELINE(PIPELINE), .COPIES(NODES * GROUPS), .SHARE(GROUPS),
        .R(UP_R), .S(UP / GROUPS), .H(H), .W(W), .LOST_W(N_LOG + 1)
      ) u_port (
        .clk      (clk),
        .rst      (rst),
        .valid_i  (up_valid_i),
        .request_i(request),
        .header_i (up_header_i),
        .data_i   (up_data_i),
        .enable_i (up_enable_i),
        .select_i (up_select_i),
        .valid_o  (up_valid_o),
        .header_o (up_header_o),
        .data_o   (up_data_o),
        .lost_o   (up_lost_o)
      );
    end else begin : gen_top
      wire unused = &{1'b0, up_enable_i, up_select_i};
      assign up_valid_o  = {ABOVE{1'b0}};
      assign up_header_o = {(ABOVE*H){1'b0}};
      assign up_data_o   = {(ABOVE*W){1'b0}};
      assign up_lost_o   = {(N_LOG+1){1'b0}};
    end
  endgenerate

  // ---- turning packets wait for their slot to come back from above ------------------------------

  wire [BELOW-1:0]   turned;
  wire [BELOW*H-1:0] turned_header;
  wire [BELOW*W-1:0] turned_data;

  delay_line #(.DEPTH(TURN_DELAY), .WIDTH(BELOW)) u_turn_valid (
    .clk(clk), .rst(rst), .data_i(up_valid_i & ~outside), .data_o(turned)
  );
  delay_line #(.DEPTH(TURN_DELAY), .WIDTH(BELOW*H)) u_turn_header (
    .clk(clk), .rst(rst), .data_i(up_header_i), .data_o(turned_header)
  );
  delay_line #(.DEPTH(TURN_DELAY), .WIDTH(BELOW*W)) u_turn_data (
    .clk(clk), .rst(rst), .data_i(up_data_i), .data_o(turned_data)
  );

  // ---- down ports: port q = 2k + c leads to child c of node k -----------------------------------

  reg [2*NODES*DOWN_R-1:0]   valid;
  reg [2*NODES*DOWN_R-1:0]   request;
  reg [2*NODES*DOWN_R*H-1:0] header;
  reg [2*NODES*DOWN_R*W-1:0] data;

  generate
    if (C_UP > 0) begin : gen_above
      wire [ABOVE-1:0] right;  // SELF: the destination is below the right child
      if (CONTROL == "SELF") begin : gen_right
        reg [ABOVE-1:0] bits;
        integer         i;
        always @*
          for (i = 0; i < ABOVE; i = i + 1)
            bits[i] = down_header_i[i*H + FIELD - 1];
        assign right = bits;
      end else begin : gen_any
        assign right = {ABOVE{1'b0}};
      end
      integer q;
      always @*
        for (q = 0; q < 2 * NODES; q = q + 1) begin
          valid  [q*DOWN_R +: C_UP]     = down_valid_i [(q>>1)*C_UP +: C_UP];
          request[q*DOWN_R +: C_UP]     = down_valid_i [(q>>1)*C_UP +: C_UP]
                                        & (right[(q>>1)*C_UP +: C_UP] ^ {C_UP{~q[0]}});
          header [q*DOWN_R*H +: C_UP*H] = down_header_i[(q>>1)*C_UP*H +: C_UP*H];
          data   [q*DOWN_R*W +: C_UP*W] = down_data_i  [(q>>1)*C_UP*W +: C_UP*W];
          valid  [q*DOWN_R + C_UP +: C_DOWN]         = turned[(q^1)*C_DOWN +: C_DOWN];
          request[q*DOWN_R + C_UP +: C_DOWN]         = turned[(q^1)*C_DOWN +: C_DOWN];
          header [(q*DOWN_R + C_UP)*H +: C_DOWN*H]   = turned_header[(q^1)*C_DOWN*H +: C_DOWN*H];
          data   [(q*DOWN_R + C_UP)*W +: C_DOWN*W]   = turned_data[(q^1)*C_DOWN*W +: C_DOWN*W];
        end
    end else begin : gen_root
      wire unused = &{1'b0, down_valid_i, down_header_i, down_data_i};
      integer q;
      always @*
        for (q = 0; q < 2 * NODES; q = q + 1) begin
          valid  [q*C_DOWN +: C_DOWN]     = turned[(q^1)*C_DOWN +: C_DOWN];
          request[q*C_DOWN +: C_DOWN]     = turned[(q^1)*C_DOWN +: C_DOWN];
          header [q*C_DOWN*H +: C_DOWN*H] = turned_header[(q^1)*C_DOWN*H +: C_DOWN*H];
          data   [q*C_DOWN*W +: C_DOWN*W] = turned_data[(q^1)*C_DOWN*W +: C_DOWN*W];
        end
    end
  endgenerate

  lbbvn_port #(
    .CONTROL(CONTROL), .PIPELINE(PIPELINE), .COPIES(2 * NODES),
    .R(DOWN_R), .S(C_DOWN), .H(H), .W(W), .LOST_W(N_LOG + 1)
  ) u_down (
    .clk      (clk),
    .rst      (rst),
    .valid_i  (valid),
    .request_i(request),
    .header_i (header),
    .data_i   (data),
    .enable_i (down_enable_i),
    .select_i (down_select_i),
    .valid_o  (down_valid_o),
    .header_o (down_header_o),
    .data_o   (down_data_o),
    .lost_o   (down_lost_o)
  );

endmodule

`default_nettype wire
