// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// The end of a cable at a leaf.  While the cable is alive it is wires.
//
// Contract: while the cable is dead, what the leaf sends is swallowed, and its credits come from
// here, also those that the switch owes; the leaf gets poison, in one VC a clock, for each packet
// whose tail has not come.  A packet that the leaf is sending as the cable comes back is swallowed
// to its end.
// Timing: flits and credits of the other side pass in the same clock; own credits come a clock
// after the flit.
//
// Slice v of vectors is of virtual channel (VC) v.
module faulty_leaf #(
  parameter VCS    = 2,   // virtual channels
  parameter DEPTH  = 4,   // credits of a VC
  parameter WIDTH  = 32,  // data bits of a flit
  parameter HOPS_W = 16,  // bits of the list of hops, >= 1
  // derived
  parameter FLIT_W = WIDTH + 2 + HOPS_W  // bits of a flit
) (
  input  wire              clk,       // acts at its rising edges
  input  wire              rst,       // synchronous: nothing is owed
  input  wire              dead_i,    // the cable is dead, as was detected
  input  wire              cut_i,     // nothing leaves for the cable
  input  wire [VCS-1:0]    valid_i,   // the leaf sends a flit in this VC
  input  wire              tail_i,    // which ends its packet
  output reg  [VCS-1:0]    credit_o,  // room for one flit more
  output wire [VCS-1:0]    valid_o,   // the leaf gets a flit
  output wire [FLIT_W-1:0] flit_o,    // the flit that it gets
  input  wire [VCS-1:0]    credit_i,  // the leaf has room for one flit more
  output wire [VCS-1:0]    cable_valid_o,   // a flit of the leaf goes onto the cable
  input  wire [VCS-1:0]    cable_credit_i,  // the switch has room for one more
  input  wire [VCS-1:0]    cable_valid_i,   // a flit comes from the cable
  input  wire [FLIT_W-1:0] cable_flit_i,    // the flit that comes
  output wire [VCS-1:0]    cable_credit_o   // the leaf has room for one more
);

  localparam COUNT_W = $clog2(DEPTH + 2);
  localparam TAIL    = WIDTH;
  localparam [FLIT_W-1:0] POISON = {{HOPS_W{1'b1}}, 2'b01, {WIDTH{1'b0}}};

  reg  [VCS*COUNT_W-1:0] owed_q;    // flits of the leaf whose credit it has not got,
  reg  [VCS*COUNT_W-1:0] away_q;    // those of them that the switch has to give,
  reg  [VCS*COUNT_W-1:0] lent_q;    // flits that the leaf got, whose credit it has not given
  reg  [VCS-1:0]         open_q;    // the leaf gets a packet
  reg  [VCS-1:0]         amid_q;  // the leaf sends a packet,
  reg  [VCS-1:0]         skip_q;    // whose rest is swallowed
  wire                   known, again;

  faulty_end u_end (
    .clk(clk), .rst(rst), .dead_i(dead_i),
    .empty_i(lent_q == {(VCS*COUNT_W){1'b0}} && open_q == {VCS{1'b0}}), .told_i(&cable_credit_i),
    .known_o(known), .ready_o(again)
  );

  wire [VCS-1:0] forth = known ? {VCS{1'b0}} : valid_i & ~skip_q;

  assign cable_valid_o  = cut_i ? {VCS{1'b0}} : forth;
  assign cable_credit_o = cut_i ? {VCS{1'b0}} : known ? {VCS{again}} : credit_i;
  assign valid_o        = known ? open_q & (~open_q + 1'b1) : cable_valid_i;
  assign flit_o         = known ? POISON : cable_flit_i;

  integer c;
  always @* begin
    credit_o = {VCS{1'b0}};
    for (c = 0; c < VCS; c = c + 1)
      if (known) credit_o[c] = owed_q[c*COUNT_W +: COUNT_W] != {COUNT_W{1'b0}};
      else credit_o[c] = cable_credit_i[c]
                         | (owed_q[c*COUNT_W +: COUNT_W] > away_q[c*COUNT_W +: COUNT_W]);
  end

  wire [VCS-1:0] amid = tail_i ? amid_q & ~valid_i : amid_q | valid_i;

  always @(posedge clk)
    if (rst) begin
      {owed_q, away_q, lent_q} <= {(3*VCS*COUNT_W){1'b0}};
      {open_q, amid_q, skip_q} <= {(3*VCS){1'b0}};
    end else begin : go_on
      integer v;
      for (v = 0; v < VCS; v = v + 1) begin
        owed_q[v*COUNT_W +: COUNT_W] <= owed_q[v*COUNT_W +: COUNT_W]
          + {{(COUNT_W-1){1'b0}}, valid_i[v]} - {{(COUNT_W-1){1'b0}}, credit_o[v]};
        away_q[v*COUNT_W +: COUNT_W] <= known ? {COUNT_W{1'b0}} : away_q[v*COUNT_W +: COUNT_W]
          + {{(COUNT_W-1){1'b0}}, forth[v]} - {{(COUNT_W-1){1'b0}}, cable_credit_i[v]};
        lent_q[v*COUNT_W +: COUNT_W] <= lent_q[v*COUNT_W +: COUNT_W]
          + {{(COUNT_W-1){1'b0}}, valid_o[v]} - {{(COUNT_W-1){1'b0}}, credit_i[v]};
      end
      open_q   <= flit_o[TAIL] ? open_q & ~valid_o : open_q | valid_o;
      amid_q <= amid;
      skip_q   <= known ? amid : skip_q & ~(tail_i ? valid_i : {VCS{1'b0}});
    end

endmodule

`default_nettype wire
