// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "checks.vh"
`default_nettype none

// Input ports of wormhole switches: for each virtual channel (VC) a queue, and what the packet at
// its head has got so far: an output port, and a VC there.
//
// Contract: valid_i names the VC of the flit on a link, one-hot a port; a credit goes back for each
// flit that leaves.  A VC holds the packets of its queue one after the other:
//   ask_o: a head flit with header_o needs a route; route_i is its output port;
//   want_o: the packet wants a VC of port_o; grant_i gives it vc_i;
//   ready_o: a flit can go to port_o in VC vc_o; take_i, one VC a port, sends it: flit_o.
// The tail flit gives port and VC up.
// HOLD = 0: the route is chosen again in every clock until a VC is granted (adaptive routing).
// Timing: STAGES clocks from the head flit at the front of its queue to its being sent, if nobody is
// in the way: 1: all in one clock; 2: route and VC, then switch; 3: route, then VC, then switch.
// The other flits follow one a clock.  credit_o comes a clock after the flit has left.
//
// Slices: port g has VCs g*VCS .. g*VCS+VCS-1.
module xgft_input_unit #(
  parameter PORTS    = 8,   // input ports, of one switch or of many side by side
  parameter VCS      = 2,   // virtual channels, 1 .. 4
  parameter DEPTH    = 4,   // flits of a VC's queue
  parameter WIDTH    = 32,  // data bits of a flit
  parameter FLIT_W   = 34,  // bits of a flit, see xgft_network
  parameter HEADER_W = 13,  // low bits of a head flit that make its header
  parameter PORT_W   = 3,   // bits of an output port's number
  parameter STAGES   = 1,   // 1 .. 3
  parameter HOLD     = 1    // 0, 1
) (
  input  wire                          clk,
  input  wire                          rst,
  input  wire [PORTS*VCS-1:0]          valid_i,
  input  wire [PORTS*FLIT_W-1:0]       flit_i,
  output reg  [PORTS*VCS-1:0]          credit_o,
  output wire [PORTS*VCS-1:0]          ask_o,
  output reg  [PORTS*VCS*HEADER_W-1:0] header_o,   // of packets that ask or want
  input  wire [PORTS*VCS*PORT_W-1:0]   route_i,
  output wire [PORTS*VCS-1:0]          want_o,
  output reg  [PORTS*VCS*PORT_W-1:0]   port_o,
  input  wire [PORTS*VCS-1:0]          grant_i,
  input  wire [PORTS*VCS*VCS-1:0]      vc_i,
  output wire [PORTS*VCS-1:0]          ready_o,
  output reg  [PORTS*VCS*VCS-1:0]      vc_o,
  input  wire [PORTS*VCS-1:0]          take_i,
  output reg  [PORTS*FLIT_W-1:0]       flit_o,
  output wire [PORTS*VCS*(2+PORT_W+VCS)-1:0] state_o  // for debuggers, see xgft_network
);

  localparam QUEUES  = PORTS * VCS;
  localparam INDEX_W = (DEPTH > 1) ? $clog2(DEPTH) : 1;
  localparam TAIL    = WIDTH;
  localparam HEAD    = WIDTH + 1;

  // A queue: the oldest flit in a register, those behind it in a ring.
  reg [QUEUES*FLIT_W-1:0]  front_q;
  reg [QUEUES-1:0]         present_q;  // front_q holds a flit
  reg [QUEUES-1:0]         full_q;
  reg [FLIT_W-1:0]         ring [0:QUEUES*DEPTH-1];
  reg [QUEUES*INDEX_W-1:0] next_q;     // where in the ring the next flit is
  reg [QUEUES*INDEX_W-1:0] behind_q;   // flits in the ring, < DEPTH

  reg [QUEUES-1:0]         routed_q;   // port_q holds
  reg [QUEUES-1:0]         active_q;   // and so does vc_q
  reg [QUEUES*PORT_W-1:0]  port_q;
  reg [QUEUES*VCS-1:0]     vc_q;

  wire [QUEUES-1:0] searching = present_q & ~active_q;
  wire [QUEUES-1:0] fixed     = (HOLD == 1) ? routed_q : {QUEUES{1'b0}};

  assign ask_o   = searching & ~fixed;
  assign want_o  = (STAGES == 3) ? searching & routed_q : searching;
  assign ready_o = present_q & ((STAGES == 1) ? active_q | grant_i : active_q);

  // ---- queues ------------------------------------------------------------------------------------

  function integer index(input [INDEX_W-1:0] number);
    index = {{(32-INDEX_W){1'b0}}, number};
  endfunction

  function integer wrapped(input integer place);
    wrapped = (place >= DEPTH) ? place - DEPTH : place;
  endfunction

  always @(posedge clk) begin : queues
    reg [QUEUES*FLIT_W-1:0]  front;
    reg [QUEUES*INDEX_W-1:0] next_all, behind_all;
    reg [QUEUES-1:0]         present, full;
    integer                  i, next, behind;
    front      = front_q;
    present    = present_q;
    full       = full_q;
    next_all   = next_q;
    behind_all = behind_q;
    next       = 0;
    behind     = 0;
    for (i = 0; i < QUEUES; i = i + 1)
      if (valid_i[i] || take_i[i]) begin
        next   = index(next_q[i*INDEX_W +: INDEX_W]);
        behind = index(behind_q[i*INDEX_W +: INDEX_W]);
        if (take_i[i]) begin
          present[i] = (behind != 0);
          if (behind != 0) begin
            front[i*FLIT_W +: FLIT_W] = ring[i*DEPTH + next];
            next   = wrapped(next + 1);
            behind = behind - 1;
          end
        end
        if (valid_i[i]) begin
          if (!present[i]) begin
            front[i*FLIT_W +: FLIT_W] = flit_i[(i/VCS)*FLIT_W +: FLIT_W];
            present[i] = 1'b1;
          end else begin
            ring[i*DEPTH + wrapped(next + behind)] <= flit_i[(i/VCS)*FLIT_W +: FLIT_W];
            behind = behind + 1;
          end
        end
        next_all  [i*INDEX_W +: INDEX_W] = next[INDEX_W-1:0];
        behind_all[i*INDEX_W +: INDEX_W] = behind[INDEX_W-1:0];
        full[i] = present[i] && (behind == DEPTH - 1);
      end
    front_q   <= front;
    present_q <= rst ? {QUEUES{1'b0}} : present;
    full_q    <= rst ? {QUEUES{1'b0}} : full;
    next_q    <= rst ? {(QUEUES*INDEX_W){1'b0}} : next_all;
    behind_q  <= rst ? {(QUEUES*INDEX_W){1'b0}} : behind_all;
  end

  always @(posedge clk) credit_o <= rst ? {QUEUES{1'b0}} : take_i;

  // ---- what the packets have ---------------------------------------------------------------------

  integer          h;
  reg [FLIT_W-1:0] word;
  reg [QUEUES-1:0] headless;  // something else than a head is at the front of a packet
  always @* begin
    header_o = {(QUEUES*HEADER_W){1'b0}};
    headless = {QUEUES{1'b0}};
    word     = {FLIT_W{1'b0}};
    for (h = 0; h < QUEUES; h = h + 1)
      if (searching[h]) begin
        word        = front_q[h*FLIT_W +: FLIT_W];
        headless[h] = ~word[HEAD];
        header_o[h*HEADER_W +: HEADER_W] = word[HEADER_W-1:0];
      end
  end

  integer w;
  always @* begin
    port_o = port_q;
    if (STAGES < 3)
      for (w = 0; w < QUEUES; w = w + 1)
        if (ask_o[w]) port_o[w*PORT_W +: PORT_W] = route_i[w*PORT_W +: PORT_W];
  end

  integer x;
  always @* begin
    vc_o = vc_q;
    if (STAGES == 1)
      for (x = 0; x < QUEUES; x = x + 1)
        if (grant_i[x]) vc_o[x*VCS +: VCS] = vc_i[x*VCS +: VCS];
  end

  integer f;
  always @* begin
    flit_o = {(PORTS*FLIT_W){1'b0}};
    for (f = 0; f < QUEUES; f = f + 1)
      if (take_i[f])
        flit_o[(f/VCS)*FLIT_W +: FLIT_W] = front_q[f*FLIT_W +: FLIT_W];
  end

  always @(posedge clk) begin : packets
    reg [QUEUES-1:0]        routed, active;
    reg [QUEUES*PORT_W-1:0] port;
    reg [QUEUES*VCS-1:0]    vc;
    integer                 i;
    routed = routed_q | searching;
    active = active_q | grant_i;
    port   = port_o;
    vc     = vc_q;
    for (i = 0; i < QUEUES; i = i + 1)
      if (searching[i] || take_i[i]) begin
        // The port for which a VC was granted is kept.
        if (STAGES == 3 && ask_o[i] && !grant_i[i])
          port[i*PORT_W +: PORT_W] = route_i[i*PORT_W +: PORT_W];
        if (grant_i[i]) vc[i*VCS +: VCS] = vc_i[i*VCS +: VCS];
        if (take_i[i] && flit_o[(i/VCS)*FLIT_W + TAIL]) begin
          routed[i] = 1'b0;
          active[i] = 1'b0;
        end
      end
    routed_q <= rst ? {QUEUES{1'b0}} : routed;
    active_q <= rst ? {QUEUES{1'b0}} : active;
    port_q   <= rst ? {(QUEUES*PORT_W){1'b0}} : port;  // known to debuggers before its first use
    vc_q     <= rst ? {(QUEUES*VCS){1'b0}} : vc;
  end

  assign state_o = {vc_q, port_q, active_q, present_q};

  // ---- what comes in on a VC is packets, whole and one after the other ---------------------------

  reg [QUEUES-1:0] open_q;  // inside a packet
  reg [QUEUES-1:0] head, tail;
  integer          c;
  always @* begin
    head = {QUEUES{1'b0}};
    tail = {QUEUES{1'b0}};
    for (c = 0; c < QUEUES; c = c + 1)
      if (valid_i[c]) begin
        head[c] = flit_i[(c/VCS)*FLIT_W + HEAD];
        tail[c] = flit_i[(c/VCS)*FLIT_W + TAIL];
      end
  end
  always @(posedge clk)
    open_q <= rst ? {QUEUES{1'b0}} : (open_q | valid_i) & ~tail;

  `CHECK_ALWAYS(clk, rst, (valid_i & full_q) == {QUEUES{1'b0}}, "a flit came to a full queue")
  `CHECK_ALWAYS(clk, rst, (take_i & ~present_q) == {QUEUES{1'b0}}, "a flit left an empty queue")
  `CHECK_ALWAYS(clk, rst, (valid_i & ~open_q & ~head) == {QUEUES{1'b0}}, "a flit came without a head")
  `CHECK_ALWAYS(clk, rst, (open_q & head) == {QUEUES{1'b0}}, "a packet came inside another")
  `CHECK_ALWAYS(clk, rst, headless == {QUEUES{1'b0}}, "no head at the front of a packet")

  `CHECK_PARAMETER(VCS >= 1 && VCS <= 4, "VCS", VCS, "1 to 4")
  `CHECK_PARAMETER(DEPTH >= 1, "DEPTH", DEPTH, ">= 1")
  `CHECK_PARAMETER(STAGES >= 1 && STAGES <= 3, "STAGES", STAGES, "1 to 3")

endmodule

`default_nettype wire
