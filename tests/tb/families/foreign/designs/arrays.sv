// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

package arrays_pkg;
  typedef struct packed {
    logic [1:0]  dest;
    logic        last;
    logic [31:0] data;
  } word_t;
endpackage

interface arrays_if (input wire clk);
  logic              valid, ready;
  arrays_pkg::word_t word;
  modport taken (input clk, input valid, input word, output ready);
endinterface

// The crossbar with the ports of SystemVerilog: an array of interfaces at the inputs, unpacked
// arrays at the outputs.
//
// Contract, timing: see crossbar.
module arrays #(
  parameter int N = 3
) (
  input  wire              clk,
  input  wire              rst,
  arrays_if.taken          from [N],
  output logic             to_valid [N],
  input  wire              to_ready [N],
  output arrays_pkg::word_t to_word [N]
);

  logic [N-1:0]    valid, ready, last, m_valid, m_ready, m_last;
  logic [N*32-1:0] data, m_data;
  logic [N*2-1:0]  dest, m_dest;

  for (genvar g = 0; g < N; g++) begin : gen_leaf
    assign valid[g]         = from[g].valid;
    assign from[g].ready    = ready[g];
    assign dest[g*2 +: 2]   = from[g].word.dest;
    assign last[g]          = from[g].word.last;
    assign data[g*32 +: 32] = from[g].word.data;
    assign to_valid[g]      = m_valid[g];
    assign m_ready[g]       = to_ready[g];
    assign to_word[g]       = '{dest: m_dest[g*2 +: 2], last: m_last[g], data: m_data[g*32 +: 32]};
  end

  crossbar #(.INPUTS(N), .OUTPUTS(N)) u_crossbar (
    .clk, .rst,
    .s_axis_tvalid(valid), .s_axis_tready(ready), .s_axis_tdata(data), .s_axis_tdest(dest),
    .s_axis_tid('0), .s_axis_tlast(last), .m_axis_tvalid(m_valid), .m_axis_tready(m_ready),
    .m_axis_tdata(m_data), .m_axis_tdest(m_dest), .m_axis_tid(), .m_axis_tlast(m_last)
  );

endmodule

`default_nettype wire
