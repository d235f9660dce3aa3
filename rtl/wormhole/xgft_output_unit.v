// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Output port of a wormhole switch: a register before the link, and for each virtual channel (VC)
// the credits left and whether a packet holds it.
//
// Contract: claim_i gives a VC to a packet; send_i, at most one VC, sends flit_i in a VC with
// ready_o; a tail sets its VC free for another packet.  A credit is room for one flit at the other
// end of the link: DEPTH of them after reset; credit_i brings one back; xgft_rules watches.  In a
// head flit the list of hops gets HOP, the number of the port + 1.
// Timing: the flit is on the link in the next clock; credits count one clock after credit_i.  On a
// slow link, for RATIO clocks from send_i on, no VC is ready.
//
// VC v owns bit v of each vector.
module xgft_output_unit #(
  parameter VCS    = 2,   // virtual channels, 1 .. 4
  parameter DEPTH  = 4,   // credits of a VC
  parameter WIDTH  = 32,  // data bits of a flit
  parameter HOPS_W = 0,   // bits of the list of hops
  parameter HOP_W  = 4,   // bits of a hop
  parameter HOP    = 1,   // this port in a list of hops
  parameter FLIT_W = 34,  // bits of a flit, see xgft_network
  parameter RATIO  = 1    // clocks from flit to flit, 1 .. 65535
) (
  input  wire              clk,       // rising edge
  input  wire              rst,       // synchronous: no VC is held, credits full
  input  wire [VCS-1:0]    claim_i,   // a packet gets this VC
  input  wire [VCS-1:0]    send_i,    // flit_i goes in this VC
  input  wire [FLIT_W-1:0] flit_i,    // from the crossbar
  input  wire [VCS-1:0]    credit_i,  // from the other end of the link
  output wire [VCS-1:0]    free_o,    // no packet holds it
  output wire [VCS-1:0]    ready_o,   // it has a credit, and the link is not at rest
  output reg  [VCS-1:0]    home_o,    // all credits are here: the other end is empty
  output wire              room_o,    // some VC is free and has a credit
  output reg  [VCS-1:0]    valid_o,   // the VC of the flit on the link
  output reg  [FLIT_W-1:0] flit_o     // {hops, head, tail, data}; stays to the next flit
);

  localparam        COUNT_W = $clog2(DEPTH + 1);
  localparam [31:0] FULL    = DEPTH;
  localparam        TAIL    = WIDTH;
  localparam        HEAD    = WIDTH + 1;

  // ---- the register before the link -------------------------------------------------------------

  wire [FLIT_W-1:0] marked;
  generate
    if (HOPS_W > 0) begin : gen_hops
      localparam [31:0] NUMBER = HOP;
      assign marked = flit_i[HEAD]
        ? {flit_i[FLIT_W-HOP_W-1:WIDTH+2], NUMBER[HOP_W-1:0], flit_i[WIDTH+1:0]} : flit_i;
    end else begin : gen_plain
      assign marked = flit_i;
    end
  endgenerate

  always @(posedge clk) valid_o <= rst ? {VCS{1'b0}} : send_i;
  always @(posedge clk) if (send_i != {VCS{1'b0}}) flit_o <= marked;

  // ---- credits, and whose the VCs are -----------------------------------------------------------

  reg [VCS-1:0] busy_q;  // a packet holds the VC
  always @(posedge clk)
    busy_q <= rst ? {VCS{1'b0}} : (busy_q | claim_i) & ~(send_i & {VCS{flit_i[TAIL]}});

  assign free_o = ~busy_q;

  reg  [VCS-1:0] ready_q;  // it has a credit
  genvar v;
  generate
    if (RATIO > 1) begin : gen_slow
      localparam [31:0] REST = RATIO - 1;
      reg [$clog2(RATIO)-1:0] rest_q;  // clocks in which nothing may be sent
      always @(posedge clk)
        if (rst || rest_q != 0) rest_q <= rst ? 0 : rest_q - 1'b1;
        else if (send_i != {VCS{1'b0}}) rest_q <= REST[$clog2(RATIO)-1:0];
      assign ready_o = (rest_q == 0) ? ready_q : {VCS{1'b0}};
    end else begin : gen_fast
      assign ready_o = ready_q;
    end

    for (v = 0; v < VCS; v = v + 1) begin : gen_vc
      reg [COUNT_W-1:0] credit_q;
      always @(posedge clk) begin : count
        reg [COUNT_W-1:0] credit;
        if (rst) begin
          credit_q   <= FULL[COUNT_W-1:0];
          ready_q[v] <= 1'b1;
          home_o[v]  <= 1'b1;
        end else if (credit_i[v] != send_i[v]) begin
          credit      = credit_i[v] ? credit_q + 1'b1 : credit_q - 1'b1;
          credit_q   <= credit;
          ready_q[v] <= credit != {COUNT_W{1'b0}};
          home_o[v]  <= credit == FULL[COUNT_W-1:0];
        end
      end
    end
  endgenerate

  // One bit: inputs that all take the port with most credits in one clock get in each other's way.
  assign room_o = |(free_o & ready_q);

  `CHECK_PARAMETER(VCS >= 1 && VCS <= 4, "VCS", VCS, "1 to 4")
  `CHECK_PARAMETER(DEPTH >= 1, "DEPTH", DEPTH, ">= 1")
  `CHECK_PARAMETER(RATIO >= 1 && RATIO <= 65535, "RATIO", RATIO, "1 to 65535")
  `CHECK_PARAMETER(HOPS_W == 0 || HOPS_W > HOP_W, "HOPS_W", HOPS_W, "0, or > HOP_W")
  `CHECK_PARAMETER(HOPS_W == 0 || HOP < (1 << HOP_W), "HOP_W", HOP_W,
                   "enough for the number of a port")

endmodule

`default_nettype wire
