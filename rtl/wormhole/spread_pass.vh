// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// Hands the parameters of spread_params.vh on to an instance.
    .SALT(SALT), .GAP(GAP), .ENTRIES(ENTRIES),
