// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sizes of an extended generalized fat-tree: functions to be included into a module that has the
// parameters H, M, W, VCS, TBCH and ROOT_LINKS of xgft_network.

// m_i; m_0 = 1, for a leaf that is a switch has one endpoint.
function integer m(input integer i);
  m = (i == 0) ? 1 : M[32*(i-1) +: 32];
endfunction

// w_i; w_{H+1} = 0.
function integer w(input integer i);
  w = (i > H) ? 0 : W[32*(i-1) +: 32];
endfunction

// m_1 .. m_l and w_1 .. w_l, multiplied.
function integer span_m(input integer l);
  integer i;
  begin
    span_m = 1;
    for (i = 1; i <= l; i = i + 1) span_m = span_m * m(i);
  end
endfunction
function integer span_w(input integer l);
  integer i;
  begin
    span_w = 1;
    for (i = 1; i <= l; i = i + 1) span_w = span_w * w(i);
  end
endfunction

// Nodes of level l.
function integer size(input integer l);
  integer i;
  begin
    size = span_w(l);
    for (i = l + 1; i <= H; i = i + 1) size = size * m(i);
  end
endfunction

// Level of the lowest switches.
function integer lowest(input integer unused);
  lowest = ((w(1) > 1) ? 0 : 1) + unused;
endfunction

// Root links of a node of level l, each way, and its ports, turn-back channels among them.
function integer roots(input integer l);
  roots = (l == H) ? ROOT_LINKS : 0;
endfunction
function integer ports(input integer l);
  ports = m(l) + w(l + 1) + roots(l) + TBCH;
endfunction

// Bits of the digits d_1 .. d_l in an address, a bit field each.
function integer digit_bits(input integer l);
  integer i;
  begin
    digit_bits = 0;
    for (i = 1; i <= l; i = i + 1) digit_bits = digit_bits + $clog2(m(i));
  end
endfunction

// The digits a_l+1 .. a_H of a subtree's number, a bit field each.
function integer digits(input integer l, input integer number);
  integer i, rest;
  begin
    digits = 0;
    rest   = number;
    for (i = l + 1; i <= H; i = i + 1) begin
      digits = digits + rest % m(i) * (1 << (digit_bits(i - 1) - digit_bits(l)));
      rest   = rest / m(i);
    end
  end
endfunction

// Switches below level l, their input VCs, and the bits of the state of these.
function integer switches(input integer l);
  integer i;
  begin
    switches = 0;
    for (i = lowest(0); i < l; i = i + 1) switches = switches + size(i);
  end
endfunction
function integer inputs(input integer l);
  integer i;
  begin
    inputs = 0;
    for (i = lowest(0); i < l; i = i + 1)
      inputs = inputs + size(i) * ports(i) * VCS;
  end
endfunction
function integer states(input integer l);
  integer i;
  begin
    states = 0;
    for (i = lowest(0); i < l; i = i + 1)
      states = states + (inputs(i + 1) - inputs(i)) * (2 + port_bits(ports(i)) + VCS);
  end
endfunction

// Bits of a port's number.
function integer port_bits(input integer count);
  port_bits = (count > 1) ? $clog2(count) : 1;
endfunction
