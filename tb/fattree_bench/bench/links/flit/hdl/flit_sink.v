// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Receiver of the flit link, one leaf's: it gives credits back, and queues replies to requests.
//
// Contract: a credit goes back for each flit, one per clock and virtual channel (VC), but not while
// stall_i holds the leaf.  With answer_i every packet of class 0 leaves {source, number} in the
// queue of replies when its tail has come; while reply_limit_i or more wait there, credits of
// hold_vcs_i are kept back: who does not get rid of its replies takes no more requests.
// Timing: a credit is on the link in the clock after that in which it could go.
module flit_sink #(
  parameter VCS     = 2,    // virtual channels
  parameter DEPTH   = 4,    // flits a VC's queue holds
  parameter WIDTH   = 32,   // data bits
  parameter FLIT_W  = 34,   // data, tail mark, head mark, list of hops
  parameter ADDR_W  = 4,    // bits of an address
  parameter NODE_W  = 2,    // bits of a leaf's number
  parameter NUMBER_W = 19,  // bits of a packet's number
  parameter REPLY_W = 21,   // {source, number} of a request
  parameter QUEUE   = 32,   // replies that may wait: more than any limit by VCS * DEPTH; 2^n
  parameter [63:0] UNMIX = 64'd1  // undoes flit_source's MIX
) (
  input  wire               clk,
  input  wire               rst,
  input  wire               stall_i,        // no credit goes back
  input  wire               answer_i,       // requests are answered
  input  wire [15:0]        reply_limit_i,  // see above
  input  wire [VCS-1:0]     hold_vcs_i,     // VCs of requests
  input  wire [VCS-1:0]     valid_i,        // VC of the flit on the link, one-hot
  input  wire [FLIT_W-1:0]  flit_i,
  output reg  [VCS-1:0]     credit_o,       // credits that go back
  output wire               reply_valid_o,  // a reply waits
  output wire [REPLY_W-1:0] reply_o,        // the oldest
  input  wire               reply_take_i    // it is begun
);

  localparam COUNT_W  = $clog2(DEPTH + 1);
  localparam VC_W     = VCS > 1 ? $clog2(VCS) : 1;
  localparam PLACE_W  = $clog2(QUEUE);
  localparam HEADER_W = ADDR_W + NODE_W + 1;
  localparam [63:0] REST = (64'd1 << HEADER_W) - 64'd1;  // of a head, see flit_source
  localparam TAIL     = WIDTH;
  localparam HEAD     = WIDTH + 1;

  reg [VCS*COUNT_W-1:0] due_q;      // credits not yet given back
  reg [VCS-1:0]         request_q;  // the packet that is coming in is one to be answered
  reg [REPLY_W-1:0]     asker_q [0:VCS-1];  // by it
  reg [REPLY_W-1:0]     waiting [0:QUEUE-1];
  reg [PLACE_W-1:0]     first_q;
  reg [PLACE_W:0]       length_q;

  assign reply_valid_o = (length_q != {(PLACE_W+1){1'b0}});
  assign reply_o       = waiting[first_q];

  // ---- credits ----------------------------------------------------------------------------------

  wire unused = &{1'b0, flit_i};

  always @(posedge clk) begin : credits
    reg [VCS*COUNT_W-1:0] due;
    reg [VCS-1:0]         credit;
    reg                   held;
    integer               v;
    held   = answer_i & ({{(15-PLACE_W){1'b0}}, length_q} >= reply_limit_i);
    due    = due_q;
    credit = {VCS{1'b0}};
    if (valid_i != {VCS{1'b0}} || due_q != {(VCS*COUNT_W){1'b0}})
      for (v = 0; v < VCS; v = v + 1) begin
        if (valid_i[v]) due[v*COUNT_W +: COUNT_W] = due[v*COUNT_W +: COUNT_W] + 1'b1;
        if (due[v*COUNT_W +: COUNT_W] != {COUNT_W{1'b0}} && !stall_i
            && !(held && hold_vcs_i[v])) begin
          due[v*COUNT_W +: COUNT_W] = due[v*COUNT_W +: COUNT_W] - 1'b1;
          credit[v] = 1'b1;
        end
      end
    due_q    <= rst ? {(VCS*COUNT_W){1'b0}} : due;
    credit_o <= rst ? {VCS{1'b0}} : credit;
  end

  // ---- replies ----------------------------------------------------------------------------------

  always @(posedge clk) begin : replies
    reg [REPLY_W-1:0]  asker;
    reg [NUMBER_W-1:0] number;
    reg [PLACE_W-1:0]  place;
    reg                request, more;
    reg [VC_W-1:0]     k;
    integer            v;
    more = 1'b0;
    if (answer_i && valid_i != {VCS{1'b0}}) begin
      k = {VC_W{1'b0}};
      for (v = 0; v < VCS; v = v + 1)
        if (valid_i[v]) k = v[VC_W-1:0];
      number  = (flit_i[HEADER_W +: NUMBER_W] ^ (flit_i[NUMBER_W-1:0] & REST[NUMBER_W-1:0]))
              * UNMIX[NUMBER_W-1:0];
      request = flit_i[HEAD] ? ~flit_i[HEADER_W-1] : request_q[k];
      asker   = flit_i[HEAD] ? {flit_i[ADDR_W +: NODE_W], number} : asker_q[k];
      more    = flit_i[TAIL] & request;
      place = first_q + length_q[PLACE_W-1:0];  // apart: as an index Icarus does not wrap it
      if (more) waiting[place] <= asker;
      request_q[k] <= request;
      asker_q[k]   <= asker;
    end
    if (rst) begin
      first_q  <= {PLACE_W{1'b0}};
      length_q <= {(PLACE_W+1){1'b0}};
    end else if (more || reply_take_i) begin
      first_q  <= first_q + {{(PLACE_W-1){1'b0}}, reply_take_i};
      length_q <= length_q + {{PLACE_W{1'b0}}, more} - {{PLACE_W{1'b0}}, reply_take_i};
    end
  end

endmodule

`default_nettype wire
