// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`default_nettype none

// Senders of the flit link, one a node: packets of a list, and replies to requests that arrived.
//
// Contract: offer_i is the next packet of each node's list: from bit 0 release (16), address (16),
// flits (8), virtual channels (VCs) that it may use (4), class (1), and at bit 63 whether there is
// one.  A packet is begun when its release is at most now_i, all before it are gone and one of its
// VCs has a credit; take_o then says so.  The VC with most credits is chosen.  reply_i, source and
// number of a request, becomes a packet of class 1 to that source.  List and replies take turns.
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

  // What each node is sending: [0] from its list, [1] replies.
  reg [NODES*2-1:0]           on_q;      // a packet is begun
  reg [NODES*2*VCS-1:0]       vc_q;
  reg [NODES*2*8-1:0]         flits_q;   // of the packet
  reg [NODES*2*8-1:0]         index_q;   // of the next flit
  reg [NODES*2*NODE_W-1:0]    owner_q;
  reg [NODES*2*NUMBER_W-1:0]  number_q;
  reg [NODES-1:0]             class_q;   // of the list's packet
  reg [NODES*NUMBER_W-1:0]    count_q;   // packets begun
  reg [NODES-1:0]             turn_q;    // who is first
  reg [NODES*VCS*COUNT_W-1:0] credit_q;

  // The allowed VC, not held by the other packet, with most credits; none if there are no credits.
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
    reg [NUMBER_W-1:0]       mixed;
    reg [WIDTH+NUMBER_W-1:0] padded;  // a replication of nothing is not Verilog-2005
    begin
      mixed     = number * MIX[NUMBER_W-1:0];
      padded    = {{(WIDTH-ADDR_W-NODE_W-1){1'b0}}, mixed, kind, source, address};
      head_word = padded[WIDTH-1:0];
    end
  endfunction

  function [WIDTH-1:0] body_word(input [NUMBER_W-1:0] number, input [7:0] index, input kind,
                                 input [NODE_W-1:0] owner);
    reg [WIDTH+NUMBER_W+NODE_W+6:0] tag;
    begin
      tag       = {{WIDTH{1'b0}}, number, index[5:0], kind, owner};
      body_word = tag[WIDTH-1:0] * MIX[WIDTH-1:0];
    end
  endfunction

  // ---- one clock of all nodes --------------------------------------------------------------------

  reg [NODES*2-1:0]           on;
  reg [NODES*2*VCS-1:0]       vc;
  reg [NODES*2*8-1:0]         flits, index;
  reg [NODES*2*NODE_W-1:0]    owner;
  reg [NODES*2*NUMBER_W-1:0]  number;
  reg [NODES-1:0]             kind, turn;
  reg [NODES*NUMBER_W-1:0]    count;
  reg [NODES*VCS*COUNT_W-1:0] credit;
  reg [NODES*VCS-1:0]         valid;
  reg [NODES*FLIT_W-1:0]      flit;

  integer               n, k, i, v;
  reg [63:0]            offer;
  reg [VCS-1:0]         held, vcs;
  reg [VCS*COUNT_W-1:0] have;
  reg                   sent, begins, tail, is_reply;
  reg [NODE_W-1:0]      peer, self;
  reg [NUMBER_W-1:0]    id;
  reg [ADDR_W-1:0]      address;
  reg [WIDTH-1:0]       word;
  always @* begin
    on       = on_q;
    vc       = vc_q;
    flits    = flits_q;
    index    = index_q;
    owner    = owner_q;
    number   = number_q;
    kind     = class_q;
    turn     = turn_q;
    count    = restart_i ? {(NODES*NUMBER_W){1'b0}} : count_q;
    credit   = credit_q;
    valid    = {(NODES*VCS){1'b0}};
    flit     = flit_o;
    take_o       = {NODES{1'b0}};
    reply_take_o = {NODES{1'b0}};
    k        = 0;
    i        = 0;
    offer    = 64'd0;
    held     = {VCS{1'b0}};
    vcs      = {VCS{1'b0}};
    have     = {(VCS*COUNT_W){1'b0}};
    sent     = 1'b0;
    begins   = 1'b0;
    tail     = 1'b0;
    is_reply = 1'b0;
    peer     = {NODE_W{1'b0}};
    self     = {NODE_W{1'b0}};
    id       = {NUMBER_W{1'b0}};
    address  = {ADDR_W{1'b0}};
    word     = {WIDTH{1'b0}};
    for (n = 0; n < NODES; n = n + 1) begin
      self  = n[NODE_W-1:0];
      offer = offer_i[n*64 +: 64];
      have  = credit[n*VCS*COUNT_W +: VCS*COUNT_W];
      sent  = 1'b0;
      for (i = 0; i < 2; i = i + 1) begin
        is_reply = turn_q[n] ^ (i == 1);
        k        = 2 * n + (is_reply ? 1 : 0);
        held     = on[2*n + (is_reply ? 0 : 1)] ? vc[(2*n + (is_reply ? 0 : 1))*VCS +: VCS]
                                                : {VCS{1'b0}};
        if (!sent && run_i) begin
          // Begin a packet: everything that is known of it is kept until its tail is sent.
          begins = ~on[k] & (is_reply ? reply_valid_i[n] : offer[63] & (offer[15:0] <= now_i));
          peer   = reply_i[n*REPLY_W + NUMBER_W +: NODE_W];
          id     = is_reply ? reply_i[n*REPLY_W +: NUMBER_W] : count[n*NUMBER_W +: NUMBER_W];
          if (begins) begin
            vcs    = choose((is_reply ? reply_vcs_i : offer[40 +: VCS]) & ~held, have);
            begins = (vcs != {VCS{1'b0}});
          end
          if (begins) begin
            on[k] = 1'b1;
            vc    [k*VCS +: VCS]           = vcs;
            index [k*8 +: 8]               = 8'd0;
            number[k*NUMBER_W +: NUMBER_W] = id;
            flits [k*8 +: 8]               = is_reply ? reply_flits_i : offer[39:32];
            owner [k*NODE_W +: NODE_W]     = is_reply ? peer : self;
            if (is_reply) begin
              reply_take_o[n] = 1'b1;
            end else begin
              take_o[n] = 1'b1;
              kind[n]   = offer[44];
              count[n*NUMBER_W +: NUMBER_W] = count[n*NUMBER_W +: NUMBER_W] + 1'b1;
            end
          end
          vcs = vc[k*VCS +: VCS];
          for (v = 0; v < VCS; v = v + 1)
            if (on[k] && !sent && vcs[v] && have[v*COUNT_W +: COUNT_W] != {COUNT_W{1'b0}}) begin
              sent = 1'b1;
              have[v*COUNT_W +: COUNT_W] = have[v*COUNT_W +: COUNT_W] - 1'b1;
              valid[n*VCS + v] = 1'b1;
            end
          if (sent) begin
            tail    = (index[k*8 +: 8] + 8'd1 == flits[k*8 +: 8]);
            address = is_reply ? peer * PATHS : offer[16 +: ADDR_W];
            if (begins)
              word = head_word(id, is_reply | offer[44], self, address);
            else
              word = body_word(number[k*NUMBER_W +: NUMBER_W], index[k*8 +: 8], is_reply | kind[n],
                               owner[k*NODE_W +: NODE_W]);
            flit[n*FLIT_W +: FLIT_W] = {{(FLIT_W-WIDTH-2){1'b0}}, begins, tail, word};
            index[k*8 +: 8] = index[k*8 +: 8] + 8'd1;
            on[k]   = ~tail;
            turn[n] = ~is_reply;
          end
        end
      end
      for (v = 0; v < VCS; v = v + 1)
        if (credit_i[n*VCS + v])
          have[v*COUNT_W +: COUNT_W] = have[v*COUNT_W +: COUNT_W] + 1'b1;
      credit[n*VCS*COUNT_W +: VCS*COUNT_W] = have;
    end
  end

  always @(posedge clk) begin
    on_q     <= rst ? {(2*NODES){1'b0}} : on;
    turn_q   <= rst ? {NODES{1'b0}} : turn;
    credit_q <= rst ? {(NODES*VCS){FULL[COUNT_W-1:0]}} : credit;
    if (!rst || restart_i) count_q <= rst ? {(NODES*NUMBER_W){1'b0}} : count;
    valid_o  <= rst ? {(NODES*VCS){1'b0}} : valid;
    vc_q     <= vc;
    flits_q  <= flits;
    index_q  <= index;
    owner_q  <= owner;
    number_q <= number;
    class_q  <= kind;
    flit_o   <= flit;
  end

endmodule

`default_nettype wire
