// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// Lanes of a modified fat-tree: functions to be included into a module that has the parameters
// N_LOG and LANES of mft_fabric.

// Lanes of a side of a router of a row.
function integer lanes(input integer row);
  lanes = (LANES == "EXACT") ? (1 << (N_LOG - row)) - 1 : 1 << (N_LOG - 1 - row);
endfunction

// Lanes of all rows below a row.
function integer below(input integer row);
  integer i;
  begin
    below = 0;
    for (i = 0; i < row; i = i + 1) below = below + (1 << N_LOG) * lanes(i);
  end
endfunction
