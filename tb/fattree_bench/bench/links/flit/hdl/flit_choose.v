// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// The allowed virtual channel (VC) with most credits, the lowest of several; none without credits.
// A module, not a function: so all flit_source share their C++.
module flit_choose #(
  parameter VCS     = 2,
  parameter COUNT_W = 3    // bits of a count of credits
) (
  input  wire [VCS-1:0]         allowed_i,
  input  wire [VCS*COUNT_W-1:0] credit_i,
  output reg  [VCS-1:0]         vc_o        // one-hot, or zero
);

  reg [COUNT_W-1:0] most;
  integer           v;
  always @* begin
    vc_o = {VCS{1'b0}};
    most = {COUNT_W{1'b0}};
    if (allowed_i != {VCS{1'b0}})
      for (v = 0; v < VCS; v = v + 1)
        if (allowed_i[v] && credit_i[v*COUNT_W +: COUNT_W] > most) begin
          most    = credit_i[v*COUNT_W +: COUNT_W];
          vc_o    = {VCS{1'b0}};
          vc_o[v] = 1'b1;
        end
  end

endmodule

`default_nettype wire
