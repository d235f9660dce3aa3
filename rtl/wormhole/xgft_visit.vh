// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// How a process visits the bits that are set in a word, the lowest first.
//
// `VISIT(set, n, most)       before a block: it runs once for each bit that is set.  There are at
//                            most `most`; `n` is an integer.  For Yosys a loop has a constant
//                            number of rounds.
// `NEXT(set, one, place)     the first thing in that block: takes the bit out of the set, as a word
//                            `one` and as a number `place`; words are of INPUTS bits, at most 64.
// `PLACE(one, bit)           a bit of that number, by BITS.

`ifndef XGFT_VISIT_VH
`define XGFT_VISIT_VH
`ifdef YOSYS
`define VISIT(set, n, most) for (n = 0; n < most; n = n + 1) if (|(set))
`else
`define VISIT(set, n, most) for (n = 0; n < most && |(set); n = n + 1)
`endif
`define PLACE(one, bit) |(one & BITS[64*bit +: INPUTS])
`define NEXT(set, one, place) \
  one   = set & (~set + 1'b1); \
  set   = set ^ one; \
  place = {26'd0, `PLACE(one, 5), `PLACE(one, 4), `PLACE(one, 3), `PLACE(one, 2), `PLACE(one, 1), \
           `PLACE(one, 0)};
`endif
