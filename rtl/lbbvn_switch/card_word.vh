// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// Widths of what line cards say to each other over the fabric, of a module with parameters N_LOG,
// W, SCHEME and MIDDLE.
//
// A word is payload, source, destination, fake, cell; then what the scheme tells on the way: slots
// to wait (offer) or after which it leaves (answer), and a bit: accepted, or gate closed.

`ifndef CARD_WORD_VH
`define CARD_WORD_VH

`define CARD_WAIT_W ((SCHEME == "MAILBOX") ? N_LOG + $clog2(MIDDLE) : 1)
`define CARD_WORD_W (W + 2 * N_LOG + 3 + `CARD_WAIT_W)

`endif
