// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// First half of a clock of xgft_switch_fast, to be included there: what packets ask for and get.

// The winner of an arbiter among requests: `one`, and i.  Least recent first, or the next in turn,
// where input VCs alike but in the last of `each` places are one requester.
task decide;
  begin
    if ((arbiter < PORTS) ? LEAST_VC == 1 : LEAST == 1) begin
      left = requests;
      `VISIT(left, m, INPUTS) begin
        `NEXT(left, mine, place)
        if ((requests & earlier[arbiter * INPUTS + place]) == NONE) begin
          one = mine;
          i   = place;
        end
      end
      mine = ~(ALL << each) << (i / each * each);
      for (m = 0; m < INPUTS; m = m + 1)
        earlier[arbiter*INPUTS + m] = mine[m] ? ~mine : earlier[arbiter*INPUTS + m] & ~mine;
    end else begin
      one = requests & first[arbiter];
      if (one == NONE) one = requests;
      `NEXT(one, mine, i)
      one = mine;
      first[arbiter] = ALL << (i / each * each + each);
    end
  end
endtask

task find_routes;
  begin
    if (`FREE(ROUTING) && present != NONE)
      for (p = PARENTS - 1; p >= 0; p = p - 1) begin
        o        = (PORTS - PARENTS + p) * VCS;
        rooms[p] = |(~busy[o +: VCS] & ready[o +: VCS]);
      end
    left = ask;
    `VISIT(left, n, INPUTS) begin
      `NEXT(left, one, i)
      look;
      if (STAGES < 3 || !`FREE(ROUTING)) out[i] = port;
      else later[i] = port;
    end
  end
endtask

// The route of the packet whose head is the oldest flit of input VC i: `port`; and checks.
task look;
  begin
    place   = i * DEPTH + oldest[i];
    flit    = ring[place];
    address = {{(32-ADDR_W){1'b0}}, flit[ADDR_W-1:0]};
    source  = {{(32-NODE_W){1'b0}}, flit[ADDR_W +: NODE_W]};
    twice   = {random, random};
    drawn   = (ROUTING == "ECMP") ? number_i : twice[32 - 5 * i % 32 +: 16];  // turned elsewhere
    below   = i < DOWN * VCS;
    if (ROUTING == "TABLE")
      port = {{(32-PORT_W){1'b0}}, row[flit[ADDR_W-1:0]]};
    else begin
`include "xgft_way.vh"
    end
    if (port >= PORTS) broken[4] = 1'b1;
    if (!below) begin
      if (port >= DOWN) broken[5] = 1'b1;
      if (ROUTING == "DMODK" && (destination / SPREAD) % PARENTS != i / VCS - DOWN)
        broken[7] = 1'b1;
    end else if (CLIMB == "NCA" && ROUTING != "TABLE" && BELOW > DOWN
                 && destination / BELOW == {16'd0, subtree}
                 && (destination / (BELOW / DOWN)) % DOWN == i / VCS)
      broken[6] = 1'b1;
  end
endtask

task give_vcs;
  begin
    left = (STAGES < 3) ? searching : searching & routed;
    `VISIT(left, n, INPUTS) begin
      `NEXT(left, one, i)
      p    = out[i];
      open = ~busy[p*VCS +: VCS];
      if (CLASSES == 2) begin
        place = i * DEPTH + oldest[i];
        flit  = ring[place];
        open  = open & (flit[ADDR_W+NODE_W] ? UPPER : LOWER);
      end
      if (MODE == "KEEP") open = open & ((ANY ^ (ANY << 1)) << (i % VCS));
      empty = open & home[p*VCS +: VCS];
      if (|empty) open = empty;
      if (|open) begin
        for (v = VCS - 1; v >= 0; v = v - 1)
          if (open[v]) choice[i] = p * VCS + v;
        request[p] = asked[p] ? request[p] | one : one;
        asked[p]   = 1'b1;
      end
    end
    `VISIT(asked, n, PORTS) begin
      `NEXT(asked, one, p)
      arbiter  = p;
      each     = 1;
      requests = request[p];
      decide;
      o         = choice[i];
      grant     = grant | one;
      claim[o]  = 1'b1;
      to[i]     = o;
      holder[o] = i;
      stuck[i]  = ~ready[o];
      vc[i]     = (ANY ^ (ANY << 1)) << (o - p * VCS);
      if (STAGES == 1) able[i] = ready[o];
    end
  end
endtask

// One of each way: the first from its turn on, or else the first.
task pick_flits;
  begin
    left = able;
    if (SLOW == 1) begin
      `VISIT(left, n, INPUTS) begin
        `NEXT(left, one, i)
        if (resting[out[i]]) able = able ^ one;
      end
    end
    left = able & turn;
    mine = NONE;
    for (v = 0; v < EACH; v = v + 1) mine = mine | ((left >> v) & LOWEST);
    for (v = 1; v < EACH; v = v + 1) mine = mine | (mine << 1);
    left = left | (able & ~mine);
    mine = NONE;
    for (v = 0; v < EACH; v = v + 1) begin
      one  = (left >> v) & LOWEST;
      pick = pick | ((one & ~mine) << v);
      mine = mine | one;
    end
    if (LEAST == 1 && EACH > 1) begin
      left = able;
      pick = NONE;
      `VISIT(left, n, INPUTS) begin
        `NEXT(left, one, i)
        if ((able & mates[i]) == NONE) pick = pick | one;
      end
    end
  end
endtask
