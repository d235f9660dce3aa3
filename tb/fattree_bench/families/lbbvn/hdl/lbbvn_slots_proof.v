// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// Numbers of slots (lbbvn_slots) with a memory of settings (lbbvn_settings) at each stage, after a
// reset, for all that is written, and with a reset in any clock.  Given is that the last slot
// changes only in a reset, and that rows are written for slots up to the last one.
//
// One slot, any, is watched.  Rows have two bits: memories only keep them.
//
//   S1  the slot in the clock after a reset is 0
//   S2  after slot s comes s + 1, after the last slot 0, and there is no other
//   S3  stage i shows the slot that stage 0 showed i clocks ago, without PIPELINE that of this
//       clock; 0 if there was a reset since
//   S4  a stage plays the row that was written last for its slot; a row that is written now counts
//       from the next clock; a reset changes no row
module lbbvn_slots_proof #(
  parameter PIPELINE = 1,
  parameter STAGES   = 3,
  parameter DEPTH    = 3,
  parameter SLOT_W   = $clog2(DEPTH)  // derived
) (
  input wire              clk,
  input wire              rst_i,
  input wire [SLOT_W-1:0] last_i,     // the last slot, from the next reset on
  input wire [SLOT_W-1:0] watched_i,  // the slot that is watched
  input wire              write_i,
  input wire [SLOT_W-1:0] write_slot_i,
  input wire [1:0]        row_i
);

  reg                     first = 1'b1;
  wire                    rst = first || rst_i;
  reg [SLOT_W-1:0]        last_q, watched_q;
  wire [STAGES*SLOT_W-1:0] slots;
  wire [STAGES*2-1:0]     rows;

  lbbvn_slots #(
    .CONTROL("SCHEDULED"), .PIPELINE(PIPELINE), .STAGES(STAGES), .SLOT_W(SLOT_W)
  ) u_slots (
    .clk(clk), .rst(rst), .last_slot_i(last_q), .slot_o(slots)
  );

  genvar g;
  generate
    for (g = 0; g < STAGES; g = g + 1) begin : gen_settings
      lbbvn_settings #(.WIDTH(2), .DEPTH(DEPTH), .SLOT_W(SLOT_W)) u_settings (
        .clk(clk), .write_i(write_i), .write_slot_i(write_slot_i), .row_i(row_i),
        .slot_i(slots[g*SLOT_W +: SLOT_W]), .row_o(rows[g*2 +: 2])
      );
    end
  endgenerate

  // ---- what was: stage 0 by age, and the row of the watched slot --------------------------------

  reg [STAGES*SLOT_W-1:0] seen_q;           // by age, from 1 on: what stage 0 showed
  reg                     fresh_q;  // a reset was in the clock before
  reg                     known_q;          // the watched slot has a row:
  reg [1:0]               row_q;
  wire [SLOT_W-1:0]       slot = slots[SLOT_W-1:0];
  always @(posedge clk) begin
    first   <= 1'b0;
    fresh_q <= rst;
    seen_q  <= rst ? {(STAGES*SLOT_W){1'b0}} : {seen_q[(STAGES-1)*SLOT_W-1:0], slot};
    if (rst) last_q <= last_i;
    if (first) begin
      watched_q <= watched_i;
      known_q   <= 1'b0;
    end else if (write_i && write_slot_i == watched_q) begin
      known_q <= 1'b1;
      row_q   <= row_i;
    end
  end

  reg     late, right;
  integer i;
  always @* begin
    late  = 1'b1;
    right = 1'b1;
    for (i = 0; i < STAGES; i = i + 1) begin
      if (slots[i*SLOT_W +: SLOT_W]
          != ((i == 0 || PIPELINE == 0) ? slot : seen_q[(i-1)*SLOT_W +: SLOT_W])) late = 1'b0;
      if (known_q && slots[i*SLOT_W +: SLOT_W] == watched_q && rows[i*2 +: 2] !== row_q)
        right = 1'b0;
    end
  end

  wire [SLOT_W-1:0] before = seen_q[SLOT_W-1:0];
  always @* begin
    `GIVEN(!rst || last_i < DEPTH)
    `GIVEN(!first || watched_i < DEPTH)
    `GIVEN(!write_i || write_slot_i < DEPTH)
    if (!first) begin
      `PROVE(S1, !fresh_q || slot == {SLOT_W{1'b0}})
      `PROVE(S2, slot <= last_q
                 && (fresh_q || slot == ((before == last_q) ? {SLOT_W{1'b0}} : before + 1'b1)))
      `PROVE(S3, late)
      `PROVE(S4, right)
    end
  end

endmodule

`default_nettype wire
