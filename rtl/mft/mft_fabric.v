// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Routers and links of a modified fat-tree: N = 2^N_LOG clients below N_LOG rows of N / 2 routers.
//
// Row 0 is at the clients; client 2 c + s hangs at port s of router (0, c).  Up link p of router
// (r, c) leads to router (r + 1, c XOR p 2^r), there to port bit r of c; the lanes of the side of
// that port come back along it.
//
// Contract: as of mft_router; clients keep to it.
// Timing: (2 turn + 1) PIPELINE clocks for a packet that turns in row `turn`.
//
// Flit, from bit 0: WIDTH data bits, tail mark, head mark.  Data of a head, from bit 0: the
// destination (N_LOG bits).
// Links, row by row, in a row router by router: up links of a router, or left lanes, then right.
module mft_fabric #(
  parameter N_LOG    = 3,               // 2^N_LOG clients, 1 .. 6
  parameter WIDTH    = 32,              // data bits of a flit, >= N_LOG
  parameter PIPELINE = 1,               // registers behind a router, >= 0
  parameter COUNT_W  = 32,              // bits of a counter, enough for what a clock can bring
  parameter FROM_END = 0,               // 0; 1: counters start at their end, see event_counter
  parameter [8*4-1:0] MODE  = "IMFT",   // "IMFT": link q for port q; "MFT": either
  parameter [8*8-1:0] LANES = "EXACT",  // "EXACT": one each; "DOUBLING": fewer, can be short
  // derived
  parameter N       = 1 << N_LOG,       // clients
  parameter FLIT_W  = WIDTH + 2,        // bits of a flit
  parameter ENTRIES = lanes(0),         // lanes of a client
  parameter DOWN    = below(N_LOG)      // lanes of all rows
) (
  input  wire                        clk,           // rising edge
  input  wire                        rst,           // synchronous: what is inside is gone
  input  wire [N-1:0]                valid_i,       // by client: it sends a flit
  input  wire [N*FLIT_W-1:0]         flit_i,        // by client: that flit
  output wire [N*ENTRIES-1:0]        lane_valid_o,  // by client and lane: a flit comes
  output wire [N*ENTRIES*FLIT_W-1:0] lane_flit_o,   // by client and lane: that flit
  output wire [N_LOG*COUNT_W-1:0]    lost_o,        // by row: packets lost in its routers
  output wire [N_LOG*N-1:0]          up_valid_o,    // for debuggers: by up link: a flit leaves
  output wire [N_LOG*N*FLIT_W-1:0]   up_flit_o,     // for debuggers: by up link: that flit
  output wire [DOWN-1:0]             down_valid_o   // for debuggers: by lane: a flit leaves
);

  localparam COLUMNS = N / 2;

  `include "mft_sizes.vh"

  genvar r, c, k;
  generate
    for (r = 0; r < N_LOG; r = r + 1) begin : gen_row
      localparam COUNT = lanes(r);
      localparam TOP   = (r == N_LOG - 1);
      localparam HIGH  = TOP ? 1 : lanes(r + 1);  // lanes of a parent's side
      localparam ABOVE = TOP ? 1 : 2 * HIGH;
      localparam FIRST = below(r);                // lane of the row

      wire [N-1:0]              in_valid, out_valid;  // from below, and up
      wire [N*FLIT_W-1:0]       in_flit, out_flit;
      wire [N*COUNT-1:0]        lane_valid;           // down
      wire [N*COUNT*FLIT_W-1:0] lane_flit;
      wire [COLUMNS*2*(ABOVE+1)-1:0] lost;

      for (c = 0; c < COLUMNS; c = c + 1) begin : gen_router
        localparam [31:0] COLUMN = c;
        wire [ABOVE-1:0]        above_valid;
        wire [ABOVE*FLIT_W-1:0] above_flit;

        mft_router #(
          .ROW(r), .ABOVE(ABOVE), .COUNT(COUNT), .WIDTH(WIDTH), .ADDR_W(N_LOG),
          .PIPELINE(PIPELINE), .MODE(MODE), .LANES(LANES)
        ) u_router (
          .clk(clk), .rst(rst), .column_i(COLUMN[N_LOG-1:0]), .up_valid_i(in_valid[2*c +: 2]),
          .up_flit_i(in_flit[2*c*FLIT_W +: 2*FLIT_W]), .up_valid_o(out_valid[2*c +: 2]),
          .up_flit_o(out_flit[2*c*FLIT_W +: 2*FLIT_W]), .down_valid_i(above_valid),
          .down_flit_i(above_flit), .down_valid_o(lane_valid[2*c*COUNT +: 2*COUNT]),
          .down_flit_o(lane_flit[2*c*COUNT*FLIT_W +: 2*COUNT*FLIT_W]),
          .lost_o(lost[2*c*(ABOVE+1) +: 2*(ABOVE+1)])
        );

        for (k = 0; k < 2; k = k + 1) begin : gen_link
          if (r == 0) begin : gen_client
            assign in_valid[2*c+k]                 = valid_i[2*c+k];
            assign in_flit[(2*c+k)*FLIT_W +: FLIT_W] = flit_i[(2*c+k)*FLIT_W +: FLIT_W];
          end else begin : gen_below
            // Port k leads to the child with bit r - 1 = k; our column says by which link.
            localparam BIT   = c >> (r - 1) & 1;
            localparam CHILD = c + (k - BIT) * (1 << (r - 1));
            localparam LINK  = 2 * CHILD + (BIT ^ k);
            assign in_valid[2*c+k] = gen_row[r-1].out_valid[LINK];
            assign in_flit[(2*c+k)*FLIT_W +: FLIT_W] =
              gen_row[r-1].out_flit[LINK*FLIT_W +: FLIT_W];
          end
          if (TOP) begin : gen_idle
            if (k == 0) begin : gen_none
              assign above_valid = 1'b0;
              assign above_flit  = {FLIT_W{1'b0}};
            end
          end else begin : gen_above
            localparam PARENT = c ^ (k << r);
            localparam LANE   = (2 * PARENT + (c >> r & 1)) * HIGH;  // the first to our side
            assign above_valid[k*HIGH +: HIGH] = gen_row[r+1].lane_valid[LANE +: HIGH];
            assign above_flit[k*HIGH*FLIT_W +: HIGH*FLIT_W] =
              gen_row[r+1].lane_flit[LANE*FLIT_W +: HIGH*FLIT_W];
          end
        end
      end

      assign up_valid_o[r*N +: N]               = out_valid;  // none climbs from the top
      assign up_flit_o[r*N*FLIT_W +: N*FLIT_W]  = out_flit;
      assign down_valid_o[FIRST +: N*COUNT]     = lane_valid;

      event_counter #(
        .TERMS(COLUMNS * 2 * (ABOVE + 1)), .COUNT_W(COUNT_W), .FROM_END(FROM_END)
      ) u_lost (
        .clk(clk), .rst(rst), .terms_i(lost), .count_o(lost_o[r*COUNT_W +: COUNT_W])
      );
    end
  endgenerate

  assign lane_valid_o = gen_row[0].lane_valid;
  assign lane_flit_o  = gen_row[0].lane_flit;

  `CHECK_PARAMETER(N_LOG >= 1 && N_LOG <= 6, "N_LOG", N_LOG, "1 to 6")
  `CHECK_PARAMETER(WIDTH >= N_LOG, "WIDTH", WIDTH, ">= N_LOG")

endmodule

`default_nettype wire
