// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// The long link, for all that enters it at both ends (a flit is in one VC), and resets at any time.
//
// Data are one bit wide: the link only carries them.  The wrapper keeps in vectors what entered.
//
//   L1  a flit comes out in its VC LONG clocks after it went in, and nothing else does
//   L2  it is the flit that went in
//   L3  a credit comes back LONG clocks after it was given, and nothing else does
//   L4  after a reset nothing comes out for LONG clocks but what went in since
module xgft_long_link_proof #(
  parameter LONG = 2,
  parameter VCS  = 2
) (
  input wire           clk,
  input wire           rst_i,
  input wire [VCS-1:0] valid_i,
  input wire           flit_i,
  input wire [VCS-1:0] credit_i
);

  reg            first = 1'b1;
  wire           rst   = first | rst_i;
  wire [VCS-1:0] valid, credit;
  wire           flit;

  xgft_long_link #(.LONG(LONG), .VCS(VCS), .FLIT_W(1)) u_link (
    .clk(clk), .rst(rst), .valid_i(valid_i), .flit_i(flit_i), .credit_o(credit),
    .valid_o(valid), .flit_o(flit), .credit_i(credit_i)
  );

  // What enters now, lowest, and what entered in the clocks before; gone: before the last reset.
  reg  [(LONG+1)*VCS-1:0] valids_q, credits_q;
  reg  [LONG:0]           flits_q;
  reg  [7:0]              since_q;  // clocks since the last reset, up to LONG
  wire [(LONG+1)*VCS-1:0] valids  = (valids_q << VCS) | valid_i;
  wire [(LONG+1)*VCS-1:0] credits = (credits_q << VCS) | credit_i;
  wire [LONG:0]           flits   = (flits_q << 1) | flit_i;
  wire                    gone    = since_q < LONG;

  always @(posedge clk) begin
    first     <= 1'b0;
    valids_q  <= valids;
    credits_q <= credits;
    flits_q   <= flits;
    since_q   <= rst ? 8'd0 : gone ? since_q + 8'd1 : since_q;
  end

  always @* begin
    `GIVEN((valid_i & (valid_i - 1'b1)) == {VCS{1'b0}})
    if (!first) begin
      `PROVE(L1, gone || valid == valids[LONG*VCS +: VCS])
      `PROVE(L2, gone || valid == {VCS{1'b0}} || flit == flits[LONG])
      `PROVE(L3, gone || credit == credits[LONG*VCS +: VCS])
      `PROVE(L4, !gone || (valid == {VCS{1'b0}} && credit == {VCS{1'b0}}))
    end
  end

endmodule

`default_nettype wire
