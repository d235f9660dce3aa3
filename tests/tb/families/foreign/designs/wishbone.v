// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Wishbone B4 crossbar: managers at wbm_*, memories at wbs_*, the bits of all of them side by side.
//
// Contract: memory j owns 2^PAGE bytes from j * 2^PAGE on; all else gets err.  A memory serves one
// manager until all is answered, or in PIPELINED mode MOST requests; then comes the one above.
// Timing: a memory is given to a manager in the clock after it asks; then all is combinational.
module wishbone #(
  parameter MANAGERS  = 3,
  parameter MEMORIES  = 2,
  parameter WIDTH     = 32,
  parameter ADDR_W    = 16,
  parameter PAGE      = 12,
  parameter PIPELINED = 0,
  parameter MOST      = 4
) (
  input  wire                        clk, rst,  // synchronous
  input  wire [MANAGERS-1:0]         wbm_cyc_i, wbm_stb_i, wbm_we_i,
  input  wire [MANAGERS*ADDR_W-1:0]  wbm_adr_i,
  input  wire [MANAGERS*WIDTH-1:0]   wbm_dat_i,
  input  wire [MANAGERS*WIDTH/8-1:0] wbm_sel_i,
  output reg  [MANAGERS*WIDTH-1:0]   wbm_dat_o,
  output reg  [MANAGERS-1:0]         wbm_ack_o, wbm_err_o, wbm_stall_o,
  output reg  [MEMORIES-1:0]         wbs_cyc_o, wbs_stb_o,
  output wire [MEMORIES-1:0]         wbs_we_o,
  output wire [MEMORIES*ADDR_W-1:0]  wbs_adr_o,
  output wire [MEMORIES*WIDTH-1:0]   wbs_dat_o,
  output wire [MEMORIES*WIDTH/8-1:0] wbs_sel_o,
  input  wire [MEMORIES*WIDTH-1:0]   wbs_dat_i,
  input  wire [MEMORIES-1:0]         wbs_ack_i, wbs_err_i, wbs_stall_i
);

  localparam BYTES = WIDTH / 8;

  reg  [MEMORIES-1:0]   given_q;        // to a manager
  reg  [MEMORIES*2-1:0] owner_q;
  reg  [MEMORIES*3-1:0] sent_q, due_q;  // since then; of those not answered
  reg  [MEMORIES-1:0]   next;           // a manager without a memory asks
  reg  [MEMORIES*2-1:0] next_owner;
  reg  [MANAGERS-1:0]   has, bad_q;     // a memory; err is due: no memory owns the address
  wire [MEMORIES-1:0]   full;
  wire [MANAGERS-1:0]   asks  = wbm_cyc_i & wbm_stb_i;
  wire [MEMORIES-1:0]   done  = wbs_ack_i | wbs_err_i;
  wire [MEMORIES-1:0]   sends = wbs_stb_o & ((PIPELINED != 0) ? ~wbs_stall_i : done);

  integer i, j, k;

  function [31:0] page_of;
    input [ADDR_W-1:0] address;
    page_of = {{(32-ADDR_W+PAGE){1'b0}}, address[ADDR_W-1:PAGE]};
  endfunction

  always @* begin
    has = {MANAGERS{1'b0}};
    for (j = 0; j < MEMORIES; j = j + 1)
      if (given_q[j]) has[owner_q[j*2 +: 2]] = 1'b1;
    wbm_dat_o   = {(MANAGERS*WIDTH){1'b0}};
    wbm_ack_o   = {MANAGERS{1'b0}};
    wbm_err_o   = bad_q;
    wbm_stall_o = {MANAGERS{1'b1}};
    wbs_cyc_o   = {MEMORIES{1'b0}};
    wbs_stb_o   = {MEMORIES{1'b0}};
    next        = {MEMORIES{1'b0}};
    next_owner  = {(MEMORIES*2){1'b0}};
    for (i = 0; i < MANAGERS; i = i + 1)
      if (page_of(wbm_adr_i[i*ADDR_W +: ADDR_W]) >= MEMORIES) wbm_stall_o[i] = has[i];
    for (j = 0; j < MEMORIES; j = j + 1)
      for (k = 1; k <= MANAGERS; k = k + 1) begin
        i = ({30'd0, owner_q[j*2 +: 2]} + k) % MANAGERS;
        if (!next[j] && asks[i] && !has[i] && page_of(wbm_adr_i[i*ADDR_W +: ADDR_W]) == j) begin
          next[j]              = 1'b1;
          next_owner[j*2 +: 2] = i[1:0];
        end
        if (given_q[j] && {30'd0, owner_q[j*2 +: 2]} == i) begin
          wbs_stb_o[j] = asks[i] & ~full[j] & (page_of(wbm_adr_i[i*ADDR_W +: ADDR_W]) == j);
          wbs_cyc_o[j] = wbs_stb_o[j] | (due_q[j*3 +: 3] != 3'd0);
          if (wbs_stb_o[j]) wbm_stall_o[i] = wbs_stall_i[j];
          wbm_ack_o[i] = wbs_ack_i[j];
          wbm_err_o[i] = wbs_err_i[j];
          if (done[j]) wbm_dat_o[i*WIDTH +: WIDTH] = wbs_dat_i[j*WIDTH +: WIDTH];
        end
      end
  end

  genvar g;
  generate
    for (g = 0; g < MEMORIES; g = g + 1) begin : gen_memory
      wire [1:0] own  = owner_q[g*2 +: 2];
      wire [2:0] left = due_q[g*3 +: 3] + {2'd0, sends[g]} - {2'd0, done[g]};
      assign full[g] = (PIPELINED != 0) & (sent_q[g*3 +: 3] == MOST);
      assign wbs_we_o[g]                   = wbm_we_i[own];
      assign wbs_adr_o[g*ADDR_W +: ADDR_W] = wbm_adr_i[own*ADDR_W +: ADDR_W];
      assign wbs_dat_o[g*WIDTH +: WIDTH]   = wbm_dat_i[own*WIDTH +: WIDTH];
      assign wbs_sel_o[g*BYTES +: BYTES]   = wbm_sel_i[own*BYTES +: BYTES];
      always @(posedge clk)
        if (rst || !given_q[g]) begin
          given_q[g]       <= next[g] & ~rst;
          sent_q[g*3 +: 3] <= 3'd0;
          due_q[g*3 +: 3]  <= 3'd0;
          if (rst || next[g]) owner_q[g*2 +: 2] <= rst ? 2'd0 : next_owner[g*2 +: 2];
        end else begin
          sent_q[g*3 +: 3] <= sent_q[g*3 +: 3] + {2'd0, sends[g]};
          due_q[g*3 +: 3]  <= left;
          given_q[g]       <= (PIPELINED != 0) ? left != 3'd0 || wbs_stb_o[g]
                                               : ~done[g] & wbs_stb_o[g];
        end
    end
    for (g = 0; g < MANAGERS; g = g + 1) begin : gen_bad
      wire none = (page_of(wbm_adr_i[g*ADDR_W +: ADDR_W]) >= MEMORIES);
      always @(posedge clk)
        bad_q[g] <= ~rst & asks[g] & none & ((PIPELINED != 0) ? ~has[g] : ~bad_q[g]);
    end
  endgenerate

endmodule

`default_nettype wire
