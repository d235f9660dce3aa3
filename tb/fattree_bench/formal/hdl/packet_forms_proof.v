// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// Both forms of a packet_concentrator, for all inputs.
//
//   F1  the same outputs have a packet
//   F2  with the same header and payload
//   F3  as many packets are lost
//
// WHOLE = 0, for large ones: words are one bit, a one at one input, any, alone, so that F2 says
// which packet stands on an output; that any word comes with it is what WHOLE = 1 shows of smaller
// ones.  (A crossbar of free words has no small decision diagram.)
module packet_forms_proof #(
  parameter R     = 4,  // inputs
  parameter S     = 2,  // outputs
  parameter WHOLE = 1,  // 1: words are free
  // derived
  parameter W         = (WHOLE == 1) ? $clog2(R + 1) : 1,
  parameter GIVEN_W   = (WHOLE == 1) ? 3 : 1,
  parameter WATCHED_W = (R > 1) ? $clog2(R) : 1
) (
  input wire [R*GIVEN_W-1:0] given_i,   // an input's bits side by side: payload, header, valid
  input wire [WATCHED_W-1:0] watched_i  // WHOLE = 0: whose words are one
);

  localparam LOST_W = $clog2(R + 1);

  wire [R-1:0]      valid;
  wire [R*W-1:0]    header, data;
  wire [S-1:0]      valid_hardware,  valid_fast;
  wire [S*W-1:0]    header_hardware, header_fast, data_hardware, data_fast;
  wire [LOST_W-1:0] lost_hardware,   lost_fast;

  genvar i;
  generate
    for (i = 0; i < R; i = i + 1) begin : gen_input
      assign valid[i] = given_i[i*GIVEN_W];
      if (WHOLE == 1) begin : gen_free
        assign header[i*W +: W] = {W{given_i[(i+1)*GIVEN_W - 2]}};
        assign data[i*W +: W]   = {W{given_i[(i+1)*GIVEN_W - 1]}};
      end else begin : gen_watched
        assign header[i] = (watched_i == i);
        assign data[i]   = (watched_i == i);
      end
    end
  endgenerate

  packet_concentrator #(.FORM("HARDWARE"), .R(R), .S(S), .H(W), .W(W)) u_hardware (
    .valid_i(valid), .header_i(header), .data_i(data), .valid_o(valid_hardware),
    .header_o(header_hardware), .data_o(data_hardware), .lost_o(lost_hardware)
  );
  packet_concentrator #(.FORM("FAST"), .R(R), .S(S), .H(W), .W(W)) u_fast (
    .valid_i(valid), .header_i(header), .data_i(data), .valid_o(valid_fast),
    .header_o(header_fast), .data_o(data_fast), .lost_o(lost_fast)
  );

  always @* begin
    `PROVE(F1, valid_hardware == valid_fast)
    `PROVE(F2, header_hardware == header_fast && data_hardware == data_fast)
    `PROVE(F3, lost_hardware == lost_fast)
  end

endmodule

`default_nettype wire
