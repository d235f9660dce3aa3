// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`default_nettype none

// Commands to the initiators of SPIN, and what became of them; damage of words on links.  It runs
// while the flit_player beside it does, by whose clocks its rows count.
//
// Contract: Python fills, before the flit_player's `go`, row r of
//   stim_command: the r-th command of each terminal in this burst (64 bits each, from bit 0: release
//     (16), target (8), words (4), write (1), address (16); bit 63: there is one);
//   stim_flip: of each terminal: bits that are flipped (36), plane (1, bit 39), number of the word
//     that the terminal sends into that plane, from 0 on since `restart` (23, from bit 40); bit 63:
//     there is one.  Rows go up.
// Word j of a write is {initiator (6), number of its command since `restart` (12), j (4)} * 9E3779B1.
// In row c stands what happens in clock c, all zero if nothing does:
//   seen_issued:   by terminal, 8 bits: {1, 000, tag}: a command is taken;
//   seen_served:   by terminal, 16 bits: {1, 000, tag, source}: its memory begins to serve;
//   seen_dropped:  by terminal: a request is dropped, it was damaged;
//   seen_response: by terminal, 64 bits: a word of a response: bit 63 valid, 62 last, 61 damaged (with
//     last), 60 error, 59 write, words (4, from 55), tag (4, from 51), source (8, from 43), data.
// raw: the flit_player's packets go into plane 0, nothing of the terminals' does.
