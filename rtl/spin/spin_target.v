// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Target of SPIN: serves requests to read and write out of a memory, one at a time.
//
// Contract: packets as in spin_initiator.  A request is served when all of it has come and is
//   sound; if it is damaged it is dropped.  If it runs over the end of the memory, nothing is read
//   or written, and the response has the error mark and no data.  Until its response has left,
//   nothing more is taken.
// Timing: a write takes a clock a word, then its response is sent; a read is sent word by word.
module spin_target #(
  parameter MEMORY_W = 6  // 2^MEMORY_W words of memory, 1 .. 16
) (
  input  wire                clk,        // rising edge
  input  wire                rst,        // synchronous: what is inside is gone
  input  wire [7:0]          self_i,     // the terminal's number, a constant
  output wire                served_o,   // a request begins to be served
  output wire                dropped_o,  // a request is dropped
  output wire [31:0]         header_o,   // with served_o: its header
  // memory
  output wire                write_o,    // a word is written
  output wire [MEMORY_W-1:0] address_o,  // of the word that is written, or read
  output wire [31:0]         word_o,     // that is written
  input  wire [31:0]         word_i,     // that is read, in the same clock
  // packets, to a spin_sender and from a spin_receiver
  output wire                send_o,     // there is a word to send
  output wire                head_o,     // it is the first of a packet
  output wire                tail_o,     // it is the last
  output wire [31:0]         data_o,     // its 32 data bits, without marks
  input  wire                take_i,     // it is sent
  output wire                ready_o,    // words are taken
  input  wire                come_i,     // a word has come, and is taken
  input  wire                head_i,     // it is the first of a packet
  input  wire                tail_i,     // it is the last
  input  wire [31:0]         data_i,     // its 32 data bits, without marks
  input  wire                damaged_i,  // with tail_i: the packet is not what was sent
  output wire                rest_o      // for debuggers: nothing is served
);

  localparam [1:0]  COMES = 2'd0, WRITES = 2'd1, ANSWERS = 2'd2;
  localparam [32:0] END   = 33'd1 << MEMORY_W;

  reg  [1:0]  state_q;
  reg  [31:0] header_q, address_q;
  reg  [4:0]  step_q;   // word of the packet that comes or is sent, 31 for all behind; of a write
  reg         error_q;
  wire [31:0] header = head_i ? data_i : header_q;
  wire [3:0]  words  = header_q[26:23];
  wire        write  = header_q[20];
  wire [32:0] behind = {1'b0, address_q} + {29'd0, words};
  wire        over   = (behind > END);
  wire        whole  = come_i & tail_i;
  wire [4:0]  length = (write || error_q) ? 5'd2 : {1'b0, words} + 5'd2;
  wire [3:0]  place  = step_q[3:0] - 4'd2;   // of a word that comes
  wire [3:0]  done   = (state_q == WRITES) ? step_q[3:0] : step_q[3:0] - 4'd1;
  wire [31:0] at     = address_q + {28'd0, done};
  wire        unused = &{1'b0, at};

  assign served_o  = whole & ~damaged_i;
  assign dropped_o = whole & damaged_i;
  assign header_o  = header;
  assign ready_o   = (state_q == COMES);
  assign write_o   = (state_q == WRITES);
  assign address_o = at[MEMORY_W-1:0];
  assign send_o    = (state_q == ANSWERS);
  assign head_o    = (step_q == 5'd0);
  assign tail_o    = (step_q + 5'd1 == length);
  assign data_o    = head_o ? {length, words, error_q, 1'b1, write, header_q[19:16], self_i,
                               header_q[15:8]} : word_i;
  assign rest_o    = (state_q == COMES) & (step_q == 5'd0);

  register_file #(.WORDS(16), .WIDTH(32), .CLEARED(0)) u_words (
    .clk(clk), .rst(rst), .write_i(come_i & ~head_i & (step_q != 5'd31)), .write_at_i(place),
    .word_i(data_i), .read_at_i(step_q[3:0]), .word_o(word_o)
  );

  always @(posedge clk)
    if (rst) begin
      state_q <= COMES;
      step_q  <= 5'd0;
    end else
      case (state_q)
        COMES: if (come_i) begin
          header_q <= header;
          if (step_q == 5'd1) address_q <= data_i;
          step_q  <= whole ? 5'd0 : step_q + {4'd0, step_q != 5'd31};
          error_q <= over;
          if (served_o) state_q <= (write && !over) ? WRITES : ANSWERS;
        end
        WRITES: begin
          step_q <= step_q + 5'd1;
          if (step_q[3:0] + 4'd1 == words) begin
            state_q <= ANSWERS;
            step_q  <= 5'd0;
          end
        end
        default: if (take_i) begin
          step_q <= tail_o ? 5'd0 : step_q + 5'd1;
          if (tail_o) state_q <= COMES;
        end
      endcase

  `CHECK_PARAMETER(MEMORY_W >= 1 && MEMORY_W <= 16, "MEMORY_W", MEMORY_W, "1 to 16")

endmodule

`default_nettype wire
