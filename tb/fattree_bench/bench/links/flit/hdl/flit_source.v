// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Sender of the flit link, one leaf's: packets of a list, and replies to requests that arrived.
//
// Contract: offer_i is the list's next packet: from bit 0 release (16), address (16), flits (8),
// virtual channels (VCs) that it may use (4), class (1), corners (1), and at bit 63 whether there
// is one.
// reply_i, source and number of a request, becomes a packet of class 1 to that source.
// A leaf sends the packet that it is at; if that has no credit, another that is begun; if none has,
// it begins one, of the list when its release is at most now_i: in a VC that no packet of it holds,
// that with most credits.  List and replies take turns.
// Words: head {number * MIX ^ rest, rest = {class, source, address}}; other flits {number, index
// (6), class, owner}, twice multiplied by MIX and its upper half XORed onto the lower, so that each
// flit names itself, and no other when a bit of it is flipped; a reply's owner is who asked for it.
// With MASKED rest is XORed with the highest bits of the head: then all of its bits vary.
// With corners half of these are zero, all ones, or of one bit that is set, or clear, alone: which,
// number and index say, of flits 2k and 2k + 1 alike.  Such a word does not name its flit.
// Timing: a flit is on the link in the clock after that in which it could be sent.
module flit_source #(
  parameter VCS     = 2,      // virtual channels
  parameter DEPTH   = 4,      // credits a VC
  parameter WIDTH   = 32,     // data bits
  parameter FLIT_W  = 34,     // data, tail mark, head mark, zeros
  parameter ADDR_W  = 4,      // bits of an address
  parameter NODE_W  = 2,      // bits of a leaf's number
  parameter PATHS   = 1,      // addresses a leaf
  parameter MASKED  = 0,      // 1: the lower bits of a head vary with its number
  parameter NUMBER_W = 19,    // bits of a packet's number, <= WIDTH - ADDR_W - NODE_W - 1
  parameter REPLY_W = 21,     // {source, number} of a request
  parameter RATIO   = 1,      // clocks from flit to flit
  parameter [63:0] MIX = 64'h7100E935FE3A771B  // odd: multiplication by it can be undone
) (
  input  wire               clk,
  input  wire               rst,
  input  wire               run_i,          // flits may be sent
  input  wire               restart_i,      // numbers of packets start from 0
  input  wire [NODE_W-1:0]  self_i,         // the leaf's number
  input  wire [15:0]        now_i,          // clock of the burst
  input  wire [63:0]        offer_i,        // see above
  output wire               take_o,         // with run_i
  input  wire               reply_valid_i,  // there is a request to be answered
  input  wire [REPLY_W-1:0] reply_i,        // it
  input  wire [7:0]         reply_flits_i,  // length of a reply
  input  wire [VCS-1:0]     reply_vcs_i,    // VCs that it may use
  output wire               reply_take_o,   // with run_i: the reply is begun
  output reg  [VCS-1:0]     valid_o,        // VC of the flit on the link, one-hot
  output reg  [FLIT_W-1:0]  flit_o,
  input  wire [VCS-1:0]     credit_i        // credits that come back
);

  localparam        COUNT_W  = $clog2(DEPTH + 1);
  localparam        VC_W     = VCS > 1 ? $clog2(VCS) : 1;
  localparam [31:0] FULL     = DEPTH;
  localparam [31:0] PER_LEAF = PATHS;
  localparam        FOLD     = (WIDTH + 1) / 2;
  localparam        HEADER_W = ADDR_W + NODE_W + 1;
  localparam        REST_W   = WIDTH - HEADER_W;
  localparam        MASK_W   = (REST_W < HEADER_W) ? REST_W : HEADER_W;

  reg [VCS*COUNT_W-1:0] credit_q;
  reg [NUMBER_W-1:0]    count_q;   // packets of the list begun
  reg                   turn_q;    // 1: the next to begin is a reply, if there is one
  reg [VCS-1:0]         on_q;      // VCs that hold a packet; of each, what follows:
  reg [VCS-1:0]         kind_q;    // class
  reg [VCS-1:0]         corner_q;  // corners
  reg [7:0]             flits_q  [0:VCS-1];  // length
  reg [7:0]             index_q  [0:VCS-1];  // of its next flit
  reg [NODE_W-1:0]      owner_q  [0:VCS-1];
  reg [NUMBER_W-1:0]    number_q [0:VCS-1];

  wire unused = &{1'b0, offer_i};

  localparam [31:0] REST = RATIO - 1;
  reg  [15:0]       rest_q;  // clocks in which nothing may be sent
  wire              open = (RATIO == 1) || (rest_q == 16'd0);
  always @(posedge clk)
    if (rst)                              rest_q <= 16'd0;
    else if (run_i && vcs != {VCS{1'b0}}) rest_q <= REST[15:0];
    else if (!open)                       rest_q <= rest_q - 16'd1;

  // ---- which VC sends, and does a packet begin there? -------------------------------------------

  wire           due = offer_i[63] & (offer_i[15:0] <= now_i);
  wire [VCS-1:0] from_list, from_reply;
  reg  [VCS-1:0] able, vcs;
  reg            begins, is_reply;

  flit_choose #(.VCS(VCS), .COUNT_W(COUNT_W)) u_list (
    .allowed_i(due ? offer_i[40 +: VCS] & ~on_q : {VCS{1'b0}}), .credit_i(credit_q),
    .vc_o(from_list)
  );
  flit_choose #(.VCS(VCS), .COUNT_W(COUNT_W)) u_reply (
    .allowed_i(reply_valid_i ? reply_vcs_i & ~on_q : {VCS{1'b0}}), .credit_i(credit_q),
    .vc_o(from_reply)
  );

  integer        a;
  always @* begin
    able     = {VCS{1'b0}};
    vcs      = {VCS{1'b0}};
    begins   = 1'b0;
    is_reply = 1'b0;
    for (a = 0; a < VCS; a = a + 1)
      able[a] = on_q[a] & (credit_q[a*COUNT_W +: COUNT_W] != {COUNT_W{1'b0}});
    if (!open) begin
    end else if (able != {VCS{1'b0}}) begin
      vcs = ((able & valid_o) != {VCS{1'b0}}) ? valid_o : able & (~able + 1'b1);
    end else if (due || reply_valid_i) begin
      vcs      = from_list;
      is_reply = (from_reply != {VCS{1'b0}}) & (turn_q | (vcs == {VCS{1'b0}}));
      if (is_reply) vcs = from_reply;
      begins = (vcs != {VCS{1'b0}});
    end
  end

  assign take_o       = begins & ~is_reply;
  assign reply_take_o = is_reply;

  // ---- its packet's next flit -------------------------------------------------------------------

  always @(posedge clk) begin : send
    reg [NUMBER_W-1:0] count, number;
    reg [NODE_W-1:0]   owner;
    reg [ADDR_W-1:0]   address;
    reg [7:0]          flits, index;
    reg                kind, tail;
    reg [5:0]          place;  // of the bit that is alone
    reg [WIDTH-1:0]    word, mixed;
    reg [VC_W-1:0]     k;
    integer            v;
    valid_o <= (run_i && !rst) ? vcs : {VCS{1'b0}};
    count = restart_i ? {NUMBER_W{1'b0}} : count_q;
    if (restart_i) count_q <= count;
    if (run_i && vcs != {VCS{1'b0}}) begin
      k = {VC_W{1'b0}};
      for (v = 0; v < VCS; v = v + 1)
        if (vcs[v]) k = v[VC_W-1:0];
      word = {WIDTH{1'b0}};
      if (begins) begin
        owner   = is_reply ? reply_i[NUMBER_W +: NODE_W] : self_i;
        address = is_reply ? {{(ADDR_W-NODE_W){1'b0}}, owner} * PER_LEAF[ADDR_W-1:0]
                           : offer_i[16 +: ADDR_W];
        number  = is_reply ? reply_i[NUMBER_W-1:0] : count;
        kind    = is_reply | offer_i[44];
        flits   = is_reply ? reply_flits_i : offer_i[39:32];
        index   = 8'd0;
        word[ADDR_W-1:0]                  = address;
        word[ADDR_W +: NODE_W]            = self_i;
        word[ADDR_W+NODE_W]               = kind;
        mixed                             = {WIDTH{1'b0}};
        mixed[NUMBER_W-1:0]               = number;
        mixed                             = mixed * MIX[WIDTH-1:0] ^ word;
        word[WIDTH-1:HEADER_W]            = mixed[REST_W-1:0];
        if (MASKED != 0) word[MASK_W-1:0] = word[MASK_W-1:0] ^ word[WIDTH-MASK_W +: MASK_W];
        kind_q[k]   <= kind;
        corner_q[k] <= ~is_reply & offer_i[45];
        flits_q[k]  <= flits;
        owner_q[k]  <= owner;
        number_q[k] <= number;
        turn_q      <= ~is_reply;
        if (!is_reply) count_q <= count + 1'b1;
      end else begin
        flits = flits_q[k];
        index = index_q[k];
        word[NODE_W-1:0]           = owner_q[k];
        word[NODE_W]               = kind_q[k];
        word[NODE_W+1 +: 6]        = index[5:0];
        word[NODE_W+7 +: NUMBER_W] = number_q[k];
        place = {number_q[k][2:0], index[3:1]} + number_q[k][5:0];
        word = word * MIX[WIDTH-1:0];
        word = (word ^ (word >> FOLD)) * MIX[WIDTH-1:0];
        word = word ^ (word >> FOLD);
        if (corner_q[k])
          case (number_q[k][2:0] ^ index[3:1])
            3'd0:    word = {WIDTH{1'b0}};
            3'd1:    word = {WIDTH{1'b1}};
            3'd2:    word = {{(WIDTH-1){1'b0}}, 1'b1} << place;
            3'd3:    word = ~({{(WIDTH-1){1'b0}}, 1'b1} << place);
            default: ;
          endcase
      end
      tail = (index + 8'd1 == flits);
      index_q[k] <= index + 8'd1;
      on_q[k]    <= ~tail;
      flit_o     <= {{(FLIT_W-WIDTH-2){1'b0}}, begins, tail, word};
    end
    if (rst) begin
      on_q   <= {VCS{1'b0}};
      turn_q <= 1'b0;
    end
  end

  always @(posedge clk) begin : credits
    reg [VCS*COUNT_W-1:0] credit;
    reg [VCS-1:0]         spent;
    integer               v;
    credit = credit_q;
    spent  = run_i ? vcs : {VCS{1'b0}};
    if (credit_i != spent)
      for (v = 0; v < VCS; v = v + 1)
        credit[v*COUNT_W +: COUNT_W] = credit[v*COUNT_W +: COUNT_W]
          + {{(COUNT_W-1){1'b0}}, credit_i[v]} - {{(COUNT_W-1){1'b0}}, spent[v]};
    credit_q <= rst ? {VCS{FULL[COUNT_W-1:0]}} : credit;
  end

endmodule

`default_nettype wire
