// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// Route computation, statements: to be included into a process, where the parameters of xgft_route
// are.  (Verilator would write a function out for each instance apart.)
//
// From address and source of a header, `below` if the packet came from a child, the number of the
// switch's subtree, a number `drawn` at random (ECMP: the salt of hashes), and by parent whether it
// has room, `rooms`: the output `port`.

    destination = address / PATHS;
    number      = (ROUTING == "SMODK") ? source : destination;
    lone        = ({16'd0, drawn} * PARENTS) >> 16;
    rival       = ({24'd0, drawn[7:0]} * PARENTS) >> 8;
    parent      = lone;
    port        = (destination / (BELOW / DOWN)) % DOWN;
    if (UP > 0 && ((CLIMB == "TOP") ? below : destination / BELOW != {16'd0, subtree})) begin
      if (ROUTING == "DMODK" || ROUTING == "SMODK")
        parent = (number / SPREAD) % PARENTS;
      else if (ROUTING == "TWO")
        parent = (rooms[rival] && !rooms[lone]) ? rival : lone;
      else if (ROUTING == "ECMP") begin
`include "spread_hash.vh"
        parent = ({16'd0, hash[31:16]} * PARENTS) >> 16;
      end else if (ROUTING == "ADAPTIVE")
        // From a random parent on, so that ties are broken fairly.
        for (step = 1; step < PARENTS; step = step + 1) begin
          lone = (lone == PARENTS - 1) ? 32'd0 : lone + 32'd1;
          if (rooms[lone] && !rooms[parent]) parent = lone;
        end
      port = DOWN + parent;
    end
