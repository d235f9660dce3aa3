// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// (R, S) partial concentrator switch: Pippenger's bipartite graphs (input degree at most 6,
// output degree at most 9), pasted together outputs to inputs until S wires are left.
//
// Contract: as concentrator_switch, but a request comes with three decision bits a stage, which
// follow ask_i on its wire in the next clocks, and finds its output along the edges of the graphs
// (partial_stage).  Any messages, up to 3/4 of the outputs of every stage, can be given decision
// bits so that none is lost.  With S >= R it has no stage: input i is output i.
// PRIORITY orders the requests of one clock in the first stage.
// Timing: the request is made 3 stages clocks after ask_i; in that clock wire_o shows the M bit.
// PIPELINE = 1 puts one register into wire_o and one into ack_o.
module partial_concentrator_switch #(
  parameter R        = 12,                 // input wires, >= 1
  parameter S        = 8,                  // output wires, >= 1
  parameter [8*8-1:0] PRIORITY = "FIXED",  // "FIXED", "ROTATING"
  parameter PIPELINE = 1,                  // 0, 1: registers in each direction
  parameter LOST_W   = $clog2(R + 1)       // bits of the count of lost requests
) (
  input  wire              clk,        // rising edge
  input  wire              clear_i,    // a delivery cycle begins: all wires are free
  input  wire              restart_i,  // with clear_i: it is the first one
  input  wire [R-1:0]      ask_i,      // wire i will ask: its decision bits come next
  input  wire [R-1:0]      wire_i,     // bits of the messages
  output wire [S-1:0]      wire_o,     // bits of those that have a path
  input  wire [S-1:0]      ack_i,      // acknowledges from where wire_o leads
  output wire [R-1:0]      ack_o,      // acknowledges to where wire_i comes from
  output wire [LOST_W-1:0] lost_o      // requests of this clock that found no output
);

  `include "partial_stages.vh"

  localparam STAGES = stage_count(R, S);
  localparam BITS   = 3 * STAGES;  // decision bits of a message

  wire [S-1:0] shown;
  wire [R-1:0] acked;

  genvar t, x;
  generate
    if (STAGES == 0) begin : gen_wires
      reg [R-1:0] open_q;
      always @(posedge clk)
        open_q <= clear_i ? {R{1'b0}} : open_q | ask_i;
      assign shown[R-1:0] = (wire_i & open_q) | ask_i;
      assign acked        = ack_i[R-1:0] & open_q;
      if (S > R) begin : gen_idle
        wire unused = &{1'b0, ack_i[S-1:R]};
        assign shown[S-1:R] = {(S-R){1'b0}};
      end
      wire unused_restart = &{1'b0, restart_i};
      assign lost_o = {LOST_W{1'b0}};
    end else begin : gen_stages
      // Decision bits: what was on the wires lately, the oldest bit first.
      wire [R-1:0]      request;
      wire [R*BITS-1:0] choice;
      reg  [R*(BITS-1)-1:0] past_q;  // wires of one clock ago, of two, ...
      always @(posedge clk)
        past_q <= {past_q[R*(BITS-2)-1:0], wire_i};
      for (x = 0; x < R; x = x + 1) begin : gen_choice
        assign choice[x*BITS] = wire_i[x];
        for (t = 1; t < BITS; t = t + 1) begin : gen_bit
          assign choice[x*BITS + t] = past_q[(t-1)*R + x];
        end
      end
      delay_line #(.DEPTH(BITS), .WIDTH(R)) u_request (
        .clk(clk), .rst(clear_i), .data_i(ask_i), .data_o(request)
      );

      wire [((R > 1) ? $clog2(R) : 1)-1:0] first;
      rotating_first #(.R(R), .PRIORITY(PRIORITY)) u_first (
        .clk(clk), .clear_i(clear_i), .restart_i(restart_i), .first_o(first)
      );

      wire [STAGES*LOST_W-1:0] lost;
      for (t = 0; t < STAGES; t = t + 1) begin : gen_stage
        localparam IN       = stage_inputs(R, S, t);
        localparam OUT      = stage_inputs(R, S, t + 1);
        localparam CHOICE_W = BITS - 3 * t;
        localparam REST_W   = (CHOICE_W > 3) ? CHOICE_W - 3 : 1;
        localparam FIRST_W  = (IN > 1) ? $clog2(IN) : 1;

        wire [IN-1:0]          request_in, wire_in, ack_out;
        wire [IN*CHOICE_W-1:0] choice_in;
        wire [OUT-1:0]         wire_out, opened, ack_in;
        wire [OUT*REST_W-1:0]  choice_out;
        wire [FIRST_W-1:0]     first_in;

        partial_stage #(.R(IN), .S(OUT), .CHOICE_W(CHOICE_W), .LOST_W(LOST_W)) u_stage (
          .clk(clk), .clear_i(clear_i), .first_i(first_in), .request_i(request_in),
          .choice_i(choice_in), .wire_i(wire_in), .wire_o(wire_out), .opened_o(opened),
          .choice_o(choice_out), .ack_i(ack_in), .ack_o(ack_out), .lost_o(lost[t*LOST_W +: LOST_W])
        );

        if (t == 0) begin : gen_first
          assign request_in = request;
          assign choice_in  = choice;
          assign wire_in    = wire_i;
          assign first_in   = first;
          assign acked      = ack_out;
        end else begin : gen_later
          assign request_in = gen_stage[t-1].opened;
          assign choice_in  = gen_stage[t-1].choice_out;
          assign wire_in    = gen_stage[t-1].wire_out;
          assign first_in   = {FIRST_W{1'b0}};
        end
        if (t == STAGES - 1) begin : gen_last
          wire unused = &{1'b0, choice_out};
          assign shown  = wire_out | opened;
          assign ack_in = ack_i;
        end else begin : gen_before
          assign ack_in = gen_stage[t+1].ack_out;
        end
      end

      sum_of #(.TERMS(STAGES), .TERM_W(LOST_W), .SUM_W(LOST_W)) u_lost (
        .terms_i(lost), .sum_o(lost_o)
      );
    end
  endgenerate

  delay_line #(.DEPTH(PIPELINE), .WIDTH(S)) u_forward (
    .clk(clk), .rst(clear_i), .data_i(shown), .data_o(wire_o)
  );
  delay_line #(.DEPTH(PIPELINE), .WIDTH(R)) u_backward (
    .clk(clk), .rst(clear_i), .data_i(acked), .data_o(ack_o)
  );

  `CHECK_PARAMETER(R >= 1, "R", R, ">= 1")
  `CHECK_PARAMETER(S >= 1, "S", S, ">= 1")
  `CHECK_PARAMETER(PIPELINE == 0 || PIPELINE == 1, "PIPELINE", PIPELINE, "0 or 1")

endmodule

`default_nettype wire
