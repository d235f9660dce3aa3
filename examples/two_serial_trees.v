// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Two bit-serial fat-trees of 8 processors in one design, and glue between them.  On the left
// processors send messages at random, and repeat what is not acknowledged.  What arrives at a
// processor there goes into the same processor on the right, once, to its neighbour.
//
//     make sim NETWORK=leiserson N=8 CAPACITY=2,2,2,1 WIDTH=16 ACTIVE=0 \
//       TOP=examples/two_serial_trees.v INSTANCE=u_right
module two_serial_trees (
  input wire clk  // the only port that the bench drives
);

  localparam N_LOG   = 3;
  localparam N       = 8;
  localparam WIDTH   = 16;
  localparam WIRES   = N + 2;                // of the processors, and of the root
  localparam FRAME_W = 1 + 2 * N_LOG - 1 + WIDTH;
  localparam [32*11-1:0] CAPS = {224'd0, 32'd1, 32'd2, 32'd2, 32'd2};

  // ---- a reset, and numbers at random -----------------------------------------------------------

  reg  [2:0]  started = 3'd0;
  reg  [31:0] random  = 32'h1234567;
  wire        rst     = ~started[2];
  always @(posedge clk) begin
    if (rst) started <= started + 3'd1;
    random <= {random[30:0], random[31] ^ random[21] ^ random[1] ^ random[0]};
  end

  // ---- messages ---------------------------------------------------------------------------------

  // From processor s to another, d: M bit, up to their common node, across, down to d, data.
  function [FRAME_W-1:0] frame(input [N_LOG-1:0] s, input [N_LOG-1:0] d, input [WIDTH-1:0] data);
    integer turn, k, at;
    begin
      turn = 0;  // the highest bit that differs
      for (k = 0; k < N_LOG; k = k + 1)
        if (s[k] != d[k]) turn = k;
      frame            = {FRAME_W{1'b0}};
      frame[FRAME_W-1] = 1'b1;
      at               = FRAME_W - 2;
      for (k = 0; k < turn; k = k + 1) begin
        frame[at] = 1'b1;
        at        = at - 1;
      end
      at = at - 1;
      for (k = turn - 1; k >= 0; k = k - 1) begin
        frame[at] = d[k];
        at        = at - 1;
      end
      for (k = WIDTH - 1; k >= 0; k = k - 1) begin
        frame[at] = data[k];
        at        = at - 1;
      end
    end
  endfunction

  wire                left_load, right_load;
  wire [WIRES-1:0]    left_take, right_take, arrived;
  wire [WIRES*WIDTH-1:0] data;
  reg  [WIRES-1:0]         left_valid, right_valid;
  reg  [WIRES*FRAME_W-1:0] left_offer, right_offer;
  wire [WIRES*16-1:0]      left_waiting, right_waiting;

  genvar g;
  generate
    for (g = 0; g < WIRES; g = g + 1) begin : gen_waiting
      assign left_waiting[g*16 +: 16]  = {15'd0, left_valid[g]};
      assign right_waiting[g*16 +: 16] = {15'd0, right_valid[g]};
    end
    for (g = 0; g < N; g = g + 1) begin : gen_glue
      localparam [31:0] SELF = g;
      wire [N_LOG-1:0] own  = SELF[N_LOG-1:0];
      wire [N_LOG-1:0] goal = random[g +: N_LOG] ^ own;
      always @(posedge clk) begin
        if (rst || (left_load && left_take[g])) left_valid[g] <= 1'b0;
        else if (!left_valid[g] && random[g] && goal != own) begin
          left_valid[g] <= 1'b1;
          left_offer[g*FRAME_W +: FRAME_W] <= frame(own, goal, {random[WIDTH-4:0], own});
        end
        if (rst || (right_load && right_take[g])) right_valid[g] <= 1'b0;
        else if (arrived[g]) begin
          right_valid[g] <= 1'b1;
          right_offer[g*FRAME_W +: FRAME_W] <= frame(own, own + 3'd1, data[g*WIDTH +: WIDTH]);
        end
      end
    end
    for (g = N; g < WIRES; g = g + 1) begin : gen_root  // nothing comes from outside
      always @(posedge clk) begin
        left_valid[g]  <= 1'b0;
        right_valid[g] <= 1'b0;
        left_offer[g*FRAME_W +: FRAME_W]  <= {FRAME_W{1'b0}};
        right_offer[g*FRAME_W +: FRAME_W] <= {FRAME_W{1'b0}};
      end
    end
  endgenerate

  // ---- the trees --------------------------------------------------------------------------------

  leiserson_tree #(
    .N_LOG(N_LOG), .CAPACITY("GIVEN"), .CAPS(CAPS), .WIDTH(WIDTH)
  ) u_left (
    .clk(clk), .rst(rst), .restart_i(1'b0), .once_i(1'b0), .seed_i(32'd0), .setting_i(1'b0),
    .load_o(left_load), .last_o(), .offer_valid_i(left_valid), .offer_i(left_offer),
    .waiting_i(left_waiting), .take_o(left_take), .sent_o(), .acked_o(), .ack_tick_o(),
    .arrived_o(arrived), .tick_o(), .data_o(data), .trailing_o(), .lost_up_o(), .lost_down_o()
  );

  leiserson_tree #(
    .N_LOG(N_LOG), .CAPACITY("GIVEN"), .CAPS(CAPS), .WIDTH(WIDTH)
  ) u_right (
    .clk(clk), .rst(rst), .restart_i(1'b0), .once_i(1'b1), .seed_i(32'd0), .setting_i(1'b0),
    .load_o(right_load), .last_o(), .offer_valid_i(right_valid), .offer_i(right_offer),
    .waiting_i(right_waiting), .take_o(right_take), .sent_o(), .acked_o(), .ack_tick_o(),
    .arrived_o(), .tick_o(), .data_o(), .trailing_o(), .lost_up_o(), .lost_down_o()
  );

endmodule

`default_nettype wire
