// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// One node of the header-routed tree, wherever it lies in its level, for all packets on its lanes.
//
//   N1  up port: packets from below for leaves outside this subtree, in the order of their lanes,
//       fill lanes 0, 1, ... without a gap, header and payload unmodified; lanes beyond are idle
//   N2  down ports: the same for packets from above by the child that holds their leaf, then for
//       those from the other child that turn here
//   N3  what a port is asked for beyond its lanes, and nothing else, is counted as lost
//
// From these, by induction over the levels from the leaves to the root and back: a channel carries
// min(load, lanes) of the packets that reach it, and none is lost if no channel is loaded beyond
// its lanes, in a tree of any size made of such nodes.  Payload of one bit: nodes never look at it.
//
// WHOLE = 0, for large nodes: the payload of a lane is its own number, so that N1 and N2 say which
// packet stands on a lane; that header and payload come with it unmodified is what WHOLE = 1 shows
// of the same crossbars in smaller nodes.  (One of free words has no small decision diagram.)
//
// A lane's bits lie together, {payload, header, valid}, which keeps the diagrams small.
module lbbvn_node_proof #(
  parameter N_LOG  = 4,
  parameter LEVEL  = 1,
  parameter C_UP   = 4,   // 0: the root
  parameter C_DOWN = 3,
  parameter GROUPS = 1,
  parameter WHOLE  = 1,
  // derived
  parameter UP     = (C_UP > 0) ? C_UP : 1,
  parameter GIVEN_W = N_LOG + 1 + WHOLE  // bits of a lane that are free
) (
  input wire [N_LOG-1:0]           pos_i,
  input wire [UP*GIVEN_W-1:0]       above_i,  // from the parent
  input wire [2*C_DOWN*GIVEN_W-1:0] below_i   // from both children, left first
);

  localparam H      = N_LOG;
  localparam UP_R   = 2 * C_DOWN;
  localparam W      = (WHOLE == 1) ? 1 : $clog2(UP + UP_R);
  localparam LANE_W = W + H + 1;
  localparam SHARE  = UP / GROUPS;       // lanes of a part of the up port
  localparam FIELD  = N_LOG - LEVEL;
  localparam COUNT_W = $clog2(UP + UP_R + 1) + 1;

  wire [UP_R-1:0]   up_valid;
  wire [UP_R*H-1:0] up_header;
  wire [UP_R*W-1:0] up_data;
  wire [UP-1:0]     down_valid;
  wire [UP*H-1:0]   down_header;
  wire [UP*W-1:0]   down_data;
  wire [UP*LANE_W-1:0]   from_above;
  wire [UP_R*LANE_W-1:0] from_below;

  genvar g;
  generate
    for (g = 0; g < UP_R; g = g + 1) begin : gen_below
      localparam [31:0] NUMBER = UP + g;
      assign {up_header[g*H +: H], up_valid[g]} = below_i[g*GIVEN_W +: H + 1];
      assign up_data[g*W +: W] =
        (WHOLE == 1) ? below_i[(g+1)*GIVEN_W - 1 +: W] : NUMBER[W-1:0];
      assign from_below[g*LANE_W +: LANE_W] =
        {up_data[g*W +: W], up_header[g*H +: H], up_valid[g]};
    end
    for (g = 0; g < UP; g = g + 1) begin : gen_above
      localparam [31:0] NUMBER = g;
      assign {down_header[g*H +: H], down_valid[g]} = above_i[g*GIVEN_W +: H + 1];
      assign down_data[g*W +: W] =
        (WHOLE == 1) ? above_i[(g+1)*GIVEN_W - 1 +: W] : NUMBER[W-1:0];
      assign from_above[g*LANE_W +: LANE_W] =
        {down_data[g*W +: W], down_header[g*H +: H], down_valid[g]};
    end
  endgenerate

  wire [UP_R-1:0]   to_below_valid;
  wire [UP_R*H-1:0] to_below_header;
  wire [UP_R*W-1:0] to_below_data;
  wire [UP-1:0]     to_above_valid;
  wire [UP*H-1:0]   to_above_header;
  wire [UP*W-1:0]   to_above_data;
  wire [N_LOG:0]    up_lost, down_lost;

  lbbvn_node #(
    .CONTROL("SELF"), .PIPELINE(0), .N_LOG(N_LOG), .LEVEL(LEVEL), .C_UP(C_UP),
    .C_DOWN(C_DOWN), .GROUPS(GROUPS), .TURN_DELAY(0), .H(H), .W(W)
  ) u_node (
    .clk(1'b0), .rst(1'b0), .pos_i(pos_i),
    .up_valid_i(up_valid), .up_header_i(up_header), .up_data_i(up_data),
    .down_valid_o(to_below_valid), .down_header_o(to_below_header), .down_data_o(to_below_data),
    .up_valid_o(to_above_valid), .up_header_o(to_above_header), .up_data_o(to_above_data),
    .down_valid_i(down_valid), .down_header_i(down_header), .down_data_i(down_data),
    .up_enable_i({UP{1'b0}}), .up_select_i({(UP*$clog2(UP_R)){1'b0}}),
    .down_enable_i({UP_R{1'b0}}),
    .down_select_i({(UP_R*((C_UP + C_DOWN > 1) ? $clog2(C_UP + C_DOWN) : 1)){1'b0}}),
    .up_lost_o(up_lost), .down_lost_o(down_lost)
  );

  // ---- what a chain of priorities hands out, lane by lane ---------------------------------------

  function outside(input [H-1:0] header);
    outside = (LEVEL > 0) && (header >> FIELD) != (pos_i & ((1 << LEVEL) - 1));
  endfunction

  // Whether a packet asks for part p of the up port.
  function asks(input [H-1:0] header, input integer p);
    asks = outside(header) && C_UP > 0
         && (GROUPS == 1 || ((header >> FIELD) ^ (pos_i & ((1 << LEVEL) - 1))) == p + 1);
  endfunction

  reg [UP*LANE_W-1:0]   above;  // expected
  reg [UP_R*LANE_W-1:0] below;
  reg [COUNT_W-1:0]     place, lost_above, lost_below;
  reg [LANE_W-1:0]      lane;
  integer               i, c, p, l;

  always @* begin
    above      = {(UP*LANE_W){1'b0}};
    below      = {(UP_R*LANE_W){1'b0}};
    lost_above = {COUNT_W{1'b0}};
    lost_below = {COUNT_W{1'b0}};
    lane       = {LANE_W{1'b0}};
    place      = {COUNT_W{1'b0}};
    for (p = 0; p < GROUPS; p = p + 1) begin
      place = {COUNT_W{1'b0}};
      for (i = 0; i < UP_R; i = i + 1) begin
        lane = from_below[i*LANE_W +: LANE_W];
        if (lane[0] && asks(lane[H:1], p)) begin
          for (l = 0; l < SHARE; l = l + 1)
            if (place == l) above[(p*SHARE + l)*LANE_W +: LANE_W] = lane;
          if (place >= SHARE) lost_above = lost_above + 1'b1;
          place = place + 1'b1;
        end
      end
    end
    for (c = 0; c < 2; c = c + 1) begin
      place = {COUNT_W{1'b0}};
      for (i = 0; i < C_UP; i = i + 1) begin
        lane = from_above[i*LANE_W +: LANE_W];
        if (lane[0] && lane[FIELD] == c) begin  // bit FIELD - 1 of the header
          for (l = 0; l < C_DOWN; l = l + 1)
            if (place == l) below[(c*C_DOWN + l)*LANE_W +: LANE_W] = lane;
          if (place >= C_DOWN) lost_below = lost_below + 1'b1;
          place = place + 1'b1;
        end
      end
      for (i = 0; i < C_DOWN; i = i + 1) begin
        lane = from_below[((1-c)*C_DOWN + i)*LANE_W +: LANE_W];
        if (lane[0] && !outside(lane[H:1])) begin
          for (l = 0; l < C_DOWN; l = l + 1)
            if (place == l) below[(c*C_DOWN + l)*LANE_W +: LANE_W] = lane;
          if (place >= C_DOWN) lost_below = lost_below + 1'b1;
          place = place + 1'b1;
        end
      end
    end
  end

  reg              right_above, right_below;
  reg [LANE_W-1:0] shown;
  integer          m;
  always @* begin
    right_above = 1'b1;
    right_below = 1'b1;
    shown       = {LANE_W{1'b0}};
    for (m = 0; m < UP; m = m + 1) begin
      shown = above[m*LANE_W +: LANE_W];
      if (to_above_valid[m] != shown[0] || to_above_data[m*W +: W] != shown[H+1 +: W]
          || (WHOLE == 1 && to_above_header[m*H +: H] != shown[1 +: H])) right_above = 1'b0;
    end
    for (m = 0; m < UP_R; m = m + 1) begin
      shown = below[m*LANE_W +: LANE_W];
      if (to_below_valid[m] != shown[0] || to_below_data[m*W +: W] != shown[H+1 +: W]
          || (WHOLE == 1 && to_below_header[m*H +: H] != shown[1 +: H])) right_below = 1'b0;
    end
    `PROVE(N1, right_above)
    `PROVE(N2, right_below)
    `PROVE(N3, up_lost == lost_above && down_lost == lost_below)
  end

endmodule

`default_nettype wire
