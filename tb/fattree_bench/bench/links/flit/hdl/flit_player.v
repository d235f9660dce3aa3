// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Plays lists of packets over the flit link and captures every flit that arrives, so that Python
// wakes once for hundreds of clocks.
//
// Contract: Python fills stim_packet (row r: the r-th packet of each leaf's list, see flit_source)
// and stim_stall (row c: leaves that give no credit back in clock c), sets `cycles`, and toggles
// `go`.  Releases count from the first clock.  What is on the links out of the network in clock c
// is captured in row c of the seen_ memories; seen_taken: leaves that began a packet of their list.
// After `cycles` clocks `done` equals `go` again; network and packets on their way stay.
//   load: instead of traffic row a of stim_table is written into the tables as address a.
//   reset_at = c > 0: a reset from clock c on (1: the first); bit k of reset_shape: in clock c + k.
//   seen_state, seen_home: what the network shows of itself in the last clock; with STATE_W > 0.
// An element of seen_side is, from bit 0: tail, head, virtual channel one-hot (4), list of hops (or
// MARKS); all zero if no flit arrived.  Elements are padded: a row is an array of machine words.
module flit_player #(
  parameter LEAVES   = 4,
  parameter VCS     = 2,
  parameter DEPTH   = 4,     // flits of a virtual channel's queue
  parameter WIDTH   = 32,    // data bits of a flit
  parameter HOPS_W  = 16,    // bits of the list of hops, >= 1
  parameter MARKS   = 0,     // 1: these bits are marks of every flit, not only of heads
  parameter ADDR_W  = 4,     // bits of an address
  parameter NODE_W  = 2,     // bits of a node's number
  parameter NUMBER_W = 19,   // bits of a packet's number
  parameter PATHS   = 1,     // addresses a node
  parameter MASKED  = 0,     // see flit_source
  parameter QUEUE   = 32,    // replies that may wait at a node
  parameter ROWS    = 64,    // rows of the memories: clocks of a burst
  parameter TABLE_ROWS = 2,  // addresses of the forwarding tables, >= 2
  parameter TABLE_W = 8,     // bits of a row of them
  parameter STATE_W = 16,    // bits of the network's state
  parameter HOME_W  = 1,
  parameter DATA_STRIDE = 32,
  parameter SIDE_STRIDE = 32,
  parameter [63:0] UNMIX = 64'd1,
  parameter [16*LEAVES-1:0] RATIOS = {LEAVES{16'd1}},  // by leaf: clocks from flit to flit
  parameter FLIT_W  = WIDTH + 2 + HOPS_W  // derived
) (
  input  wire                    clk,
  output wire                    busy_o,
  output reg                     rst_o,
  output reg                     again_o,  // it is not the first clock of a pulse
  output wire [31:0]             seed_o,
  output wire                    write_o,
  output wire [ADDR_W-1:0]       address_o,
  output wire [TABLE_W-1:0]      entries_o,
  output wire [LEAVES*VCS-1:0]    valid_o,
  output wire [LEAVES*FLIT_W-1:0] flit_o,
  input  wire [LEAVES*VCS-1:0]    credit_i,
  input  wire [LEAVES*VCS-1:0]    valid_i,
  input  wire [LEAVES*FLIT_W-1:0] flit_i,
  output wire [LEAVES*VCS-1:0]    credit_o,
  input  wire [STATE_W-1:0]      state_i,
  input  wire [HOME_W-1:0]       home_i
);

  localparam INDEX_W = $clog2(ROWS);
  localparam REPLY_W = NODE_W + NUMBER_W;
  localparam TAIL    = WIDTH;
  localparam HEAD    = WIDTH + 1;

  reg [LEAVES*64-1:0]          stim_packet [0:ROWS-1];
  reg [LEAVES-1:0]             stim_stall  [0:ROWS-1];
  reg [TABLE_W-1:0]           stim_table  [0:TABLE_ROWS-1];
  reg [LEAVES*DATA_STRIDE-1:0] seen_data   [0:ROWS-1];
  reg [LEAVES*SIDE_STRIDE-1:0] seen_side   [0:ROWS-1];
  reg [LEAVES-1:0]             seen_taken  [0:ROWS-1];
  reg [STATE_W-1:0]           seen_state;
  reg [HOME_W-1:0]            seen_home;

  reg          go;
  reg          done;
  reg          restart;      // the first packet of each list has number 0
  reg          load;
  reg          answer;       // requests are answered
  reg [31:0]   seed;
  reg [31:0]   cycles;
  reg [31:0]   reset_at;
  reg [15:0]   reset_shape;
  reg [31:0]   clocks;       // since the start
  reg [15:0]   reply_limit;
  reg [7:0]    reply_flits;
  reg [3:0]    reply_vcs;
  reg [3:0]    hold_vcs;

  initial begin
    go          = 1'b0;
    done        = 1'b0;
    restart     = 1'b0;
    load        = 1'b0;
    answer      = 1'b0;
    seed        = 32'd0;
    cycles      = 32'd0;
    reset_at    = 32'd0;
    reset_shape = 16'd1;
    clocks      = 32'd0;
    reply_limit = 16'd1;
    reply_flits = 8'd1;
    reply_vcs   = 4'd1;
    hold_vcs    = 4'd0;
  end

  // `go` as its edges show it.  What depends on registers that Python may write to, Verilator works
  // out again at every edge of the clock: so no leaf does, and new offers are seen by this.
  reg go_q;
  initial go_q = 1'b0;
  always @(posedge go or negedge go) go_q <= go;

  wire               start = (clocks == 32'd0);
  wire               run   = busy_o & ~load & ~rst_o;
  wire               last  = (clocks + 32'd1 == cycles);
  wire [INDEX_W-1:0] index = clocks[INDEX_W-1:0];

  assign busy_o    = (go_q != done);
  assign seed_o    = seed;
  assign write_o   = busy_o & load;
  assign address_o = clocks[ADDR_W-1:0];
  assign entries_o = write_o ? stim_table[clocks[$clog2(TABLE_ROWS)-1:0]] : {TABLE_W{1'b0}};

  // The reset is a register, for a design may heed it at once: it must have no glitches.
  wire [31:0] since = clocks + 32'd2 - reset_at;  // the first clock of the reset, at the next clock
  wire        next  = busy_o & ~last & (reset_at != 32'd0) & (since < 32'd16)
                    & reset_shape[since[3:0]];
  initial {again_o, rst_o} = 2'b00;
  always @(posedge go or negedge go or posedge clk)
    if (go != go_q) {again_o, rst_o} <= {1'b0, reset_at == 32'd1};
    else            {again_o, rst_o} <= {rst_o & next, next};

  // ---- leaves -----------------------------------------------------------------------------------

  wire [LEAVES-1:0]             take;
  wire [LEAVES*DATA_STRIDE-1:0] data_row;
  wire [LEAVES*SIDE_STRIDE-1:0] side_row;
  reg  [VCS-1:0]               reply_vcs_q;

  always @(posedge clk) reply_vcs_q <= reply_vcs[VCS-1:0];

  genvar g;
  generate
    for (g = 0; g < LEAVES; g = g + 1) begin : gen_leaf
      localparam [31:0] SELF = g;
      reg  [INDEX_W:0]   next_q;  // row of the list's next packet
      wire               more = busy_o & ~next_q[INDEX_W];
      wire [63:0]        offer = more ? stim_packet[next_q[INDEX_W-1:0]][g*64 +: 64] : 64'd0;
      wire               reply_valid, reply_take;
      wire [REPLY_W-1:0] reply;

      initial next_q = {(INDEX_W+1){1'b0}};
      always @(posedge clk)
        if (busy_o)
          next_q <= last ? {(INDEX_W+1){1'b0}} : next_q + {{INDEX_W{1'b0}}, run & take[g]};

      flit_source #(
        .VCS(VCS), .DEPTH(DEPTH), .WIDTH(WIDTH), .FLIT_W(FLIT_W), .ADDR_W(ADDR_W),
        .NODE_W(NODE_W), .NUMBER_W(NUMBER_W), .REPLY_W(REPLY_W), .PATHS(PATHS), .MASKED(MASKED),
        .RATIO({16'd0, RATIOS[16*g +: 16]})
      ) u_source (
        .clk(clk), .rst(rst_o), .run_i(run), .restart_i(start & restart),
        .self_i(SELF[NODE_W-1:0]), .now_i(clocks[15:0]), .offer_i(offer), .take_o(take[g]),
        .reply_valid_i(reply_valid), .reply_i(reply), .reply_flits_i(reply_flits),
        .reply_vcs_i(reply_vcs_q), .reply_take_o(reply_take), .valid_o(valid_o[g*VCS +: VCS]),
        .flit_o(flit_o[g*FLIT_W +: FLIT_W]), .credit_i(credit_i[g*VCS +: VCS])
      );

      wire [VCS-1:0]    valid = valid_i[g*VCS +: VCS];
      wire [FLIT_W-1:0] flit  = flit_i[g*FLIT_W +: FLIT_W];

      flit_sink #(
        .VCS(VCS), .DEPTH(DEPTH), .WIDTH(WIDTH), .FLIT_W(FLIT_W), .ADDR_W(ADDR_W),
        .NODE_W(NODE_W), .NUMBER_W(NUMBER_W), .REPLY_W(REPLY_W), .QUEUE(QUEUE), .UNMIX(UNMIX)
      ) u_sink (
        .clk(clk), .rst(rst_o), .stall_i(busy_o & stim_stall[index][g]), .answer_i(answer),
        .reply_limit_i(reply_limit), .hold_vcs_i(hold_vcs[VCS-1:0]), .valid_i(valid),
        .flit_i(flit), .credit_o(credit_o[g*VCS +: VCS]), .reply_valid_o(reply_valid),
        .reply_o(reply), .reply_take_i(reply_take)
      );

      wire              told = flit[HEAD] | (MARKS != 0);
      wire [HOPS_W-1:0] hops = told ? flit[WIDTH+2 +: HOPS_W] : {HOPS_W{1'b0}};
      wire              came = (valid != {VCS{1'b0}});
      assign data_row[g*DATA_STRIDE +: DATA_STRIDE] =
        came ? {{(DATA_STRIDE-WIDTH){1'b0}}, flit[WIDTH-1:0]} : {DATA_STRIDE{1'b0}};
      assign side_row[g*SIDE_STRIDE +: SIDE_STRIDE] =
        came ? {{(SIDE_STRIDE-6-HOPS_W){1'b0}}, hops, {(4-VCS){1'b0}}, valid,
                flit[HEAD], flit[TAIL]} : {SIDE_STRIDE{1'b0}};
    end
  endgenerate

  // ---- what is captured -------------------------------------------------------------------------

  always @(posedge clk)
    if (busy_o) begin
      seen_data[index]  <= data_row;
      seen_side[index]  <= (rst_o & ~again_o) ? {(LEAVES*SIDE_STRIDE){1'b0}} : side_row;
      seen_taken[index] <= run ? take : {LEAVES{1'b0}};
      clocks            <= clocks + 32'd1;
      if (last) begin
        clocks     <= 32'd0;
        seen_state <= state_i;
        seen_home  <= home_i;
        done       <= go_q;  // last: Python looks as soon as it changes
      end
    end

endmodule

`default_nettype wire
