// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Top of a simulation of mft_network: a flit_player drives it and captures what it does.  Nobody is
// told to wait, so every flit that is sent is a credit that comes back.  The lane by which a packet
// came stands where flits list their hops.
//
// State, from bit 0: by client and lane, flits wait; then counters of 32 bits: packets lost at the
// FIFOs of each client, in the routers of each row, flits on the up links of each row, on its
// lanes.
module mft_bench #(
  parameter N_LOG    = 3,
  parameter WIDTH    = 32,
  parameter FIFO     = 64,
  parameter ROOM     = 16,
  parameter PIPELINE = 1,
  parameter COUNT_W  = 32,
  parameter FROM_END = 0,     // 1: counters of lost packets start at their end
  parameter [8*4-1:0] MODE  = "IMFT",
  parameter [8*8-1:0] LANES = "EXACT",
  parameter ENTRIES  = 7,     // what the model works out of the above, as the network does
  parameter LANE_W   = 3,
  parameter DOWN     = 88,    // lanes of all rows
  parameter NUMBER_W = 22,    // bits of a packet's number
  parameter ROWS     = 64,
  parameter DATA_STRIDE = 32,
  parameter SIDE_STRIDE = 32,
  parameter [63:0] UNMIX = 64'd1
)
`include "bench_clock.vh"

  `include "mft_sizes.vh"

  localparam N        = 1 << N_LOG;
  localparam FLIT_W   = WIDTH + 2;
  localparam PLAYED_W = FLIT_W + LANE_W;
  localparam STATE_W  = N * ENTRIES + 32 * (N + 3 * N_LOG);

  wire                         rst, write;
  wire [31:0]                  seed;
  wire [N_LOG-1:0]             address;
  wire [7:0]                   entries;
  wire [N-1:0]                 in_valid, out_valid, credit;
  wire [N*PLAYED_W-1:0]        played, received;
  wire [N*FLIT_W-1:0]          in_flit, out_flit;
  wire [N*LANE_W-1:0]          lane;
  wire [(N+N_LOG)*COUNT_W-1:0] lost;
  wire [(N+N_LOG)*32-1:0]      lost_wide;
  wire [N_LOG*32-1:0]          up_flits, down_flits;
  wire [N*ENTRIES-1:0]         holds;
  wire [N_LOG*N-1:0]           up_valid;
  wire [DOWN-1:0]              down_valid;

  mft_network #(
    .N_LOG(N_LOG), .WIDTH(WIDTH), .FIFO(FIFO), .ROOM(ROOM), .PIPELINE(PIPELINE),
    .COUNT_W(COUNT_W), .FROM_END(FROM_END), .MODE(MODE), .LANES(LANES)
  ) u_network (
    .clk         (clk),
    .rst         (rst),
    .valid_i     (in_valid),
    .flit_i      (in_flit),
    .valid_o     (out_valid),
    .flit_o      (out_flit),
    .lane_o      (lane),
    .overflow_o  (lost[0 +: N*COUNT_W]),
    .lost_o      (lost[N*COUNT_W +: N_LOG*COUNT_W]),
    .holds_o     (holds),
    .up_valid_o  (up_valid),
    .down_valid_o(down_valid)
  );

  counter_extender #(
    .COUNTERS(N + N_LOG), .W(COUNT_W), .MOST(N * N), .FROM_END({(N+N_LOG){FROM_END == 1}})
  ) u_extender (
    .clk(clk), .rst(rst), .count_i(lost), .count_o(lost_wide)
  );

  genvar g;
  generate
    for (g = 0; g < N_LOG; g = g + 1) begin : gen_row
      localparam FIRST = below(g);
      localparam COUNT = N * lanes(g);
      event_counter #(.TERMS(N), .COUNT_W(32)) u_up (
        .clk(clk), .rst(rst), .terms_i(up_valid[g*N +: N]), .count_o(up_flits[g*32 +: 32])
      );
      event_counter #(.TERMS(COUNT), .COUNT_W(32)) u_down (
        .clk(clk), .rst(rst), .terms_i(down_valid[FIRST +: COUNT]),
        .count_o(down_flits[g*32 +: 32])
      );
    end
    for (g = 0; g < N; g = g + 1) begin : gen_client
      assign in_flit[g*FLIT_W +: FLIT_W] = played[g*PLAYED_W +: FLIT_W];
      assign received[g*PLAYED_W +: PLAYED_W] =
        {lane[g*LANE_W +: LANE_W], out_flit[g*FLIT_W +: FLIT_W]};
      wire unused = &{1'b0, played[g*PLAYED_W + FLIT_W +: LANE_W]};

      // What it shows of its FIFOs: a flit leaves one that holds flits.
      wire [ENTRIES-1:0] own  = holds[g*ENTRIES +: ENTRIES];
      wire [LANE_W-1:0]  from = lane[g*LANE_W +: LANE_W];
      `CHECK_ALWAYS(clk, rst, !out_valid[g] || own[from],
                    "a flit leaves a FIFO that is shown to hold none")
    end
  endgenerate

  flit_player #(
    .NODES(N), .VCS(1), .DEPTH(2), .WIDTH(WIDTH), .HOPS_W(LANE_W), .ADDR_W(N_LOG),
    .NODE_W(N_LOG), .NUMBER_W(NUMBER_W), .QUEUE(4), .ROWS(ROWS), .STATE_W(STATE_W),
    .HOME_W(N*ENTRIES), .DATA_STRIDE(DATA_STRIDE), .SIDE_STRIDE(SIDE_STRIDE), .UNMIX(UNMIX)
  ) u_player (
    .clk      (clk),
    .busy_o   (busy_o),
    .rst_o    (rst),
    .seed_o   (seed),
    .write_o  (write),
    .address_o(address),
    .entries_o(entries),
    .valid_o  (in_valid),
    .flit_o   (played),
    .credit_i (in_valid),
    .valid_i  (out_valid),
    .flit_i   (received),
    .credit_o (credit),
    .state_i  ({down_flits, up_flits, lost_wide[N*32 +: N_LOG*32], lost_wide[0 +: N*32], holds}),
    .home_i   ({(N*ENTRIES){1'b1}})
  );

  wire unused = &{1'b0, seed, write, address, entries, credit};

endmodule

`default_nettype wire
