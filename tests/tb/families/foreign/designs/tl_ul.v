// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// TileLink-UL crossbar: managers at tl_*, memories at mem_*, the bits of all of them side by side.
//
// Contract: memory j owns 2^PAGE bytes from j * 2^PAGE on; all else is denied.  Sources at memories
// have the manager's number above.
// Timing: a clock each way; managers, and memories, take turns.
module tl_ul #(
  parameter MANAGERS = 3,
  parameter MEMORIES = 2,
  parameter WIDTH    = 32,
  parameter ADDR_W   = 16,
  parameter SRC_W    = 3,
  parameter PAGE     = 12,
  parameter OUT_W    = SRC_W + 2  // of sources at memories
) (
  input  wire                        clk, rst,  // synchronous
  input  wire [MANAGERS-1:0]         tl_a_valid,
  output reg  [MANAGERS-1:0]         tl_a_ready,
  input  wire [MANAGERS*3-1:0]       tl_a_opcode,
  input  wire [MANAGERS*2-1:0]       tl_a_size,
  input  wire [MANAGERS*SRC_W-1:0]   tl_a_source,
  input  wire [MANAGERS*ADDR_W-1:0]  tl_a_address,
  input  wire [MANAGERS*WIDTH/8-1:0] tl_a_mask,
  input  wire [MANAGERS*WIDTH-1:0]   tl_a_data,
  output reg  [MANAGERS-1:0]         tl_d_valid,
  input  wire [MANAGERS-1:0]         tl_d_ready,
  output reg  [MANAGERS*3-1:0]       tl_d_opcode,
  output reg  [MANAGERS*2-1:0]       tl_d_size,
  output reg  [MANAGERS*SRC_W-1:0]   tl_d_source,
  output reg  [MANAGERS*WIDTH-1:0]   tl_d_data,
  output reg  [MANAGERS-1:0]         tl_d_denied,
  output reg  [MEMORIES-1:0]         mem_a_valid,
  input  wire [MEMORIES-1:0]         mem_a_ready,
  output reg  [MEMORIES*3-1:0]       mem_a_opcode,
  output reg  [MEMORIES*2-1:0]       mem_a_size,
  output reg  [MEMORIES*OUT_W-1:0]   mem_a_source,
  output reg  [MEMORIES*ADDR_W-1:0]  mem_a_address,
  output reg  [MEMORIES*WIDTH/8-1:0] mem_a_mask,
  output reg  [MEMORIES*WIDTH-1:0]   mem_a_data,
  input  wire [MEMORIES-1:0]         mem_d_valid,
  output reg  [MEMORIES-1:0]         mem_d_ready,
  input  wire [MEMORIES*3-1:0]       mem_d_opcode,
  input  wire [MEMORIES*2-1:0]       mem_d_size,
  input  wire [MEMORIES*OUT_W-1:0]   mem_d_source,
  input  wire [MEMORIES*WIDTH-1:0]   mem_d_data,
  input  wire [MEMORIES-1:0]         mem_d_denied
);

  localparam BYTES = WIDTH / 8;
  localparam [2:0] NONE = 3'd7, HERE = 3'd6;

  reg [MEMORIES*2-1:0] turn_q;  // of managers at a memory
  reg [MANAGERS*2-1:0] from_q;  // of memories at a manager
  reg [MEMORIES*3-1:0] whose;   // request a memory gets next
  reg [MANAGERS*3-1:0] from;    // answer a manager gets next; HERE: it is denied

  integer i, j, k;

  function [31:0] page_of;
    input [ADDR_W-1:0] address;
    page_of = {{(32-ADDR_W+PAGE){1'b0}}, address[ADDR_W-1:PAGE]};
  endfunction

  always @* begin
    tl_a_ready  = {MANAGERS{1'b0}};
    mem_d_ready = {MEMORIES{1'b0}};
    whose       = {MEMORIES{NONE}};
    from        = {MANAGERS{NONE}};
    for (j = 0; j < MEMORIES; j = j + 1)
      for (k = 0; k < MANAGERS; k = k + 1) begin
        i = (k + {30'd0, turn_q[j*2 +: 2]}) % MANAGERS;
        if (whose[j*3 +: 3] == NONE && (!mem_a_valid[j] || mem_a_ready[j]) && tl_a_valid[i]
            && page_of(tl_a_address[i*ADDR_W +: ADDR_W]) == j) begin
          whose[j*3 +: 3] = i[2:0];
          tl_a_ready[i]   = 1'b1;
        end
      end
    for (i = 0; i < MANAGERS; i = i + 1)
      if (!tl_d_valid[i] || tl_d_ready[i]) begin
        for (k = 0; k < MEMORIES; k = k + 1) begin
          j = (k + {30'd0, from_q[i*2 +: 2]}) % MEMORIES;
          if (from[i*3 +: 3] == NONE && mem_d_valid[j]
              && {30'd0, mem_d_source[j*OUT_W+SRC_W +: 2]} == i) begin
            from[i*3 +: 3] = j[2:0];
            mem_d_ready[j] = 1'b1;
          end
        end
        if (from[i*3 +: 3] == NONE && tl_a_valid[i]
            && page_of(tl_a_address[i*ADDR_W +: ADDR_W]) >= MEMORIES) begin
          from[i*3 +: 3] = HERE;
          tl_a_ready[i]  = 1'b1;
        end
      end
  end

  genvar g;
  generate
    for (g = 0; g < MEMORIES; g = g + 1) begin : gen_memory
      wire [2:0] of = whose[g*3 +: 3];
      always @(posedge clk)
        if (rst) begin
          mem_a_valid[g]   <= 1'b0;
          turn_q[g*2 +: 2] <= 2'd0;
        end else if (of != NONE) begin
          mem_a_valid[g]                    <= 1'b1;
          turn_q[g*2 +: 2]                  <= of[1:0] + 2'd1;
          mem_a_opcode[g*3 +: 3]            <= tl_a_opcode[of*3 +: 3];
          mem_a_size[g*2 +: 2]              <= tl_a_size[of*2 +: 2];
          mem_a_source[g*OUT_W +: OUT_W]    <= {of[1:0], tl_a_source[of*SRC_W +: SRC_W]};
          mem_a_address[g*ADDR_W +: ADDR_W] <= tl_a_address[of*ADDR_W +: ADDR_W];
          mem_a_mask[g*BYTES +: BYTES]      <= tl_a_mask[of*BYTES +: BYTES];
          mem_a_data[g*WIDTH +: WIDTH]      <= tl_a_data[of*WIDTH +: WIDTH];
        end else if (mem_a_ready[g]) mem_a_valid[g] <= 1'b0;
    end
    for (g = 0; g < MANAGERS; g = g + 1) begin : gen_manager
      wire [2:0] at   = from[g*3 +: 3];
      wire       here = (at == HERE);
      always @(posedge clk)
        if (rst) begin
          tl_d_valid[g]    <= 1'b0;
          from_q[g*2 +: 2] <= 2'd0;
        end else if (at != NONE) begin
          tl_d_valid[g] <= 1'b1;
          if (!here) from_q[g*2 +: 2] <= at[1:0] + 2'd1;
          tl_d_opcode[g*3 +: 3] <= here ? {2'd0, tl_a_opcode[g*3+2]} : mem_d_opcode[at*3 +: 3];
          tl_d_size[g*2 +: 2]   <= here ? tl_a_size[g*2 +: 2] : mem_d_size[at*2 +: 2];
          tl_d_source[g*SRC_W +: SRC_W] <=
            here ? tl_a_source[g*SRC_W +: SRC_W] : mem_d_source[at*OUT_W +: SRC_W];
          tl_d_data[g*WIDTH +: WIDTH] <= here ? {WIDTH{1'b0}} : mem_d_data[at*WIDTH +: WIDTH];
          tl_d_denied[g]        <= here | mem_d_denied[at];
        end else if (tl_d_ready[g]) tl_d_valid[g] <= 1'b0;
    end
  endgenerate

endmodule

`default_nettype wire
