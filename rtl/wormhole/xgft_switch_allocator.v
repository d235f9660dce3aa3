// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Switch allocation: which flits cross the crossbar in this clock.
//
// Contract: input VC i = port * VCS + v is ready to send a flit to port_i in VC vc_i, one-hot; that
// VC must have a credit.  The VCs of an input port share its WAYS into the crossbar evenly.
// Separable, input first: each way picks one of its VCs, then each output port one of the ways that
// picked it.  So at most one flit leaves a way, and at most one goes to an output port.  A VC that
// is able to send, and stays so, waits for at most INS * VCS - 1 clocks with "MATRIX".  With
// "ROUND_ROBIN" it waits (VCS / WAYS - 1) (INS * WAYS - 1) clocks more, because an ungranted pick
// can be replaced by a nearer VC that becomes ready in the meantime.
// Timing: combinational; the arbiters' states move with the clock.
module xgft_switch_allocator #(
  parameter INS     = 8,                        // input ports
  parameter OUTS    = 8,                        // output ports
  parameter VCS     = 2,                        // virtual channels a port
  parameter PORT_W  = 3,                        // bits of a port's number
  parameter WAYS    = 1,                        // of an input port, a divisor of VCS
  parameter [8*11-1:0] ARBITER = "ROUND_ROBIN", // "ROUND_ROBIN", "MATRIX"
  // derived
  parameter LANES   = INS * WAYS,               // ways of all input ports
  parameter LANE_W  = (LANES > 1) ? $clog2(LANES) : 1  // bits of a way's number
) (
  input  wire                       clk,       // rising edge
  input  wire                       rst,       // synchronous: arbiters as after power-up
  input  wire [INS*VCS-1:0]         ready_i,   // by input VC: it has a flit
  input  wire [INS*VCS*PORT_W-1:0]  port_i,    // by input VC: for this output port
  input  wire [INS*VCS*VCS-1:0]     vc_i,      // by input VC: in this VC there, one-hot
  input  wire [OUTS*VCS-1:0]        credit_i,  // by output port and VC: it has a credit
  output reg  [INS*VCS-1:0]         take_o,    // by input VC: its flit crosses
  output reg  [OUTS-1:0]            enable_o,  // by output port: a flit comes
  output reg  [OUTS*LANE_W-1:0]     select_o,  // by output port: on this way
  output reg  [OUTS*VCS-1:0]        send_o     // by output port and VC: in this VC
);

  localparam INPUTS = INS * VCS;
  localparam EACH   = VCS / WAYS;  // VCs of a way

  integer p, q, o;  // output ports
  wire    unused = &{1'b0, p, q, o};

  // ---- VCs that can send, and the one that each way picks ---------------------------------------

  reg [INPUTS-1:0] able;
  always @* begin : reach
    integer i;
    able = {INPUTS{1'b0}};
    p    = 0;
    if (ready_i != {INPUTS{1'b0}})
      for (i = 0; i < INPUTS; i = i + 1)
        if (ready_i[i]) begin
          p       = {{(32-PORT_W){1'b0}}, port_i[i*PORT_W +: PORT_W]};
          able[i] = |(credit_i[p*VCS +: VCS] & vc_i[i*VCS +: VCS]);
        end
  end

  wire [INPUTS-1:0]     pick;     // one of each way
  reg  [LANES-1:0]      granted;  // by way: its pick may go
  reg  [OUTS*LANES-1:0] request;  // by output port: the ways whose picks go there
  wire [OUTS*LANES-1:0] winner;   // by output port: one of them
  genvar g;
  generate
    for (g = 0; g < LANES; g = g + 1) begin : gen_way
      arbiter #(.R(EACH), .KIND(ARBITER)) u_input (
        .clk(clk), .rst(rst), .request_i(able[g*EACH +: EACH]), .taken_i(granted[g]),
        .grant_o(pick[g*EACH +: EACH])
      );
    end
    for (g = 0; g < OUTS; g = g + 1) begin : gen_port
      arbiter #(.R(LANES), .KIND(ARBITER)) u_output (
        .clk(clk), .rst(rst), .request_i(request[g*LANES +: LANES]), .taken_i(enable_o[g]),
        .grant_o(winner[g*LANES +: LANES])
      );
    end
  endgenerate

  // ---- the way that each output port takes ------------------------------------------------------

  always @* begin : ask
    integer j;
    request  = {(OUTS*LANES){1'b0}};
    enable_o = {OUTS{1'b0}};
    q        = 0;
    if (pick != {INPUTS{1'b0}})
      for (j = 0; j < INPUTS; j = j + 1)
        if (pick[j]) begin
          q = {{(32-PORT_W){1'b0}}, port_i[j*PORT_W +: PORT_W]};
          request[q*LANES + j/EACH] = 1'b1;
          enable_o[q]               = 1'b1;
        end
  end

  always @* begin : send
    integer k, v;
    take_o   = {INPUTS{1'b0}};
    granted  = {LANES{1'b0}};
    select_o = {(OUTS*LANE_W){1'b0}};
    send_o   = {(OUTS*VCS){1'b0}};
    v        = 0;
    o        = 0;
    if (pick != {INPUTS{1'b0}})
      for (k = 0; k < LANES; k = k + 1)
        for (v = 0; v < EACH; v = v + 1)
          if (pick[k*EACH + v]) begin
            o = {{(32-PORT_W){1'b0}}, port_i[(k*EACH + v)*PORT_W +: PORT_W]};
            if (winner[o*LANES + k]) begin
              take_o[k*EACH + v]           = 1'b1;
              granted[k]                   = 1'b1;
              send_o[o*VCS +: VCS]         = vc_i[(k*EACH + v)*VCS +: VCS];
              select_o[o*LANE_W +: LANE_W] = k[LANE_W-1:0];
            end
          end
  end

  `CHECK_SHARED(clk, rst, (pick & ~able) == {INPUTS{1'b0}}
                          && (winner & ~request) == {(OUTS*LANES){1'b0}},
                "a grant without a request")

endmodule

`default_nettype wire
