// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a flit looks like, and what a switch shows of an input virtual channel (VC).
//
// Flit, from bit 0: WIDTH data bits, tail mark, head mark, HOPS_W bits of the list of hops (output
// port + 1 of each switch that the head has left, HOP_W bits each, the latest lowest).
// Data of a head flit, from bit 0: address of the destination (ADDR_W bits), number of the source
// (NODE_W), class (1), the rest free.
//
// State of an input VC, from bit 0: flits wait; the packet has an output VC; its output port; its
// output VC, one-hot.

`ifndef XGFT_FLIT_VH
`define XGFT_FLIT_VH

`define XGFT_STATE_PORT_W 9
`define XGFT_STATE_VC_W   5
`define XGFT_STATE_W      16

`endif
