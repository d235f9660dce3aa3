// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// AXI4-Stream crossbar, as others write them: arbitration in turn, packet by packet, and a register
// at each output.
//
// Contract: an input's packet goes to output tdest; beside tdata tid and tdest come unchanged.
// Timing: a word is at its output in the clock after it was taken.
module crossbar #(
  parameter INPUTS  = 4,
  parameter OUTPUTS = 3,
  parameter WIDTH   = 32,
  parameter DEST_W  = (OUTPUTS > 1) ? $clog2(OUTPUTS) : 1,  // derived
  parameter ID_W    = (INPUTS > 1) ? $clog2(INPUTS) : 1     // derived
) (
  input  wire                      clk,
  input  wire                      rst,            // synchronous
  input  wire [INPUTS-1:0]         s_axis_tvalid,
  output wire [INPUTS-1:0]         s_axis_tready,
  input  wire [INPUTS*WIDTH-1:0]   s_axis_tdata,
  input  wire [INPUTS*DEST_W-1:0]  s_axis_tdest,
  input  wire [INPUTS*ID_W-1:0]    s_axis_tid,
  input  wire [INPUTS-1:0]         s_axis_tlast,
  output reg  [OUTPUTS-1:0]        m_axis_tvalid,
  input  wire [OUTPUTS-1:0]        m_axis_tready,
  output reg  [OUTPUTS*WIDTH-1:0]  m_axis_tdata,
  output reg  [OUTPUTS*DEST_W-1:0] m_axis_tdest,
  output reg  [OUTPUTS*ID_W-1:0]   m_axis_tid,
  output reg  [OUTPUTS-1:0]        m_axis_tlast
);

  wire [OUTPUTS*INPUTS-1:0] granted;  // by output: the input that it takes from, one-hot
  wire [OUTPUTS-1:0]        free;     // its register can be written

  assign free = ~m_axis_tvalid | m_axis_tready;

  genvar g, h;
  generate
    for (g = 0; g < OUTPUTS; g = g + 1) begin : gen_output
      localparam [31:0]  SELF = g;
      reg  [INPUTS-1:0]  held_q;   // the input whose packet is on its way, one-hot
      reg  [INPUTS-1:0]  after_q;  // inputs behind the one that was served last
      wire [INPUTS-1:0]  wants;
      for (h = 0; h < INPUTS; h = h + 1) begin : gen_wants
        assign wants[h] = s_axis_tvalid[h] & (s_axis_tdest[h*DEST_W +: DEST_W] == SELF[DEST_W-1:0]);
      end
      wire [INPUTS-1:0] turn  = ((wants & after_q) != {INPUTS{1'b0}}) ? wants & after_q : wants;
      wire [INPUTS-1:0] fresh = turn & (~turn + 1'b1);
      wire [INPUTS-1:0] grant = (held_q != {INPUTS{1'b0}}) ? held_q : fresh;
      wire [INPUTS-1:0] moves = grant & s_axis_tvalid & {INPUTS{free[g]}};
      assign granted[g*INPUTS +: INPUTS] = grant;
      always @(posedge clk) begin : serve
        integer i;
        if (moves != {INPUTS{1'b0}}) begin
          held_q  <= ((moves & s_axis_tlast) != {INPUTS{1'b0}}) ? {INPUTS{1'b0}} : grant;
          after_q <= ~((grant - 1'b1) | grant);
        end
        if (free[g]) m_axis_tvalid[g] <= (moves != {INPUTS{1'b0}});
        for (i = 0; i < INPUTS; i = i + 1)
          if (moves[i]) begin
            m_axis_tdata[g*WIDTH +: WIDTH]   <= s_axis_tdata[i*WIDTH +: WIDTH];
            m_axis_tdest[g*DEST_W +: DEST_W] <= s_axis_tdest[i*DEST_W +: DEST_W];
            m_axis_tid[g*ID_W +: ID_W]       <= s_axis_tid[i*ID_W +: ID_W];
            m_axis_tlast[g]                  <= s_axis_tlast[i];
          end
        if (rst) begin
          held_q           <= {INPUTS{1'b0}};
          after_q          <= {INPUTS{1'b0}};
          m_axis_tvalid[g] <= 1'b0;
        end
      end
    end
    for (h = 0; h < INPUTS; h = h + 1) begin : gen_input
      wire [OUTPUTS-1:0] takes;
      for (g = 0; g < OUTPUTS; g = g + 1) begin : gen_takes
        assign takes[g] = granted[g*INPUTS + h] & free[g];
      end
      assign s_axis_tready[h] = (takes != {OUTPUTS{1'b0}});
    end
  endgenerate

endmodule

`default_nettype wire
