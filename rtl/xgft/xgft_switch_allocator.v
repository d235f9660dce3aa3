// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`default_nettype none

// Switch allocation: which flits cross the crossbar in this clock.
//
// Contract: input VC i = port * VCS + v is ready to send a flit to port_i in VC vc_i, one-hot; that
// VC must have a credit.  Separable, input first: each input port picks one of its VCs, then each
// output port one of the input ports that picked it.  So at most one flit leaves an input port, and
// at most one goes to an output port.  A VC that is able to send, and stays so, waits for at most
// PORTS * VCS - 1 clocks with "MATRIX".  With "ROUND_ROBIN" it waits (VCS - 1) (PORTS - 1) clocks
// more, because an ungranted pick can be replaced by a nearer VC that becomes ready in the meantime.
// Timing: combinational; the arbiters' states move with the clock.
//
// SWITCHES switches stand side by side, slice by slice.
module xgft_switch_allocator #(
  parameter SWITCHES = 1,                       // switches side by side
  parameter PORTS   = 8,                        // of each
  parameter VCS     = 2,                        // virtual channels a port
  parameter PORT_W  = 3,                        // bits of a port's number
  parameter [8*11-1:0] ARBITER = "ROUND_ROBIN"  // see arbiter
) (
  input  wire                                 clk,
  input  wire                                 rst,
  input  wire [SWITCHES*PORTS*VCS-1:0]        ready_i,
  input  wire [SWITCHES*PORTS*VCS*PORT_W-1:0] port_i,
  input  wire [SWITCHES*PORTS*VCS*VCS-1:0]    vc_i,
  input  wire [SWITCHES*PORTS*VCS-1:0]        credit_i,  // by output port and VC
  output wire [SWITCHES*PORTS*VCS-1:0]        take_o,    // by input VC
  output reg  [SWITCHES*PORTS-1:0]            enable_o,  // by output port
  output reg  [SWITCHES*PORTS*PORT_W-1:0]     select_o,  // by output port: the input port
  output reg  [SWITCHES*PORTS*VCS-1:0]        send_o     // by output port and VC
);

  localparam INPUTS = PORTS * VCS;  // input VCs of a switch
  localparam LINKS  = SWITCHES * PORTS;

  // ---- VCs that can send, and the one that each input port picks ---------------------------------

  reg [SWITCHES*INPUTS-1:0] able;
  integer                   s, i, p;
  reg [INPUTS-1:0]          ready, credit, can;
  reg [INPUTS*PORT_W-1:0]   port;
  reg [INPUTS*VCS-1:0]      vc;
  always @* begin
    able   = {(SWITCHES*INPUTS){1'b0}};
    credit = {INPUTS{1'b0}};
    can    = {INPUTS{1'b0}};
    port   = {(INPUTS*PORT_W){1'b0}};
    vc     = {(INPUTS*VCS){1'b0}};
    p      = 0;
    for (s = 0; s < SWITCHES; s = s + 1) begin
      ready = ready_i[s*INPUTS +: INPUTS];
      if (ready != {INPUTS{1'b0}}) begin
        credit = credit_i[s*INPUTS +: INPUTS];
        port   = port_i[s*INPUTS*PORT_W +: INPUTS*PORT_W];
        vc     = vc_i[s*INPUTS*VCS +: INPUTS*VCS];
        can    = {INPUTS{1'b0}};
        for (i = 0; i < INPUTS; i = i + 1)
          if (ready[i]) begin
            p      = {{(32-PORT_W){1'b0}}, port[i*PORT_W +: PORT_W]};
            can[i] = |(credit[p*VCS +: VCS] & vc[i*VCS +: VCS]);
          end
        able[s*INPUTS +: INPUTS] = can;
      end
    end
  end

  wire [SWITCHES*INPUTS-1:0] pick;
  reg  [LINKS-1:0]           granted;  // by input port: its pick may go
  arbiter #(.COPIES(LINKS), .R(VCS), .KIND(ARBITER)) u_inputs (
    .clk(clk), .rst(rst), .request_i(able), .taken_i(granted), .grant_o(pick)
  );

  // ---- the input port that each output port takes ------------------------------------------------

  reg [LINKS*PORTS-1:0]     request;  // by output port
  integer                   t, j, q;
  reg [INPUTS-1:0]          picks;
  reg [INPUTS*PORT_W-1:0]   port_t;
  reg [PORTS*PORTS-1:0]     requests;
  reg [PORTS-1:0]           asks;
  always @* begin
    request  = {(LINKS*PORTS){1'b0}};
    enable_o = {LINKS{1'b0}};
    port_t   = {(INPUTS*PORT_W){1'b0}};
    requests = {(PORTS*PORTS){1'b0}};
    asks     = {PORTS{1'b0}};
    q        = 0;
    for (t = 0; t < SWITCHES; t = t + 1) begin
      picks = pick[t*INPUTS +: INPUTS];
      if (picks != {INPUTS{1'b0}}) begin
        port_t   = port_i[t*INPUTS*PORT_W +: INPUTS*PORT_W];
        requests = {(PORTS*PORTS){1'b0}};
        asks     = {PORTS{1'b0}};
        for (j = 0; j < INPUTS; j = j + 1)
          if (picks[j]) begin
            q       = {{(32-PORT_W){1'b0}}, port_t[j*PORT_W +: PORT_W]};
            asks[q] = 1'b1;
            requests[q*PORTS + j/VCS] = 1'b1;
          end
        request [t*PORTS*PORTS +: PORTS*PORTS] = requests;
        enable_o[t*PORTS +: PORTS]             = asks;
      end
    end
  end

  wire [LINKS*PORTS-1:0] winner;  // by output port
  arbiter #(.COPIES(LINKS), .R(PORTS), .KIND(ARBITER)) u_outputs (
    .clk(clk), .rst(rst), .request_i(request), .taken_i(enable_o), .grant_o(winner)
  );

  reg [SWITCHES*INPUTS-1:0] take;
  integer                   u, k, o;
  reg [31:0]                number;
  reg [INPUTS-1:0]          picks_u, takes, sends;
  reg [INPUTS*PORT_W-1:0]   port_u;
  reg [INPUTS*VCS-1:0]      vc_u;
  reg [PORTS*PORTS-1:0]     winners;
  reg [PORTS*PORT_W-1:0]    selects;
  reg [PORTS-1:0]           grants;
  wire                      unused = &{1'b0, number, p, q, o};
  always @* begin
    select_o = {(LINKS*PORT_W){1'b0}};
    send_o   = {(SWITCHES*INPUTS){1'b0}};
    granted  = {LINKS{1'b0}};
    take     = {(SWITCHES*INPUTS){1'b0}};
    number   = 32'd0;
    takes    = {INPUTS{1'b0}};
    sends    = {INPUTS{1'b0}};
    port_u   = {(INPUTS*PORT_W){1'b0}};
    vc_u     = {(INPUTS*VCS){1'b0}};
    winners  = {(PORTS*PORTS){1'b0}};
    selects  = {(PORTS*PORT_W){1'b0}};
    grants   = {PORTS{1'b0}};
    o        = 0;
    for (u = 0; u < SWITCHES; u = u + 1) begin
      picks_u = pick[u*INPUTS +: INPUTS];
      if (picks_u != {INPUTS{1'b0}}) begin
        port_u  = port_i[u*INPUTS*PORT_W +: INPUTS*PORT_W];
        vc_u    = vc_i[u*INPUTS*VCS +: INPUTS*VCS];
        winners = winner[u*PORTS*PORTS +: PORTS*PORTS];
        takes   = {INPUTS{1'b0}};
        sends   = {INPUTS{1'b0}};
        selects = {(PORTS*PORT_W){1'b0}};
        grants  = {PORTS{1'b0}};
        for (k = 0; k < INPUTS; k = k + 1)
          if (picks_u[k]) begin
            o      = {{(32-PORT_W){1'b0}}, port_u[k*PORT_W +: PORT_W]};
            number = k / VCS;
            if (winners[o*PORTS + k/VCS]) begin
              takes[k]                    = 1'b1;
              grants[k/VCS]               = 1'b1;
              sends[o*VCS +: VCS]         = vc_u[k*VCS +: VCS];
              selects[o*PORT_W +: PORT_W] = number[PORT_W-1:0];
            end
          end
        take    [u*INPUTS +: INPUTS]             = takes;
        send_o  [u*INPUTS +: INPUTS]             = sends;
        granted [u*PORTS +: PORTS]               = grants;
        select_o[u*PORTS*PORT_W +: PORTS*PORT_W] = selects;
      end
    end
  end

  assign take_o = take;

endmodule

`default_nettype wire
