// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// What u_switch, of two ports and in its hardware form, holds by input and output VC (DEPTH <= 2,
// no AHEAD): to be included in a wrapper.

`PEEK([INPUTS*3-1:0], headers, \u_switch.gen_hardware.header , u_switch.gen_hardware.header)
`PEEK([INPUTS-1:0], frees, \u_switch.gen_hardware.free , u_switch.gen_hardware.free)
`PEEK([INPUTS-1:0], homes, \u_switch.gen_hardware.u_core.home , u_switch.gen_hardware.u_core.home)
`PEEK([INPUTS-1:0], readies, \u_switch.gen_hardware.u_core.credit ,
      u_switch.gen_hardware.u_core.credit)
`PEEK([VCS-1:0], present_0, \u_switch.gen_hardware.u_core.gen_in[0].u_input.present ,
      u_switch.gen_hardware.u_core.gen_in[0].u_input.present)
`PEEK([VCS-1:0], present_1, \u_switch.gen_hardware.u_core.gen_in[1].u_input.present ,
      u_switch.gen_hardware.u_core.gen_in[1].u_input.present)
`PEEK([VCS-1:0], heads_0, \u_switch.gen_hardware.u_core.gen_in[0].u_input.head ,
      u_switch.gen_hardware.u_core.gen_in[0].u_input.head)
`PEEK([VCS-1:0], heads_1, \u_switch.gen_hardware.u_core.gen_in[1].u_input.head ,
      u_switch.gen_hardware.u_core.gen_in[1].u_input.head)
`PEEK([VCS-1:0], tails_0, \u_switch.gen_hardware.u_core.gen_in[0].u_input.tail ,
      u_switch.gen_hardware.u_core.gen_in[0].u_input.tail)
`PEEK([VCS-1:0], tails_1, \u_switch.gen_hardware.u_core.gen_in[1].u_input.tail ,
      u_switch.gen_hardware.u_core.gen_in[1].u_input.tail)
`PEEK([VCS-1:0], mores_0, \u_switch.gen_hardware.u_core.gen_in[0].u_input.more ,
      u_switch.gen_hardware.u_core.gen_in[0].u_input.more)
`PEEK([VCS-1:0], mores_1, \u_switch.gen_hardware.u_core.gen_in[1].u_input.more ,
      u_switch.gen_hardware.u_core.gen_in[1].u_input.more)
`PEEK([VCS-1:0], routed_0,
      \u_switch.gen_hardware.u_core.gen_in[0].u_input.routed_q ,
      u_switch.gen_hardware.u_core.gen_in[0].u_input.routed_q)
`PEEK([VCS-1:0], routed_1,
      \u_switch.gen_hardware.u_core.gen_in[1].u_input.routed_q ,
      u_switch.gen_hardware.u_core.gen_in[1].u_input.routed_q)
`PEEK([VCS-1:0], active_0,
      \u_switch.gen_hardware.u_core.gen_in[0].u_input.active_q ,
      u_switch.gen_hardware.u_core.gen_in[0].u_input.active_q)
`PEEK([VCS-1:0], active_1,
      \u_switch.gen_hardware.u_core.gen_in[1].u_input.active_q ,
      u_switch.gen_hardware.u_core.gen_in[1].u_input.active_q)
`PEEK([FLIT_W-1:0], next_0_0,
      \u_switch.gen_hardware.u_core.gen_in[0].u_input.gen_vc[0].next ,
      u_switch.gen_hardware.u_core.gen_in[0].u_input.gen_vc[0].next)
`PEEK([COUNT_W-1:0], credit_0_0,
      \u_switch.gen_hardware.u_core.gen_out[0].u_output.gen_vc[0].credit_q ,
      u_switch.gen_hardware.u_core.gen_out[0].u_output.gen_vc[0].credit_q)
`PEEK_IF(VCS > 1, [FLIT_W-1:0], next_0_1,
      \u_switch.gen_hardware.u_core.gen_in[0].u_input.gen_vc[1].next ,
      u_switch.gen_hardware.u_core.gen_in[0].u_input.gen_vc[1].next)
`PEEK_IF(VCS > 1, [COUNT_W-1:0], credit_0_1,
      \u_switch.gen_hardware.u_core.gen_out[0].u_output.gen_vc[1].credit_q ,
      u_switch.gen_hardware.u_core.gen_out[0].u_output.gen_vc[1].credit_q)
`PEEK([FLIT_W-1:0], next_1_0,
      \u_switch.gen_hardware.u_core.gen_in[1].u_input.gen_vc[0].next ,
      u_switch.gen_hardware.u_core.gen_in[1].u_input.gen_vc[0].next)
`PEEK([COUNT_W-1:0], credit_1_0,
      \u_switch.gen_hardware.u_core.gen_out[1].u_output.gen_vc[0].credit_q ,
      u_switch.gen_hardware.u_core.gen_out[1].u_output.gen_vc[0].credit_q)
`PEEK_IF(VCS > 1, [FLIT_W-1:0], next_1_1,
      \u_switch.gen_hardware.u_core.gen_in[1].u_input.gen_vc[1].next ,
      u_switch.gen_hardware.u_core.gen_in[1].u_input.gen_vc[1].next)
`PEEK_IF(VCS > 1, [COUNT_W-1:0], credit_1_1,
      \u_switch.gen_hardware.u_core.gen_out[1].u_output.gen_vc[1].credit_q ,
      u_switch.gen_hardware.u_core.gen_out[1].u_output.gen_vc[1].credit_q)

wire [INPUTS-1:0] presents = {present_1, present_0};
wire [INPUTS-1:0] heads    = {heads_1, heads_0};
wire [INPUTS-1:0] tails    = {tails_1, tails_0};
wire [INPUTS-1:0] mores    = {mores_1, mores_0};
wire [INPUTS-1:0] routed   = {routed_1, routed_0};
wire [INPUTS-1:0] active   = {active_1, active_0};
// With one VC: a slice a port; what is not there is cut off.
wire [4*FLIT_W-1:0]  nexts = (VCS > 1) ? {next_1_1, next_1_0, next_0_1, next_0_0}
                                       : {next_1_0, next_0_0};
wire [4*COUNT_W-1:0] rooms = (VCS > 1) ? {credit_1_1, credit_1_0, credit_0_1, credit_0_0}
                                       : {credit_1_0, credit_0_0};
