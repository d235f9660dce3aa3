// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// (R, S) concentrator of packets: leads those that ask, header and payload, to the lowest outputs.
//
// Contract, for every combination of inputs:
//   * at most S inputs ask: each of their packets stands on exactly one output;
//   * more than S: the packets of the S lowest that ask, the others are lost;
//   * outputs 0, 1, 2 ... are filled without a gap, in the order of the inputs; idle ones are zero.
// Timing: combinational.
// Cost: a `concentrator`, and R S crosspoints of H + W bits.
//
// FORM = "FAST" is the same function as a simulator likes it (fast/packet_concentrator_fast.v).
module packet_concentrator #(
  parameter FORM   = "HARDWARE",    // "HARDWARE": depth O(log R); "FAST": a chain, to simulate
  parameter R      = 4,             // inputs, >= 1
  parameter S      = 2,             // outputs, >= 1; from R on they stay idle
  parameter H      = 4,             // bits of a header, >= 1
  parameter W      = 8,             // bits of a payload, >= 1
  parameter LOST_W = $clog2(R + 1)  // bits of the count of lost packets, enough for R
) (
  input  wire [R-1:0]      valid_i,   // input i asks to pass
  input  wire [R*H-1:0]    header_i,  // header of input i
  input  wire [R*W-1:0]    data_i,    // payload of input i
  output wire [S-1:0]      valid_o,   // output l has a packet
  output wire [S*H-1:0]    header_o,  // its header; zero when idle
  output wire [S*W-1:0]    data_o,    // its payload; zero when idle
  output wire [LOST_W-1:0] lost_o     // inputs that asked and found no output
);

  generate
    if (FORM == "FAST") begin : gen_fast
      packet_concentrator_fast #(.R(R), .S(S), .H(H), .W(W), .LOST_W(LOST_W)) u_fast (
        .valid_i(valid_i), .header_i(header_i), .data_i(data_i),
        .valid_o(valid_o), .header_o(header_o), .data_o(data_o), .lost_o(lost_o)
      );
    end else begin : gen_hardware
      localparam SELECT_W = (R > 1) ? $clog2(R) : 1;
      wire [S*SELECT_W-1:0] select;

      concentrator #(.R(R), .S(S), .LOST_W(LOST_W)) u_concentrator (
        .valid_i(valid_i), .valid_o(valid_o), .select_o(select), .lost_o(lost_o)
      );
      crossbar #(.R(R), .S(S), .W(H)) u_header (
        .data_i(header_i), .enable_i(valid_o), .select_i(select), .data_o(header_o)
      );
      crossbar #(.R(R), .S(S), .W(W)) u_data (
        .data_i(data_i), .enable_i(valid_o), .select_i(select), .data_o(data_o)
      );
    end
  endgenerate

  `CHECK_CHOICE(FORM == "HARDWARE" || FORM == "FAST", "FORM", FORM, "HARDWARE, FAST")

endmodule

`default_nettype wire
