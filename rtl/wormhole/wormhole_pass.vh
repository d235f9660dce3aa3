// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// Hands the parameters of wormhole_params.vh on to an instance.
    .VCS(VCS), .DEPTH(DEPTH), .WIDTH(WIDTH), .HOPS_W(HOPS_W), .HOP_W(HOP_W), .CLASSES(CLASSES),
    .STAGES(STAGES), .AHEAD(AHEAD), .WAYS(WAYS), .MODE(MODE), .ARBITER(ARBITER),
    .FORM(FORM),
