// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// A forwarding table (xgft_table) and the routes that are taken from it (xgft_route with TABLE),
// for all that is loaded and looked up, in every clock, in a switch with PARENTS ports upwards.
//
// One address, any, is watched.
//
//   F1  a look-up of an address shows the entry that was loaded last for it; one that is loaded now
//       counts from the next clock
//   F2  where none is wanted it shows 0
//   F3  a packet's route is the entry that was loaded last for its address, wherever it comes from,
//       and whatever its source, the random number and the parents with room are
module xgft_table_proof #(
  parameter ADDRESSES = 4,
  parameter PORT_W    = 2,
  parameter READS     = 2,
  parameter PARENTS   = 2,
  parameter ADDR_W    = $clog2(ADDRESSES)  // derived
) (
  input wire                    clk,
  input wire [ADDR_W-1:0]       watched_i,  // the address that is watched
  input wire                    write_i,
  input wire [ADDR_W-1:0]       address_i,
  input wire [PORT_W-1:0]       entry_i,
  input wire [READS-1:0]        look_i,
  input wire [READS*ADDR_W-1:0] look_address_i,
  // of routes
  input wire [READS-1:0]        below_i,
  input wire [ADDR_W-1:0]       source_i,
  input wire [15:0]             random_i,
  input wire [1:0]              room_i
);

  wire [READS*PORT_W-1:0] port;
  xgft_table #(
    .ADDRESSES(ADDRESSES), .ADDR_W(ADDR_W), .PORT_W(PORT_W), .READS(READS)
  ) u_table (
    .clk(clk), .write_i(write_i), .address_i(address_i), .entry_i(entry_i), .look_i(look_i),
    .look_address_i(look_address_i), .port_o(port)
  );

  wire [READS*PORT_W-1:0] route;
  genvar g;
  generate
    for (g = 0; g < READS; g = g + 1) begin : gen_route
      xgft_route #(
        .DOWN(2), .UP(PARENTS), .BELOW(2), .SPREAD(1), .ADDR_W(ADDR_W), .NODE_W(ADDR_W),
        .PORT_W(PORT_W), .ROUTING("TABLE")
      ) u_route (
        .ask_i(look_i[g]), .address_i(look_address_i[g*ADDR_W +: ADDR_W]), .source_i(source_i),
        .below_i(below_i[g]), .subtree_i(16'd0), .random_i(random_i), .room_i(room_i),
        .table_i(port[g*PORT_W +: PORT_W]), .port_o(route[g*PORT_W +: PORT_W])
      );
    end
  endgenerate

  reg              first = 1'b1;
  reg [ADDR_W-1:0] watched_q;
  reg              loaded_q;  // the watched address has an entry:
  reg [PORT_W-1:0] entry_q;
  always @(posedge clk) begin
    first <= 1'b0;
    if (first) begin
      watched_q <= watched_i;
      loaded_q  <= 1'b0;
    end else if (write_i && address_i == watched_q) begin
      loaded_q <= 1'b1;
      entry_q  <= entry_i;
    end
  end

  reg     right, silent, obeyed;
  integer r;
  always @* begin
    right  = 1'b1;
    silent = 1'b1;
    obeyed = 1'b1;
    for (r = 0; r < READS; r = r + 1)
      if (!look_i[r]) begin
        if (port[r*PORT_W +: PORT_W] !== {PORT_W{1'b0}}) silent = 1'b0;
      end else if (loaded_q && look_address_i[r*ADDR_W +: ADDR_W] == watched_q) begin
        if (port[r*PORT_W +: PORT_W] !== entry_q) right = 1'b0;
        if (route[r*PORT_W +: PORT_W] !== entry_q) obeyed = 1'b0;
      end
  end

  always @* begin
    `GIVEN(!write_i || address_i < ADDRESSES)
    `GIVEN(!first || watched_i < ADDRESSES)
    if (!first) begin
      `PROVE(F1, right)
      `PROVE(F2, silent)
      `PROVE(F3, obeyed)
    end
  end

endmodule

`default_nettype wire
