// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// Settings of off-line nodes: functions to be included into a module that has leiserson_sizes.vh.

// Bits of settings of the port of an off-line node, of an up port and of a node of level k; of all
// nodes above level k.
function integer port_settings(input integer r, input integer s);
  port_settings = setting_bits(r, s, stage_count(r, s));
endfunction
function integer up_settings(input integer k);
  up_settings = port_settings(2 * cap(k+1), cap(k));
endfunction
function integer node_settings(input integer k);
  node_settings = up_settings(k) + 2 * port_settings(cap(k) + cap(k+1), cap(k+1));
endfunction
function integer settings_above(input integer k);
  integer level;
  begin
    settings_above = 0;
    for (level = 0; level < k; level = level + 1)
      settings_above = settings_above + (node_settings(level) << level);
  end
endfunction
