// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// (R, S) partial concentrator with settings from outside: stages pasted outputs to inputs.
//
// Contract: as offline_stage, stage by stage; the settings of the first stage lie lowest.  With
// S >= R it has no stage: input i shows at output i if its one bit of setting is set.
// Timing: combinational, a constant depth a stage.
module offline_concentrator #(
  parameter R = 12,  // inputs, >= 1
  parameter S = 8,   // outputs, >= 1
  parameter SETTING_W = setting_bits(R, S, stage_count(R, S))  // derived: bits of settings
) (
  input  wire [R-1:0]         wire_i,     // bits of the messages
  input  wire [SETTING_W-1:0] setting_i,  // where the inputs of all stages lead
  output wire [S-1:0]         wire_o      // bits that arrive
);

  `include "partial_stages.vh"

  localparam STAGES = stage_count(R, S);

  genvar t;
  generate
    if (STAGES == 0) begin : gen_wires
      assign wire_o[R-1:0] = wire_i & setting_i;
      if (S > R) begin : gen_idle
        assign wire_o[S-1:R] = {(S-R){1'b0}};
      end
    end else begin : gen_stages
      for (t = 0; t < STAGES; t = t + 1) begin : gen_stage
        localparam IN  = stage_inputs(R, S, t);
        localparam OUT = stage_inputs(R, S, t + 1);
        wire [IN-1:0]  wire_in;
        wire [OUT-1:0] wire_out;

        if (t == 0) begin : gen_first
          assign wire_in = wire_i;
        end else begin : gen_later
          assign wire_in = gen_stage[t-1].wire_out;
        end
        offline_stage #(.R(IN), .S(OUT)) u_stage (
          .wire_i(wire_in), .setting_i(setting_i[setting_bits(R, S, t) +: 3*IN]), .wire_o(wire_out)
        );
      end
      assign wire_o = gen_stage[STAGES-1].wire_out;
    end
  endgenerate

  `CHECK_PARAMETER(R >= 1, "R", R, ">= 1")
  `CHECK_PARAMETER(S >= 1, "S", S, ">= 1")

endmodule

`default_nettype wire
