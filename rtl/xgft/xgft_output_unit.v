// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "checks.vh"
`default_nettype none

// Output ports of wormhole switches: a register before the link, and for each virtual channel (VC)
// the credits left and whether a packet holds it.
//
// Contract: claim_i gives a VC to a packet; send_i, at most one VC a port, sends the port's flit in
// a VC with ready_o; a tail sets its VC free for another packet.  A credit is room for one flit at
// the other end of the link: DEPTH of them after reset; credit_i brings one back.  In a head flit
// the list of hops gets the number of the port + 1 (ports are numbered within a switch).
// Timing: the flit is on the link in the next clock; credits count one clock after credit_i.
//
// Slices: port g has VCs g*VCS .. g*VCS+VCS-1.
module xgft_output_unit #(
  parameter SWITCHES = 1,  // switches side by side
  parameter PORTS  = 8,    // output ports of each
  parameter VCS    = 2,    // virtual channels, 1 .. 4
  parameter DEPTH  = 4,    // credits of a VC
  parameter WIDTH  = 32,   // data bits of a flit
  parameter HOPS_W = 0,    // bits of the list of hops
  parameter HOP_W  = 4,    // bits of a hop
  parameter FLIT_W = 34,   // bits of a flit, see xgft_network
  parameter ROOM_W = 4,    // bits of the room behind a port
  parameter ROOMS  = 0     // 1: room_o is worked out
) (
  input  wire                             clk,
  input  wire                             rst,
  input  wire [SWITCHES*PORTS*VCS-1:0]    claim_i,
  input  wire [SWITCHES*PORTS*VCS-1:0]    send_i,
  input  wire [SWITCHES*PORTS*FLIT_W-1:0] flit_i,
  input  wire [SWITCHES*PORTS*VCS-1:0]    credit_i,
  output wire [SWITCHES*PORTS*VCS-1:0]    free_o,   // no packet holds it
  output wire [SWITCHES*PORTS*VCS-1:0]    ready_o,  // it has a credit
  output wire [SWITCHES*PORTS*VCS-1:0]    home_o,   // all credits are here: the other end is empty
  output wire [SWITCHES*PORTS*ROOM_W-1:0] room_o,   // credits of a port, DEPTH more if a VC is free
  output reg  [SWITCHES*PORTS*VCS-1:0]    valid_o,
  output reg  [SWITCHES*PORTS*FLIT_W-1:0] flit_o
);

  localparam        LINKS   = SWITCHES * PORTS;
  localparam        CREDITS = LINKS * VCS;
  localparam        COUNT_W = $clog2(DEPTH + 1);
  localparam [31:0] FULL    = DEPTH;
  localparam        TAIL    = WIDTH;
  localparam        HEAD    = WIDTH + 1;

  reg [CREDITS*COUNT_W-1:0] credit_q;
  reg [CREDITS-1:0]         ready_q, home_q, busy_q;

  assign ready_o = ready_q;
  assign home_o  = home_q;
  assign free_o  = ~busy_q;

  always @(posedge clk) begin : credits
    reg [CREDITS*COUNT_W-1:0] credit;
    reg [CREDITS-1:0]         ready, home;
    reg [COUNT_W-1:0]         n;
    integer                   i;
    credit = credit_q;
    ready  = ready_q;
    home   = home_q;
    n      = {COUNT_W{1'b0}};
    if (rst) begin
      credit = {CREDITS{FULL[COUNT_W-1:0]}};
      ready  = {CREDITS{1'b1}};
      home   = {CREDITS{1'b1}};
    end else begin
      for (i = 0; i < CREDITS; i = i + 1)
        if (credit_i[i] != send_i[i]) begin
          n = credit[i*COUNT_W +: COUNT_W];
          n = credit_i[i] ? n + 1'b1 : n - 1'b1;
          credit[i*COUNT_W +: COUNT_W] = n;
          ready[i] = (n != {COUNT_W{1'b0}});
          home[i]  = (n == FULL[COUNT_W-1:0]);
        end
    end
    credit_q <= credit;
    ready_q  <= ready;
    home_q   <= home;
  end

  // ---- the register before the link, and whose the VCs are ---------------------------------------

  reg [CREDITS-1:0]      left;  // a tail left in this VC
  reg [LINKS*FLIT_W-1:0] marked;
  reg [FLIT_W-1:0]       flit;
  integer                g;
  generate
    if (HOPS_W > 0) begin : gen_hops
      reg [31:0] hop;
      wire       unused = &{1'b0, hop};
      always @* begin
        left   = {CREDITS{1'b0}};
        marked = flit_o;
        flit   = {FLIT_W{1'b0}};
        hop    = 32'd0;
        for (g = 0; g < LINKS; g = g + 1)
          if (send_i[g*VCS +: VCS] != {VCS{1'b0}}) begin
            flit = flit_i[g*FLIT_W +: FLIT_W];
            hop  = g % PORTS + 1;
            if (flit[TAIL]) left[g*VCS +: VCS] = send_i[g*VCS +: VCS];
            if (flit[HEAD])
              flit[FLIT_W-1:WIDTH+2] = {flit[FLIT_W-HOP_W-1:WIDTH+2], hop[HOP_W-1:0]};
            marked[g*FLIT_W +: FLIT_W] = flit;
          end
      end
    end else begin : gen_plain
      always @* begin
        left   = {CREDITS{1'b0}};
        marked = flit_o;
        flit   = {FLIT_W{1'b0}};
        for (g = 0; g < LINKS; g = g + 1)
          if (send_i[g*VCS +: VCS] != {VCS{1'b0}}) begin
            flit = flit_i[g*FLIT_W +: FLIT_W];
            if (flit[TAIL]) left[g*VCS +: VCS] = send_i[g*VCS +: VCS];
            marked[g*FLIT_W +: FLIT_W] = flit;
          end
      end
    end
  endgenerate

  always @(posedge clk) begin
    busy_q  <= rst ? {CREDITS{1'b0}} : (busy_q | claim_i) & ~left;
    valid_o <= rst ? {CREDITS{1'b0}} : send_i;
    flit_o  <= marked;
  end

  // ---- what adaptive routing looks at ------------------------------------------------------------

  generate
    if (ROOMS == 1) begin : gen_room
      reg [LINKS*ROOM_W-1:0] rooms;
      reg [ROOM_W-1:0]       room;
      integer                o, v;
      always @* begin
        rooms = {(LINKS*ROOM_W){1'b0}};
        room  = {ROOM_W{1'b0}};
        for (o = 0; o < LINKS; o = o + 1) begin
          room = (busy_q[o*VCS +: VCS] == {VCS{1'b1}}) ? {ROOM_W{1'b0}} : FULL[ROOM_W-1:0];
          for (v = 0; v < VCS; v = v + 1)
            room = room + {{(ROOM_W-COUNT_W){1'b0}}, credit_q[(o*VCS + v)*COUNT_W +: COUNT_W]};
          rooms[o*ROOM_W +: ROOM_W] = room;
        end
      end
      assign room_o = rooms;
    end else begin : gen_no_room
      assign room_o = {(LINKS*ROOM_W){1'b0}};
    end
  endgenerate

  `CHECK_ALWAYS(clk, rst, (send_i & ~ready_q) == {CREDITS{1'b0}}, "a flit was sent without a credit")
  `CHECK_ALWAYS(clk, rst, (credit_i & home_q) == {CREDITS{1'b0}}, "a credit came back twice")
  `CHECK_ALWAYS(clk, rst, (claim_i & busy_q) == {CREDITS{1'b0}}, "a virtual channel was given to two")
  `CHECK_ALWAYS(clk, rst, (send_i & ~busy_q & ~claim_i) == {CREDITS{1'b0}},
                "a flit was sent in a virtual channel that no packet holds")

  `CHECK_PARAMETER(VCS >= 1 && VCS <= 4, "VCS", VCS, "1 to 4")
  `CHECK_PARAMETER(DEPTH >= 1, "DEPTH", DEPTH, ">= 1")
  `CHECK_PARAMETER(HOPS_W == 0 || HOPS_W > HOP_W, "HOPS_W", HOPS_W, "0, or > HOP_W")
  `CHECK_PARAMETER(HOPS_W == 0 || PORTS < (1 << HOP_W),
                   "HOP_W", HOP_W, "enough for the number of a port")

endmodule

`default_nettype wire
