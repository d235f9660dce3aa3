// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// The hash of a flow, statements: to be included into a process.
//
// From the numbers of two leaves, `source` and `destination` (32 bits, below 2^16), and the 16 bits
// of a switch's salt, `drawn`: 32 bits, `hash`.  Shifts and exclusive ors alone would be linear:
// two switches of different salts would then send the same flows to the same of their parents, or
// all to another one, and most of the tops would be idle.  The and in between is not linear.  A
// salt in few bits changes few of the choices, so it stands three times.

    hash = {source[15:0], destination[15:0]};
    hash = hash ^ {16'd0, drawn} ^ {5'd0, drawn, 11'd0} ^ {drawn[9:0], 22'd0};
    hash = hash ^ (hash << 13);
    hash = hash ^ (hash >> 17);
    hash = hash ^ (hash << 5);
    hash = hash ^ ({hash[30:0], hash[31]} & {hash[23:0], hash[31:24]});
    hash = hash ^ (hash << 13);
    hash = hash ^ (hash >> 17);
    hash = hash ^ (hash << 5);
