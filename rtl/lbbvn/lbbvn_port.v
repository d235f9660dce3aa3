// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "checks.vh"
`default_nettype none

// Output ports of nodes: control, crossbar and output register; COPIES ports side by side.
//
// Contract: CONTROL = "SELF": the requesting inputs of a port are allotted lanes 0, 1, 2 ... in
// their order by a concentrator; those beyond S are lost and counted.  CONTROL = "SCHEDULED":
// select_i and enable_i name the input of each lane; nothing is counted here.  Idle lanes carry
// zeros.
// Timing: combinational, or one clock when PIPELINE = 1.
//
// Copy k owns the k-th slice of each vector; SHARE consecutive copies read the same input lanes.
module lbbvn_port #(
  parameter CONTROL  = "SELF",  // "SELF", "SCHEDULED"
  parameter PIPELINE = 1,       // 1: registered outputs
  parameter COPIES   = 1,       // ports side by side
  parameter SHARE    = 1,       // consecutive ports with common inputs
  parameter R = 4,              // input lanes of a port, >= 1
  parameter S = 2,              // output lanes of a port, >= 1
  parameter H = 4,              // header bits a lane, >= 1
  parameter W = 32,             // data bits a lane, >= 1
  parameter LOST_W   = $clog2(COPIES * R + 1),   // bits of the count of losses
  parameter SELECT_W = (R > 1) ? $clog2(R) : 1,  // derived
  parameter LANES    = COPIES * S,               // derived
  parameter INPUTS   = COPIES / SHARE * R        // derived
) (
  input  wire                      clk,
  input  wire                      rst,        // synchronous
  input  wire [INPUTS-1:0]         valid_i,    // SCHEDULED: a packet is there
  input  wire [COPIES*R-1:0]       request_i,  // SELF: it is there and wants this port
  input  wire [INPUTS*H-1:0]       header_i,   // SELF
  input  wire [INPUTS*W-1:0]       data_i,
  input  wire [LANES-1:0]          enable_i,   // SCHEDULED
  input  wire [LANES*SELECT_W-1:0] select_i,   // SCHEDULED
  output wire [LANES-1:0]          valid_o,
  output wire [LANES*H-1:0]        header_o,   // SCHEDULED: zero
  output wire [LANES*W-1:0]        data_o,
  output wire [LOST_W-1:0]         lost_o      // requests of this slot that found no lane
);

  wire [LANES-1:0]          enable;
  wire [LANES*SELECT_W-1:0] select;
  wire [LANES-1:0]          valid;
  wire [LANES*W-1:0]        data;

  generate
    if (CONTROL == "SELF") begin : gen_self
      wire [LANES*H-1:0] header;
      wire unused = &{1'b0, valid_i, enable_i, select_i};

      concentrator #(.COPIES(COPIES), .R(R), .S(S), .LOST_W(LOST_W)) u_concentrator (
        .valid_i(request_i), .valid_o(enable), .select_o(select), .lost_o(lost_o)
      );
      assign valid = enable;
      crossbar #(.COPIES(COPIES), .SHARE(SHARE), .R(R), .S(S), .W(H)) u_header (
        .data_i(header_i), .enable_i(enable), .select_i(select), .data_o(header)
      );
      delay_line #(.DEPTH(PIPELINE), .WIDTH(LANES*H)) u_header_q (
        .clk(clk), .rst(rst), .data_i(header), .data_o(header_o)
      );
    end else begin : gen_scheduled
      wire unused = &{1'b0, request_i, header_i};

      assign enable   = enable_i;
      assign select   = select_i;
      assign lost_o   = {LOST_W{1'b0}};
      assign header_o = {(LANES*H){1'b0}};
      crossbar #(.COPIES(COPIES), .SHARE(SHARE), .R(R), .S(S), .W(1)) u_valid (
        .data_i(valid_i), .enable_i(enable), .select_i(select), .data_o(valid)
      );
    end
  endgenerate

  crossbar #(.COPIES(COPIES), .SHARE(SHARE), .R(R), .S(S), .W(W)) u_data (
    .data_i(data_i), .enable_i(enable), .select_i(select), .data_o(data)
  );
  delay_line #(.DEPTH(PIPELINE), .WIDTH(LANES)) u_valid_q (
    .clk(clk), .rst(rst), .data_i(valid), .data_o(valid_o)
  );
  delay_line #(.DEPTH(PIPELINE), .WIDTH(LANES*W)) u_data_q (
    .clk(clk), .rst(rst), .data_i(data), .data_o(data_o)
  );

endmodule

`default_nettype wire
