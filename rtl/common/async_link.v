// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Link of virtual channels (VCs) with credits between two clocks: flits cross in a FIFO, credits
// back as steps of a Gray pointer for each VC.
//
// Contract: flits come out in order, each in its VC, as soon as they are seen: the sender has
// credits for what the receiver's queues hold, DEPTH a VC, and the FIFO has room for all of these.
// As a flit leaves the FIFO before its credit is given, the FIFO never seems full to a sender that
// has a credit.  Clears as the
// resets of async_fifo, and while both sides are in reset; a side in reset takes nothing.
// Timing: a flit is on the receiver's side SYNC edges of its clock after the first that comes after
// the edge at which it was on the sender's side; a credit likewise the other way.  With equal
// periods a VC runs at full rate if the queue behind it holds 2 SYNC + 2 flits more than without.
//
// VC v owns bit v of each vector.
module async_link #(
  parameter VCS    = 2,   // virtual channels
  parameter DEPTH  = 4,   // credits of each
  parameter FLIT_W = 34,  // bits of a flit
  parameter SYNC   = 2    // flip-flops of each synchroniser, >= 2
) (
  input  wire              send_clk,  // rising edge; the sender's:
  input  wire              send_rst,  // synchronous to send_clk: flits are not taken
  input  wire              send_clear,  // synchronous: its pointers go to 0
  input  wire [VCS-1:0]    valid_i,   // the VC of a flit, one-hot
  input  wire [FLIT_W-1:0] flit_i,    // that flit, with valid_i
  output wire [VCS-1:0]    credit_o,  // room for one flit more
  input  wire              take_clk,  // rising edge; the receiver's:
  input  wire              take_rst,  // synchronous to take_clk: no flit comes out
  input  wire              take_clear,  // synchronous: its pointers go to 0
  output wire [VCS-1:0]    valid_o,   // the VC of a flit, one-hot
  output wire [FLIT_W-1:0] flit_o,    // that flit, as it was sent
  input  wire [VCS-1:0]    credit_i   // room for one flit more
);

  localparam ROOM_W   = $clog2(VCS * DEPTH);
  localparam WORDS    = 1 << ((ROOM_W > 1) ? ROOM_W : 1);
  localparam CREDIT_W = (DEPTH > 1) ? $clog2(DEPTH + 1) : 2;

  // ---- flits ------------------------------------------------------------------------------------

  wire           sent = (valid_i != {VCS{1'b0}});
  wire           full, present;
  wire [VCS-1:0] vc;
  wire           take = present & ~take_rst;

  async_fifo #(.WIDTH(VCS + FLIT_W), .DEPTH(WORDS), .SYNC(SYNC)) u_flits (
    .write_clk(send_clk), .write_rst(send_clear), .valid_i(sent), .word_i({valid_i, flit_i}),
    .full_o(full), .read_clk(take_clk), .read_rst(take_clear), .valid_o(present),
    .word_o({vc, flit_o}), .take_i(take)
  );
  assign valid_o = take ? vc : {VCS{1'b0}};

  `CHECK_SHARED(send_clk, send_rst, !(sent && full), "a flit came to a full FIFO")

  // ---- credits ----------------------------------------------------------------------------------

  wire [VCS-1:0] waiting;
  wire           unused = &{1'b0, full};
  assign credit_o = waiting & {VCS{~send_rst}};

  genvar v;
  generate
    for (v = 0; v < VCS; v = v + 1) begin : gen_vc
      wire [CREDIT_W-1:0] given, given_count, passed_count, passed_code;
      wire                unused_counts = &{1'b0, given_count, passed_count, passed_code};
      gray_pointer #(.WIDTH(CREDIT_W)) u_given (
        .clk(take_clk), .rst(take_clear), .step_i(credit_i[v]), .count_o(given_count),
        .code_o(given)
      );
      gray_follower #(.WIDTH(CREDIT_W), .SYNC(SYNC)) u_passed_on (
        .clk(send_clk), .rst(send_clear), .leader_i(given), .step_i(credit_o[v]),
        .behind_o(waiting[v]), .count_o(passed_count), .code_o(passed_code)
      );
    end
  endgenerate

endmodule

`default_nettype wire
