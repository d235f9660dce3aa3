// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Commands to the initiators of SPIN, and what became of them; damage of words on links.  It runs
// while the flit_player beside it does, by whose clocks its rows count.
//
// Contract: Python fills, before the flit_player's `go`, row r of
//   stim_command: the r-th command of each terminal in this burst (64 bits each, from bit 0:
//     release (16), target (8), words (4), write (1), address (32), zeros (1), ones (1); bit 63:
//     there is one);
//   stim_flip: of each terminal: bits that are flipped (36), plane (1, bit 39), number of the word
//     that the terminal sends into that plane, from 0 on since `restart` (23, from bit 40); bit 63:
//     there is one.  Rows go up.
// Word j of a write is {initiator (6), number of its command since `restart` (12), j (4)} *
// 9E3779B1; with zeros, or ones, all words are so.
// In row c stands what happens in clock c, all zero if nothing does:
//   seen_issued:   by terminal, 8 bits: {1, 000, tag}: a command is taken;
//   seen_served:   by terminal, 16 bits: {1, 000, tag, source}: its memory begins to serve;
//   seen_dropped:  by terminal: a request is dropped, it was damaged;
//   seen_response: by terminal, 64 bits: a word of a response: bit 63 valid, 62 last, 61 damaged
//     (with last), 60 error, 59 write, words (4, from 55), tag (4, from 51), source (8, from 43),
//     data.
// raw: the flit_player's packets go into plane 0, nothing of the terminals' does.
// gaps: its credits come late, so that it stops within packets; which, is drawn from `restart` on.
// stim_flip must stay as it is until the next `restart`.
module spin_player #(
  parameter TERMINALS = 16,
  parameter PLANES    = 2,
  parameter ROWS      = 64   // rows of the memories: clocks of a burst
) (
  input  wire                            clk,
  input  wire                            run_i,      // the flit_player is busy
  input  wire                            rst,        // nothing is taken in this clock
  input  wire [31:0]                     clocks_i,   // since the start of the burst
  input  wire                            last_i,     // the burst's last clock
  output wire                            raw_o,
  input  wire [TERMINALS-1:0]            credit_i,   // of plane 0, for the flit_player
  output wire [TERMINALS-1:0]            credit_o,   // the same, when it gets it
  output wire [TERMINALS-1:0]            valid_o,    // by terminal: a command
  output wire [TERMINALS-1:0]            write_o,
  output wire [TERMINALS*8-1:0]          target_o,
  output wire [TERMINALS*4-1:0]          words_o,
  output wire [TERMINALS*32-1:0]         address_o,
  input  wire [TERMINALS-1:0]            taken_i,
  input  wire [TERMINALS*4-1:0]          tag_i,
  input  wire [TERMINALS*4-1:0]          index_i,
  output wire [TERMINALS*32-1:0]         word_o,     // word index_i of the write under way
  input  wire [TERMINALS-1:0]            served_i,
  input  wire [TERMINALS-1:0]            dropped_i,
  input  wire [TERMINALS*32-1:0]         asked_i,    // header of the request served
  input  wire [TERMINALS-1:0]            valid_i,    // a word of a response
  input  wire [TERMINALS-1:0]            final_i,    // it is the last
  input  wire [TERMINALS-1:0]            damaged_i,
  input  wire [TERMINALS*32-1:0]         header_i,   // of the response
  input  wire [TERMINALS*32-1:0]         word_i,
  input  wire [PLANES*TERMINALS-1:0]     sent_i,     // by plane and terminal: a word on the link
  output wire [PLANES*TERMINALS*36-1:0]  flip_o      // bits of it that are flipped
);

  localparam INDEX_W = $clog2(ROWS);
  localparam FLIP_W  = 6;            // of a flip's row

  reg [TERMINALS*64-1:0] stim_command  [0:ROWS-1];
  reg [TERMINALS*64-1:0] stim_flip     [0:(1<<FLIP_W)-1];
  reg [TERMINALS*8-1:0]  seen_issued   [0:ROWS-1];
  reg [TERMINALS*16-1:0] seen_served   [0:ROWS-1];
  reg [TERMINALS-1:0]    seen_dropped  [0:ROWS-1];
  reg [TERMINALS*64-1:0] seen_response [0:ROWS-1];

  reg raw;
  reg restart;  // numbers of commands and words start from 0
  reg gaps;
  integer n;
  initial begin
    raw     = 1'b1;
    restart = 1'b0;
    gaps    = 1'b0;
    for (n = 0; n < ROWS; n = n + 1) stim_command[n] = {(TERMINALS*64){1'b0}};
    for (n = 0; n < (1 << FLIP_W); n = n + 1) stim_flip[n] = {(TERMINALS*64){1'b0}};
  end

  wire               start = (clocks_i == 32'd0);
  wire [INDEX_W-1:0] index = clocks_i[INDEX_W-1:0];

  // What depends on registers that Python may write to, Verilator works out again at every edge.
  reg        raw_q, gaps_q;
  reg [15:0] draw_q;  // a shift register with feedback: all values but 0
  initial begin
    raw_q  = 1'b1;
    gaps_q = 1'b0;
    draw_q = 16'd1;
  end
  always @(posedge clk) begin
    raw_q  <= raw;
    gaps_q <= gaps;
    if (run_i)
      draw_q <= (start & restart) ? 16'd1
              : {draw_q[14:0], draw_q[15] ^ draw_q[13] ^ draw_q[12] ^ draw_q[10]};
  end
  assign raw_o = raw_q;

  wire [TERMINALS*8-1:0]  issued_row;
  wire [TERMINALS*16-1:0] served_row;
  wire [TERMINALS*64-1:0] response_row;

  genvar g, p;
  generate
    for (g = 0; g < TERMINALS; g = g + 1) begin : gen_terminal
      localparam [31:0]  SELF = g;
      reg  [INDEX_W:0]   next_q;    // row of the next command
      reg  [11:0]        number_q;  // of the next command
      reg  [11:0]        at_q;      // of that whose words are sent
      reg  [1:0]         fill_q;    // {ones, zeros} of that
      reg  [FLIP_W:0]    flips_q;   // row of the next flip
      reg  [PLANES*23-1:0] count_q; // by plane: words sent
      reg  [2:0]         late_q;    // credits that are held back

      wire               more  = run_i & ~next_q[INDEX_W];
      wire [63:0]        offer = more ? stim_command[next_q[INDEX_W-1:0]][g*64 +: 64] : 64'd0;
      wire [63:0]        flip  =
        flips_q[FLIP_W] ? 64'd0 : stim_flip[flips_q[FLIP_W-1:0]][g*64 +: 64];
      wire [PLANES-1:0]  hits;
      wire               unused = &{1'b0, offer, flip};

      assign valid_o  [g]          = offer[63] & ~rst & (offer[15:0] <= clocks_i[15:0]);
      assign target_o [g*8 +: 8]   = offer[23:16];
      assign words_o  [g*4 +: 4]   = offer[27:24];
      assign write_o  [g]          = offer[28];
      assign address_o[g*32 +: 32] = offer[60:29];
      assign word_o   [g*32 +: 32] = (fill_q != 2'b00) ? {32{fill_q[1]}}
        : {10'd0, SELF[5:0], at_q, index_i[g*4 +: 4]} * 32'h9E3779B1;

      for (p = 0; p < PLANES; p = p + 1) begin : gen_plane
        localparam [0:0] PLANE = p;
        assign hits[p] = sent_i[p*TERMINALS + g] & flip[63] & (flip[39] == PLANE)
                       & (flip[62:40] == count_q[p*23 +: 23]);
        assign flip_o[(p*TERMINALS + g)*36 +: 36] = hits[p] ? flip[35:0] : 36'd0;
        always @(posedge clk)
          if (run_i)
            count_q[p*23 +: 23] <=
              ((start & restart) ? 23'd0 : count_q[p*23 +: 23])
              + {22'd0, sent_i[p*TERMINALS + g]};
      end

      initial begin
        next_q   = {(INDEX_W+1){1'b0}};
        number_q = 12'd0;
        flips_q  = {(FLIP_W+1){1'b0}};
        count_q  = {(PLANES*23){1'b0}};
        late_q   = 3'd0;
      end

      always @(posedge clk)
        if (run_i) begin
          next_q <= last_i ? {(INDEX_W+1){1'b0}} : next_q + {{INDEX_W{1'b0}}, taken_i[g]};
          if (taken_i[g]) at_q <= (start & restart) ? 12'd0 : number_q;
          if (taken_i[g]) fill_q <= offer[62:61];
          number_q <= ((start & restart) ? 12'd0 : number_q) + {11'd0, taken_i[g]};
          flips_q  <= (start & restart) ? {(FLIP_W+1){1'b0}}
                      : flips_q + {{FLIP_W{1'b0}}, hits != {PLANES{1'b0}}};
        end

      wire [31:0] asked  = asked_i [g*32 +: 32];
      wire [31:0] header = header_i[g*32 +: 32];
      wire        unused_headers = &{1'b0, asked, header};
      wire               due  = (late_q != 3'd0) | (raw_q & credit_i[g]);
      wire               give = due & ~(gaps_q & draw_q[g % 16]);
      assign credit_o[g] = give;
      always @(posedge clk)
        if (rst) late_q <= 3'd0;
        else     late_q <= late_q + {2'd0, raw_q & credit_i[g]} - {2'd0, give};

      assign issued_row[g*8 +: 8] = taken_i[g] ? {4'b1000, tag_i[g*4 +: 4]} : 8'd0;
      assign served_row[g*16 +: 16] =
        served_i[g] ? {4'b1000, asked[19:16], asked[15:8]} : 16'd0;
      assign response_row[g*64 +: 64] =
        !valid_i[g] ? 64'd0 : {1'b1, final_i[g], damaged_i[g], header[22], header[20],
          header[26:23], header[19:16], header[15:8], 11'd0, word_i[g*32 +: 32]};
    end
  endgenerate

  // At once: Python looks while registers change.
  // verilator lint_off BLKSEQ
  always @(posedge clk)
    if (run_i) begin
      seen_issued  [index] = issued_row;
      seen_served  [index] = served_row;
      seen_dropped [index] = dropped_i;
      seen_response[index] = response_row;
    end
  // verilator lint_on BLKSEQ

endmodule

`default_nettype wire
