// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sizes of a bufferless fat-tree: functions to be included into a module that has the parameters
// N_LOG, UPPER_HALF, CAPACITY and LANES of lbbvn_tree.

// Highest level with nodes.
function integer top_level(input integer unused);
  top_level = ((UPPER_HALF == "STATIC") ? N_LOG / 2 : 0) + unused;
endfunction

// Lanes of a level-j channel, each way; none above the root.
function integer lanes(input integer j);
  begin
    if (j < 1)
      lanes = 0;
    else if (CAPACITY == "GIVEN")
      lanes = LANES[32*j +: 32];
    else if (CAPACITY == "LOWER_BOUND" && 2 * j <= N_LOG)
      lanes = (1 << (N_LOG - j)) - (1 << (N_LOG - 2 * j));
    else
      lanes = 1 << (N_LOG - j);
  end
endfunction

// The lanes of all levels, level j's at [32*j +: 32].
function [32*11-1:0] all_lanes(input integer unused);
  integer j;
  begin
    all_lanes = {352{1'b0}};
    for (j = 1; j <= N_LOG; j = j + 1)
      all_lanes[32*j +: 32] = lanes(j) + unused;
  end
endfunction

// Bits of a lane's setting: which of so many inputs, and enable.
function integer setting_bits(input integer inputs);
  setting_bits = ((inputs > 1) ? $clog2(inputs) : 1) + 1;
endfunction

// Bits of level j's row of settings, as lbbvn_datapath lays it out.
function integer row_bits(input integer j);
  integer up;
  begin
    up = (lanes(j) > 0) ? lanes(j) : 1;
    row_bits = (1 << j) * (up * setting_bits(2 * lanes(j + 1))
             + 2 * lanes(j + 1) * setting_bits(lanes(j) + lanes(j + 1)));
  end
endfunction

// Bits of the widest row; the leaves' row has one a leaf.
function integer widest_row(input integer unused);
  integer j;
  begin
    widest_row = (1 << N_LOG) + unused;
    for (j = top_level(0); j < N_LOG; j = j + 1)
      if (row_bits(j) > widest_row) widest_row = row_bits(j);
  end
endfunction
