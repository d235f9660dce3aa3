// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Initiator of SPIN: makes packets of requests to read and write, and tells what they are answered.
//
// Header of requests and responses, from bit 0: destination (8), source (8), tag (4), write,
// response, error, words to read or write (4), words of the packet (5).  Behind it: the address, of
// a request; the data, of a request to write and of a response with data.
//
// Contract: of all requests that wait for responses, OUTSTANDING at most, each has a tag of its
//   own, the lowest that is free, and each another target.  So what one target is asked it answers
//   in order.  Every response is taken at once.  A damaged one is shown, and its request waits on.
// Timing: a request is taken in a clock between packets; the packet follows from the next clock on.
//   A word of a response is shown when the next has come; so damage is known with the last.
module spin_initiator #(
  parameter OUTSTANDING = 16  // requests that may wait for responses, 1 .. 16
) (
  input  wire        clk,        // rising edge
  input  wire        rst,        // synchronous: no request waits
  input  wire [7:0]  self_i,     // the terminal's number, a constant
  // requests
  input  wire        valid_i,    // there is one
  input  wire        write_i,    // 1: a write, with data; 0: a read
  input  wire [7:0]  target_i,   // the terminal that is asked
  input  wire [3:0]  words_i,    // to read or write, 1 .. 15
  input  wire [31:0] address_i,  // of the first
  output wire        taken_o,    // it is taken
  output wire [3:0]  tag_o,      // with taken_o: its tag
  output wire [3:0]  index_o,    // number of the word that is to be written now
  input  wire [31:0] word_i,     // data of that word
  // responses
  output reg         valid_o,    // a word of one, or the whole of one without data
  output reg         last_o,     // it is the last
  output reg         damaged_o,  // with last_o: the response is not what was sent
  output reg  [31:0] header_o,   // header of the response, with all its words
  output reg  [31:0] word_o,     // the word; 0 if there are no data
  // packets, to a spin_sender and from a spin_receiver
  output wire        send_o,     // there is a word to send
  output wire        head_o,     // it is the first of a packet
  output wire        tail_o,     // it is the last
  output wire [31:0] data_o,     // its 32 data bits, without marks
  input  wire        take_i,     // it is sent
  input  wire        come_i,     // a word has come, and is taken
  input  wire        head_i,     // it is the first of a packet
  input  wire        tail_i,     // it is the last
  input  wire [31:0] data_i,     // its 32 data bits, without marks
  input  wire        damaged_i,  // with tail_i: the packet is not what was sent
  output wire        rest_o      // for debuggers: no request waits, none is sent
);

  localparam TAGS = OUTSTANDING;

  // ---- requests that wait -----------------------------------------------------------------------

  reg  [TAGS-1:0]   open_q;
  reg  [8*TAGS-1:0] target_q;  // by tag
  reg  [TAGS-1:0]   same;      // by tag: its request is to the same target
  reg  [3:0]        lowest;    // free tag
  integer           t;

  always @* begin
    same   = {TAGS{1'b0}};
    lowest = 4'd0;
    for (t = TAGS - 1; t >= 0; t = t - 1) begin
      same[t] = open_q[t] & (target_q[t*8 +: 8] == target_i);
      if (!open_q[t]) lowest = t[3:0];
    end
  end

  // ---- packets of requests ----------------------------------------------------------------------

  reg         busy_q, write_q;
  reg  [7:0]  to_q;
  reg  [3:0]  tag_q, words_q;
  reg  [31:0] address_q;
  reg  [4:0]  step_q;  // word of the packet

  wire [4:0]  length = write_q ? {1'b0, words_q} + 5'd3 : 5'd3;

  assign taken_o = valid_i & ~busy_q & (open_q != {TAGS{1'b1}}) & (same == {TAGS{1'b0}});
  assign tag_o   = lowest;
  assign index_o = step_q[3:0] - 4'd2;
  assign send_o  = busy_q;
  assign head_o  = (step_q == 5'd0);
  assign tail_o  = (step_q + 5'd1 == length);
  assign data_o  = (step_q == 5'd0) ? {length, words_q, 2'b00, write_q, tag_q, self_i, to_q}
                 : (step_q == 5'd1) ? address_q : word_i;
  assign rest_o  = ~busy_q & (open_q == {TAGS{1'b0}});

  always @(posedge clk)
    if (rst) begin
      busy_q <= 1'b0;
      step_q <= 5'd0;
    end else if (taken_o) begin
      busy_q    <= 1'b1;
      write_q   <= write_i;
      to_q      <= target_i;
      tag_q     <= lowest;
      words_q   <= words_i;
      address_q <= address_i;
    end else if (busy_q && take_i) begin
      busy_q <= ~tail_o;
      step_q <= tail_o ? 5'd0 : step_q + 5'd1;
    end

  // ---- responses --------------------------------------------------------------------------------

  reg  [31:0]    header_q, held_q;
  reg            held;    // held_q is a word of the response
  wire [31:0]    header = head_i ? data_i : header_q;
  wire [15:0]    answers = 16'd1 << header[19:16];
  wire           closes  = come_i & tail_i & ~damaged_i & header[21];
  wire [TAGS-1:0] closed = closes ? answers[TAGS-1:0] : {TAGS{1'b0}};
  wire            unused = &{1'b0, answers};

  always @(posedge clk) begin
    if (come_i) begin
      header_q <= header;
      held_q   <= data_i;
      held     <= ~head_i & ~tail_i;
    end
    valid_o   <= come_i & (tail_i | (held & ~head_i));
    last_o    <= come_i & tail_i;
    damaged_o <= come_i & tail_i & damaged_i;
    header_o  <= header;
    word_o    <= (held && !head_i) ? held_q : 32'd0;
    for (t = 0; t < TAGS; t = t + 1)
      if (taken_o && lowest == t[3:0]) target_q[t*8 +: 8] <= target_i;
    if (rst) begin
      open_q <= {TAGS{1'b0}};
      held   <= 1'b0;
      valid_o <= 1'b0;
    end else begin
      for (t = 0; t < TAGS; t = t + 1)
        open_q[t] <= (open_q[t] & ~closed[t]) | (taken_o && lowest == t[3:0]);
    end
  end

  `CHECK_PARAMETER(OUTSTANDING >= 1 && OUTSTANDING <= 16, "OUTSTANDING", OUTSTANDING, "1 to 16")
  `CHECK_SHARED(clk, rst, (closed & ~open_q) == {TAGS{1'b0}}, "a response answers no request")

endmodule

`default_nettype wire
