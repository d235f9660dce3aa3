// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// All routers of a modified fat-tree without registers, for all message sets: who sends, where to,
// what.  A message is one flit; nobody sends to oneself.  One source, any, is watched.
//
//   P1  any set: the message of any source comes to its client, unmodified: none is ever lost
//   P2  any set: an up link serves one source alone, the same for all sets
//   P3  any set: a lane of a client serves one source alone, the same for all sets
//   P4  any set: what comes to a client was sent there, by who it says
//
// P2 and P3 are of IMFT.  The sources are those of the closed form: in row r the packets of source
// s are in column (s >> 1) XOR (s mod 2^r) and climb by link s_r.
module mft_paths_proof #(
  parameter N_LOG = 3,
  parameter [8*4-1:0] MODE = "IMFT",
  parameter N     = 1 << N_LOG  // derived
) (
  input wire               clk,
  input wire [N-1:0]       send_i,
  input wire [N*N_LOG-1:0] to_i,
  input wire [N-1:0]       data_i,
  input wire [N_LOG-1:0]   watched_i  // any source
);

  localparam WIDTH   = 2 * N_LOG + 1;  // payload, source, destination
  localparam FLIT_W  = WIDTH + 2;
  localparam ENTRIES = N - 1;
  localparam DOWN    = N * (2 * N - 2 - N_LOG);  // lanes of all rows

  wire [N*FLIT_W-1:0]         flits;
  wire [N*ENTRIES-1:0]        lane_valid;
  wire [N*ENTRIES*FLIT_W-1:0] lane_flit;
  wire [N_LOG*4*N_LOG-1:0]    lost;
  wire [N_LOG*N-1:0]          up_valid;
  wire [N_LOG*N*FLIT_W-1:0]   up_flit;
  wire [DOWN-1:0]             down_valid;

  genvar g;
  generate
    for (g = 0; g < N; g = g + 1) begin : gen_client
      localparam [31:0] SELF = g;
      assign flits[g*FLIT_W +: FLIT_W] =
        {2'b11, data_i[g], SELF[N_LOG-1:0], to_i[g*N_LOG +: N_LOG]};
    end
  endgenerate

  mft_fabric #(
    .N_LOG(N_LOG), .WIDTH(WIDTH), .PIPELINE(0), .COUNT_W(4 * N_LOG), .MODE(MODE), .LANES("EXACT")
  ) u_fabric (
    .clk(clk), .rst(1'b0), .valid_i(send_i), .flit_i(flits), .lane_valid_o(lane_valid),
    .lane_flit_o(lane_flit), .lost_o(lost), .up_valid_o(up_valid), .up_flit_o(up_flit),
    .down_valid_o(down_valid)
  );

  // Who is served by an up link.
  function integer up_source(input integer row, input integer column, input integer link);
    integer i, s;
    begin
      s = ((column >> row) << (row + 1)) + (link << row);
      for (i = row - 1; i >= 0; i = i - 1)
        s = s + ((((column >> i) ^ (s >> (i + 1))) & 1) << i);
      up_source = s;
    end
  endfunction

  // Who is served by a lane of a client: it is followed upwards to where it turned.
  function integer lane_source(input integer client, input integer lane);
    integer r, column, side, k, high, p, child;
    begin
      column = client >> 1;
      side   = client & 1;
      k      = lane;
      r      = 0;
      high   = N / 2 - 1;  // lanes of a side in the row above
      while (k != 2 * high) begin
        p      = (k >= high) ? 1 : 0;
        k      = k - p * high;
        side   = (column >> r) & 1;
        column = column ^ (p << r);
        r      = r + 1;
        high   = (high - 1) / 2;
      end
      if (r == 0)
        lane_source = 2 * column + 1 - side;
      else begin
        p     = (column >> (r - 1)) & 1;
        child = column + (1 - side - p) * (1 << (r - 1));
        lane_source = up_source(r - 1, child, p ^ (1 - side));
      end
    end
  endfunction

  reg              came, alone_up, alone_lane, sent;
  reg [FLIT_W-1:0] flit, own;
  reg [N_LOG-1:0]  from, to;
  integer          r, c, k, s;
  always @* begin
    came       = 1'b0;
    alone_up   = 1'b1;
    alone_lane = 1'b1;
    sent       = 1'b1;
    own        = flits[watched_i*FLIT_W +: FLIT_W];
    to         = to_i[watched_i*N_LOG +: N_LOG];
    flit       = {FLIT_W{1'b0}};
    from       = {N_LOG{1'b0}};
    for (r = 0; r < N_LOG - 1; r = r + 1)
      for (c = 0; c < N; c = c + 1) begin
        from = up_flit[(r*N + c)*FLIT_W + N_LOG +: N_LOG];
        if (up_valid[r*N + c] && from != up_source(r, c >> 1, c & 1)) alone_up = 1'b0;
      end
    for (c = 0; c < N; c = c + 1)
      for (k = 0; k < ENTRIES; k = k + 1)
        if (lane_valid[c*ENTRIES + k]) begin
          flit = lane_flit[(c*ENTRIES + k)*FLIT_W +: FLIT_W];
          from = flit[N_LOG +: N_LOG];
          if (flit == own && to == c) came = 1'b1;
          if (from != lane_source(c, k)) alone_lane = 1'b0;
          if (!send_i[from] || flit[N_LOG-1:0] != c || flit != flits[from*FLIT_W +: FLIT_W])
            sent = 1'b0;
        end
    for (s = 0; s < N; s = s + 1)
      `GIVEN(to_i[s*N_LOG +: N_LOG] != s)
    `PROVE(P1, !send_i[watched_i] || came)
    `PROVE(P2, alone_up)
    `PROVE(P3, alone_lane)
    `PROVE(P4, sent)
  end

endmodule

`default_nettype wire
