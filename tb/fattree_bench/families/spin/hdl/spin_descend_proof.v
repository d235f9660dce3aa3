// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// Who gets the outputs to children and the shared buffers, for all asks after a reset.  Given is
// that an input asks for one child, not for its own; that a buffer asks for one; that one that is
// empty does not ask, and one that was taken is not empty before its packet got an output.
//
// One input, any, and one child, any, are watched.
//
//   D1  an output goes to one source, which asks for it, while it is free
//   D2  while a buffer asks for it, it goes to a buffer
//   D3  of two buffers to the one that was taken first
//   D4  an input that asks waits for one grant of each other input at most, those of buffers apart
//   D5  a buffer goes to one input, which asks, and gets no output, while it is empty
//   D6  no packet waits while a buffer is empty, but for those behind the one that gets it
//   D7  a packet that waits for a buffer sees each other input get one once at most
module spin_descend_proof #(
  parameter INPUTS   = 3,
  parameter CHILDREN = 2,
  parameter INPUT_W  = $clog2(INPUTS)  // derived
) (
  input wire                        clk,
  input wire [INPUT_W-1:0]          watched_i,
  input wire [CHILDREN-1:0]         child_i,    // one-hot
  input wire [INPUTS*CHILDREN-1:0]  ask_i,
  input wire [CHILDREN-1:0]         free_i,
  input wire [2*CHILDREN-1:0]       buffer_i,
  input wire [1:0]                  empty_i
);

  localparam COUNT_W = INPUT_W + 1;

  reg                        first = 1'b1;
  reg  [INPUT_W-1:0]         watched_q;
  reg  [CHILDREN-1:0]        child_q;
  wire [CHILDREN*INPUTS-1:0] grant;
  wire [CHILDREN*2-1:0]      leave;
  wire [2*INPUTS-1:0]        store;

  spin_descend #(.INPUTS(INPUTS), .CHILDREN(CHILDREN), .SHARED(1)) u_descend (
    .clk(clk), .rst(first), .ask_i(ask_i), .free_i(free_i), .buffer_i(buffer_i),
    .empty_i(empty_i), .grant_o(grant), .leave_o(leave), .store_o(store)
  );

  // ---- what is given, and what is seen ----------------------------------------------------------

  reg [1:0]          waits_q;     // buffers whose packets have no output yet
  reg                newer_q;     // of these the one that was taken last
  reg [INPUTS-1:0]   got, asks;   // inputs that get an output, that ask for one
  reg [INPUTS-1:0]   mine;        // who gets the watched child's output
  reg [1:0]          stored;      // buffers that ask for it
  reg [1:0]          left;        // buffer that gets it
  reg [1:0]          gone;        // buffers that get any
  reg                polite, right, older, taken, open, asked, granted;
  reg [COUNT_W-1:0]  passed_q, stores_q;
  integer            i, c;
  wire [1:0]         fills = {store[INPUTS +: INPUTS] != 0, store[0 +: INPUTS] != 0};
  wire [INPUTS-1:0]  filled = store[0 +: INPUTS] | store[INPUTS +: INPUTS];

  always @* begin
    polite  = 1'b1;
    right   = 1'b1;
    got     = {INPUTS{1'b0}};
    asks    = {INPUTS{1'b0}};
    mine    = {INPUTS{1'b0}};
    stored  = 2'b00;
    left    = 2'b00;
    gone    = 2'b00;
    open    = 1'b0;
    asked   = 1'b0;
    for (i = 0; i < INPUTS; i = i + 1) begin
      asks[i] = (ask_i[i*CHILDREN +: CHILDREN] != 0);
      if ((ask_i[i*CHILDREN +: CHILDREN] & (ask_i[i*CHILDREN +: CHILDREN] - 1'b1)) != 0)
        polite = 1'b0;
      if (i < CHILDREN && ask_i[i*CHILDREN + (i % CHILDREN)]) polite = 1'b0;
    end
    for (i = 0; i < 2; i = i + 1) begin
      if ((buffer_i[i*CHILDREN +: CHILDREN] & (buffer_i[i*CHILDREN +: CHILDREN] - 1'b1)) != 0)
        polite = 1'b0;
      if ((buffer_i[i*CHILDREN +: CHILDREN] != 0) != waits_q[i]) polite = 1'b0;
      if (waits_q[i] && empty_i[i]) polite = 1'b0;
    end
    for (c = 0; c < CHILDREN; c = c + 1) begin
      for (i = 0; i < INPUTS; i = i + 1)
        if (grant[c*INPUTS + i]) begin
          if (got[i] || !ask_i[i*CHILDREN + c] || !free_i[c]) right = 1'b0;
          got[i] = 1'b1;
        end
      for (i = 0; i < 2; i = i + 1)
        if (leave[c*2 + i]) begin
          if (gone[i] || !buffer_i[i*CHILDREN + c] || !free_i[c]) right = 1'b0;
          gone[i] = 1'b1;
        end
      if (({leave[c*2 +: 2], grant[c*INPUTS +: INPUTS]}
           & ({leave[c*2 +: 2], grant[c*INPUTS +: INPUTS]} - 1'b1)) != 0) right = 1'b0;
      if (child_q[c]) begin
        mine   = grant[c*INPUTS +: INPUTS];
        stored = {buffer_i[CHILDREN + c], buffer_i[c]};
        left   = leave[c*2 +: 2];
        open   = free_i[c];
        for (i = 0; i < INPUTS; i = i + 1)
          if (watched_q == i) asked = ask_i[i*CHILDREN + c];
      end
    end
    granted = 1'b0;
    taken   = 1'b0;
    older   = 1'b0;
    for (i = 0; i < INPUTS; i = i + 1)
      if (watched_q == i) begin
        granted = mine[i];
        taken   = filled[i];
        older   = asks[i] & ~got[i];  // it waits
      end
  end

  always @(posedge clk) begin
    first <= 1'b0;
    if (first) begin
      watched_q <= watched_i;
      child_q   <= child_i;
      waits_q   <= 2'b00;
      newer_q   <= 1'b0;
      passed_q  <= {COUNT_W{1'b0}};
      stores_q  <= {COUNT_W{1'b0}};
    end else begin
      waits_q <= (waits_q | fills) & ~gone;
      if (fills != 2'b00) newer_q <= fills[1];
      if (!asked || granted) passed_q <= {COUNT_W{1'b0}};
      else if (mine != 0 && passed_q != {COUNT_W{1'b1}}) passed_q <= passed_q + 1'b1;
      if (!older || taken) stores_q <= {COUNT_W{1'b0}};
      else if (fills != 2'b00 && stores_q != {COUNT_W{1'b1}}) stores_q <= stores_q + 1'b1;
    end
  end

  always @* begin
    `GIVEN(!first || (watched_i < INPUTS && child_i != 0 && (child_i & (child_i - 1'b1)) == 0))
    `GIVEN(first || polite)
    if (!first) begin
      `PROVE(D1, right)
      `PROVE(D2, !open || stored == 2'b00 || (left & stored) != 2'b00)
      `PROVE(D3, stored != 2'b11 || !open || left == (newer_q ? 2'b01 : 2'b10))
      `PROVE(D4, passed_q < INPUTS)
      `PROVE(D5, (fills & ~empty_i) == 2'b00 && fills != 2'b11
                 && (filled & (filled - 1'b1)) == 0 && (filled & ~(asks & ~got)) == 0)
      `PROVE(D6, (asks & ~got) == 0 || empty_i == 2'b00 || fills != 2'b00)
      `PROVE(D7, stores_q < INPUTS)
    end
  end

endmodule

`default_nettype wire
