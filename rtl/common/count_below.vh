// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// Prefix count, to be included into a module that has localparams R and STAGES = ceil(lg R), at
// least 1: how many ones stand below each of R bits, as STAGES bit planes, plane b of bit i at
// [b*R + i].  A Kogge-Stone prefix sum: depth O(log R), for its adders ripple, but bit b of step t
// waits only for t + b cells; one wide operation serves all R sums.
function automatic [STAGES*R-1:0] count_below(input [R-1:0] bits);
  integer       t, b;
  reg   [R-1:0] near, far, carry;
  begin
    count_below        = {(STAGES*R){1'b0}};
    count_below[R-1:0] = bits << 1;
    for (t = 0; t < STAGES; t = t + 1) begin
      carry = {R{1'b0}};
      for (b = 0; b <= t; b = b + 1) begin
        near  = count_below[b*R +: R];
        far   = near << (1 << t);
        count_below[b*R +: R] = near ^ far ^ carry;
        carry = (near & far) | (carry & (near ^ far));
      end
      if (t + 1 < STAGES)
        count_below[(t+1)*R +: R] = carry;
    end
  end
endfunction
