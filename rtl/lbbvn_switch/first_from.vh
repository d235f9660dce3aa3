// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// Round robin, to be included in a module with parameters N_LOG and N.

// First of the candidates at or behind `turn`, going round; there must be one.
function automatic [N_LOG-1:0] first_from(input [N-1:0] candidates, input [N_LOG-1:0] turn);
  reg [N-1:0] left;
  integer     bit_index;
  begin
    left = candidates & ({N{1'b1}} << turn);
    if (left == {N{1'b0}}) left = candidates;
    // The lowest one: in which half it is, in which half of that, ...
    for (bit_index = N_LOG - 1; bit_index >= 0; bit_index = bit_index - 1) begin
      first_from[bit_index] = (left << (N - (1 << bit_index)) == {N{1'b0}});
      if (first_from[bit_index]) left = left >> (1 << bit_index);
    end
  end
endfunction
