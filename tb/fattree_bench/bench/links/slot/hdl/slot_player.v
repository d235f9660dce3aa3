// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Plays frames of the slot link into a network, so that Python wakes once a frame.
//
// Contract: Python fills the stim_ memories, sets `cycles` and toggles `go`.  From then on row r of
// the memories stands at the network in the r-th slot, of CLOCKS clocks.  After `cycles` slots
// `done` equals `go` again.  Bit 0 of stim_rst: a reset; bit 1, of one's last slot: of two
// clocks it has three.  Clocks run only while busy_o is high.  With row_mode rows of `stim_rows`
// are written to the network's memory of settings instead, one a clock, from slot row_first of
// level row_level on.
//
// Elements are padded to DST_STRIDE / DATA_STRIDE bits, so that a row is an array of machine words.
module slot_player #(
  parameter N           = 16,  // leaves
  parameter DST_W       = 4,   // bits of a leaf number
  parameter W           = 32,  // payload bits
  parameter ROW_W       = 1,   // bits of a row of settings
  parameter SLOT_W      = 4,   // bits of a slot number
  parameter SLOTS       = 64,  // rows of the memories, >= 2
  parameter CLOCKS      = 1,   // clocks of a slot, 1 or 2
  parameter DST_STRIDE  = 16,
  parameter DATA_STRIDE = 32
) (
  input  wire                  clk,
  output wire                  busy_o,
  output wire                  rst_o,
  output wire [N-1:0]          valid_o,
  output wire [N*DST_W-1:0]    dst_o,
  output wire [N*W-1:0]        data_o,
  output wire                  row_write_o,
  output wire [3:0]            row_level_o,
  output wire [SLOT_W-1:0]     row_slot_o,
  output wire [ROW_W-1:0]      row_o,
  output wire [SLOT_W-1:0]     last_slot_o,
  output wire                  expect_clear_o   // Python: the model predicts no conflict
);

  localparam INDEX_W = $clog2(SLOTS);

  reg [N-1:0]             stim_valid [0:SLOTS-1];
  reg [N*DST_STRIDE-1:0]  stim_dst   [0:SLOTS-1];
  reg [N*DATA_STRIDE-1:0] stim_data  [0:SLOTS-1];
  reg [7:0]               stim_rst   [0:SLOTS-1];
  reg [ROW_W-1:0]         stim_rows  [0:SLOTS-1];

  reg                go;
  reg                done;
  reg                row_mode;
  reg                expect_clear;
  reg [3:0]          row_level;
  reg [SLOT_W-1:0]   row_first;
  reg [SLOT_W-1:0]   last_slot;
  reg [31:0]         cycles;
  reg [INDEX_W-1:0]  index;

  initial begin
    {go, done, row_mode, expect_clear, row_level, cycles} = 40'd0;
    {row_first, last_slot, index} = {(2*SLOT_W+INDEX_W){1'b0}};
  end

  // What Python wrote, as the edges of `go` show it.  Whatever depends on registers that Python may
  // write to, Verilator works out again at every edge of the clock: so the network does not.
  reg               go_q;
  reg               row_mode_q;
  reg  [3:0]        row_level_q;
  reg  [SLOT_W-1:0] row_first_q;
  reg  [SLOT_W-1:0] last_slot_q;
  initial go_q = 1'b0;
  always @(posedge go or negedge go) begin
    go_q        <= go;
    row_mode_q  <= row_mode;
    row_level_q <= row_level;
    row_first_q <= row_first;
    last_slot_q <= last_slot;
  end

  wire play = busy_o & ~row_mode_q;
  wire last_clock;  // of a slot, or of a row of settings

  generate
    if (CLOCKS == 1) begin : gen_clock
      assign last_clock = 1'b1;
    end else begin : gen_clocks
      reg  [1:0] at_q;  // clock of the slot
      wire       ends = (at_q == (stim_rst[index][1] ? 2'd2 : 2'd1));
      initial at_q = 2'd0;
      always @(posedge clk) at_q <= (play & ~ends) ? at_q + 2'd1 : 2'd0;
      assign last_clock = ends | row_mode_q;
    end
  endgenerate

  wire [SLOT_W-1:0] slot_index;
  generate
    if (SLOT_W > INDEX_W) begin : gen_wide_slot
      assign slot_index = {{(SLOT_W-INDEX_W){1'b0}}, index};
    end else begin : gen_narrow_slot
      assign slot_index = index[SLOT_W-1:0];
    end
  endgenerate

  // Whatever comes from a memory depends on busy_o, so that the simulator looks again when a frame
  // starts: it need not know that Python wrote the memory.
  assign busy_o         = (go_q != done);
  assign rst_o          = play & stim_rst[index][0];
  assign valid_o        = stim_valid[index] & {N{play}};
  assign row_write_o    = busy_o & row_mode_q;
  assign row_level_o    = row_level_q;
  assign row_slot_o     = row_first_q + slot_index;
  assign row_o          = row_write_o ? stim_rows[index] : 0;
  assign last_slot_o    = last_slot_q;
  assign expect_clear_o = expect_clear;

  wire [N*DST_STRIDE-1:0]  dst_row  = play ? stim_dst[index]  : 0;
  wire [N*DATA_STRIDE-1:0] data_row = play ? stim_data[index] : 0;

  wire unused = &{1'b0, dst_row, data_row};  // padding

  genvar x;
  generate
    for (x = 0; x < N; x = x + 1) begin : gen_dst
      assign dst_o[x*DST_W +: DST_W] = dst_row[x*DST_STRIDE +: DST_W];
    end
    if (DATA_STRIDE == W) begin : gen_dense
      assign data_o = data_row;
    end else begin : gen_padded
      for (x = 0; x < N; x = x + 1) begin : gen_data
        assign data_o[x*W +: W] = data_row[x*DATA_STRIDE +: W];
      end
    end
  endgenerate

  always @(posedge clk)
    if (busy_o & last_clock) begin
      if ({{(32-INDEX_W){1'b0}}, index} + 1 == cycles) begin
        index <= {INDEX_W{1'b0}};
        done  <= go_q;
      end else begin
        index <= index + 1'b1;
      end
    end

endmodule

`default_nettype wire
