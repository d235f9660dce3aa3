// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Top of a simulation of SPIN: PLANES spin_networks, of which plane 0 has the requests, and the last
// the responses; an initiator and a target with a memory at each terminal, driven by a spin_player;
// and a flit_player for packets of any kind, which are in plane 0 only.
//
// Packets of the flit_player: addresses are {words of the packet (5), terminal (8)}, so a head is
// {number and so on (19), words (5), terminal (8)}; on the link these 5 bits stand at bit 27.  The
// last flit's data is replaced by the check.  Of a word that arrives the marks stand where flits list
// hops: {parity, error}.
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
  parameter TRACE       = 0,    // 1: seen_link, seen_word of the heads on all links of plane 0
  parameter [63:0] UNMIX = 64'd1
)
