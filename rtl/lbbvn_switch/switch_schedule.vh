// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// Who is connected to whom in slot t of a load-balanced Birkhoff-von Neumann switch, to be included
// in a module with parameters N_LOG and SCHEDULE.  All numbers are modulo N.
//
//   SCHEDULE    phase 1, input x to middle p(x)  phase 2, middle m to output q(m)
//   "BITREV"    rev(x) + t                       the inverse of p
//   "ROTATOR"   x + t                            the inverse of p
//   "TDM"       t - x                            the inverse of p
//   "XOR"       rev(x) XOR t                     the inverse of p
//   "SAME"      rev(x) + t                       rev(m) + t: p once more

// The bits of a number in reverse order.
function automatic [N_LOG-1:0] reversed(input [N_LOG-1:0] number);
  integer bit_index;
  for (bit_index = 0; bit_index < N_LOG; bit_index = bit_index + 1)
    reversed[bit_index] = number[N_LOG-1-bit_index];
endfunction

// Middle to which input `leaf` is connected in phase 1.
function [N_LOG-1:0] middle_of_input(input [N_LOG-1:0] leaf, input [N_LOG-1:0] t);
  if (SCHEDULE == "ROTATOR")
    middle_of_input = leaf + t;
  else if (SCHEDULE == "TDM")
    middle_of_input = t - leaf;
  else if (SCHEDULE == "XOR")
    middle_of_input = reversed(leaf) ^ t;
  else
    middle_of_input = reversed(leaf) + t;
endfunction

// Input that is connected to middle m in phase 1.
function [N_LOG-1:0] input_of_middle(input [N_LOG-1:0] m, input [N_LOG-1:0] t);
  if (SCHEDULE == "ROTATOR")
    input_of_middle = m - t;
  else if (SCHEDULE == "TDM")
    input_of_middle = t - m;
  else if (SCHEDULE == "XOR")
    input_of_middle = reversed(m ^ t);
  else
    input_of_middle = reversed(m - t);
endfunction

// Output to which middle m is connected in phase 2.
function [N_LOG-1:0] output_of_middle(input [N_LOG-1:0] m, input [N_LOG-1:0] t);
  output_of_middle = (SCHEDULE == "SAME") ? middle_of_input(m, t) : input_of_middle(m, t);
endfunction

// Middle that is connected to output y in phase 2.
function [N_LOG-1:0] middle_of_output(input [N_LOG-1:0] y, input [N_LOG-1:0] t);
  middle_of_output = (SCHEDULE == "SAME") ? input_of_middle(y, t) : middle_of_input(y, t);
endfunction
