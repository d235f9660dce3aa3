// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// A terminal of SPIN: an initiator and a target, on links of their own for requests and responses
// (PLANES = 2), or on one for both (PLANES = 1).
//
// Contract: as of spin_initiator and spin_target.  On one link packets take turns as a whole; what
//   comes is led by the response mark of its header.
//
// Slices: plane 0 has the requests, the last one the responses.
module spin_terminal #(
  parameter PLANES      = 2,   // 1, 2
  parameter OUTSTANDING = 16,  // requests that may wait, 1 .. 16
  parameter MEMORY_W    = 6    // 2^MEMORY_W words of memory, 1 .. 16
) (
  input  wire                 clk,            // rising edge
  input  wire                 rst,            // synchronous: as at first
  input  wire [7:0]           self_i,         // the terminal's number, a constant
  input  wire                 valid_i,        // initiator: see spin_initiator
  input  wire                 write_i,        // it is a write, else a read
  input  wire [7:0]           target_i,       // terminal whose memory it is for
  input  wire [3:0]           words_i,        // how many words, 1 .. 15
  input  wire [31:0]          address_i,      // of the first
  output wire                 taken_o,        // it is taken
  output wire [3:0]           tag_o,  // with taken_o: tag of the request, 0 .. OUTSTANDING - 1
  output wire [3:0]           index_o,        // the word that is asked for
  input  wire [31:0]          word_i,         // that word of a write
  output wire                 valid_o,        // a word of a response comes
  output wire                 last_o,         // it is the last
  output wire                 damaged_o,      // with last_o: the response is damaged
  output wire [31:0]          header_o,       // the header of the response
  output wire [31:0]          word_o,         // data of that word; 0 without data
  output wire                 served_o,       // target: see spin_target
  output wire                 dropped_o,      // a damaged request is dropped
  output wire [31:0]          asked_o,        // the header of the request
  output wire                 write_o,        // a word is written
  output wire [MEMORY_W-1:0]  address_o,      // the word of the memory
  output wire [31:0]          written_o,      // what is written
  input  wire [31:0]          read_i,         // what stands there
  output wire [PLANES-1:0]    link_valid_o,   // link into the network: a word
  output wire [36*PLANES-1:0] link_word_o,    // by plane: that word, with its marks
  input  wire [PLANES-1:0]    link_credit_i,  // room for one word more
  input  wire [PLANES-1:0]    link_valid_i,   // link out of the network: a word
  input  wire [36*PLANES-1:0] link_word_i,    // by plane: that word, with its marks
  output wire [PLANES-1:0]    link_credit_o,  // room for one word more
  output wire                 rest_o          // for debuggers: nothing is inside, nothing waits
);

  // By who: the initiator, the target.
  wire [1:0]         send, head, tail, take, come;
  wire [63:0]        data;
  wire               ready;
  wire [1:0]         rest;
  // By plane: what has come.
  wire [PLANES-1:0]    came, heads, tails, bad, takes, homes, holds;
  wire [32*PLANES-1:0] words;

  localparam LAST = PLANES - 1;  // plane of the responses

  spin_initiator #(.OUTSTANDING(OUTSTANDING)) u_initiator (
    .clk(clk), .rst(rst), .self_i(self_i), .valid_i(valid_i), .write_i(write_i),
    .target_i(target_i), .words_i(words_i), .address_i(address_i), .taken_o(taken_o), .tag_o(tag_o),
    .index_o(index_o), .word_i(word_i), .valid_o(valid_o), .last_o(last_o), .damaged_o(damaged_o),
    .header_o(header_o), .word_o(word_o), .send_o(send[0]), .head_o(head[0]), .tail_o(tail[0]),
    .data_o(data[31:0]), .take_i(take[0]), .come_i(come[0]), .head_i(heads[LAST]),
    .tail_i(tails[LAST]), .data_i(words[32*LAST +: 32]), .damaged_i(bad[LAST]), .rest_o(rest[0])
  );

  spin_target #(.MEMORY_W(MEMORY_W)) u_target (
    .clk(clk), .rst(rst), .self_i(self_i), .served_o(served_o), .dropped_o(dropped_o),
    .header_o(asked_o), .write_o(write_o), .address_o(address_o), .word_o(written_o),
    .word_i(read_i), .send_o(send[1]), .head_o(head[1]), .tail_o(tail[1]), .data_o(data[63:32]),
    .take_i(take[1]), .ready_o(ready), .come_i(come[1]), .head_i(heads[0]), .tail_i(tails[0]),
    .data_i(words[31:0]), .damaged_i(bad[0]), .rest_o(rest[1])
  );

  assign rest_o = (rest == 2'b11) & (&homes) & (holds == {PLANES{1'b0}});

  // By plane: what is to be sent.
  wire [PLANES-1:0]    sends, sends_head, sends_tail, sent;
  wire [32*PLANES-1:0] sends_data;

  genvar p;
  generate
    if (PLANES == 2) begin : gen_two
      assign sends      = send;
      assign sends_head = head;
      assign sends_tail = tail;
      assign sends_data = data;
      assign take       = sent;
      assign takes      = {1'b1, ready};
      assign come       = {came[0] & ready, came[1]};
    end else begin : gen_one
      reg        on_q, mine_q;  // a packet is being sent; by the target
      reg        answer_q;      // the packet that comes is a response
      wire [1:0] grant;
      wire       mine = on_q ? mine_q : grant[1];
      wire       unused = grant[0];

      arbiter #(.R(2)) u_arbiter (
        .clk(clk), .rst(rst), .request_i(send), .taken_i(~on_q & (send != 2'b00)), .grant_o(grant)
      );

      always @(posedge clk)
        if (rst) on_q <= 1'b0;
        else if (send != 2'b00) begin
          on_q   <= ~(sent[0] & sends_tail[0]);
          mine_q <= mine;
        end

      assign sends[0]      = mine ? send[1] : send[0];
      assign sends_head[0] = mine ? head[1] : head[0];
      assign sends_tail[0] = mine ? tail[1] : tail[0];
      assign sends_data    = mine ? data[63:32] : data[31:0];
      assign take          = {sent[0] & mine, sent[0] & ~mine};

      wire answer = heads[0] ? words[21] : answer_q;
      always @(posedge clk)
        if (came[0]) answer_q <= answer;
      assign takes = answer | ready;
      assign come  = {came[0] & ~answer & ready, came[0] & answer};
    end

    for (p = 0; p < PLANES; p = p + 1) begin : gen_link
      spin_sender u_sender (
        .clk(clk), .rst(rst), .valid_i(sends[p]), .head_i(sends_head[p]), .tail_i(sends_tail[p]),
        .data_i(sends_data[p*32 +: 32]), .take_o(sent[p]), .valid_o(link_valid_o[p]),
        .word_o(link_word_o[p*36 +: 36]), .credit_i(link_credit_i[p]), .home_o(homes[p])
      );
      spin_receiver u_receiver (
        .clk(clk), .rst(rst), .valid_i(link_valid_i[p]), .word_i(link_word_i[p*36 +: 36]),
        .credit_o(link_credit_o[p]), .valid_o(came[p]), .head_o(heads[p]), .tail_o(tails[p]),
        .data_o(words[p*32 +: 32]), .damaged_o(bad[p]), .take_i(takes[p]), .holds_o(holds[p])
      );
    end
  endgenerate

  `CHECK_PARAMETER(PLANES == 1 || PLANES == 2, "PLANES", PLANES, "1 or 2")

endmodule

`default_nettype wire
