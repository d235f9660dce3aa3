// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// Kinds of ROUTING of a wormhole switch.
//
// `SPREADS(r)  by what packets before had: see xgft_spread.
// `FREE(r)     the route of a packet is chosen again until it has a virtual channel.
// `DRAWS(r)    the switch draws random numbers.
// `DECIDES(r)  xgft_route alone finds the route.

`ifndef XGFT_ROUTINGS_VH
`define XGFT_ROUTINGS_VH
`define SPREADS(r) (r == "RR" || r == "FLOWLET" || r == "DRILL")
`define FREE(r)    (r == "ADAPTIVE" || r == "TWO" || `SPREADS(r))
`define DRAWS(r)   (r == "RANDOM" || `FREE(r))
`define DECIDES(r) (r == "DMODK" || r == "SMODK" || r == "RANDOM" || r == "ADAPTIVE" \
                    || r == "TWO" || r == "ECMP" || r == "TABLE")
`endif
