// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Top of a simulation of SPIN: PLANES spin_networks, of which plane 0 has the requests, and the
// last the responses; an initiator and a target with a memory at each terminal, driven by a
// spin_player; and a flit_player for packets of any kind, which are in plane 0 only.
//
// Packets of the flit_player: addresses are {words of the packet (5), terminal (8)}, so a head is
// {number and so on (19), words (5), terminal (8)}; on the link these 5 bits stand at bit 27.  The
// last flit's data is replaced by the check.  Of a word that arrives the marks stand where flits
// list hops: {parity, error}.
//
// State, from bit 0: state_o of each plane; by terminal: its initiator or target is not at rest; by
// plane, 32 bits: packets that went into shared buffers.  Home: home_o of each plane.
module spin_bench #(
  parameter TERMINALS   = 16,
  parameter SHARED      = 1,
  parameter PLANES      = 2,
  parameter OUTSTANDING = 16,   // requests of an initiator, 1 .. 16
  parameter MEMORY_W    = 6,    // 2^MEMORY_W words behind a target
  parameter PLACES      = 64,   // what the model works out of the above, as the network does
  parameter ROUTERS     = 8,
  parameter PORTS       = 48,
  parameter STATE_W     = 208,  // PLANES * (PLACES + 32) + TERMINALS
  parameter NODE_W      = 4,
  parameter NUMBER_W    = 14,   // bits of a packet's number
  parameter ROWS        = 64,
  parameter DATA_STRIDE = 32,
  parameter SIDE_STRIDE = 32,
  parameter EXACT       = 0,    // 1: all links of plane 0 are recorded, and what routers show
  parameter [63:0] UNMIX = 64'd1
)
`include "bench_clock.vh"

  localparam WORD_W = 36;
  localparam N      = TERMINALS;

  wire                    rst, write, raw;
  wire [31:0]             seed;
  wire [12:0]             address;
  wire [7:0]              entries;
  wire [N-1:0]            up_valid, up_credit, down_valid, down_credit;  // of the flit_player
  wire [N*WORD_W-1:0]     up_flit, down_flit;

  // By plane and terminal: into the network and out of it.
  wire [PLANES*N-1:0]        in_valid, in_credit, out_valid, out_credit;
  wire [PLANES*N*WORD_W-1:0] in_word, flip, out_word;
  wire [PLANES*N*WORD_W-1:0] hit_word = in_word ^ flip;
  wire [PLANES*PLACES-1:0]   places, homes;
  wire [PLANES*ROUTERS-1:0]  stored;
  wire [PLANES*32-1:0]       stored_count;
  wire [PLANES*PORTS-1:0]        link_valid, link_credit;
  wire [PLANES*PORTS*WORD_W-1:0] link_word;

  // By terminal: see spin_terminal.
  wire [N-1:0]    valid, writes, taken, shown, ending, damaged, served, dropped, rest;
  wire [N*8-1:0]  target;
  wire [N*4-1:0]  words, tag, index;
  wire [N*16-1:0] at;
  wire [N*32-1:0] written, header, word, asked;

  genvar g, p;
  generate
    for (p = 0; p < PLANES; p = p + 1) begin : gen_plane
      spin_network #(.TERMINALS(TERMINALS), .SHARED(SHARED)) u_network (
        .clk         (clk),
        .rst         (rst),
        .valid_i     (in_valid[p*N +: N]),
        .word_i      (hit_word[p*N*WORD_W +: N*WORD_W]),
        .credit_o    (in_credit[p*N +: N]),
        .valid_o     (out_valid[p*N +: N]),
        .word_o      (out_word[p*N*WORD_W +: N*WORD_W]),
        .credit_i    (out_credit[p*N +: N]),
        .stored_o    (stored[p*ROUTERS +: ROUTERS]),
        .state_o     (places[p*PLACES +: PLACES]),
        .home_o      (homes[p*PLACES +: PLACES]),
        .link_valid_o(link_valid[p*PORTS +: PORTS]),
        .link_word_o (link_word[p*PORTS*WORD_W +: PORTS*WORD_W]),
        .link_credit_o(link_credit[p*PORTS +: PORTS])
      );
      event_counter #(.TERMS(ROUTERS), .COUNT_W(32)) u_stored (
        .clk(clk), .rst(rst), .terms_i(stored[p*ROUTERS +: ROUTERS]),
        .count_o(stored_count[p*32 +: 32])
      );
    end

    for (g = 0; g < N; g = g + 1) begin : gen_terminal
      localparam [31:0] SELF = g;
      wire [PLANES-1:0]        own_valid, own_credit;
      wire [PLANES*WORD_W-1:0] own_word, came;
      wire [PLANES-1:0]        own_room, own_came;
      wire                     stores;
      wire [MEMORY_W-1:0]      place;
      wire [31:0]              store, load;

      spin_terminal #(
        .PLANES(PLANES), .OUTSTANDING(OUTSTANDING), .MEMORY_W(MEMORY_W)
      ) u_terminal (
        .clk(clk), .rst(rst), .self_i(SELF[7:0]), .valid_i(valid[g]), .write_i(writes[g]),
        .target_i(target[g*8 +: 8]), .words_i(words[g*4 +: 4]),
        .address_i({16'd0, at[g*16 +: 16]}), .taken_o(taken[g]), .tag_o(tag[g*4 +: 4]),
        .index_o(index[g*4 +: 4]), .word_i(written[g*32 +: 32]), .valid_o(shown[g]),
        .last_o(ending[g]), .damaged_o(damaged[g]), .header_o(header[g*32 +: 32]),
        .word_o(word[g*32 +: 32]), .served_o(served[g]), .dropped_o(dropped[g]),
        .asked_o(asked[g*32 +: 32]), .write_o(stores), .address_o(place), .written_o(store),
        .read_i(load), .link_valid_o(own_valid), .link_word_o(own_word), .link_credit_i(own_credit),
        .link_valid_i(own_came), .link_word_i(came), .link_credit_o(own_room), .rest_o(rest[g])
      );

      spin_memory #(.WORDS_LOG(MEMORY_W)) u_memory (
        .clk(clk), .write_i(stores), .address_i(place), .word_i(store), .word_o(load)
      );

      // ---- plane 0: of the terminal, or of the flit_player --------------------------------------

      wire [WORD_W-1:0] flit = up_flit[g*WORD_W +: WORD_W];
      wire [31:0]       data = flit[33] ? {flit[12:8], flit[31:13], flit[7:0]} : flit[31:0];
      wire [WORD_W-1:0] encoded;
      wire              unused = &{1'b0, flit[35:34]};

      spin_encoder u_encoder (
        .clk(clk), .valid_i(up_valid[g]), .head_i(flit[33]), .tail_i(flit[32]), .data_i(data),
        .word_o(encoded)
      );

      wire [WORD_W-1:0] out = out_word[g*WORD_W +: WORD_W];
      assign down_flit[g*WORD_W +: WORD_W] = {out[33], out[32], out[35], out[34], out[31:0]};
      assign down_valid[g] = raw & out_valid[g];

      for (p = 0; p < PLANES; p = p + 1) begin : gen_link
        localparam K    = p * N + g;
        localparam RAWS = (p == 0);
        assign in_valid[K] = (RAWS && raw) ? up_valid[g] : own_valid[p];
        assign in_word[K*WORD_W +: WORD_W] =
          (RAWS && raw) ? encoded : own_word[p*WORD_W +: WORD_W];
        assign own_credit[p] = in_credit[K] & ~(RAWS && raw);
        assign own_came[p]   = out_valid[K] & ~(RAWS && raw);
        assign came[p*WORD_W +: WORD_W] = out_word[K*WORD_W +: WORD_W];
        assign out_credit[K] = (RAWS && raw) ? down_credit[g] : own_room[p];
      end
    end
  endgenerate

  flit_player #(
    .NODES(N), .VCS(1), .DEPTH(4), .WIDTH(32), .HOPS_W(2), .MARKS(1), .ADDR_W(13),
    .NODE_W(NODE_W), .NUMBER_W(NUMBER_W), .QUEUE(8), .ROWS(ROWS), .STATE_W(STATE_W),
    .HOME_W(PLANES*PLACES), .DATA_STRIDE(DATA_STRIDE), .SIDE_STRIDE(SIDE_STRIDE), .UNMIX(UNMIX)
  ) u_player (
    .clk      (clk),
    .busy_o   (busy_o),
    .rst_o    (rst),
    .seed_o   (seed),
    .write_o  (write),
    .address_o(address),
    .entries_o(entries),
    .valid_o  (up_valid),
    .flit_o   (up_flit),
    .credit_i (up_credit),
    .valid_i  (down_valid),
    .flit_i   (down_flit),
    .credit_o (down_credit),
    .state_i  ({stored_count, ~rest, places}),
    .home_i   (homes)
  );

  spin_player #(.TERMINALS(TERMINALS), .PLANES(PLANES), .ROWS(ROWS)) u_vci (
    .clk(clk), .run_i(busy_o), .rst(rst), .clocks_i(u_player.clocks), .last_i(u_player.last),
    .raw_o(raw), .credit_i(in_credit[0 +: N]), .credit_o(up_credit), .valid_o(valid),
    .write_o(writes), .target_o(target), .words_o(words),
    .address_o(at), .taken_i(taken), .tag_i(tag), .index_i(index), .word_o(written),
    .served_i(served), .dropped_i(dropped), .asked_i(asked), .valid_i(shown), .final_i(ending),
    .damaged_i(damaged), .header_i(header), .word_i(word), .sent_i(in_valid), .flip_o(flip)
  );

  generate
    if (EXACT == 1) begin : gen_exact
      localparam LINKS = PORTS + N;  // out of routers, then from terminals
      wire [LINKS*WORD_W-1:0]     crossing =
        {hit_word[0 +: N*WORD_W], link_word[0 +: PORTS*WORD_W]};
      wire [LINKS*(WORD_W+3)-1:0] traced;
      for (g = 0; g < LINKS; g = g + 1) begin : gen_link
        wire [WORD_W-1:0] one = crossing[g*WORD_W +: WORD_W];
        assign traced[g*(WORD_W+3) +: WORD_W+3] = {1'b0, one[35:34], one};
      end
      flit_recorder #(
        .LINKS(LINKS), .VCS(1), .WIDTH(WORD_W), .HOPS_W(1), .ROWS(ROWS),
        .SHOWN_W(2*PLACES + ROUTERS), .HASHED(0)
      ) u_recorder (
        .clk(clk), .run_i(busy_o), .row_i(u_player.clocks),
        .valid_i({in_valid[0 +: N], link_valid[0 +: PORTS]}), .flit_i(traced),
        .credit_i({in_credit[0 +: N], link_credit[0 +: PORTS]}),
        .shown_i({stored[0 +: ROUTERS], homes[0 +: PLACES], places[0 +: PLACES]})
      );
    end
  endgenerate

  wire unused = &{1'b0, seed, write, address, entries, link_valid, link_word, link_credit};

endmodule

`default_nettype wire
