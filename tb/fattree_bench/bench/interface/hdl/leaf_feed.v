// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Flits of the player become words of a design's link, a leaf's: a flit is WORDS words of W bits.
//
// Contract: a flit is kept until its last word is taken; then its credit goes back.  Words hold the
// flit again and again until they are full.  A word is offered in a virtual channel (VC) that is
// able; where there is one VC it stays until it is taken.  Between words the leaf pauses at random.
// Timing: a flit can be offered in the clock after it came.
module leaf_feed #(
  parameter VCS    = 1,   // virtual channels
  parameter DEPTH  = 8,   // flits kept in each, a power of two
  parameter WIDTH  = 32,  // data bits of a flit
  parameter FLIT_W = 35,  // data, tail mark, head mark, what nobody needs here
  parameter ADDR_W = 2,   // bits of an address, the lowest of a head; as many tell a leaf
  parameter WORDS  = 1,   // words of a flit
  parameter W      = 32,  // bits of a word
  parameter [31:0] SEED = 32'd1
) (
  input  wire              clk,
  input  wire              rst,
  input  wire              run_i,      // words may be offered
  input  wire [7:0]        gap_i,      // see leaf_control
  input  wire [VCS-1:0]    valid_i,    // of the player
  input  wire [FLIT_W-1:0] flit_i,
  output wire [VCS-1:0]    credit_o,
  input  wire [VCS-1:0]    able_i,     // the link would take a word in these VCs
  output wire [VCS-1:0]    some_o,     // these have words
  output wire              valid_o,    // a word is offered
  output reg  [VCS-1:0]    vc_o,       // in this VC, one-hot
  output reg  [W-1:0]      word_o,
  output reg               head_o,     // the first of a packet
  output reg               tail_o,     // the last
  output reg  [ADDR_W-1:0] address_o,  // of the packet
  input  wire              take_i      // it is taken
);

  localparam PLACE_W = $clog2(DEPTH);
  localparam COUNT_W = PLACE_W + 1;
  localparam ALL_W   = $clog2(VCS * DEPTH);
  localparam STEP_W  = (WORDS > 1) ? $clog2(WORDS) : 1;
  localparam COPIES  = (WORDS * W + WIDTH - 1) / WIDTH;
  localparam HEADER_W = 2 * ADDR_W + 1;  // address, source, class: masked, see flit_source
  localparam MASK_W  = (WIDTH - HEADER_W < HEADER_W) ? WIDTH - HEADER_W : HEADER_W;
  localparam [31:0] LAST = WORDS - 1;

  reg [WIDTH+1:0]       fifo [0:VCS*DEPTH-1];
  reg [VCS*PLACE_W-1:0] first_q;
  reg [VCS*COUNT_W-1:0] count_q;
  reg [VCS*STEP_W-1:0]  step_q;
  reg [VCS*ADDR_W-1:0]  address_q;  // of the packet that each VC is at
  reg [VCS-1:0]         turn_q;     // the VC that sent last
  reg                   ends;       // the word is its flit's last
  wire                  pause;
  wire                  unused = &{1'b0, flit_i};

  leaf_pause #(.SEED(SEED)) u_pause (
    .clk(clk), .rst(rst), .share_i(gap_i), .step_i(pause | take_i), .pause_o(pause)
  );

  assign valid_o  = run_i & ~pause & (vc_o != {VCS{1'b0}});
  assign credit_o = (take_i && ends) ? vc_o : {VCS{1'b0}};

  // The flit at the front of each VC.
  wire [VCS*(WIDTH+2)-1:0] fronts;
  genvar g;
  generate
    for (g = 0; g < VCS; g = g + 1) begin : gen_front
      localparam [31:0] BASE = g * DEPTH;
      assign some_o[g] = (count_q[g*COUNT_W +: COUNT_W] != {COUNT_W{1'b0}});
      assign fronts[g*(WIDTH+2) +: WIDTH+2] =
        fifo[BASE[ALL_W-1:0] + {{(ALL_W-PLACE_W){1'b0}}, first_q[g*PLACE_W +: PLACE_W]}];
    end
  endgenerate

  always @* begin : offer
    reg [COPIES*WIDTH-1:0] all;
    reg [WIDTH+1:0]        flit;
    reg [31:0]             step;
    reg                    behind;  // this VC comes behind the one that sent last
    integer                v, round;
    vc_o      = {VCS{1'b0}};
    word_o    = {W{1'b0}};
    head_o    = 1'b0;
    tail_o    = 1'b0;
    address_o = {ADDR_W{1'b0}};
    ends      = 1'b0;
    all       = {(COPIES*WIDTH){1'b0}};
    flit      = {(WIDTH+2){1'b0}};
    step      = 32'd0;
    for (round = 0; round < 2; round = round + 1) begin
      behind = (round == 1);
      for (v = 0; v < VCS; v = v + 1) begin
        if (behind && vc_o == {VCS{1'b0}} && able_i[v] && some_o[v]) begin
          vc_o[v]   = 1'b1;
          step      = {{(32-STEP_W){1'b0}}, step_q[v*STEP_W +: STEP_W]};
          flit      = fronts[v*(WIDTH+2) +: WIDTH+2];
          all       = {COPIES{flit[WIDTH-1:0]}};
          word_o    = all[step*W +: W];
          head_o    = flit[WIDTH+1] & (step == 32'd0);
          tail_o    = flit[WIDTH] & (step == LAST);
          ends      = (step == LAST);
          address_o = flit[WIDTH+1] ? flit[ADDR_W-1:0] ^ flit[WIDTH-MASK_W +: ADDR_W]
                                    : address_q[v*ADDR_W +: ADDR_W];
        end
        if (turn_q[v]) behind = 1'b1;
      end
    end
  end

  always @(posedge clk) begin : keep
    reg [PLACE_W-1:0] place;
    reg [VCS-1:0]     done;
    integer           v;
    done = (take_i && ends) ? vc_o : {VCS{1'b0}};
    for (v = 0; v < VCS; v = v + 1) begin
      if (valid_i[v]) begin
        place = first_q[v*PLACE_W +: PLACE_W] + count_q[v*COUNT_W +: PLACE_W];
        fifo[v * DEPTH + {{(32-PLACE_W){1'b0}}, place}] <= flit_i[WIDTH+1:0];
      end
      count_q[v*COUNT_W +: COUNT_W] <= count_q[v*COUNT_W +: COUNT_W]
        + {{PLACE_W{1'b0}}, valid_i[v]} - {{PLACE_W{1'b0}}, done[v]};
      if (take_i && vc_o[v]) begin
        step_q[v*STEP_W +: STEP_W]    <= ends ? {STEP_W{1'b0}} : step_q[v*STEP_W +: STEP_W] + 1'b1;
        address_q[v*ADDR_W +: ADDR_W] <= address_o;
        turn_q                        <= vc_o;
      end
      if (done[v]) first_q[v*PLACE_W +: PLACE_W] <= first_q[v*PLACE_W +: PLACE_W] + 1'b1;
    end
    if (rst) begin
      first_q <= {(VCS*PLACE_W){1'b0}};
      count_q <= {(VCS*COUNT_W){1'b0}};
      step_q  <= {(VCS*STEP_W){1'b0}};
      turn_q  <= {VCS{1'b0}};
    end
  end

endmodule

`default_nettype wire
