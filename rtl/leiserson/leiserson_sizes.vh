// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sizes of a bit-serial fat-tree: functions to be included into a module that has the parameters
// N_LOG, CAPACITY, ROOT, CAPS, CONCENTRATOR and NODES of leiserson_tree, and partial_stages.vh.

// Wires of a level-k channel, each way.  UNIVERSAL: min(ceil(n / 2^k), ceil(w / 2^(2k/3))); the
// second is the least c with c^3 4^k >= w^3, in whole numbers.
function integer cap(input integer k);
  reg [63:0] c, volume;
  begin
    cap = (1 << N_LOG) >> k;
    if (CAPACITY == "GIVEN") begin
      cap = CAPS[32*k +: 32];
    end else if (CAPACITY == "UNIVERSAL") begin
      volume = {32'd0, ROOT};
      volume = volume * volume * volume;
      c      = 64'd1;
      while (((c * c * c) << (2 * k)) < volume)
        c = c + 64'd1;
      if (c[31:0] < cap) cap = c[31:0];
    end
  end
endfunction

// The capacities of all levels, level k's at [32*k +: 32].
function [32*11-1:0] capacities(input integer unused);
  integer k;
  begin
    capacities = {352{1'b0}};
    for (k = 0; k <= N_LOG; k = k + 1)
      capacities[32*k +: 32] = cap(k) + unused;
  end
endfunction

// Most address bits of a message, with decision bits (each = 1), or most clocks that its M bit
// needs (each = 1 + PIPELINE).  Off-line nodes read no bit, and wait for none.
function integer node_port(input integer r, input integer s, input integer each);
  if (NODES == "OFFLINE") node_port = each - 1;
  else node_port = each + ((CONCENTRATOR == "PARTIAL") ? 3 * stage_count(r, s) : 0);
endfunction
function integer node_up(input integer k, input integer each);
  node_up = node_port(2 * cap(k+1), cap(k), each);
endfunction
function integer node_down(input integer k, input integer each);
  node_down = node_port(cap(k) + cap(k+1), cap(k+1), each);
endfunction
function integer longest(input integer each);
  integer top, k, length;
  begin
    longest = 0;
    // turn at a node of level `top`; -1: come in from outside and go all the way down
    for (top = -1; top < N_LOG; top = top + 1) begin
      length = 0;
      for (k = (top < 0) ? 0 : top; k < N_LOG; k = k + 1)
        length = length + node_down(k, each);
      if (top >= 0)
        for (k = top + 1; k < N_LOG; k = k + 1)
          length = length + node_up(k, each);
      if (length > longest) longest = length;
    end
    // or leave the machine
    length = 0;
    for (k = 0; k < N_LOG; k = k + 1)
      length = length + node_up(k, each);
    if (length > longest) longest = length;
  end
endfunction
