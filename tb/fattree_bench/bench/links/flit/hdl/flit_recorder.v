// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Notes all that is on the links of a network, clock by clock, and what it shows of itself, every
// 32 clocks, and hashes it.
//
// Contract: run_i: a clock of a burst; row_i: which.  Rows row_i of seen_valid and seen_credit are
// then valid_i and credit_i; valid flits follow one another in seen_flit, clock by clock, of a
// clock lane by lane (a lane is a VC of a link), from row 0 on.
// Without HASHED row row_i of seen_shown is shown_i; with it, only if row_i is a multiple of 32.
// seen_total[k] is the sum, over these rows of the burst so far, of the halves of their words k
// (64 bits), each times a weight of the clock: fattree_models.wormhole.kernel.
// seen_hash are sums over the burst so far, as fattree_models.wormhole.hashes says: first of
// each lane, of its flits, each word times a weight; of a body hops are left out.  Then of each 32
// lanes, of their credits as one word, times the weight of the clock.
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

  localparam [63:0] GOLDEN    = 64'h9E3779B97F4A7C15;
  localparam [31:0] DE_BRUIJN = 32'h077CB531;

  localparam INDEX_W = $clog2(ROWS);
  localparam LANES   = LINKS * VCS;
  localparam GROUPS  = (LANES + 31) / 32;   // of lanes, looked at as one word
  localparam WORDS   = (SHOWN_W > 128) ? (SHOWN_W + 63) / 64 : 2;  // two, as a memory has
  localparam DATA_N  = (WIDTH + 31) / 32;   // words of 32 bits that are hashed
  localparam HOPS_N  = (HOPS_W + 31) / 32;

  reg [LANES-1:0]        seen_valid  [0:ROWS-1];
  reg [FLIT_W-1:0]       seen_flit   [0:ROWS*LINKS-1];  // few are used, so few are in a cache
  reg [LANES-1:0]        seen_credit [0:ROWS-1];
  reg [63:0]             seen_hash   [0:LANES+GROUPS-1];
  reg [SHOWN_W-1:0]      seen_shown  [0:ROWS-1];
  reg [63:0]             seen_total  [0:WORDS-1];
  reg [31:0]             seen_rows   [0:1];           // rows so far; two, as a memory has
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
  reg [GROUPS*32-1:0]    valids, credits;  // with idle lanes up to the last group
  integer                count;            // flits of the burst so far

  // Places of single bits: the five highest of bit times DE_BRUIJN are another number for each.
  reg [4:0]              place_of [0:31];
  initial begin : places
    integer k;
    for (k = 0; k < 32; k = k + 1) place_of[((DE_BRUIJN << k) >> 27) & 31] = k[4:0];
  end

  // One loop, not a block for each link: these would be as much C++ as the network itself.  It goes
  // from valid lane to valid lane: whether the next lane is valid, no processor foresees.  In a
  // task, whose variables are those of C++: a register would be written to memory in each turn.
  // verilator lint_off BLKSEQ
  task automatic note_group(input integer g);
    reg [31:0]             valid, low, lane;
    reg [FLIT_W-1:0]       flit;
    reg [DATA_N*32-1:0]    data;
    reg [HOPS_N*32-1:0]    hops;
    reg [63:0]             sum;
    integer                w;
    begin
      valid = valids[g*32 +: 32];
      while (valid != 32'd0) begin
        low   = valid & (~valid + 32'd1);
        valid = valid ^ low;
        low   = (low * DE_BRUIJN) >> 27;
        lane  = g * 32 + {27'd0, place_of[low[4:0]]};
        flit  = flits[lane/VCS*FLIT_W +: FLIT_W];
        if (count < ROWS * LINKS) seen_flit[count] = flit;
        count = count + 1;
        if (HASHED != 0) begin
          data = {{(DATA_N*32-WIDTH){1'b0}}, flit[WIDTH-1:0]};
          sum  = weight[0] * {29'd0, 1'b1, flit[WIDTH+1:WIDTH], data[31:0]};
          for (w = 1; w < DATA_N; w = w + 1)
            sum = sum + weight[w] * {32'd0, data[w*32 +: 32]};
          if (flit[WIDTH+1]) begin
            hops = {{(HOPS_N*32-HOPS_W){1'b0}}, flit[WIDTH+2 +: HOPS_W]};
            for (w = 0; w < HOPS_N; w = w + 1)
              sum = sum + weight[DATA_N+w] * {32'd0, hops[w*32 +: 32]};
          end
          seen_hash[lane] = seen_hash[lane] + sum;
        end
      end
      if (HASHED != 0)
        seen_hash[LANES+g] = seen_hash[LANES+g] + weight[0] * {32'd0, credits[g*32 +: 32]};
    end
  endtask

  always @(posedge clk) begin : record
    reg [WORDS*64-1:0] shown;
    integer            g, k, w;
    if (run_i) begin
      flits   = flit_i;  // once: what is joined at the ports would be joined for each link
      valids  = {{(GROUPS*32-LANES){1'b0}}, valid_i};
      credits = {{(GROUPS*32-LANES){1'b0}}, credit_i};
      if (row_i == 32'd0) count = 0;
      seen_valid[row]  = valid_i;
      seen_credit[row] = credit_i;
      seen_rows[0]     = row_i + 32'd1;
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
          for (k = 0; k < LANES + GROUPS; k = k + 1) seen_hash[k] = 64'd0;
      end
      for (g = 0; g < GROUPS; g = g + 1) note_group(g);
    end
  end
  // verilator lint_on BLKSEQ

endmodule

`default_nettype wire
