// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Linear forwarding table of a switch: the output port for every address.
//
// Contract: write_i stores the entry for address_i; to be done for all addresses before traffic
// comes.
// Timing: look-ups are combinational; a write counts from the next clock on.
// Cost: a memory with one write port and READS read ports.
module xgft_table #(
  parameter ADDRESSES = 64,  // >= 2
  parameter ADDR_W    = 6,   // bits of an address
  parameter PORT_W    = 3,   // bits of a port's number
  parameter READS     = 16   // look-ups in a clock
) (
  input  wire                    clk,             // rising edge
  input  wire                    write_i,         // an entry is stored
  input  wire [ADDR_W-1:0]       address_i,       // address whose entry is stored
  input  wire [PORT_W-1:0]       entry_i,         // output port for that address
  input  wire [READS-1:0]        look_i,          // by look-up: an entry is wanted
  input  wire [READS*ADDR_W-1:0] look_address_i,  // by look-up: of this address
  output wire [READS*PORT_W-1:0] port_o           // by look-up: the entry; 0 if none is wanted
);

  reg [PORT_W-1:0] row [0:ADDRESSES-1];

  always @(posedge clk)
    if (write_i) row[address_i] <= entry_i;

  genvar g;
  generate
    for (g = 0; g < READS; g = g + 1) begin : gen_read
      assign port_o[g*PORT_W +: PORT_W] =
        look_i[g] ? row[look_address_i[g*ADDR_W +: ADDR_W]] : {PORT_W{1'b0}};
    end
  endgenerate

  `CHECK_PARAMETER(ADDRESSES >= 2 && ADDRESSES <= (1 << ADDR_W),
                   "ADDRESSES", ADDRESSES, "2 to 2^ADDR_W")

endmodule

`default_nettype wire
