// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// The input unit of one port, after a reset, for all traffic.  Given is what its surroundings
// promise: the sender respects credits and sends packets, whole and one after the other; the
// allocators give a VC only to who wants one, and take a flit only from who is ready, one a clock.
//
// One VC, any, is watched, and one of its flits, any.  Data are one bit wide, and so are a header
// and a port's number: the unit only carries them.
//
//   Q1  the flit that comes when n flits wait leaves as the n + 1st from then, unmodified: none is
//       lost, doubled or out of order
//   Q2  something is at the front exactly while more flits have come than left
//   Q3  a credit goes back one clock after a flit has left, and never else
//   Q4  the sender's credits, those on their way and the flits that wait are DEPTH together
//   Q5  what asks or wants is a head, with its own header
//   Q6  a packet asks for a route at once: with HOLD only then, without until a VC is granted; with
//       AHEAD before that, too, while the tail before it is at the front
//   Q7  it wants a VC at once, with three STAGES a clock after it asked first, until one is granted
//   Q8  it wants it at the port of its route: with HOLD the first, without the latest
//   Q9  from the grant to the tail it can send, with one of STAGES already in the clock of the
//       grant
//   Q10  and port and VC are what they were when the VC was granted
module xgft_input_unit_proof #(
  parameter VCS    = 2,
  parameter DEPTH  = 2,
  parameter STAGES = 1,
  parameter HOLD   = 1,
  parameter AHEAD  = 0,  // 1: only with one VC, whose front can be seen
  parameter COUNT_W = $clog2(DEPTH + 1)  // derived
) (
  input wire               clk,
  input wire [VCS-1:0]     watched_i,  // one-hot: the VC
  input wire               mark_i,     // watch the flit that comes
  input wire [VCS-1:0]     valid_i,
  input wire [2:0]         flit_i,     // head, tail, data
  input wire [VCS-1:0]     route_i,
  input wire [VCS-1:0]     grant_i,
  input wire [VCS*VCS-1:0] vc_i,
  input wire [VCS-1:0]     take_i
);

  localparam PORTS  = 1;  // of flit_senders.vh
  localparam FLIT_W = 3;
  localparam TAIL   = 1;
  localparam HEAD   = 2;

  reg                first = 1'b1;
  reg [VCS-1:0]      watched_q;
  wire [VCS-1:0]     credits, asks, headers, wants, ports, readies;
  wire [VCS*VCS-1:0] vcs;
  wire [2:0]         flit;

  xgft_input_unit #(
    .VCS(VCS), .DEPTH(DEPTH), .WIDTH(1), .FLIT_W(FLIT_W), .HEADER_W(1), .PORT_W(1), .STAGES(STAGES),
    .HOLD(HOLD), .AHEAD(AHEAD)
  ) u_input (
    .clk(clk), .rst(first), .valid_i(valid_i), .flit_i(flit_i), .credit_o(credits), .ask_o(asks),
    .header_o(headers), .route_i(route_i), .want_o(wants), .port_o(ports), .grant_i(grant_i),
    .vc_i(vc_i), .ready_o(readies), .vc_o(vcs), .take_i(take_i), .flit_o(flit), .state_o()
  );

  `include "flit_senders.vh"

  // ---- the watched VC ---------------------------------------------------------------------------

  reg [COUNT_W-1:0] watched_credit;
  reg [VCS-1:0]     vc, vc_given;  // in use, and granted
  reg               chosen;        // VCs granted are one-hot
  integer           w;
  always @* begin
    watched_credit = {COUNT_W{1'b0}};
    vc             = {VCS{1'b0}};
    vc_given       = {VCS{1'b0}};
    chosen         = 1'b1;
    for (w = 0; w < VCS; w = w + 1) begin
      if (watched_q[w]) begin
        watched_credit = credit_q[w*COUNT_W +: COUNT_W];
        vc             = vcs[w*VCS +: VCS];
        vc_given       = vc_i[w*VCS +: VCS];
      end
      if (grant_i[w] && (vc_i[w*VCS +: VCS] == {VCS{1'b0}}
                         || (vc_i[w*VCS +: VCS] & (vc_i[w*VCS +: VCS] - 1'b1)) != {VCS{1'b0}}))
        chosen = 1'b0;
    end
  end

  wire comes  = |(valid_i & watched_q), leaves = |(take_i & watched_q);
  wire credit = |(credits & watched_q), header = |(headers & watched_q);
  wire ask    = |(asks & watched_q),    want   = |(wants & watched_q);
  wire ready  = |(readies & watched_q), port   = |(ports & watched_q);
  wire route  = |(route_i & watched_q), grant  = |(grant_i & watched_q);

  reg [COUNT_W-1:0] count_q;   // flits that wait
  reg               left_q;    // one left in the clock before
  reg               marked_q;  // the watched flit waits
  reg [COUNT_W-1:0] ahead_q;   // flits before it
  reg [2:0]         marked_flit_q;
  reg               asked_q, holds_q;  // the packet at the front has asked, has a VC
  reg               route_q, port_q;   // its latest route, and the port of its VC
  reg [VCS-1:0]     vc_q;
  wire              waits = count_q != {COUNT_W{1'b0}};
  wire              ends  = leaves && flit[TAIL];
  wire              early = AHEAD == 1 && holds_q && flit[TAIL] && count_q > 1;
  always @(posedge clk) begin
    first <= 1'b0;
    if (first) begin
      watched_q <= watched_i;
      count_q   <= {COUNT_W{1'b0}};
      left_q    <= 1'b0;
      marked_q  <= 1'b0;
      asked_q   <= 1'b0;
      holds_q   <= 1'b0;
    end else begin
      count_q <= count_q + comes - leaves;
      left_q  <= leaves;
      if (!marked_q && comes && mark_i) begin
        marked_q      <= 1'b1;
        ahead_q       <= count_q - leaves;
        marked_flit_q <= flit_i;
      end else if (leaves) begin
        marked_q <= marked_q && ahead_q != {COUNT_W{1'b0}};
        ahead_q  <= ahead_q - 1'b1;
      end
      asked_q <= ends ? early : asked_q || ask;
      holds_q <= (holds_q || grant) && !ends;
      if (early ? ends : ask) route_q <= route;
      if (grant) begin
        port_q <= port;
        vc_q   <= vc_given;
      end
    end
  end

  wire searches = waits && !holds_q;
  wire in_front = marked_q && ahead_q == {COUNT_W{1'b0}};
  wire in_turn  = marked_q && ahead_q == (early ? 1 : 0);  // is the flit that asks

  always @* begin
    `GIVEN(!first || (watched_i != {VCS{1'b0}} && (watched_i & (watched_i - 1'b1)) == {VCS{1'b0}}))
    `GIVEN(first || polite)
    `GIVEN((grant_i & ~wants) == {VCS{1'b0}} && chosen)
    `GIVEN((take_i & ~readies) == {VCS{1'b0}} && (take_i & (take_i - 1'b1)) == {VCS{1'b0}})
    if (!first) begin
      `PROVE(Q1, !(leaves && in_front) || flit == marked_flit_q)
      `PROVE(Q2, (ask || want || ready) == waits)
      `PROVE(Q3, credit == left_q)
      `PROVE(Q4, watched_credit + credit + count_q == DEPTH)
      `PROVE(Q5, !((ask || want) && in_turn)
                 || (marked_flit_q[HEAD] && header == marked_flit_q[0]))
      `PROVE(Q6, ask == (early || (searches && !(HOLD == 1 && asked_q))))
      `PROVE(Q7, want == (searches && (STAGES < 3 || asked_q)))
      `PROVE(Q8, !want || port == ((STAGES < 3 && ask) ? route : route_q))
      `PROVE(Q9, ready == (waits && (holds_q || (STAGES == 1 && grant))))
      `PROVE(Q10, !ready || (holds_q ? (vc == vc_q && port == port_q) : vc == vc_given))
    end
  end

endmodule

`default_nettype wire
