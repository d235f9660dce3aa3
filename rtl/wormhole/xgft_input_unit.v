// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Input port of a wormhole switch: for each virtual channel (VC) a queue, and what the packet at
// its head has got so far: an output port, and a VC there.
//
// Contract: valid_i names the VC of the flit on the link, one-hot; a credit goes back for each flit
// that leaves.  A VC holds the packets of its queue one after the other:
//   ask_o: a head flit with header_o needs a route; route_i is its output port;
//   want_o: the packet wants a VC of port_o; grant_i gives it vc_i;
//   ready_o: a flit can go to port_o in VC vc_o; take_i, one VC a way at most, sends it: flit_o.
// The tail flit gives port and VC up.
// HOLD = 0: the route is chosen again in every clock until a VC is granted (adaptive routing).
// AHEAD = 1: while the tail of a packet is at the front, the head behind it asks for its route.
// WAYS > 1: a flit a way may leave at once; VCs in order share the ways evenly.
// Timing: STAGES clocks from the head flit at the front of its queue to its being sent, if the
// way is free: 1: all in one clock; 2: route and VC, then switch; 3: route, then VC, then switch.
// The other flits follow one a clock.  credit_o comes a clock after the flit has left.  With three
// stages and AHEAD a head that came while its predecessor was there is sent a clock earlier.
//
// VC v owns slice v of each vector.
module xgft_input_unit #(
  parameter VCS      = 2,   // virtual channels, 1 .. 4
  parameter DEPTH    = 4,   // flits of a VC's queue
  parameter WIDTH    = 32,  // data bits of a flit
  parameter FLIT_W   = 34,  // bits of a flit, see xgft_network
  parameter HEADER_W = 13,  // low bits of a head flit that make its header
  parameter PORT_W   = 3,   // bits of an output port's number
  parameter STAGES   = 1,   // 1 .. 3
  parameter HOLD     = 1,   // 0, 1
  parameter AHEAD    = 0,   // 0, 1
  parameter WAYS     = 1    // into the crossbar, a divisor of VCS
) (
  input  wire                    clk,           // rising edge
  input  wire                    rst,           // synchronous: the queues are empty
  input  wire [VCS-1:0]          valid_i,       // the VC of the flit on the link
  input  wire [FLIT_W-1:0]       flit_i,        // that flit: {hops, head, tail, data}
  output reg  [VCS-1:0]          credit_o,      // room for one more flit
  output wire [VCS-1:0]          ask_o,         // needs a route
  output wire [VCS*HEADER_W-1:0] header_o,      // what is at the front, of packets that ask or want
  input  wire [VCS*PORT_W-1:0]   route_i,       // the output port, for those that ask
  output wire [VCS-1:0]          want_o,        // wants a VC of port_o
  output wire [VCS*PORT_W-1:0]   port_o,        // the packet's output port
  input  wire [VCS-1:0]          grant_i,       // the packet gets VC vc_i of port_o
  input  wire [VCS*VCS-1:0]      vc_i,          // a VC of port_o, one-hot
  output wire [VCS-1:0]          ready_o,       // has a flit for vc_o of port_o
  output wire [VCS*VCS-1:0]      vc_o,          // the packet's VC there, one-hot
  input  wire [VCS-1:0]          take_i,        // the flit at the front leaves
  output wire [WAYS*FLIT_W-1:0]  flit_o,        // by way: the flit that leaves
  output wire [VCS*(2+PORT_W+VCS)-1:0] state_o  // for debuggers, see xgft_network
);

  localparam STATE_W = 2 + PORT_W + VCS;
  localparam EACH    = VCS / WAYS;  // VCs of a way

  wire [VCS-1:0] present, head, tail;  // a flit is at the front, marked so
  wire [VCS-1:0] more, full;           // more: another is behind it; full: no room
  wire           unused = &{1'b0, more};

  always @(posedge clk) credit_o <= rst ? {VCS{1'b0}} : take_i;

  // ---- what the packet at the front of each VC has ----------------------------------------------

  reg [VCS-1:0] routed_q;  // port_q holds
  reg [VCS-1:0] active_q;  // and so does vc_q

  wire [VCS-1:0] searching = present & ~active_q;
  wire [VCS-1:0] ask       = (HOLD == 1) ? searching & ~routed_q : searching;
  wire [VCS-1:0] ahead     = (AHEAD == 1) ? active_q & present & tail & more : {VCS{1'b0}};
  wire [VCS-1:0] ends      = take_i & tail;

  always @(posedge clk)
    if (rst) begin
      routed_q <= {VCS{1'b0}};
      active_q <= {VCS{1'b0}};
    end else begin
      routed_q <= ((routed_q | searching) & ~ends) | (ends & ahead);
      active_q <= (active_q | (searching & grant_i)) & ~ends;
    end

  assign ask_o   = ask | ahead;
  assign want_o  = (STAGES < 3) ? searching : searching & routed_q;
  assign ready_o = present & ((STAGES == 1) ? active_q | grant_i : active_q);

  // The port for which a VC was granted is kept.
  wire [VCS-1:0] keep   = (STAGES < 3) ? {VCS{1'b0}} : grant_i;
  wire [VCS-1:0] choose = (ahead & take_i) | (~ahead & ask & ~keep);

  genvar v;
  generate
    for (v = 0; v < VCS; v = v + 1) begin : gen_vc
      wire [FLIT_W-1:0] front, next, leaves;
      xgft_queue #(.DEPTH(DEPTH), .FLIT_W(FLIT_W)) u_queue (
        .clk(clk), .rst(rst), .valid_i(valid_i[v]), .flit_i(flit_i), .take_i(take_i[v]),
        .present_o(present[v]), .front_o(front), .full_o(full[v]), .more_o(more[v]), .next_o(next)
      );
      assign head[v] = front[WIDTH+1];
      assign tail[v] = front[WIDTH];
      assign header_o[v*HEADER_W +: HEADER_W] = ahead[v] ? next[HEADER_W-1:0] : front[HEADER_W-1:0];
      wire unused_next = &{1'b0, next};

      if (v % EACH == 0) begin : gen_first
        assign leaves = front;
      end else begin : gen_next
        assign leaves = take_i[v] ? front : gen_vc[v-1].leaves;
      end

      reg  [PORT_W-1:0] port_q;
      reg  [VCS-1:0]    vc_q;
      wire [PORT_W-1:0] route = route_i[v*PORT_W +: PORT_W];
      wire [VCS-1:0]    vc    = vc_i[v*VCS +: VCS];

      always @(posedge clk)
        if (rst) begin
          port_q <= {PORT_W{1'b0}};  // known to debuggers before its first use
          vc_q   <= {VCS{1'b0}};
        end else begin
          if (choose[v]) port_q <= route;
          if (grant_i[v]) vc_q <= vc;
        end

      assign port_o[v*PORT_W +: PORT_W] = (STAGES < 3 && ask[v]) ? route : port_q;
      assign vc_o[v*VCS +: VCS] = (STAGES == 1 && grant_i[v]) ? vc : vc_q;
      assign state_o[v*STATE_W +: STATE_W] = {vc_q, port_q, active_q[v], present[v]};
    end
  endgenerate

  genvar w;
  generate
    for (w = 0; w < WAYS; w = w + 1) begin : gen_way
      assign flit_o[w*FLIT_W +: FLIT_W] = gen_vc[(w+1)*EACH-1].leaves;
    end
  endgenerate

  // ---- checks -----------------------------------------------------------------------------------

  // What comes in is packets, whole and one after the other.
  reg  [VCS-1:0] open_q;  // inside a packet
  wire [VCS-1:0] heads = {VCS{flit_i[WIDTH+1]}};
  always @(posedge clk)
    if (rst)
      open_q <= {VCS{1'b0}};
    else
      open_q <= flit_i[WIDTH] ? open_q & ~valid_i : open_q | valid_i;

  `CHECK_SHARED(clk, rst, (valid_i & ~open_q & ~heads) == {VCS{1'b0}}, "a flit came without a head")
  `CHECK_SHARED(clk, rst, (valid_i & open_q & heads) == {VCS{1'b0}}, "a packet came inside another")
  `CHECK_SHARED(clk, rst, (valid_i & full) == {VCS{1'b0}}, "a flit came to a full queue")
  `CHECK_SHARED(clk, rst, (take_i & ~present) == {VCS{1'b0}}, "a flit left an empty queue")
  `CHECK_SHARED(clk, rst, (searching & ~head) == {VCS{1'b0}}, "no head at the front of a packet")

  `CHECK_PARAMETER(VCS >= 1 && VCS <= 4, "VCS", VCS, "1 to 4")
  `CHECK_PARAMETER(STAGES >= 1 && STAGES <= 3, "STAGES", STAGES, "1 to 3")
  `CHECK_PARAMETER(AHEAD == 0 || AHEAD == 1, "AHEAD", AHEAD, "0, 1")
  `CHECK_PARAMETER(WAYS >= 1 && VCS % WAYS == 0, "WAYS", WAYS, "a divisor of VCS")

endmodule

`default_nettype wire
