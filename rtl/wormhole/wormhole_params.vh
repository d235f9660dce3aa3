// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// The first parameters of a wormhole network and of all down to the core of its switches, which
// wormhole_pass.vh hands on from each to the next.
  parameter VCS     = 2,   // virtual channels (VCs) a link, 1 .. 4
  parameter DEPTH   = 4,   // flits a VC's queue holds, >= 1
  parameter WIDTH   = 32,  // data bits of a flit; a head has address, source and class in them
  parameter HOPS_W  = 0,   // bits of the list of hops in a flit, see xgft_network; 0: no list
  parameter HOP_W   = 4,   // bits of a hop in it, which is a port's number + 1
  parameter CLASSES = 1,   // 1; 2: requests take the lower half of the VCs, replies the upper
  parameter STAGES  = 1,   // 1 .. 3 clocks from the front of a queue to the output register
  parameter AHEAD   = 0,   // 1: a head gets its route while the tail before it leaves
  parameter WAYS    = 1,   // flits of a port that may cross in a clock, a divisor of VCS
  parameter [8*4-1:0]  MODE    = "ANY",          // VC of the next link: "ANY", or "KEEP" the same
  parameter [8*11-1:0] ARBITER = "ROUND_ROBIN",  // "ROUND_ROBIN"; "MATRIX": least recent first
  parameter [8*8-1:0]  FORM    = "HARDWARE",     // "HARDWARE"; "FAST": of switches, to simulate
