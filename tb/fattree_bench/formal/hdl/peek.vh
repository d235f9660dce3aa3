// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// How a wrapper sees a register inside the block that it proves, for invariants.
//
// `PEEK(bits, name, flat, path)  makes `path` of the block known as `name`.  Yosys knows no paths,
//                                but joins a wire that is marked so with what flattening calls by
//                                the same name: `flat` is `path`, escaped.  A path that is not
//                                there leaves the name free to take any value: use it in rules
//                                only, where that breaks them, never in `GIVEN.
// `PEEK_IF(there, bits, name, flat, path)  the same if the condition holds, which tells of what is
//                                there; else `name` is free.
// `POKE(bits, flat, path, value)  drives such a wire of the block, which nothing else drives.

`ifndef PEEK_VH
`define PEEK_VH

`ifdef FORMAL
`define PEEK(bits, name, flat, path) (* hierconn *) wire bits flat ; wire bits name = flat ;
`define PEEK_IF(there, bits, name, flat, path) \
  (* hierconn *) wire bits flat ; wire bits name = flat ;
`define POKE(bits, flat, path, value) (* hierconn *) wire bits flat = value ;
`else
`define PEEK_IF(there, bits, name, flat, path) \
  wire bits name ; \
  generate if (there) begin assign name = path; end endgenerate
`define PEEK(bits, name, flat, path) wire bits name = path ;
`define POKE(bits, flat, path, value) assign path = value ;
`endif

`endif
