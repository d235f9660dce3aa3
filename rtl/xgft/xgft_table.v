// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "checks.vh"
`default_nettype none

// Linear forwarding tables of switches: the output port for every address.
//
// Contract: write_i stores an entry of each switch for address_i; to be done for all addresses
// before traffic comes.
// Timing: look-ups are combinational, READS a switch; a write counts from the next clock on.
module xgft_table #(
  parameter SWITCHES  = 1,   // tables side by side
  parameter ADDRESSES = 64,  // of each, >= 2
  parameter ADDR_W    = 6,   // bits of an address
  parameter PORT_W    = 3,   // bits of a port's number
  parameter READS     = 16   // look-ups a table
) (
  input  wire                             clk,
  input  wire                             write_i,
  input  wire [ADDR_W-1:0]                address_i,
  input  wire [SWITCHES*PORT_W-1:0]       entry_i,
  input  wire [SWITCHES*READS-1:0]        look_i,
  input  wire [SWITCHES*READS*ADDR_W-1:0] look_address_i,
  output wire [SWITCHES*READS*PORT_W-1:0] port_o
);

  reg [SWITCHES*PORT_W-1:0] row [0:ADDRESSES-1];

  always @(posedge clk)
    if (write_i) row[address_i] <= entry_i;

  genvar g;
  generate
    for (g = 0; g < SWITCHES * READS; g = g + 1) begin : gen_read
      assign port_o[g*PORT_W +: PORT_W] =
        look_i[g] ? row[look_address_i[g*ADDR_W +: ADDR_W]][(g/READS)*PORT_W +: PORT_W]
                  : {PORT_W{1'b0}};
    end
  endgenerate

  `CHECK_PARAMETER(ADDRESSES >= 2 && ADDRESSES <= (1 << ADDR_W),
                   "ADDRESSES", ADDRESSES, "2 to 2^ADDR_W")

endmodule

`default_nettype wire
