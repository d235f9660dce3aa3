// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Notes all that is on the links of a network, clock by clock, and what it shows of itself, every
// 32 clocks, and hashes it.
//
// Contract: run_i: a clock of a burst; row_i: which.  Rows row_i of seen_valid and seen_credit are
// then valid_i and credit_i; valid flits follow one another in seen_flit, clock by clock, of a
// clock link by link, from row 0 on.
// Without HASHED row row_i of seen_shown is shown_i; with it, only if row_i is a multiple of 32.
// seen_total[k] is the sum, over these rows of the burst so far, of the halves of their words k
// (64 bits), each times a weight of the clock: fattree_models.xgft.wormhole.kernel.
// seen_hash[k] is a hash of link k over the burst so far: the sum of marks, data and hops, each
// times a weight, as fattree_models.xgft.wormhole.hashes says.  Of a body hops are left out.
//
// All is written before registers change: whoever waits for the end of a burst finds its last row.
module flit_recorder #(
  parameter LINKS  = 4,
  parameter VCS    = 2,
  parameter WIDTH  = 32,          // data bits of a flit
  parameter HOPS_W = 16,          // bits of the list of hops, >= 1
  parameter ROWS   = 64,          // clocks of a burst
  parameter SHOWN_W = 1,          // bits that the network shows of itself
  parameter HASHED = 1,           // 0: nothing is hashed
  parameter FLIT_W = WIDTH + 2 + HOPS_W  // derived
) (
  input  wire                    clk,
  input  wire                    run_i,
  input  wire [31:0]             row_i,
  input  wire [LINKS*VCS-1:0]    valid_i,
  input  wire [LINKS*FLIT_W-1:0] flit_i,
  input  wire [LINKS*VCS-1:0]    credit_i,
  input  wire [SHOWN_W-1:0]      shown_i
);

  localparam [63:0] GOLDEN = 64'h9E3779B97F4A7C15;

  localparam INDEX_W = $clog2(ROWS);
  localparam GROUP   = 16;        // links that are looked at as one word, for most are idle
  localparam GROUPS  = (LINKS + GROUP - 1) / GROUP;
  localparam BITS    = GROUP * VCS;
  localparam WORDS   = (SHOWN_W > 128) ? (SHOWN_W + 63) / 64 : 2;  // two, as a memory has
  localparam DATA_N  = (WIDTH + 31) / 32;   // words of 32 bits that are hashed
  localparam HOPS_N  = (HOPS_W + 31) / 32;

  reg [LINKS*VCS-1:0]    seen_valid  [0:ROWS-1];
  reg [FLIT_W-1:0]       seen_flit   [0:ROWS*LINKS-1];  // few are used, so few are in a cache
  reg [LINKS*VCS-1:0]    seen_credit [0:ROWS-1];
  reg [63:0]             seen_hash   [0:LINKS-1];
  reg [SHOWN_W-1:0]      seen_shown  [0:ROWS-1];
  reg [63:0]             seen_total  [0:WORDS-1];
  reg [63:0]             weight      [0:DATA_N+HOPS_N-1];  // of a row: of data, of hops

  wire [INDEX_W-1:0]     row = row_i[INDEX_W-1:0];

  function automatic [63:0] next_weight(input [63:0] x);
    reg [63:0] y;
    begin
      y           = x * GOLDEN;
      next_weight = (y ^ (y >> 32)) | 64'd1;
    end
  endfunction

  reg [LINKS*FLIT_W-1:0] flits;
  reg [GROUPS*BITS-1:0]  valids, credits;  // with idle links up to the last group
  integer                count;            // flits of the burst so far

  // One loop, not a block for each link: these would be as much C++ as the network itself.  In a
  // task, whose variables are those of C++: a register would be written to memory in each turn.
  // verilator lint_off BLKSEQ
  task automatic note_group(input integer g);
    reg [BITS-1:0]         valid, credit;    // a link is shifted out when it is done
    reg [FLIT_W-1:0]       flit;
    reg [DATA_N*32-1:0]    data;
    reg [HOPS_N*32-1:0]    hops;
    reg [31:0]             mark;             // of the link: VCs, and what the flit is
    reg [63:0]             sum;
    integer                k, w;
    begin
      valid  = valids[g*BITS +: BITS];
      credit = credits[g*BITS +: BITS];
      for (k = g * GROUP; (valid | credit) != {BITS{1'b0}}; k = k + 1) begin
        if ((valid[VCS-1:0] | credit[VCS-1:0]) != {VCS{1'b0}}) begin
          mark = {{(26-VCS){1'b0}}, credit[VCS-1:0], 6'd0};
          data = {(DATA_N*32){1'b0}};
          sum  = 64'd0;
          if (valid[VCS-1:0] != {VCS{1'b0}}) begin
            flit = flits[k*FLIT_W +: FLIT_W];
            seen_flit[count] = flit;
            count = count + 1;
            data = {{(DATA_N*32-WIDTH){1'b0}}, flit[WIDTH-1:0]};
            hops = {{(HOPS_N*32-HOPS_W){1'b0}}, flit[WIDTH+2 +: HOPS_W]};
            mark = mark | {26'd0, flit[WIDTH+1], flit[WIDTH], {(4-VCS){1'b0}}, valid[VCS-1:0]};
            for (w = 1; w < DATA_N; w = w + 1)
              sum = sum + weight[w] * {32'd0, data[w*32 +: 32]};
            if (flit[WIDTH+1])
              for (w = 0; w < HOPS_N; w = w + 1)
                sum = sum + weight[DATA_N+w] * {32'd0, hops[w*32 +: 32]};
          end
          if (HASHED != 0) seen_hash[k] = seen_hash[k] + sum + weight[0] * {mark, data[31:0]};
        end
        valid  = valid >> VCS;
        credit = credit >> VCS;
      end
    end
  endtask

  always @(posedge clk) begin : record
    reg [WORDS*64-1:0] shown;
    integer            g, k, w;
    if (run_i) begin
      flits   = flit_i;  // once: what is joined at the ports would be joined for each link
      valids  = {{(GROUPS*BITS-LINKS*VCS){1'b0}}, valid_i};
      credits = {{(GROUPS*BITS-LINKS*VCS){1'b0}}, credit_i};
      if (row_i == 32'd0) count = 0;
      seen_valid[row]  = valid_i;
      seen_credit[row] = credit_i;
      if (HASHED == 0) seen_shown[row] = shown_i;
      if (HASHED != 0) begin
        weight[0] = next_weight(next_weight({32'd0, row_i + 32'd1}));
        for (w = 1; w < DATA_N + HOPS_N; w = w + 1) weight[w] = next_weight(weight[w-1]);
        if (row_i[4:0] == 5'd0) begin
          shown  = {{(WORDS*64-SHOWN_W){1'b0}}, shown_i};
          seen_shown[row] = shown_i;
          for (k = 0; k < WORDS; k = k + 1)
            seen_total[k] = ((row_i == 32'd0) ? 64'd0 : seen_total[k])
                            + weight[0] * {32'd0, shown[k*64 +: 32]}
                            + weight[1] * {32'd0, shown[k*64+32 +: 32]};
        end
        if (row_i == 32'd0)
          for (k = 0; k < LINKS; k = k + 1) seen_hash[k] = 64'd0;
      end
      for (g = 0; g < GROUPS; g = g + 1) note_group(g);
    end
  end
  // verilator lint_on BLKSEQ

endmodule

`default_nettype wire
