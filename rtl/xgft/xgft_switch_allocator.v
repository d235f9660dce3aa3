// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`default_nettype none

// Switch allocation: which flits cross the crossbar in this clock.
//
// Contract: input VC i = port * VCS + v is ready to send a flit to port_i in VC vc_i, one-hot; that
// VC must have a credit.  Separable, input first: each input port picks one of its VCs, then each output port
// one of the input ports that picked it.  So at most one flit leaves an input port, at most one goes
// to an output port.  A VC that was picked and not granted keeps its precedence.
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

  localparam INPUTS = PORTS * VCS;       // input VCs of a switch
  localparam ALL    = SWITCHES * INPUTS;
  localparam LINKS  = SWITCHES * PORTS;

  // The output port, among those of all switches, that input VC i names.
  function integer link(input integer i, input [PORT_W-1:0] port);
    link = i / INPUTS * PORTS + {{(32-PORT_W){1'b0}}, port};
  endfunction

  reg [ALL-1:0] able;
  integer       i, p;
  always @* begin
    able = {ALL{1'b0}};
    p    = 0;
    for (i = 0; i < ALL; i = i + 1)
      if (ready_i[i]) begin
        p       = link(i, port_i[i*PORT_W +: PORT_W]);
        able[i] = |(credit_i[p*VCS +: VCS] & vc_i[i*VCS +: VCS]);
      end
  end

  wire [ALL-1:0]         pick;
  wire [LINKS*PORTS-1:0] winner;   // by output port
  reg  [LINKS*PORTS-1:0] request;
  reg  [LINKS-1:0]       granted;  // by input port
  reg  [ALL-1:0]         take;

  arbiter #(.COPIES(LINKS), .R(VCS), .KIND(ARBITER)) u_inputs (
    .clk(clk), .rst(rst), .request_i(able), .taken_i(granted), .grant_o(pick)
  );
  arbiter #(.COPIES(LINKS), .R(PORTS), .KIND(ARBITER)) u_outputs (
    .clk(clk), .rst(rst), .request_i(request), .taken_i(enable_o), .grant_o(winner)
  );

  integer j, q;
  always @* begin
    request = {(LINKS*PORTS){1'b0}};
    q       = 0;
    for (j = 0; j < ALL; j = j + 1)
      if (pick[j]) begin
        q = link(j, port_i[j*PORT_W +: PORT_W]);
        request[q*PORTS + j / VCS % PORTS] = 1'b1;
      end
  end

  integer    k, o;
  reg [31:0] number;
  wire       unused = &{1'b0, number};
  always @* begin
    enable_o = {LINKS{1'b0}};
    select_o = {(LINKS*PORT_W){1'b0}};
    send_o   = {ALL{1'b0}};
    granted  = {LINKS{1'b0}};
    take     = {ALL{1'b0}};
    number   = 32'd0;
    o        = 0;
    for (k = 0; k < ALL; k = k + 1)
      if (pick[k]) begin
        o      = link(k, port_i[k*PORT_W +: PORT_W]);
        number = k / VCS % PORTS;
        if (winner[o*PORTS + k / VCS % PORTS]) begin
          enable_o[o]                  = 1'b1;
          select_o[o*PORT_W +: PORT_W] = number[PORT_W-1:0];
          send_o[o*VCS +: VCS]         = vc_i[k*VCS +: VCS];
          granted[k / VCS]             = 1'b1;
          take[k]                      = 1'b1;
        end
      end
  end

  assign take_o = take;

endmodule

`default_nettype wire
