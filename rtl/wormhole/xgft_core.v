// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Wormhole switch but for its routes: INS links in, OUTS links out, VCS virtual channels a link.
//
//   links in --> input units --> crossbar --> output units --> links out
//                     |             |
//      routes <-------+-- VC and switch allocators
//
// Contract: flits and credits as in xgft_switch.  ask_o: the packet at the front of an input VC, or
// behind the one that leaves, needs a route; header_o is the header of its head, route_i its output
// port, in the same clock.
// Timing: as xgft_input_unit and the allocators say.
//
// Vectors by port, vectors by VC: port by port.
module xgft_core #(
  `include "wormhole_params.vh"
  parameter INS      = 8,                        // input ports
  parameter OUTS     = 8,                        // output ports
  parameter ABOVE    = 4,                        // the first input port whose packets may not go up
  parameter LOW      = 4,                        // output ports that lead down
  parameter HEADER_W = 13,                       // low bits of a head flit; the highest: its class
  parameter PORT_W   = 3,                        // bits of an output port's number
  parameter HOLD     = 1,                        // 0, 1: see xgft_input_unit
  parameter [16*OUTS-1:0] RATIOS = {OUTS{16'd1}},  // by output port: see xgft_output_unit
  // derived
  parameter FLIT_W   = WIDTH + 2 + HOPS_W,       // bits of a flit
  parameter STATE_W  = VCS * (2 + PORT_W + VCS)  // bits of the state of an input port
) (
  input  wire                        clk,       // rising edge
  input  wire                        rst,       // synchronous: packets are lost, credits full
  input  wire [INS*VCS-1:0]          valid_i,   // links in: the VC of a flit
  input  wire [INS*FLIT_W-1:0]       flit_i,    // by port: {hops, head, tail, data}
  output wire [INS*VCS-1:0]          credit_o,  // room for one flit more
  output wire [INS*VCS-1:0]          ask_o,     // by input VC: its packet needs a route
  output wire [INS*VCS*HEADER_W-1:0] header_o,  // by input VC: that packet's header
  input  wire [INS*VCS*PORT_W-1:0]   route_i,   // by input VC: its output port
  output wire [INS*VCS-1:0]          want_o,    // by input VC: its packet wants a VC
  output wire [INS*VCS*PORT_W-1:0]   port_o,    // by input VC: of this output port
  output wire [INS*VCS-1:0]          grant_o,   // by input VC: it gets one
  output wire [OUTS*VCS-1:0]         valid_o,   // links out: the VC of a flit
  output wire [OUTS*FLIT_W-1:0]      flit_o,    // by port: {hops, head, tail, data}
  input  wire [OUTS*VCS-1:0]         credit_i,  // room for one flit more
  output wire [OUTS*VCS-1:0]         free_o,    // by output VC: no packet holds it
  output wire [OUTS-1:0]             room_o,    // by output port: see xgft_output_unit
  output wire [INS*STATE_W-1:0]      state_o,   // for debuggers, see xgft_network
  output wire [OUTS*VCS-1:0]         home_o     // for debuggers: output VCs free, with all credits
);
  /* verilator inline_module */  // a part of the switch, which is what instances share

  localparam INPUTS = INS * VCS;
  localparam LANES  = INS * WAYS;  // into the crossbar
  localparam LANE_W = (LANES > 1) ? $clog2(LANES) : 1;

  wire [INPUTS-1:0]       ready, take, reply;  // by input VC
  wire [INPUTS*VCS-1:0]   granted_vc, vc;
  wire [OUTS*VCS-1:0]     home, claim, credit, send;  // by output VC
  wire [LANES*FLIT_W-1:0] leaving;
  wire [OUTS*FLIT_W-1:0]  crossed;
  wire [OUTS-1:0]         enable;
  wire [OUTS*LANE_W-1:0]  select;

  genvar i, v, o;
  generate
    for (i = 0; i < INS; i = i + 1) begin : gen_in
      xgft_input_unit #(
        .VCS(VCS), .DEPTH(DEPTH), .WIDTH(WIDTH), .FLIT_W(FLIT_W), .HEADER_W(HEADER_W),
        .PORT_W(PORT_W), .STAGES(STAGES), .HOLD(HOLD), .AHEAD(AHEAD), .WAYS(WAYS)
      ) u_input (
        .clk(clk), .rst(rst), .valid_i(valid_i[i*VCS +: VCS]), .flit_i(flit_i[i*FLIT_W +: FLIT_W]),
        .credit_o(credit_o[i*VCS +: VCS]), .ask_o(ask_o[i*VCS +: VCS]),
        .header_o(header_o[i*VCS*HEADER_W +: VCS*HEADER_W]),
        .route_i(route_i[i*VCS*PORT_W +: VCS*PORT_W]), .want_o(want_o[i*VCS +: VCS]),
        .port_o(port_o[i*VCS*PORT_W +: VCS*PORT_W]), .grant_i(grant_o[i*VCS +: VCS]),
        .vc_i(granted_vc[i*VCS*VCS +: VCS*VCS]), .ready_o(ready[i*VCS +: VCS]),
        .vc_o(vc[i*VCS*VCS +: VCS*VCS]), .take_i(take[i*VCS +: VCS]),
        .flit_o(leaving[i*WAYS*FLIT_W +: WAYS*FLIT_W]), .state_o(state_o[i*STATE_W +: STATE_W])
      );
      for (v = 0; v < VCS; v = v + 1) begin : gen_vc
        assign reply[i*VCS + v] = header_o[(i*VCS + v)*HEADER_W + HEADER_W - 1];
      end
    end

    for (o = 0; o < OUTS; o = o + 1) begin : gen_out
      xgft_output_unit #(
        .VCS(VCS), .DEPTH(DEPTH), .WIDTH(WIDTH), .HOPS_W(HOPS_W), .HOP_W(HOP_W), .HOP(o + 1),
        .FLIT_W(FLIT_W), .RATIO({16'd0, RATIOS[16*o +: 16]})
      ) u_output (
        .clk(clk), .rst(rst), .claim_i(claim[o*VCS +: VCS]), .send_i(send[o*VCS +: VCS]),
        .flit_i(crossed[o*FLIT_W +: FLIT_W]), .credit_i(credit_i[o*VCS +: VCS]),
        .free_o(free_o[o*VCS +: VCS]), .ready_o(credit[o*VCS +: VCS]), .home_o(home[o*VCS +: VCS]),
        .room_o(room_o[o]), .valid_o(valid_o[o*VCS +: VCS]),
        .flit_o(flit_o[o*FLIT_W +: FLIT_W])
      );
    end
  endgenerate

  xgft_vc_allocator #(
    .INS(INS), .OUTS(OUTS), .VCS(VCS), .CLASSES(CLASSES), .PORT_W(PORT_W), .MODE(MODE),
    .ARBITER(ARBITER)
  ) u_vc_allocator (
    .clk(clk), .rst(rst), .want_i(want_o), .port_i(port_o), .class_i(reply), .free_i(free_o),
    .home_i(home), .grant_o(grant_o), .vc_o(granted_vc), .claim_o(claim)
  );

  xgft_switch_allocator #(
    .INS(INS), .OUTS(OUTS), .VCS(VCS), .PORT_W(PORT_W), .WAYS(WAYS), .ARBITER(ARBITER)
  ) u_switch_allocator (
    .clk(clk), .rst(rst), .ready_i(ready), .port_i(port_o), .vc_i(vc), .credit_i(credit),
    .take_o(take), .enable_o(enable), .select_o(select), .send_o(send)
  );

  crossbar #(.R(LANES), .S(OUTS), .W(FLIT_W)) u_crossbar (
    .data_i(leaving), .enable_i(enable), .select_i(select), .data_o(crossed)
  );

  assign home_o = home & free_o;

  xgft_rules #(
    .INS(INS), .OUTS(OUTS), .ABOVE(ABOVE), .LOW(LOW), .VCS(VCS), .PORT_W(PORT_W)
  ) u_rules (
    .clk(clk), .rst(rst), .want_i(want_o), .port_i(port_o), .free_i(free_o), .claim_i(claim),
    .send_i(send), .ready_i(credit), .home_i(home), .credit_i(credit_i)
  );

  `CHECK_CHOICE(FORM == "HARDWARE" || FORM == "FAST", "FORM", FORM, "HARDWARE, FAST")
endmodule

`default_nettype wire
