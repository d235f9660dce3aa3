// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Senders of the flit link, one a node: packets of a list, and replies to requests that arrived.
//
// Contract: offer_i is the next packet of each node's list: from bit 0 release (16), address (16),
// flits (8), virtual channels (VCs) that it may use (4), class (1), and at bit 63 whether there is
// one.  reply_i, source and number of a request, becomes a packet of class 1 to that source.
// A node sends the packet that it is at; if that has no credit, another that is begun; if none has, it
// begins one, of the list when its release is at most now_i: in a VC that no packet of the node
// holds, that with most credits.  List and replies take turns.  take_o: a list's packet was begun.
// Words: head {number * MIX, class, source, address}; other flits {number, index (6), class, owner} * MIX,
// so that each flit names itself; the owner of a reply is who asked for it.
// Timing: a flit is on the link in the clock after that in which it could be sent.
module flit_source #(
  parameter NODES   = 4,
  parameter VCS     = 2,
  parameter DEPTH   = 4,    // credits a VC
  parameter WIDTH   = 32,   // data bits
  parameter FLIT_W  = 34,   // data, tail mark, head mark, zeros
  parameter ADDR_W  = 4,
  parameter NODE_W  = 2,
  parameter PATHS   = 1,    // addresses a node
  parameter NUMBER_W = 19,  // bits of a packet's number, <= WIDTH - ADDR_W - NODE_W - 1
  parameter REPLY_W = 21,   // {source, number} of a request
  parameter [63:0] MIX = 64'h9E3779B97F4A7C15
) (
  input  wire                     clk,
  input  wire                     rst,
  input  wire                     run_i,
  input  wire                     restart_i,    // numbers of packets start from 0
  input  wire [15:0]              now_i,
  input  wire [NODES*64-1:0]      offer_i,
  output reg  [NODES-1:0]         take_o,
  input  wire [NODES-1:0]         reply_valid_i,
  input  wire [NODES*REPLY_W-1:0] reply_i,
  input  wire [7:0]               reply_flits_i,
  input  wire [VCS-1:0]           reply_vcs_i,
  output reg  [NODES-1:0]         reply_take_o,
  output reg  [NODES*VCS-1:0]     valid_o,
  output reg  [NODES*FLIT_W-1:0]  flit_o,
  input  wire [NODES*VCS-1:0]     credit_i
);

  localparam        COUNT_W  = $clog2(DEPTH + 1);
  localparam [31:0] FULL     = DEPTH;

  // The packet that each node has in each VC.
  reg [NODES*VCS-1:0]           on_q;      // there is one
  reg [NODES*VCS-1:0]           class_q;
  reg [NODES*VCS*8-1:0]         flits_q;   // its length
  reg [NODES*VCS*8-1:0]         index_q;   // of its next flit
  reg [NODES*VCS*NODE_W-1:0]    owner_q;
  reg [NODES*VCS*NUMBER_W-1:0]  number_q;
  reg [NODES*VCS*COUNT_W-1:0]   credit_q;
  reg [NODES*VCS-1:0]           last_q;    // VC of the last flit, one-hot
  reg [NODES*NUMBER_W-1:0]      count_q;   // packets of the list begun
  reg [NODES-1:0]               turn_q;    // 1: the next to begin is a reply, if there is one

  // The allowed VC with most credits; none if there are no credits.
  function [VCS-1:0] choose(input [VCS-1:0] allowed, input [VCS*COUNT_W-1:0] credits);
    integer           v;
    reg [COUNT_W-1:0] most;
    begin
      choose = {VCS{1'b0}};
      most   = {COUNT_W{1'b0}};
      for (v = 0; v < VCS; v = v + 1)
        if (allowed[v] && credits[v*COUNT_W +: COUNT_W] > most) begin
          most      = credits[v*COUNT_W +: COUNT_W];
          choose    = {VCS{1'b0}};
          choose[v] = 1'b1;
        end
    end
  endfunction

  function [WIDTH-1:0] head_word(input [NUMBER_W-1:0] number, input kind,
                                 input [NODE_W-1:0] source, input [ADDR_W-1:0] address);
    begin
      head_word                      = {WIDTH{1'b0}};
      head_word[ADDR_W-1:0]          = address;
      head_word[ADDR_W +: NODE_W]    = source;
      head_word[ADDR_W+NODE_W]       = kind;
      head_word[ADDR_W+NODE_W+1 +: NUMBER_W] = number * MIX[NUMBER_W-1:0];
    end
  endfunction

  function [WIDTH-1:0] body_word(input [NUMBER_W-1:0] number, input [5:0] index, input kind,
                                 input [NODE_W-1:0] owner);
    begin
      body_word                       = {WIDTH{1'b0}};
      body_word[NODE_W-1:0]           = owner;
      body_word[NODE_W]               = kind;
      body_word[NODE_W+1 +: 6]        = index;
      body_word[NODE_W+7 +: NUMBER_W] = number;
      body_word = body_word * MIX[WIDTH-1:0];
    end
  endfunction

  // ---- one clock of all nodes --------------------------------------------------------------------

  reg [NODES*VCS-1:0]           on, kind, last, valid;
  reg [NODES*VCS*8-1:0]         flits, index;
  reg [NODES*VCS*NODE_W-1:0]    owner;
  reg [NODES*VCS*NUMBER_W-1:0]  number;
  reg [NODES*VCS*COUNT_W-1:0]   credit;
  reg [NODES*NUMBER_W-1:0]      count;
  reg [NODES-1:0]               turn;
  reg [NODES*FLIT_W-1:0]        flit;

  integer               n, k, v;
  reg [63:0]            offer;
  reg [VCS-1:0]         open, able, vcs, from_list, from_reply;
  reg [VCS*COUNT_W-1:0] have;
  reg                   begins, tail, is_reply;
  reg [NODE_W-1:0]      peer, self;
  reg [NUMBER_W-1:0]    id;
  reg [WIDTH-1:0]       word;
  reg [31:0]            home;     // first address of the node that is answered
  wire                  unused = &{1'b0, home, offer};
  always @* begin
    on         = on_q;
    kind       = class_q;
    last       = last_q;
    flits      = flits_q;
    index      = index_q;
    owner      = owner_q;
    number     = number_q;
    credit     = credit_q;
    count      = restart_i ? {(NODES*NUMBER_W){1'b0}} : count_q;
    turn       = turn_q;
    valid      = {(NODES*VCS){1'b0}};
    flit       = flit_o;
    take_o       = {NODES{1'b0}};
    reply_take_o = {NODES{1'b0}};
    k          = 0;
    offer      = 64'd0;
    open       = {VCS{1'b0}};
    able       = {VCS{1'b0}};
    vcs        = {VCS{1'b0}};
    from_list  = {VCS{1'b0}};
    from_reply = {VCS{1'b0}};
    have       = {(VCS*COUNT_W){1'b0}};
    begins     = 1'b0;
    tail       = 1'b0;
    is_reply   = 1'b0;
    peer       = {NODE_W{1'b0}};
    self       = {NODE_W{1'b0}};
    id         = {NUMBER_W{1'b0}};
    word       = {WIDTH{1'b0}};
    home       = 32'd0;
    for (n = 0; n < NODES; n = n + 1) begin
      offer = offer_i[n*64 +: 64];
      open  = on_q[n*VCS +: VCS];
      if (run_i && (open != {VCS{1'b0}} || reply_valid_i[n]
                    || (offer[63] && offer[15:0] <= now_i))) begin
        have = credit[n*VCS*COUNT_W +: VCS*COUNT_W];
        self = n[NODE_W-1:0];
        peer = reply_i[n*REPLY_W + NUMBER_W +: NODE_W];
        home = {{(32-NODE_W){1'b0}}, peer} * PATHS;

        // Which VC sends?
        able = {VCS{1'b0}};
        for (v = 0; v < VCS; v = v + 1)
          able[v] = open[v] & (have[v*COUNT_W +: COUNT_W] != {COUNT_W{1'b0}});
        vcs        = ((able & last_q[n*VCS +: VCS]) != {VCS{1'b0}}) ? last_q[n*VCS +: VCS]
                                                                    : able & (~able + 1'b1);
        begins     = (able == {VCS{1'b0}});
        from_list  = {VCS{1'b0}};
        from_reply = {VCS{1'b0}};
        if (begins) begin
          if (offer[63] && offer[15:0] <= now_i) from_list = choose(offer[40 +: VCS] & ~open, have);
          if (reply_valid_i[n])                  from_reply = choose(reply_vcs_i & ~open, have);
        end
        is_reply = (from_reply != {VCS{1'b0}}) & (turn_q[n] | (from_list == {VCS{1'b0}}));
        if (begins) vcs = is_reply ? from_reply : from_list;

        // Its packet's next flit.
        for (v = 0; v < VCS; v = v + 1)
          if (vcs[v]) begin
            k  = n * VCS + v;
            id = is_reply ? reply_i[n*REPLY_W +: NUMBER_W] : count[n*NUMBER_W +: NUMBER_W];
            if (begins) begin
              on[k]   = 1'b1;
              kind[k] = is_reply | offer[44];
              index [k*8 +: 8]               = 8'd0;
              flits [k*8 +: 8]               = is_reply ? reply_flits_i : offer[39:32];
              owner [k*NODE_W +: NODE_W]     = is_reply ? peer : self;
              number[k*NUMBER_W +: NUMBER_W] = id;
              turn[n]         = ~is_reply;
              take_o[n]       = ~is_reply;
              reply_take_o[n] = is_reply;
              if (!is_reply) count[n*NUMBER_W +: NUMBER_W] = id + 1'b1;
            end
            tail = (index[k*8 +: 8] + 8'd1 == flits[k*8 +: 8]);
            word = begins ? head_word(id, kind[k], self,
                                      is_reply ? home[ADDR_W-1:0] : offer[16 +: ADDR_W])
                          : body_word(number[k*NUMBER_W +: NUMBER_W], index[k*8 +: 6], kind[k],
                                      owner[k*NODE_W +: NODE_W]);
            flit[n*FLIT_W +: FLIT_W]   = {{(FLIT_W-WIDTH-2){1'b0}}, begins, tail, word};
            have[v*COUNT_W +: COUNT_W] = have[v*COUNT_W +: COUNT_W] - 1'b1;
            index[k*8 +: 8] = index[k*8 +: 8] + 8'd1;
            on[k] = ~tail;
          end
        valid [n*VCS +: VCS]                 = vcs;
        last  [n*VCS +: VCS]                 = vcs;
        credit[n*VCS*COUNT_W +: VCS*COUNT_W] = have;
      end
    end
    for (k = 0; k < NODES * VCS; k = k + 1)
      if (credit_i[k])
        credit[k*COUNT_W +: COUNT_W] = credit[k*COUNT_W +: COUNT_W] + 1'b1;
  end

  always @(posedge clk) begin
    on_q     <= rst ? {(NODES*VCS){1'b0}} : on;
    last_q   <= rst ? {(NODES*VCS){1'b0}} : last;
    turn_q   <= rst ? {NODES{1'b0}} : turn;
    credit_q <= rst ? {(NODES*VCS){FULL[COUNT_W-1:0]}} : credit;
    valid_o  <= rst ? {(NODES*VCS){1'b0}} : valid;
    if (!rst || restart_i) count_q <= rst ? {(NODES*NUMBER_W){1'b0}} : count;
    class_q  <= kind;
    flits_q  <= flits;
    index_q  <= index;
    owner_q  <= owner;
    number_q <= number;
    flit_o   <= flit;
  end

endmodule

`default_nettype wire
