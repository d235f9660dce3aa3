// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Plays message sets over the serial link, so that Python wakes once for dozens of delivery cycles.
//
// Contract: Python fills stim_valid, stim_message and (`once`) stim_setting, sets `cycles`,
// `restart` and `once`, and toggles `go`.  With `restart` the delivery cycle that begins is number
// 0; with `rewind` every wire offers its message of row 0; each time the network takes an offer the
// wire goes on to its next row: with `once` in every delivery cycle (row = delivery cycle), else
// when a message was taken (a queue). After `cycles` of them `done` equals `go` again, or after
// `limit` clocks, if a delivery cycle does not end.  Clocks run only while busy_o is high.
// `reset_at` = c > 0: reset_clocks of reset from clock c on (1: the first); then wires offer ones.
//
// Elements are padded, so that a row is an array of machine words.
module serial_player #(
  parameter WIRES     = 4,    // senders, and as many receivers
  parameter FRAME_W   = 40,   // bits of a message
  parameter ROWS      = 64,   // rows of the memories, >= 2
  parameter FRAME_STRIDE = 64,
  parameter SETTING_W = 1     // bits of the settings of all nodes
) (
  input  wire                     clk,
  output wire                     busy_o,
  output wire                     rst_o,
  output wire                     again_o,    // it is not the first clock of the reset
  output wire                     restart_o,
  output wire                     once_o,
  output wire [31:0]              seed_o,
  input  wire                     load_i,
  input  wire                     last_i,
  output wire [WIRES-1:0]         offer_valid_o,
  output wire [WIRES*FRAME_W-1:0] offer_o,
  output wire [WIRES*16-1:0]      waiting_o,
  output wire [SETTING_W-1:0]     setting_o,
  input  wire [WIRES-1:0]         take_i
);

  localparam INDEX_W = $clog2(ROWS);
  localparam NEXT_W  = INDEX_W + 1;  // a row, or ROWS: no more

  reg [WIRES-1:0]              stim_valid   [0:ROWS-1];
  reg [WIRES*FRAME_STRIDE-1:0] stim_message [0:ROWS-1];
  reg [SETTING_W-1:0]          stim_setting [0:ROWS-1];
  reg [WIRES*16-1:0]           stim_count;  // messages of each wire in all rows, and behind them

  reg                go;
  reg                done;
  reg                restart;
  reg                rewind;
  reg                once;
  reg [31:0]         seed;
  reg [31:0]         cycles;
  reg [31:0]         limit;
  reg [31:0]         reset_at;
  reg [31:0]         reset_clocks;
  reg [31:0]         clocks;   // since the start
  reg [31:0]         rows;     // delivery cycles that have ended

  initial {go, done, restart, rewind, once, seed, cycles, limit, reset_at, clocks, rows} = 197'd0;

  integer first;
  initial  // a row that nobody has filled is on offer, too, behind the last message of a wire
    for (first = 0; first < ROWS; first = first + 1) begin
      stim_message[first] = 0;
      stim_setting[first] = 0;
    end

  // What Python wrote, as the edges of `go` show it: see slot_player.
  reg        go_q, restart_q, rewind_q, once_q;
  reg [31:0] seed_q, cycles_q, limit_q, reset_at_q, reset_clocks_q;
  initial {go_q, restart_q, rewind_q, once_q, seed_q, cycles_q, limit_q, reset_at_q} = 132'd0;
  always @(posedge go or negedge go) begin
    go_q       <= go;
    restart_q  <= restart;
    rewind_q   <= rewind;
    once_q     <= once;
    seed_q     <= seed;
    cycles_q   <= cycles;
    limit_q    <= limit;
    reset_at_q <= reset_at;
    reset_clocks_q <= reset_clocks;
  end

  assign busy_o    = (go_q != done);
  wire [31:0] since = clocks + 32'd1 - reset_at_q;  // the reset's first clock
  assign rst_o     = busy_o & (reset_at_q != 32'd0) & (since < reset_clocks_q);
  wire        again = rst_o & (since != 32'd0);
  assign again_o = again;
  assign restart_o = restart_q & (clocks == 32'd0);
  assign once_o    = once_q;
  assign seed_o    = seed_q;

  // ---- what each wire offers --------------------------------------------------------------------

  reg [WIRES*NEXT_W-1:0] next_q;  // by wire: the row that it offers

  localparam [31:0] ROWS_INT = ROWS;

  // Only in load clocks does anybody look; and that depends on busy_o, so that the simulator looks
  // again when a frame starts: it need not know that Python wrote the memories.
  wire look       = busy_o & load_i;
  wire rewind_now = rewind_q & (clocks == 32'd0);

  genvar g;
  generate
    for (g = 0; g < WIRES; g = g + 1) begin : gen_offer
      wire [NEXT_W-1:0] row  = rewind_now ? {NEXT_W{1'b0}} : next_q[g*NEXT_W +: NEXT_W];
      wire              more = row != ROWS_INT[NEXT_W-1:0];
      assign offer_valid_o[g] = again | (look ? more & stim_valid[row[INDEX_W-1:0]][g] : 1'b0);
      assign offer_o[g*FRAME_W +: FRAME_W] = again ? {FRAME_W{1'b1}} :
        look ? stim_message[row[INDEX_W-1:0]][g*FRAME_STRIDE +: FRAME_W] & {FRAME_W{more}}
             : {FRAME_W{1'b0}};
      assign waiting_o[g*16 +: 16] =
        look ? stim_count[g*16 +: 16] - {{(16-NEXT_W){1'b0}}, row} : 16'd0;
      always @(posedge clk)
        if (load_i & ~again)
          next_q[g*NEXT_W +: NEXT_W] <=
            (busy_o & more & (once | (take_i[g] & offer_valid_o[g]))) ? row + 1'b1 : row;
    end
  endgenerate

  // With `once` all wires are in the row of the delivery cycle.
  assign setting_o =
    look ? stim_setting[gen_offer[0].row[INDEX_W-1:0]] & {SETTING_W{gen_offer[0].more}}
         : {SETTING_W{1'b0}};

  // ---- time -------------------------------------------------------------------------------------

  wire ends = last_i & ~rst_o;
  always @(posedge clk)
    if (busy_o) begin
      clocks <= clocks + 32'd1;
      rows   <= rows + {31'd0, ends};
      if ((ends && rows + 32'd1 == cycles_q) || clocks + 32'd1 == limit_q) begin
        rows   <= 32'd0;
        clocks <= 32'd0;
        done   <= go_q;
      end
    end

endmodule

`default_nettype wire
