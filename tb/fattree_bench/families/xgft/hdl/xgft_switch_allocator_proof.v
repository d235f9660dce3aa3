// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// The switch allocator of one switch, after a reset, for all flits that are ready and all credits,
// at all times.  An input VC is able if it is ready and its output VC has a credit.
//
// Two input VCs, any, are watched: a and another, b.
//
//   W1  at most one flit leaves a way, and at most one goes to an output port
//   W2  only who is able sends
//   W3  the settings of the crossbar and the VCs in which flits are sent are those of the senders
//   W4  if anyone is able, a flit is sent
//   W5  while a is able in every clock, b, if of the same way, sends at most one flit
//   W6  with STEADY: a is able for at most MOST clocks without sending
//
// STEADY: given that who is able stays so, for the same port and VC, until it sends; so it is in
// the switch, for credits of a VC are spent by the packet alone that holds it.
module xgft_switch_allocator_proof #(
  parameter INS    = 2,
  parameter OUTS   = 2,
  parameter VCS    = 2,
  parameter WAYS   = 1,
  parameter STEADY = 0,
  parameter [8*11-1:0] ARBITER = "ROUND_ROBIN",
  // derived
  parameter INPUTS   = INS * VCS,
  parameter OUTPUTS  = OUTS * VCS,
  // A pick not granted is lost in a round robin to a VC nearer by that becomes able, once for each.
  parameter LANES    = INS * WAYS,
  parameter EACH     = VCS / WAYS,
  parameter MOST     = INPUTS - 1 + ((ARBITER == "MATRIX") ? 0 : (EACH - 1) * (LANES - 1)),
  parameter LANE_W   = $clog2(LANES),
  parameter PORT_W   = $clog2(OUTS),
  parameter NUMBER_W = $clog2(INPUTS)
) (
  input wire                     clk,
  input wire [INPUTS-1:0]        ready_i,
  input wire [INPUTS*PORT_W-1:0] port_i,
  input wire [INPUTS*VCS-1:0]    vc_i,
  input wire [OUTPUTS-1:0]       credit_i,
  input wire [NUMBER_W-1:0]      a_i,
  input wire [NUMBER_W-1:0]      b_i
);

  reg                     first = 1'b1;
  wire [INPUTS-1:0]       take;
  wire [OUTPUTS-1:0]      send;
  wire [OUTS-1:0]         enable;
  wire [OUTS*LANE_W-1:0]  select;

  xgft_switch_allocator #(
    .INS(INS), .OUTS(OUTS), .VCS(VCS), .PORT_W(PORT_W), .WAYS(WAYS), .ARBITER(ARBITER)
  ) u_allocator (
    .clk(clk), .rst(first), .ready_i(ready_i), .port_i(port_i), .vc_i(vc_i), .credit_i(credit_i),
    .take_o(take), .enable_o(enable), .select_o(select), .send_o(send)
  );

  // ---- in one clock -----------------------------------------------------------------------------

  reg [INPUTS-1:0]        able_q, take_q;
  reg [INPUTS*PORT_W-1:0] port_q;
  reg [INPUTS*VCS-1:0]    vc_q;

  integer                 i, p;
  reg [INPUTS-1:0]        able;     // by input VC
  reg [OUTPUTS-1:0]       sent;     // by output VC
  reg [LANES-1:0]         leaves;   // by way
  reg [OUTS-1:0]          reached;  // by output port
  reg [OUTS*LANE_W-1:0]   from;
  reg [VCS-1:0]           vc;
  reg                     once, legal, steady;
  always @* begin
    able    = {INPUTS{1'b0}};
    sent    = {OUTPUTS{1'b0}};
    leaves  = {LANES{1'b0}};
    reached = {OUTS{1'b0}};
    from    = {(OUTS*LANE_W){1'b0}};
    vc      = {VCS{1'b0}};
    p       = 0;
    once    = 1'b1;
    legal   = 1'b1;
    steady  = 1'b1;
    for (i = 0; i < INPUTS; i = i + 1) begin
      p  = port_i[i*PORT_W +: PORT_W];
      vc = vc_i[i*VCS +: VCS];
      if (ready_i[i] && (p >= OUTS || vc == {VCS{1'b0}} || (vc & (vc - 1'b1)) != {VCS{1'b0}}))
        legal = 1'b0;
      able[i] = ready_i[i] && (credit_i[p*VCS +: VCS] & vc) != {VCS{1'b0}};
      if (able_q[i] && !take_q[i]
          && !(able[i] && p == port_q[i*PORT_W +: PORT_W] && vc == vc_q[i*VCS +: VCS]))
        steady = 1'b0;
      if (take[i]) begin
        if (leaves[i/EACH] || reached[p]) once = 1'b0;
        leaves[i/EACH] = 1'b1;
        reached[p]     = 1'b1;
        from[p*LANE_W +: LANE_W] = i / EACH;
        sent[p*VCS +: VCS]       = vc;
      end
    end
  end

  // ---- a and b ----------------------------------------------------------------------------------

  localparam [INPUTS-1:0] FIRST = 1;

  reg [NUMBER_W-1:0] a_q, b_q;
  reg                passed_q;  // since a is able, b sent a flit
  reg [NUMBER_W+1:0] waited_q;  // clocks that a is able
  wire [INPUTS-1:0]  one_a  = FIRST << a_q;
  wire [INPUTS-1:0]  one_b  = (a_q == b_q || a_q / EACH != b_q / EACH) ? {INPUTS{1'b0}}
                                                                         : FIRST << b_q;
  wire               waits  = |(able & one_a & ~take);
  wire               passes = |(take & one_b);
  always @(posedge clk) begin
    first    <= 1'b0;
    able_q   <= first ? {INPUTS{1'b0}} : able;
    take_q   <= take;
    port_q   <= port_i;
    vc_q     <= vc_i;
    passed_q <= !first && waits && (passed_q || passes);
    if (first || !waits)
      waited_q <= {(NUMBER_W+2){1'b0}};
    else if (waited_q <= MOST)
      waited_q <= waited_q + 1'b1;
    if (first) begin
      a_q <= a_i;
      b_q <= b_i;
    end
  end

  always @* begin
    `GIVEN(a_i < INPUTS && b_i < INPUTS)
    `GIVEN(legal)
    `GIVEN(first || STEADY == 0 || steady)
    if (!first) begin
      `PROVE(W1, once)
      `PROVE(W2, (take & ~able) == {INPUTS{1'b0}})
      `PROVE(W3, enable == reached && select == from && send == sent)
      `PROVE(W4, (take != {INPUTS{1'b0}}) == (able != {INPUTS{1'b0}}))
      `PROVE(W5, !(passed_q && waits && passes))
      `PROVE(W6, STEADY == 0 || waited_q <= MOST)
    end
  end

endmodule

`default_nettype wire
