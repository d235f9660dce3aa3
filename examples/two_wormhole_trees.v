// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Two 2-ary 2-trees of wormhole switches in one design.  On the left leaves send packets of three
// flits at random; what comes to a leaf there goes into the same leaf on the right, flit by flit,
// and on to its neighbour.
//
//     make sim NETWORK=kary K=2 LEVELS=2 ACTIVE=0 TOP=examples/two_wormhole_trees.v INSTANCE=u_right
module two_wormhole_trees (
  input wire clk  // the only port that the bench drives
);

  localparam LEAVES = 4;
  localparam NODE_W = 2;   // bits of a leaf's number: a head has {class, source, destination}
  localparam VCS    = 2;
  localparam DEPTH  = 8;
  localparam WIDTH  = 32;
  localparam FLIT_W = WIDTH + 2;
  localparam [32*8-1:0] M = {192'd0, 32'd2, 32'd2};
  localparam [32*8-1:0] W = {192'd0, 32'd2, 32'd1};

  // ---- a reset, and numbers at random -----------------------------------------------------------

  reg  [2:0]  started = 3'd0;
  reg  [31:0] random  = 32'h1234567;
  wire        rst     = ~started[2];
  always @(posedge clk) begin
    if (rst) started <= started + 3'd1;
    random <= {random[30:0], random[31] ^ random[21] ^ random[1] ^ random[0]};
  end

  // ---- leaves on the left: senders in virtual channel 0 -----------------------------------------

  reg  [LEAVES*VCS-1:0]    valid;
  reg  [LEAVES*FLIT_W-1:0] flit;
  wire [LEAVES*VCS-1:0]    credit, joined_valid, joined_credit, right_valid;
  wire [LEAVES*FLIT_W-1:0] joined_flit, turned_flit;

  genvar g;
  generate
    for (g = 0; g < LEAVES; g = g + 1) begin : gen_sender
      localparam [31:0] SELF = g;
      wire [NODE_W-1:0] own  = SELF[NODE_W-1:0];
      wire [NODE_W-1:0] goal = random[3*g +: NODE_W];
      reg  [3:0] room;   // credits
      reg  [1:0] place;  // of the next flit in its packet
      wire       sends = (room != 4'd0) && ((place != 2'd0) || (random[g] && goal != own));
      wire [WIDTH-1:0] word = (place == 2'd0)
                            ? {random[WIDTH-2*NODE_W-2:0], 1'b0, own, goal} : random ^ {8{own, place}};
      always @(posedge clk)
        if (rst) begin
          room  <= DEPTH;
          place <= 2'd0;
          valid[g*VCS +: VCS] <= {VCS{1'b0}};
        end else begin
          room  <= room + {3'd0, credit[g*VCS]} - {3'd0, sends};
          valid[g*VCS +: VCS] <= {1'b0, sends};
          if (sends) begin
            flit[g*FLIT_W +: FLIT_W] <= {place == 2'd0, place == 2'd2, word};
            place <= (place == 2'd2) ? 2'd0 : place + 2'd1;
          end
        end
    end
  endgenerate

  // ---- the glue: heads are for the neighbour, and say that they come from here ------------------

  generate
    for (g = 0; g < LEAVES; g = g + 1) begin : gen_glue
      localparam [31:0] SELF = g;
      wire [FLIT_W-1:0] came = joined_flit[g*FLIT_W +: FLIT_W];
      wire [2*NODE_W-1:0] ends = {SELF[NODE_W-1:0], SELF[NODE_W-1:0] + 2'd1};
      assign turned_flit[g*FLIT_W +: FLIT_W] =
        came[FLIT_W-1] ? {came[FLIT_W-1:2*NODE_W], ends} : came;
    end
  endgenerate

  // ---- leaves on the right: each flit is taken at once ------------------------------------------

  reg [LEAVES*VCS-1:0] taken;
  always @(posedge clk) taken <= rst ? {(LEAVES*VCS){1'b0}} : right_valid;

  // ---- the trees --------------------------------------------------------------------------------

  xgft_network #(
    .H(2), .M(M), .W(W), .VCS(VCS), .DEPTH(DEPTH), .WIDTH(WIDTH), .STAGES(3)
  ) u_left (
    .clk(clk), .rst(rst), .clocks_i(1'b0), .ready_o(), .seed_i(32'd1), .write_i(1'b0),
    .address_i({NODE_W{1'b0}}), .entries_i(32'd0), .valid_i(valid), .flit_i(flit),
    .credit_o(credit), .valid_o(joined_valid), .flit_o(joined_flit), .credit_i(joined_credit),
    .state_o(), .home_o(), .link_valid_o(), .link_flit_o(), .link_credit_o()
  );

  xgft_network #(
    .H(2), .M(M), .W(W), .VCS(VCS), .DEPTH(DEPTH), .WIDTH(WIDTH), .STAGES(3)
  ) u_right (
    .clk(clk), .rst(rst), .clocks_i(1'b0), .ready_o(), .seed_i(32'd1), .write_i(1'b0),
    .address_i({NODE_W{1'b0}}), .entries_i(32'd0), .valid_i(joined_valid), .flit_i(turned_flit),
    .credit_o(joined_credit), .valid_o(right_valid), .flit_o(), .credit_i(taken),
    .state_o(), .home_o(), .link_valid_o(), .link_flit_o(), .link_credit_o()
  );

endmodule

`default_nettype wire
