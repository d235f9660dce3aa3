// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// An off-line node for all bits on all wires and all settings.  Its paths are followed here input
// by input, from stage to stage along the edges of partial_graph.vh.
//
//   O1  what an input sends shows at the wire to which the settings lead it, at each port
//   O2  a wire shows nothing that no input was led to
//   O3  U, L and R never lead back: with nothing from elsewhere a port is silent
module leiserson_offline_node_proof #(
  parameter C_UP   = 2,                    // wires to the parent, each way
  parameter C_DOWN = 1,                    // wires to a child, each way
  parameter BELOW  = 2 * C_DOWN,           // derived
  parameter BESIDE = C_DOWN + C_UP,        // derived
  parameter UP_W   = setting_bits(BELOW, C_UP, stage_count(BELOW, C_UP)),         // derived
  parameter DOWN_W = setting_bits(BESIDE, C_DOWN, stage_count(BESIDE, C_DOWN))  // derived
) (
  input wire [BELOW-1:0]    up_i,
  input wire [C_UP-1:0]     down_i,
  input wire [UP_W-1:0]     up_setting_i,
  input wire [2*DOWN_W-1:0] down_setting_i
);

  `include "partial_stages.vh"

  wire [BELOW-1:0] down;
  wire [C_UP-1:0]  up;

  leiserson_offline_node #(.C_UP(C_UP), .C_DOWN(C_DOWN), .PIPELINE(0)) u_node (
    .clk(1'b0), .rst(1'b0), .up_i(up_i), .down_o(down), .up_o(up), .down_i(down_i),
    .up_setting_i(up_setting_i), .down_setting_i(down_setting_i)
  );

  wire [C_UP-1:0]   at_up;
  wire [C_DOWN-1:0] at_left, at_right;

  offline_led #(.R(BELOW), .S(C_UP)) u_up (
    .sent_i(up_i), .setting_i(up_setting_i), .led_o(at_up)
  );
  offline_led #(.R(BESIDE), .S(C_DOWN)) u_left (
    .sent_i({down_i, up_i[BELOW-1:C_DOWN]}), .setting_i(down_setting_i[DOWN_W-1:0]), .led_o(at_left)
  );
  offline_led #(.R(BESIDE), .S(C_DOWN)) u_right (
    .sent_i({down_i, up_i[C_DOWN-1:0]}), .setting_i(down_setting_i[2*DOWN_W-1:DOWN_W]),
    .led_o(at_right)
  );

  wire [BELOW+C_UP-1:0] shown = {up, down};
  wire [BELOW+C_UP-1:0] due   = {at_up, at_right, at_left};

  wire from_l = |up_i[C_DOWN-1:0];
  wire from_r = |up_i[BELOW-1:C_DOWN];
  wire from_u = |down_i;

  always @* begin
    `PROVE(O1, (due & ~shown) == {(BELOW+C_UP){1'b0}})
    `PROVE(O2, (shown & ~due) == {(BELOW+C_UP){1'b0}})
    `PROVE(O3, (from_l || from_r || up == {C_UP{1'b0}})
               && (from_r || from_u || down[C_DOWN-1:0] == {C_DOWN{1'b0}})
               && (from_l || from_u || down[BELOW-1:C_DOWN] == {C_DOWN{1'b0}}))
  end

endmodule

// Where the settings of a port lead what its inputs send: each input is followed to its last wire.
module offline_led #(
  parameter R = 3,  // inputs
  parameter S = 2,  // outputs
  parameter SETTING_W = setting_bits(R, S, stage_count(R, S))  // derived
) (
  input  wire [R-1:0]         sent_i,     // what the inputs send
  input  wire [SETTING_W-1:0] setting_i,  // of the port
  output reg  [S-1:0]         led_o       // what comes out
);

  `include "partial_stages.vh"
  `include "partial_graph.vh"

  localparam STAGES = stage_count(R, S);
  localparam WIDE   = (R > S) ? R : S;

  // Stage t leads the place of input i at the front of it to one behind it, or to WIDE: nowhere.
  integer i, t, e, place;
  always @* begin
    led_o = {S{1'b0}};
    for (i = 0; i < R; i = i + 1) begin
      place = i;
      if (STAGES == 0 && !setting_i[i]) place = WIDE;
      for (t = 0; t < STAGES; t = t + 1)
        if (place < WIDE) begin
          e = {29'd0, setting_i[setting_bits(R, S, t) + 3 * place +: 3]};
          place = (e < graph_degree(stage_inputs(R, S, t), stage_inputs(R, S, t + 1)))
                ? end_of(t, place, e) : WIDE;
        end
      if (place < S && sent_i[i]) led_o[place] = 1'b1;
    end
  end

  // The graphs' tables: where edge e of input `from` of stage t ends.
  function integer end_of(input integer t, input integer from, input integer e);
    end_of = graph_output(graph_row(stage_inputs(R, S, t)), stage_inputs(R, S, t),
                          stage_inputs(R, S, t + 1), from, e);
  endfunction

endmodule

`default_nettype wire
