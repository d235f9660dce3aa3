// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// How a partial concentrator of any ratio is pasted together from bipartite graphs, outputs to
// inputs: functions to be included into a module.

// Outputs of the first stage of a cascade from r inputs to s < r outputs: 2/3 of the inputs, or
// all that is wanted; up to 9 inputs and 6 outputs a complete graph has small enough degrees.
function integer stage_outputs(input integer r, input integer s);
  begin
    if ((r <= 9 && s <= 6) || s >= (2 * r + 2) / 3)
      stage_outputs = s;
    else
      stage_outputs = (2 * r + 2) / 3;
  end
endfunction

// Stages of a cascade from r inputs to s outputs; none if no concentration is needed.
function integer stage_count(input integer r, input integer s);
  integer left;
  begin
    stage_count = 0;
    left        = r;
    while (left > s) begin
      left        = stage_outputs(left, s);
      stage_count = stage_count + 1;
    end
  end
endfunction

// Inputs of stage number `stage` (0 is the first) of that cascade.
function integer stage_inputs(input integer r, input integer s, input integer stage);
  integer t;
  begin
    stage_inputs = r;
    for (t = 0; t < stage; t = t + 1)
      stage_inputs = stage_outputs(stage_inputs, s);
  end
endfunction

// Bits of settings in front of stage number `stage` of that cascade: three an input and stage; of
// all of them with stage_count; one an input without any stage.
function integer setting_bits(input integer r, input integer s, input integer stage);
  integer t;
  begin
    setting_bits = (stage_count(r, s) == 0) ? r : 0;
    for (t = 0; t < stage; t = t + 1)
      setting_bits = setting_bits + 3 * stage_inputs(r, s, t);
  end
endfunction
