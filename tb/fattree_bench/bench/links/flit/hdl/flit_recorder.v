// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Notes all that is on the links of a network, clock by clock, and hashes it.
//
// Contract: run_i: a clock of a burst; row_i: which.  Element row_i * LINKS + k of seen_word is what
// is on link k in this clock; seen_hash[k] is a hash of it over the burst so far.
// An element has, from bit 0: data; the side as in flit_player; VCs of credits (32).  All zero if
// nothing is there.  Of a body the list of hops is left out.
// The hash begins with 0.  For each row in which a flit or a credit is on the link, and for each of
// the words row + 1, marks, data, list of hops: hash = (hash ^ word) * PRIME.  Marks, from bit 0:
// VC of the flit, one-hot (4); VCs of credits (4); tail; head.
//
// All is written before registers change: whoever waits for the end of a burst finds its last row.
module flit_recorder #(
  parameter LINKS  = 4,
  parameter VCS    = 2,
  parameter WIDTH  = 32,          // data bits of a flit
  parameter HOPS_W = 16,          // bits of the list of hops, >= 1
  parameter ROWS   = 64,          // clocks of a burst
  parameter DATA_STRIDE = 32,     // see flit_player
  parameter SIDE_STRIDE = 32,     // see flit_player
  parameter HASHED = 1,           // 0: seen_hash stays 0
  parameter FLIT_W = WIDTH + 2 + HOPS_W,                // derived
  parameter WORD_W = DATA_STRIDE + SIDE_STRIDE + 32     // derived
) (
  input  wire                    clk,
  input  wire                    run_i,
  input  wire [31:0]             row_i,
  input  wire [LINKS*VCS-1:0]    valid_i,
  input  wire [LINKS*FLIT_W-1:0] flit_i,
  input  wire [LINKS*VCS-1:0]    credit_i
);

  localparam [63:0] PRIME   = 64'h100000001B3;
  localparam        INDEX_W = $clog2(ROWS * LINKS);

  reg [WORD_W-1:0] seen_word [0:ROWS*LINKS-1];
  reg [63:0]       seen_hash [0:LINKS-1];

  wire [31:0]        at    = row_i * LINKS;
  wire [INDEX_W-1:0] first = at[INDEX_W-1:0];
  wire [63:0]        count = {32'd0, row_i} + 64'd1;

  // verilator lint_off BLKSEQ
  genvar g;
  generate
    for (g = 0; g < LINKS; g = g + 1) begin : gen_link
      localparam [INDEX_W-1:0] LINK = g;
      wire [VCS-1:0]         valid  = valid_i[g*VCS +: VCS];
      wire [VCS-1:0]         credit = credit_i[g*VCS +: VCS];
      wire [FLIT_W-1:0]      flit   = flit_i[g*FLIT_W +: FLIT_W];
      wire                   came   = (valid != {VCS{1'b0}});
      wire                   head   = came & flit[WIDTH+1];
      wire                   tail   = came & flit[WIDTH];
      wire [DATA_STRIDE-1:0] data   =
        came ? {{(DATA_STRIDE-WIDTH){1'b0}}, flit[WIDTH-1:0]} : {DATA_STRIDE{1'b0}};
      wire [HOPS_W-1:0]      hops   = head ? flit[WIDTH+2 +: HOPS_W] : {HOPS_W{1'b0}};
      wire [SIDE_STRIDE-1:0] side   =
        {{(SIDE_STRIDE-6-HOPS_W){1'b0}}, hops, {(4-VCS){1'b0}}, valid, head, tail};
      wire [31:0]            home   = {{(32-VCS){1'b0}}, credit};

      reg [63:0] hash;
      always @(posedge clk)
        if (run_i) begin
          seen_word[first + LINK] = {home, side, data};
          if (HASHED != 0) begin
            hash = (row_i == 32'd0) ? 64'd0 : seen_hash[g];
            if (came | credit != {VCS{1'b0}}) begin
              hash = (hash ^ count) * PRIME;
              hash = (hash ^ {54'd0, head, tail, home[3:0], side[5:2]}) * PRIME;
              hash = (hash ^ {{(64-DATA_STRIDE){1'b0}}, data}) * PRIME;
              hash = (hash ^ {{(64-HOPS_W){1'b0}}, hops}) * PRIME;
            end
            seen_hash[g] = hash;
          end
        end
    end
  endgenerate
  // verilator lint_on BLKSEQ

endmodule

`default_nettype wire
