// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// Parameters of what spreads flows over parents, which spread_pass.vh hands on.
  parameter [8*4-1:0] SALT = "OWN",  // hashes of a switch: "OWN", "SAME" as those of all others
  parameter GAP     = 64,            // FLOWLET: clocks after which a flow may change, 0 .. 65535
  parameter ENTRIES = 64,            // FLOWLET: flows that a switch remembers, >= 1
