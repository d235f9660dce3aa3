// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// concentrator_switch as a simulator likes it: a loop over the inputs with a counter, and only in
// clocks in which somebody asks.
//
// Contract, timing: those of concentrator_switch; concentrator_forms_proof shows that both are the
// same.  As hardware it would be a chain of R steps: it is not meant for that.
module concentrator_switch_fast #(
  parameter R        = 4,                  // input wires, >= 1
  parameter S        = 2,                  // output wires, >= 1
  parameter [8*8-1:0] PRIORITY = "FIXED",  // "FIXED", "ROTATING"
  parameter PIPELINE = 1,                  // 0, 1: registers in each direction
  parameter LOST_W   = $clog2(R + 1)       // bits of the count of lost requests
) (
  input  wire              clk,        // rising edge
  input  wire              clear_i,    // a delivery cycle begins: all wires are free
  input  wire              restart_i,  // with clear_i: it is the first one
  input  wire [R-1:0]      request_i,  // wire i asks for a path
  input  wire [R-1:0]      wire_i,     // bits of the messages
  output wire [S-1:0]      wire_o,     // bits of those that have a path
  input  wire [S-1:0]      ack_i,      // acknowledges from where wire_o leads
  output wire [R-1:0]      ack_o,      // acknowledges to where wire_i comes from
  output reg  [LOST_W-1:0] lost_o      // requests of this clock that found no wire
);

  localparam SELECT_W = (R > 1) ? $clog2(R) : 1;
  localparam USED_W   = $clog2(S + 1);
  localparam FROM_W   = $clog2(R + 1);  // number of an input, or R: none
  localparam LINES    = 1 << FROM_W;    // inputs, and silent lines that fill up to a power of two
  localparam [31:0] NONE = R;

  wire [SELECT_W-1:0] first;
  rotating_first #(.R(R), .PRIORITY(PRIORITY)) u_first (
    .clk(clk), .clear_i(clear_i), .restart_i(restart_i), .first_o(first)
  );

  // ---- requests ---------------------------------------------------------------------------------

  reg [USED_W-1:0]   used_q, used;  // wires in use: 0 .. used-1
  reg [S*FROM_W-1:0] from_q, from;  // which input each wire shows
  reg [S-1:0]        opened;        // paths of this clock's requests

  always @* begin : serve
    integer n, i, place;
    used   = used_q;
    from   = from_q;
    opened = {S{1'b0}};
    lost_o = {LOST_W{1'b0}};
    i      = {{(32-SELECT_W){1'b0}}, first};
    place  = {{(32-USED_W){1'b0}}, used_q};
    if (|request_i) begin
      for (n = 0; n < R; n = n + 1) begin
        if (request_i[i] && place < S) begin
          from[place*FROM_W +: FROM_W] = i[FROM_W-1:0];
          opened[place] = 1'b1;
          place = place + 1;
        end else if (request_i[i])
          lost_o = lost_o + 1'b1;
        i = (i == R - 1) ? 0 : i + 1;
      end
      used = place[USED_W-1:0];
    end
  end

  always @(posedge clk)
    if (clear_i) begin
      used_q <= {USED_W{1'b0}};
      from_q <= {S{NONE[FROM_W-1:0]}};
    end else if (|request_i) begin
      used_q <= used;
      from_q <= from;
    end

  // ---- paths ------------------------------------------------------------------------------------

  wire [LINES-1:0] lines = {{(LINES-R){1'b0}}, wire_i};
  wire [S-1:0]     shown;
  reg  [LINES-1:0] acked;

  genvar o;
  generate
    for (o = 0; o < S; o = o + 1) begin : gen_wire
      assign shown[o] = opened[o] | lines[from_q[o*FROM_W +: FROM_W]];
    end
  endgenerate

  always @* begin : answer
    integer w;
    acked = {LINES{1'b0}};
    if (|ack_i)
      for (w = 0; w < S; w = w + 1)
        acked[from_q[w*FROM_W +: FROM_W]] = ack_i[w];
  end
  wire unused = &{1'b0, acked[LINES-1:R]};

  delay_line #(.DEPTH(PIPELINE), .WIDTH(S)) u_forward (
    .clk(clk), .rst(clear_i), .data_i(shown), .data_o(wire_o)
  );
  delay_line #(.DEPTH(PIPELINE), .WIDTH(R)) u_backward (
    .clk(clk), .rst(clear_i), .data_i(acked[R-1:0]), .data_o(ack_o)
  );

endmodule

`default_nettype wire
