// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Links one way, each from a sender to a receiver that may have another clock.
//
// Contract, timing: as async_link; APART = 0: one clock, and the links are wires.
//
// Vectors by link: link k owns slice k.
module async_links #(
  parameter APART  = 1,   // 0, 1: the two sides have clocks of their own
  parameter LINKS  = 1,   // links, >= 1
  parameter VCS    = 2,   // virtual channels (VCs) a link, 1 .. 4
  parameter DEPTH  = 4,   // credits of each VC
  parameter FLIT_W = 34,  // bits of a flit
  parameter SYNC   = 2    // flip-flops of each synchroniser, >= 2
) (
  input  wire [LINKS-1:0]        send_clks_i,    // rising edges of the senders
  input  wire [LINKS-1:0]        send_rsts_i,    // synchronous to these: senders take nothing
  input  wire [LINKS-1:0]        send_clears_i,  // synchronous to these: pointers go to 0
  input  wire [LINKS*VCS-1:0]    valid_i,        // the VC of a flit, one-hot
  input  wire [LINKS*FLIT_W-1:0] flit_i,         // by link: that flit
  output wire [LINKS*VCS-1:0]    credit_o,       // to the senders: room for one flit more
  input  wire [LINKS-1:0]        take_clks_i,    // rising edges of the receivers
  input  wire [LINKS-1:0]        take_rsts_i,    // synchronous to these: receivers get nothing
  input  wire [LINKS-1:0]        take_clears_i,  // synchronous to these: pointers go to 0
  output wire [LINKS*VCS-1:0]    valid_o,        // the VC of a flit, one-hot
  output wire [LINKS*FLIT_W-1:0] flit_o,         // by link: that flit
  input  wire [LINKS*VCS-1:0]    credit_i        // from the receivers: room for one flit more
);

  genvar k;
  generate
    if (APART == 0) begin : gen_wires
      assign valid_o  = valid_i;
      assign flit_o   = flit_i;
      assign credit_o = credit_i;
      wire unused = &{1'b0, send_clks_i, send_rsts_i, send_clears_i, take_clks_i, take_rsts_i,
                      take_clears_i};
    end else begin : gen_apart
      for (k = 0; k < LINKS; k = k + 1) begin : gen_link
        async_link #(.VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .SYNC(SYNC)) u_link (
          .send_clk(send_clks_i[k]), .send_rst(send_rsts_i[k]), .send_clear(send_clears_i[k]),
          .valid_i(valid_i[k*VCS +: VCS]), .flit_i(flit_i[k*FLIT_W +: FLIT_W]),
          .credit_o(credit_o[k*VCS +: VCS]), .take_clk(take_clks_i[k]), .take_rst(take_rsts_i[k]),
          .take_clear(take_clears_i[k]), .valid_o(valid_o[k*VCS +: VCS]),
          .flit_o(flit_o[k*FLIT_W +: FLIT_W]), .credit_i(credit_i[k*VCS +: VCS])
        );
      end
    end
  endgenerate

endmodule

`default_nettype wire
