// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// AXI4 crossbar: managers at s_axi_*, memories at m_axi_*, the bits of all of them side by side.
//
// Contract: memory j owns 2^PAGE bytes from j * 2^PAGE on; all else gets DECERR.  IDs at memories
// have the manager's number above.  A manager has accesses of a direction on their way to one
// memory at a time, so that responses of an ID come in order.
// Timing: an address is at its memory in the clock after it was taken; data and responses pass in
// their clock.
module axi4 #(
  parameter MANAGERS = 3,
  parameter MEMORIES = 2,
  parameter WIDTH    = 32,
  parameter ADDR_W   = 16,
  parameter ID_W     = 4,
  parameter PAGE     = 12,
  parameter LITE     = 0,   // 1: memories have no IDs, and an access of a direction at a time
  parameter SELF_W   = (MANAGERS > 1) ? $clog2(MANAGERS) : 1,  // derived
  parameter OUT_W    = ID_W + SELF_W                           // derived
) (
  input  wire                        clk,
  input  wire                        rst,            // synchronous
  input wire [MANAGERS*ID_W-1:0] s_axi_awid, input wire [MANAGERS*ADDR_W-1:0] s_axi_awaddr,
  input wire [MANAGERS*8-1:0] s_axi_awlen, input wire [MANAGERS*3-1:0] s_axi_awsize,
  input wire [MANAGERS*2-1:0] s_axi_awburst, input wire [MANAGERS*3-1:0] s_axi_awprot,
  input wire [MANAGERS-1:0] s_axi_awvalid, output wire [MANAGERS-1:0] s_axi_awready,
  input wire [MANAGERS*WIDTH-1:0] s_axi_wdata, input wire [MANAGERS*WIDTH/8-1:0] s_axi_wstrb,
  input wire [MANAGERS-1:0] s_axi_wlast, input wire [MANAGERS-1:0] s_axi_wvalid,
  output reg [MANAGERS-1:0] s_axi_wready, output reg [MANAGERS*ID_W-1:0] s_axi_bid,
  output reg [MANAGERS*2-1:0] s_axi_bresp, output reg [MANAGERS-1:0] s_axi_bvalid,
  input wire [MANAGERS-1:0] s_axi_bready, input wire [MANAGERS*ID_W-1:0] s_axi_arid,
  input wire [MANAGERS*ADDR_W-1:0] s_axi_araddr, input wire [MANAGERS*8-1:0] s_axi_arlen,
  input wire [MANAGERS*3-1:0] s_axi_arsize, input wire [MANAGERS*2-1:0] s_axi_arburst,
  input wire [MANAGERS*3-1:0] s_axi_arprot, input wire [MANAGERS-1:0] s_axi_arvalid,
  output wire [MANAGERS-1:0] s_axi_arready, output reg [MANAGERS*ID_W-1:0] s_axi_rid,
  output reg [MANAGERS*WIDTH-1:0] s_axi_rdata, output reg [MANAGERS*2-1:0] s_axi_rresp,
  output reg [MANAGERS-1:0] s_axi_rlast, output reg [MANAGERS-1:0] s_axi_rvalid,
  input wire [MANAGERS-1:0] s_axi_rready, output wire [MEMORIES*OUT_W-1:0] m_axi_awid,
  output wire [MEMORIES*ADDR_W-1:0] m_axi_awaddr, output wire [MEMORIES*8-1:0] m_axi_awlen,
  output wire [MEMORIES*3-1:0] m_axi_awsize, output wire [MEMORIES*2-1:0] m_axi_awburst,
  output wire [MEMORIES*3-1:0] m_axi_awprot, output wire [MEMORIES-1:0] m_axi_awvalid,
  input wire [MEMORIES-1:0] m_axi_awready, output reg [MEMORIES*WIDTH-1:0] m_axi_wdata,
  output reg [MEMORIES*WIDTH/8-1:0] m_axi_wstrb, output reg [MEMORIES-1:0] m_axi_wlast,
  output reg [MEMORIES-1:0] m_axi_wvalid, input wire [MEMORIES-1:0] m_axi_wready,
  input wire [MEMORIES*OUT_W-1:0] m_axi_bid, input wire [MEMORIES*2-1:0] m_axi_bresp,
  input wire [MEMORIES-1:0] m_axi_bvalid, output reg [MEMORIES-1:0] m_axi_bready,
  output wire [MEMORIES*OUT_W-1:0] m_axi_arid, output wire [MEMORIES*ADDR_W-1:0] m_axi_araddr,
  output wire [MEMORIES*8-1:0] m_axi_arlen, output wire [MEMORIES*3-1:0] m_axi_arsize,
  output wire [MEMORIES*2-1:0] m_axi_arburst, output wire [MEMORIES*3-1:0] m_axi_arprot,
  output wire [MEMORIES-1:0] m_axi_arvalid, input wire [MEMORIES-1:0] m_axi_arready,
  input wire [MEMORIES*OUT_W-1:0] m_axi_rid, input wire [MEMORIES*WIDTH-1:0] m_axi_rdata,
  input wire [MEMORIES*2-1:0] m_axi_rresp, input wire [MEMORIES-1:0] m_axi_rlast,
  input wire [MEMORIES-1:0] m_axi_rvalid, output reg [MEMORIES-1:0] m_axi_rready
);

  localparam ASK_W  = OUT_W + ADDR_W + 16;  // of an address and its fields
  localparam GOAL_W = $clog2(MEMORIES + 1);
  localparam QUEUE  = 16;                   // writes whose words a memory awaits
  localparam [GOAL_W-1:0] NONE = MEMORIES;
  localparam [1:0]        DECERR = 2'd3;

  // By manager: how many writes, reads are on their way, and to which memory.
  reg [MANAGERS*4-1:0]      writes_q, reads_q;
  reg [MANAGERS*GOAL_W-1:0] to_w_q, to_r_q;
  // Of accesses that no memory owns: words are awaited, B is due, R is due; ID; beats left.
  reg [MANAGERS-1:0]        bad_w_q, bad_b_q, bad_r_q;
  reg [MANAGERS*ID_W-1:0]   bad_bid_q, bad_rid_q;
  reg [MANAGERS*8-1:0]      bad_left_q;

  wire [MANAGERS*GOAL_W-1:0]   goal_w, goal_r;
  wire [MANAGERS-1:0]          may_w, may_r;
  wire [MANAGERS*ASK_W-1:0]    ask_w, ask_r;
  wire [MEMORIES*MANAGERS-1:0] take_w, take_r;  // by memory: whose address is taken
  wire [MEMORIES*SELF_W-1:0]   whose;           // manager whose words a memory gets
  wire [MEMORIES-1:0]          words;           // some are due
  wire [MEMORIES*SELF_W-1:0]   last_w, last_r;  // who asked last
  reg  [MEMORIES-1:0]          lite_w_q, lite_r_q;
  wire [MEMORIES*SELF_W-1:0]   goal_b, goal_a;  // whose responses come

  genvar g, h;
  generate
    for (g = 0; g < MANAGERS; g = g + 1) begin : gen_manager
      localparam [31:0] SELF = g;
      wire [ADDR_W-PAGE-1:0] page_w = s_axi_awaddr[g*ADDR_W + PAGE +: ADDR_W-PAGE];
      wire [ADDR_W-PAGE-1:0] page_r = s_axi_araddr[g*ADDR_W + PAGE +: ADDR_W-PAGE];
      wire [GOAL_W-1:0] at_w = (page_w < MEMORIES) ? page_w[GOAL_W-1:0] : NONE;
      wire [GOAL_W-1:0] at_r = (page_r < MEMORIES) ? page_r[GOAL_W-1:0] : NONE;
      wire [3:0] on_w = writes_q[g*4 +: 4];
      wire [3:0] on_r = reads_q[g*4 +: 4];
      assign goal_w[g*GOAL_W +: GOAL_W] = at_w;
      assign goal_r[g*GOAL_W +: GOAL_W] = at_r;
      assign may_w[g] = s_axi_awvalid[g] & ((on_w == 4'd0)
        | ((to_w_q[g*GOAL_W +: GOAL_W] == at_w) & (at_w != NONE) & (on_w != 4'd15)));
      assign may_r[g] = s_axi_arvalid[g] & ((on_r == 4'd0)
        | ((to_r_q[g*GOAL_W +: GOAL_W] == at_r) & (at_r != NONE) & (on_r != 4'd15)));
      assign ask_w[g*ASK_W +: ASK_W] = {
        SELF[SELF_W-1:0], s_axi_awid[g*ID_W +: ID_W], s_axi_awaddr[g*ADDR_W +: ADDR_W],
        s_axi_awlen[g*8 +: 8], s_axi_awsize[g*3 +: 3], s_axi_awburst[g*2 +: 2],
        s_axi_awprot[g*3 +: 3]
      };
      assign ask_r[g*ASK_W +: ASK_W] = {
        SELF[SELF_W-1:0], s_axi_arid[g*ID_W +: ID_W], s_axi_araddr[g*ADDR_W +: ADDR_W],
        s_axi_arlen[g*8 +: 8], s_axi_arsize[g*3 +: 3], s_axi_arburst[g*2 +: 2],
        s_axi_arprot[g*3 +: 3]
      };
      wire [MEMORIES-1:0] taken_w, taken_r;
      for (h = 0; h < MEMORIES; h = h + 1) begin : gen_taken
        assign taken_w[h] = take_w[h*MANAGERS + g];
        assign taken_r[h] = take_r[h*MANAGERS + g];
      end
      assign s_axi_awready[g] = (taken_w != {MEMORIES{1'b0}}) | (may_w[g] & (at_w == NONE));
      assign s_axi_arready[g] = (taken_r != {MEMORIES{1'b0}}) | (may_r[g] & (at_r == NONE));
    end

    for (g = 0; g < MEMORIES; g = g + 1) begin : gen_memory
      localparam [31:0] SELF = g;
      wire [MANAGERS-1:0] here_w, here_r;
      for (h = 0; h < MANAGERS; h = h + 1) begin : gen_here
        assign here_w[h] = may_w[h] & (goal_w[h*GOAL_W +: GOAL_W] == SELF[GOAL_W-1:0]);
        assign here_r[h] = may_r[h] & (goal_r[h*GOAL_W +: GOAL_W] == SELF[GOAL_W-1:0]);
      end
      // Managers in the order of their writes: their words come in the same.
      reg [QUEUE*SELF_W-1:0] queue_q;
      reg [4:0]              count_q;
      assign words[g] = (count_q != 5'd0);
      assign whose[g*SELF_W +: SELF_W] = queue_q[SELF_W-1:0];
      mapped_ask #(.N(MANAGERS), .W(ASK_W), .SELF_W(SELF_W)) u_write (
        .clk(clk), .rst(rst), .open_i((count_q < QUEUE - 1) & ~lite_w_q[g]), .valid_i(here_w),
        .word_i(ask_w), .take_o(take_w[g*MANAGERS +: MANAGERS]),
        .valid_o(m_axi_awvalid[g]), .ready_i(m_axi_awready[g]),
        .word_o({m_axi_awid[g*OUT_W +: OUT_W], m_axi_awaddr[g*ADDR_W +: ADDR_W],
          m_axi_awlen[g*8 +: 8], m_axi_awsize[g*3 +: 3], m_axi_awburst[g*2 +: 2],
          m_axi_awprot[g*3 +: 3]}),
        .from_o(last_w[g*SELF_W +: SELF_W])
      );
      mapped_ask #(.N(MANAGERS), .W(ASK_W), .SELF_W(SELF_W)) u_read (
        .clk(clk), .rst(rst), .open_i(~lite_r_q[g]), .valid_i(here_r), .word_i(ask_r),
        .take_o(take_r[g*MANAGERS +: MANAGERS]),
        .valid_o(m_axi_arvalid[g]), .ready_i(m_axi_arready[g]),
        .word_o({m_axi_arid[g*OUT_W +: OUT_W], m_axi_araddr[g*ADDR_W +: ADDR_W],
          m_axi_arlen[g*8 +: 8], m_axi_arsize[g*3 +: 3], m_axi_arburst[g*2 +: 2],
          m_axi_arprot[g*3 +: 3]}),
        .from_o(last_r[g*SELF_W +: SELF_W])
      );
      assign goal_b[g*SELF_W +: SELF_W] = (LITE != 0) ? last_w[g*SELF_W +: SELF_W]
        : m_axi_bid[g*OUT_W + ID_W +: SELF_W];
      assign goal_a[g*SELF_W +: SELF_W] = (LITE != 0) ? last_r[g*SELF_W +: SELF_W]
        : m_axi_rid[g*OUT_W + ID_W +: SELF_W];
      always @(posedge clk) begin : keep_order
        integer i;
        reg [QUEUE*SELF_W-1:0] left;
        reg [4:0]              count;
        left  = queue_q;
        count = count_q;
        if (m_axi_wvalid[g] && m_axi_wready[g] && m_axi_wlast[g]) begin
          left  = left >> SELF_W;
          count = count - 5'd1;
        end
        for (i = 0; i < MANAGERS; i = i + 1)
          if (take_w[g*MANAGERS + i]) begin
            left[count*SELF_W +: SELF_W] = i[SELF_W-1:0];
            count = count + 5'd1;
          end
        queue_q <= left;
        count_q <= rst ? 5'd0 : count;
        if (take_w[g*MANAGERS +: MANAGERS] != {MANAGERS{1'b0}}) lite_w_q[g] <= (LITE != 0);
        else if (m_axi_bvalid[g] && m_axi_bready[g]) lite_w_q[g] <= 1'b0;
        if (take_r[g*MANAGERS +: MANAGERS] != {MANAGERS{1'b0}}) lite_r_q[g] <= (LITE != 0);
        else if (m_axi_rvalid[g] && m_axi_rready[g]) lite_r_q[g] <= 1'b0;
        if (rst) lite_w_q[g] <= 1'b0;
        if (rst) lite_r_q[g] <= 1'b0;
      end
    end
  endgenerate

  // Words of writes, to the memory that awaits them, or to none.
  always @* begin : pass_words
    integer i, j;
    s_axi_wready = bad_w_q;
    m_axi_wvalid = {MEMORIES{1'b0}};
    m_axi_wdata  = {MEMORIES*WIDTH{1'b0}};
    m_axi_wstrb  = {MEMORIES*WIDTH/8{1'b0}};
    m_axi_wlast  = {MEMORIES{1'b0}};
    for (j = 0; j < MEMORIES; j = j + 1)
      for (i = 0; i < MANAGERS; i = i + 1)
        if (words[j] && whose[j*SELF_W +: SELF_W] == i[SELF_W-1:0]) begin
          m_axi_wvalid[j] = s_axi_wvalid[i];
          m_axi_wdata[j*WIDTH +: WIDTH] = s_axi_wdata[i*WIDTH +: WIDTH];
          m_axi_wstrb[j*WIDTH/8 +: WIDTH/8] = s_axi_wstrb[i*WIDTH/8 +: WIDTH/8];
          m_axi_wlast[j] = s_axi_wlast[i];
          s_axi_wready[i] = m_axi_wready[j];
        end
  end

  // Responses: a manager awaits them from one memory at a time.
  always @* begin : pass_responses
    integer i, j;
    s_axi_bvalid = bad_b_q;
    s_axi_bid    = bad_bid_q;
    s_axi_bresp  = {MANAGERS{DECERR}};
    s_axi_rvalid = bad_r_q;
    s_axi_rid    = bad_rid_q;
    s_axi_rdata  = {MANAGERS*WIDTH{1'b0}};
    s_axi_rresp  = {MANAGERS{DECERR}};
    m_axi_bready = {MEMORIES{1'b0}};
    m_axi_rready = {MEMORIES{1'b0}};
    for (i = 0; i < MANAGERS; i = i + 1) begin
      s_axi_rlast[i] = (bad_left_q[i*8 +: 8] == 8'd0);
      for (j = 0; j < MEMORIES; j = j + 1) begin
        if (m_axi_bvalid[j] && goal_b[j*SELF_W +: SELF_W] == i[SELF_W-1:0]) begin
          s_axi_bvalid[i] = 1'b1;
          s_axi_bid[i*ID_W +: ID_W] = m_axi_bid[j*OUT_W +: ID_W];
          s_axi_bresp[i*2 +: 2] = m_axi_bresp[j*2 +: 2];
          m_axi_bready[j] = s_axi_bready[i];
        end
        if (m_axi_rvalid[j] && goal_a[j*SELF_W +: SELF_W] == i[SELF_W-1:0]) begin
          s_axi_rvalid[i] = 1'b1;
          s_axi_rid[i*ID_W +: ID_W] = m_axi_rid[j*OUT_W +: ID_W];
          s_axi_rdata[i*WIDTH +: WIDTH] = m_axi_rdata[j*WIDTH +: WIDTH];
          s_axi_rresp[i*2 +: 2] = m_axi_rresp[j*2 +: 2];
          s_axi_rlast[i] = m_axi_rlast[j];
          m_axi_rready[j] = s_axi_rready[i];
        end
      end
    end
  end

  always @(posedge clk) begin : keep_count
    integer i;
    reg     asks, ends;
    for (i = 0; i < MANAGERS; i = i + 1) begin
      asks = s_axi_awvalid[i] & s_axi_awready[i];
      ends = s_axi_bvalid[i] & s_axi_bready[i];
      writes_q[i*4 +: 4] <= writes_q[i*4 +: 4] + {3'd0, asks} - {3'd0, ends};
      if (asks) to_w_q[i*GOAL_W +: GOAL_W] <= goal_w[i*GOAL_W +: GOAL_W];
      if (asks && goal_w[i*GOAL_W +: GOAL_W] == NONE) begin
        bad_w_q[i] <= 1'b1;
        bad_bid_q[i*ID_W +: ID_W] <= s_axi_awid[i*ID_W +: ID_W];
      end
      if (bad_w_q[i] && s_axi_wvalid[i] && s_axi_wlast[i]) begin
        bad_w_q[i] <= 1'b0;
        bad_b_q[i] <= 1'b1;
      end
      if (bad_b_q[i] && s_axi_bready[i]) bad_b_q[i] <= 1'b0;
      asks = s_axi_arvalid[i] & s_axi_arready[i];
      ends = s_axi_rvalid[i] & s_axi_rready[i] & s_axi_rlast[i];
      reads_q[i*4 +: 4] <= reads_q[i*4 +: 4] + {3'd0, asks} - {3'd0, ends};
      if (asks) to_r_q[i*GOAL_W +: GOAL_W] <= goal_r[i*GOAL_W +: GOAL_W];
      if (asks && goal_r[i*GOAL_W +: GOAL_W] == NONE) begin
        bad_r_q[i] <= 1'b1;
        bad_rid_q[i*ID_W +: ID_W] <= s_axi_arid[i*ID_W +: ID_W];
        bad_left_q[i*8 +: 8] <= s_axi_arlen[i*8 +: 8];
      end
      if (bad_r_q[i] && s_axi_rready[i]) begin
        bad_left_q[i*8 +: 8] <= bad_left_q[i*8 +: 8] - 8'd1;
        bad_r_q[i] <= ~s_axi_rlast[i];
      end
    end
    if (rst) begin
      writes_q <= {MANAGERS*4{1'b0}};
      reads_q  <= {MANAGERS*4{1'b0}};
      bad_w_q  <= {MANAGERS{1'b0}};
      bad_b_q  <= {MANAGERS{1'b0}};
      bad_r_q  <= {MANAGERS{1'b0}};
    end
  end

endmodule

`default_nettype wire
