// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Receivers of the flit link, one a node: they give credits back, and queue replies to requests.
//
// Contract: a credit goes back for each flit, one a clock and virtual channel (VC), but not while
// stall_i holds the node.  With answer_i every packet of class 0 leaves {source, number} in the
// node's queue of replies when its tail has come; while reply_limit_i or more wait there, credits of
// hold_vcs_i are kept back: who does not get rid of its replies takes no more requests.
// Timing: a credit is on the link in the clock after that in which it could go.
module flit_sink #(
  parameter NODES   = 4,
  parameter VCS     = 2,
  parameter DEPTH   = 4,    // flits a VC's queue holds
  parameter WIDTH   = 32,
  parameter FLIT_W  = 34,   // data, tail mark, head mark, list of hops
  parameter ADDR_W  = 4,
  parameter NODE_W  = 2,
  parameter NUMBER_W = 19,  // bits of a packet's number
  parameter REPLY_W = 21,   // {source, number} of a request
  parameter QUEUE   = 32,   // replies that may wait: more than any limit by VCS * DEPTH; 2^n
  parameter [63:0] UNMIX = 64'd1  // undoes flit_source's MIX
) (
  input  wire                     clk,
  input  wire                     rst,
  input  wire [NODES-1:0]         stall_i,
  input  wire                     answer_i,
  input  wire [15:0]              reply_limit_i,
  input  wire [VCS-1:0]           hold_vcs_i,
  input  wire [NODES*VCS-1:0]     valid_i,
  input  wire [NODES*FLIT_W-1:0]  flit_i,
  output reg  [NODES*VCS-1:0]     credit_o,
  output wire [NODES-1:0]         reply_valid_o,
  output wire [NODES*REPLY_W-1:0] reply_o,
  input  wire [NODES-1:0]         reply_take_i
);

  localparam COUNT_W  = $clog2(DEPTH + 1);
  localparam PLACE_W  = $clog2(QUEUE);
  localparam HEADER_W = ADDR_W + NODE_W + 1;
  localparam TAIL     = WIDTH;
  localparam HEAD     = WIDTH + 1;

  reg [NODES*VCS*COUNT_W-1:0] due_q;      // credits not yet given back
  reg [NODES*VCS*REPLY_W-1:0] asker_q;    // of the packet that is coming in
  reg [NODES*VCS-1:0]         request_q;  // it is one to be answered
  reg [REPLY_W-1:0]           waiting [0:NODES*QUEUE-1];
  reg [NODES*PLACE_W-1:0]     first_q;
  reg [NODES*(PLACE_W+1)-1:0] length_q;

  // The oldest reply of each node.
  genvar g;
  generate
    for (g = 0; g < NODES; g = g + 1) begin : gen_oldest
      wire [31:0] place = g * QUEUE + {{(32-PLACE_W){1'b0}}, first_q[g*PLACE_W +: PLACE_W]};
      wire unused = &{1'b0, place};
      assign reply_valid_o[g] = (length_q[g*(PLACE_W+1) +: PLACE_W+1] != {(PLACE_W+1){1'b0}});
      assign reply_o[g*REPLY_W +: REPLY_W] = waiting[place];
    end
  endgenerate

  always @(posedge clk) begin : update
    reg [NODES*VCS*COUNT_W-1:0] due;
    reg [NODES*VCS-1:0]         credit, request;
    reg [NODES*VCS*REPLY_W-1:0] asker;
    reg [NODES*PLACE_W-1:0]     first;
    reg [NODES*(PLACE_W+1)-1:0] length;
    reg [FLIT_W-1:0]            flit;
    reg [PLACE_W:0]             waits;
    reg [PLACE_W-1:0]           place;
    reg [NUMBER_W-1:0]          number;
    reg                         held;
    integer                     n, v, c;
    due     = due_q;
    asker   = asker_q;
    request = request_q;
    first   = first_q;
    length  = length_q;
    credit  = {(NODES*VCS){1'b0}};
    for (n = 0; n < NODES; n = n + 1) begin
      waits = length[n*(PLACE_W+1) +: PLACE_W+1];
      place = first[n*PLACE_W +: PLACE_W];
      flit  = flit_i[n*FLIT_W +: FLIT_W];
      held  = answer_i & ({{(15-PLACE_W){1'b0}}, waits} >= reply_limit_i);
      for (v = 0; v < VCS; v = v + 1) begin
        c = n * VCS + v;
        if (valid_i[c]) begin
          due[c*COUNT_W +: COUNT_W] = due[c*COUNT_W +: COUNT_W] + 1'b1;
          if (flit[HEAD]) begin
            number = flit[HEADER_W +: NUMBER_W] * UNMIX[NUMBER_W-1:0];
            request[c] = answer_i & ~flit[HEADER_W-1];
            asker[c*REPLY_W +: REPLY_W] = {flit[ADDR_W +: NODE_W], number};
          end
          if (flit[TAIL] && request[c]) begin
            waiting[n*QUEUE + {{(32-PLACE_W){1'b0}}, place + waits[PLACE_W-1:0]}]
              <= asker[c*REPLY_W +: REPLY_W];
            waits = waits + 1'b1;
          end
        end
        if (due[c*COUNT_W +: COUNT_W] != {COUNT_W{1'b0}} && !stall_i[n]
            && !(held && hold_vcs_i[v])) begin
          due[c*COUNT_W +: COUNT_W] = due[c*COUNT_W +: COUNT_W] - 1'b1;
          credit[c] = 1'b1;
        end
      end
      if (reply_take_i[n]) begin
        place = place + 1'b1;
        waits = waits - 1'b1;
      end
      length[n*(PLACE_W+1) +: PLACE_W+1] = waits;
      first[n*PLACE_W +: PLACE_W]        = place;
    end
    due_q     <= rst ? {(NODES*VCS*COUNT_W){1'b0}} : due;
    length_q  <= rst ? {(NODES*(PLACE_W+1)){1'b0}} : length;
    first_q   <= rst ? {(NODES*PLACE_W){1'b0}} : first;
    credit_o  <= rst ? {(NODES*VCS){1'b0}} : credit;
    asker_q   <= asker;
    request_q <= request;
  end

endmodule

`default_nettype wire
