// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// The number that follows in a 32-bit xorshift generator (Marsaglia 2003; shifts 13, 17, 5), to be
// included into a module.  Runs through all numbers but 0; 0 follows on 0.
function [31:0] xorshift32(input [31:0] x);
  begin
    xorshift32 = x;
    xorshift32 = xorshift32 ^ (xorshift32 << 13);
    xorshift32 = xorshift32 ^ (xorshift32 >> 17);
    xorshift32 = xorshift32 ^ (xorshift32 << 5);
  end
endfunction
