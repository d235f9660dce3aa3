// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Notes all that is on the links of a network, clock by clock, and hashes it.
//
// Contract: run_i: a clock of a burst; row_i: which.  Rows row_i of seen_data and seen_side are as
// in flit_player, a link an element; those of seen_home have the VCs of credits, 8 bits a link.
// Side and VCs are zero if nothing is there, and data then old.  Of a body the list of hops is left
// out.
// seen_hash[k] is a hash of link k over the burst so far: the sum of those of flits and credits,
// as fattree_models.xgft.wormhole.hashes says.
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
  parameter FLIT_W = WIDTH + 2 + HOPS_W  // derived
) (
  input  wire                    clk,
  input  wire                    run_i,
  input  wire [31:0]             row_i,
  input  wire [LINKS*VCS-1:0]    valid_i,
  input  wire [LINKS*FLIT_W-1:0] flit_i,
  input  wire [LINKS*VCS-1:0]    credit_i
);

  localparam [63:0] GOLDEN = 64'h9E3779B97F4A7C15;

  localparam INDEX_W = $clog2(ROWS);

  reg [LINKS*DATA_STRIDE-1:0] seen_data [0:ROWS-1];
  reg [LINKS*SIDE_STRIDE-1:0] seen_side [0:ROWS-1];
  reg [LINKS*8-1:0]           seen_home [0:ROWS-1];
  reg [LINKS*64-1:0]          seen_hash;

  reg [LINKS*DATA_STRIDE-1:0] datas;  // what becomes a row
  reg [LINKS*SIDE_STRIDE-1:0] sides;
  reg [LINKS*8-1:0]           homes;
  wire [INDEX_W-1:0]          row = row_i[INDEX_W-1:0];

  function [63:0] mix(input [63:0] x);
    reg [63:0] y;
    begin
      y   = x * GOLDEN;
      mix = y ^ (y >> 32);
    end
  endfunction

  // One loop, not a block for each link: these would be as much C++ as the network itself.
  // verilator lint_off BLKSEQ
  always @(posedge clk) begin : record
    reg [LINKS*VCS-1:0]    valids, credits;
    reg [LINKS*FLIT_W-1:0] flits;
    reg [VCS-1:0]          valid, credit;
    reg [FLIT_W-1:0]       flit;
    reg [DATA_STRIDE-1:0]  data;
    reg [SIDE_STRIDE-1:0]  side;
    reg [63:0]             hash, one;  // of the link, of its flit
    reg                    head;
    integer                k, v;
    if (run_i) begin
      valids  = valid_i;  // once: what is joined at the ports would be joined for each link
      flits   = flit_i;
      credits = credit_i;
      for (k = 0; k < LINKS; k = k + 1) begin
        valid  = valids[k*VCS +: VCS];
        credit = credits[k*VCS +: VCS];
        side   = {SIDE_STRIDE{1'b0}};
        hash   = (row_i == 32'd0) ? 64'd0 : seen_hash[k*64 +: 64];
        if (valid != {VCS{1'b0}}) begin
          flit = flits[k*FLIT_W +: FLIT_W];
          head = flit[WIDTH+1];
          data = {{(DATA_STRIDE-WIDTH){1'b0}}, flit[WIDTH-1:0]};
          side = {{(SIDE_STRIDE-6-HOPS_W){1'b0}}, head ? flit[WIDTH+2 +: HOPS_W] : {HOPS_W{1'b0}},
                  {(4-VCS){1'b0}}, valid, head, flit[WIDTH]};
          datas[k*DATA_STRIDE +: DATA_STRIDE] = data;
          if (HASHED != 0) begin
            one  = mix({26'd0, head, flit[WIDTH], side[5:2], row_i + 32'd1});
            one  = mix(one ^ {{(64-DATA_STRIDE){1'b0}}, data});
            hash = hash + (head ? mix(one ^ {6'd0, {(64-SIDE_STRIDE){1'b0}}, side[SIDE_STRIDE-1:6]})
                                : one);
          end
        end
        if (HASHED != 0) begin
          if (credit != {VCS{1'b0}})
            for (v = 0; v < VCS; v = v + 1)
              if (credit[v]) hash = hash + mix(mix({24'd1 << v, 8'd0, row_i + 32'd1}));
          seen_hash[k*64 +: 64] = hash;
        end
        sides[k*SIDE_STRIDE +: SIDE_STRIDE] = side;
        homes[k*8 +: 8] = {{(8-VCS){1'b0}}, credit};
      end
      seen_data[row] = datas;
      seen_side[row] = sides;
      seen_home[row] = homes;
    end
  end
  // verilator lint_on BLKSEQ

endmodule

`default_nettype wire
