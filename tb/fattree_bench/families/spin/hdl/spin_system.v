// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// PLANES spin_networks, of which plane 0 has the requests, and the last the responses; an initiator
// and a target with a memory at each terminal.  With raw_i plane 0 takes the packets of a
// flit_player instead.
//
// Packets of the flit_player: addresses are {words of the packet (5), terminal (8)}, so a head is
// {number and so on (19), words (5), terminal (8)}; on the link these 5 bits stand at bit 27.  The
// last flit's data is replaced by the check.  Of a word that arrives the marks stand where flits
// list hops: {parity, error}.
//
// Vectors by terminal, or by plane and terminal: the first owns slice 0.
module spin_system #(
  parameter TERMINALS   = 16,
  parameter SHARED      = 1,
  parameter PLANES      = 2,
  parameter OUTSTANDING = 16,  // requests of an initiator, 1 .. 16
  parameter MEMORY_W    = 6,   // 2^MEMORY_W words behind a target
  parameter PLACES      = 64,  // of a plane, as spin_network counts them
  parameter ROUTERS     = 8,   // of a plane
  parameter PORTS       = 48,  // outputs of the routers of a plane
  // derived
  parameter N           = TERMINALS,
  parameter WORD_W      = 36,
  parameter LINKS       = PORTS + N
) (
  input  wire                       clk,
  input  wire                       rst,
  // the flit_player, in plane 0
  input  wire                       raw_i,
  input  wire [N-1:0]               up_valid_i,
  input  wire [N*WORD_W-1:0]        up_flit_i,
  output wire [N-1:0]               up_credit_o,  // the terminals' own, too
  output wire [N-1:0]               down_valid_o,
  output wire [N*WORD_W-1:0]        down_flit_o,
  input  wire [N-1:0]               down_credit_i,
  // commands and what becomes of them: see spin_terminal
  input  wire [N-1:0]               valid_i,
  input  wire [N-1:0]               write_i,
  input  wire [N*8-1:0]             target_i,
  input  wire [N*4-1:0]             words_i,
  input  wire [N*32-1:0]            address_i,
  output wire [N-1:0]               taken_o,
  output wire [N*4-1:0]             tag_o,
  output wire [N*4-1:0]             index_o,
  input  wire [N*32-1:0]            word_i,
  output wire [N-1:0]               served_o,
  output wire [N-1:0]               dropped_o,
  output wire [N*32-1:0]            asked_o,
  output wire [N-1:0]               valid_o,
  output wire [N-1:0]               final_o,
  output wire [N-1:0]               damaged_o,
  output wire [N*32-1:0]            header_o,
  output wire [N*32-1:0]            word_o,
  output wire [PLANES*N-1:0]        sent_o,       // a word on the link of a terminal
  input  wire [PLANES*N*WORD_W-1:0] flip_i,       // bits of it that are flipped
  // what it shows of itself: see spin_network
  output wire [PLANES*PLACES-1:0]   places_o,
  output wire [PLANES*PLACES-1:0]   homes_o,
  output wire [PLANES*ROUTERS-1:0]  stored_o,
  output wire [N-1:0]               busy_o,       // the initiator or target is not at rest
  // links of plane 0, as a flit_recorder takes them: out of routers, then from terminals
  output wire [LINKS-1:0]           link_valid_o,
  output wire [LINKS*(WORD_W+3)-1:0] link_flit_o,
  output wire [LINKS-1:0]           link_credit_o
);

  // By plane and terminal: into the network and out of it.
  wire [PLANES*N-1:0]        in_valid, in_credit, out_valid, out_credit;
  wire [PLANES*N*WORD_W-1:0] in_word, out_word;
  wire [PLANES*N*WORD_W-1:0] hit_word = in_word ^ flip_i;
  wire [PLANES*PORTS-1:0]        link_valid, link_credit;
  wire [PLANES*PORTS*WORD_W-1:0] link_word;
  wire [LINKS*WORD_W-1:0]        crossing =
    {hit_word[0 +: N*WORD_W], link_word[0 +: PORTS*WORD_W]};
  wire [N-1:0]                   rest;

  assign sent_o      = in_valid;
  assign up_credit_o = in_credit[0 +: N];
  assign busy_o      = ~rest;

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
        .stored_o    (stored_o[p*ROUTERS +: ROUTERS]),
        .state_o     (places_o[p*PLACES +: PLACES]),
        .home_o      (homes_o[p*PLACES +: PLACES]),
        .link_valid_o(link_valid[p*PORTS +: PORTS]),
        .link_word_o (link_word[p*PORTS*WORD_W +: PORTS*WORD_W]),
        .link_credit_o(link_credit[p*PORTS +: PORTS])
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
        .clk(clk), .rst(rst), .self_i(SELF[7:0]), .valid_i(valid_i[g]), .write_i(write_i[g]),
        .target_i(target_i[g*8 +: 8]), .words_i(words_i[g*4 +: 4]),
        .address_i(address_i[g*32 +: 32]), .taken_o(taken_o[g]), .tag_o(tag_o[g*4 +: 4]),
        .index_o(index_o[g*4 +: 4]), .word_i(word_i[g*32 +: 32]), .valid_o(valid_o[g]),
        .last_o(final_o[g]), .damaged_o(damaged_o[g]), .header_o(header_o[g*32 +: 32]),
        .word_o(word_o[g*32 +: 32]), .served_o(served_o[g]), .dropped_o(dropped_o[g]),
        .asked_o(asked_o[g*32 +: 32]), .write_o(stores), .address_o(place), .written_o(store),
        .read_i(load), .link_valid_o(own_valid), .link_word_o(own_word), .link_credit_i(own_credit),
        .link_valid_i(own_came), .link_word_i(came), .link_credit_o(own_room), .rest_o(rest[g])
      );

      spin_memory #(.WORDS_LOG(MEMORY_W)) u_memory (
        .clk(clk), .write_i(stores), .address_i(place), .word_i(store), .word_o(load)
      );

      // ---- plane 0: of the terminal, or of the flit_player --------------------------------------

      wire [WORD_W-1:0] flit = up_flit_i[g*WORD_W +: WORD_W];
      wire [31:0]       data = flit[33] ? {flit[12:8], flit[31:13], flit[7:0]} : flit[31:0];
      wire [WORD_W-1:0] encoded;
      wire              unused = &{1'b0, flit[35:34]};

      spin_encoder u_encoder (
        .clk(clk), .valid_i(up_valid_i[g]), .head_i(flit[33]), .tail_i(flit[32]), .data_i(data),
        .word_o(encoded)
      );

      wire [WORD_W-1:0] out = out_word[g*WORD_W +: WORD_W];
      assign down_flit_o[g*WORD_W +: WORD_W] = {out[33], out[32], out[35], out[34], out[31:0]};
      assign down_valid_o[g] = raw_i & out_valid[g];

      for (p = 0; p < PLANES; p = p + 1) begin : gen_link
        localparam K    = p * N + g;
        localparam RAWS = (p == 0);
        assign in_valid[K] = (RAWS && raw_i) ? up_valid_i[g] : own_valid[p];
        assign in_word[K*WORD_W +: WORD_W] =
          (RAWS && raw_i) ? encoded : own_word[p*WORD_W +: WORD_W];
        assign own_credit[p] = in_credit[K] & ~(RAWS && raw_i);
        assign own_came[p]   = out_valid[K] & ~(RAWS && raw_i);
        assign came[p*WORD_W +: WORD_W] = out_word[K*WORD_W +: WORD_W];
        assign out_credit[K] = (RAWS && raw_i) ? down_credit_i[g] : own_room[p];
      end
    end

    for (g = 0; g < LINKS; g = g + 1) begin : gen_crossing
      wire [WORD_W-1:0] one = crossing[g*WORD_W +: WORD_W];
      assign link_flit_o[g*(WORD_W+3) +: WORD_W+3] = {1'b0, one[35:34], one};
    end
  endgenerate

  assign link_valid_o  = {in_valid[0 +: N], link_valid[0 +: PORTS]};
  assign link_credit_o = {in_credit[0 +: N], link_credit[0 +: PORTS]};

  wire unused = &{1'b0, link_valid, link_word, link_credit};

endmodule

`default_nettype wire
