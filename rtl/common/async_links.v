// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Links both ways between places that are below, each of a clock of its own, and one clock above.
//
// Contract, timing: as async_link; both ends of a link have DEPTH credits a virtual channel (VC).
//
// Vectors by link: link k owns slice k.
module async_links #(
  parameter APART  = 1,   // 0: all are of one clock, and the links are wires
  parameter LINKS  = 1,   // links each way
  parameter VCS    = 2,   // virtual channels
  parameter DEPTH  = 4,   // credits of each
  parameter FLIT_W = 34,  // bits of a flit
  parameter SYNC   = 2    // flip-flops of each synchroniser, >= 2
) (
  input  wire [LINKS-1:0]        clks_i,        // by link: rising edge; the side below:
  input  wire [LINKS-1:0]        rsts_i,        // by link: synchronous
  input  wire [LINKS-1:0]        clears_i,      // by link: synchronous
  input  wire [LINKS*VCS-1:0]    up_valid_i,    // from below: the VC of a flit
  input  wire [LINKS*FLIT_W-1:0] up_flit_i,     // by link: that flit from below
  output wire [LINKS*VCS-1:0]    up_credit_o,   // room for one flit more
  output wire [LINKS*VCS-1:0]    down_valid_o,  // to below: the VC of a flit
  output wire [LINKS*FLIT_W-1:0] down_flit_o,   // by link: that flit to below
  input  wire [LINKS*VCS-1:0]    down_credit_i, // room for one flit more
  input  wire                    clk,           // rising edge; the side above:
  input  wire                    rst,           // synchronous to clk
  input  wire                    clear_i,       // synchronous to clk: pointers of this side go to 0
  output wire [LINKS*VCS-1:0]    up_valid_o,    // to above: the VC of a flit
  output wire [LINKS*FLIT_W-1:0] up_flit_o,     // by link: that flit to above
  input  wire [LINKS*VCS-1:0]    up_credit_i,   // room for one flit more
  input  wire [LINKS*VCS-1:0]    down_valid_i,  // from above: the VC of a flit
  input  wire [LINKS*FLIT_W-1:0] down_flit_i,   // by link: that flit from above
  output wire [LINKS*VCS-1:0]    down_credit_o  // room for one flit more
);

  genvar k;
  generate
    if (APART == 0) begin : gen_wires
      assign up_valid_o    = up_valid_i;
      assign up_flit_o     = up_flit_i;
      assign up_credit_o   = up_credit_i;
      assign down_valid_o  = down_valid_i;
      assign down_flit_o   = down_flit_i;
      assign down_credit_o = down_credit_i;
      wire unused = &{1'b0, clks_i, rsts_i, clears_i, clk, rst, clear_i};
    end else begin : gen_apart
      for (k = 0; k < LINKS; k = k + 1) begin : gen_link
        async_link #(.VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .SYNC(SYNC)) u_up (
          .send_clk(clks_i[k]), .send_rst(rsts_i[k]), .send_clear(clears_i[k]),
          .valid_i(up_valid_i[k*VCS +: VCS]), .flit_i(up_flit_i[k*FLIT_W +: FLIT_W]),
          .credit_o(up_credit_o[k*VCS +: VCS]), .take_clk(clk), .take_rst(rst),
          .take_clear(clear_i),
          .valid_o(up_valid_o[k*VCS +: VCS]), .flit_o(up_flit_o[k*FLIT_W +: FLIT_W]),
          .credit_i(up_credit_i[k*VCS +: VCS])
        );
        async_link #(.VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .SYNC(SYNC)) u_down (
          .send_clk(clk), .send_rst(rst), .send_clear(clear_i),
          .valid_i(down_valid_i[k*VCS +: VCS]),
          .flit_i(down_flit_i[k*FLIT_W +: FLIT_W]), .credit_o(down_credit_o[k*VCS +: VCS]),
          .take_clk(clks_i[k]), .take_rst(rsts_i[k]), .take_clear(clears_i[k]),
          .valid_o(down_valid_o[k*VCS +: VCS]), .flit_o(down_flit_o[k*FLIT_W +: FLIT_W]),
          .credit_i(down_credit_i[k*VCS +: VCS])
        );
      end
    end
  endgenerate

endmodule

`default_nettype wire
