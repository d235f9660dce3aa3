// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

// Included by counted.sv: its queues are rings.
localparam int DEPTH = 4;  // words of a queue, which are the credits of a virtual channel

// The place behind a place.
function automatic logic [1:0] behind(input logic [1:0] place);
  return place + 2'd1;
endfunction
