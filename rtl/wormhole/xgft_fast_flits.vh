// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0
//
// Second half of a clock of xgft_switch_fast, to be included there: flits and credits move.

task send_flits;
  begin
    left = pick;
    `VISIT(left, n, INPUTS) begin
      `NEXT(left, one, i)
      p          = out[i];
      request[p] = asked[p] ? request[p] | one : one;
      asked[p]   = 1'b1;
    end
    sent = asked;
    `VISIT(asked, n, PORTS) begin
      `NEXT(asked, one, p)
      arbiter  = PORTS + p;
      each     = EACH;
      requests = request[p];
      decide;
      o       = to[i];
      take    = take | one;
      send[o] = 1'b1;
      mine    = WAY << (i / EACH * EACH);
      if (LEAST == 1 && EACH > 1)
        for (v = 0; v < EACH; v = v + 1) begin
          place        = i / EACH * EACH + v;
          mates[place] = (place == i) ? mine ^ one : mates[place] & ~one;
        end
      else
        turn = (turn & ~mine) | (mine & ~((one << 1) - 1'b1));
      place     = i * DEPTH + oldest[i];
      flit      = ring[place];
      oldest[i] = (oldest[i] == DEPTH - 1) ? 0 : oldest[i] + 1;
      count[i]  = count[i] - 1;
      if (count[i] == 0) present[i] = 1'b0;
      if (flit[TAIL]) begin
        ends    = ends | one;
        gone[o] = 1'b1;
      end
      if (HOPS_W > 0 && flit[HEAD]) begin
        place = p + 1;
        list = (flit >> (WIDTH + 2)) << HOP_W;
        list[HOP_W-1:0] = place[HOP_W-1:0];
        flit = (list << (WIDTH + 2)) | (flit & ~({FLIT_W{1'b1}} << (WIDTH + 2)));
      end
      leaving[p] = flit;
    end
    if (SLOW == 1)
      for (p = 0; p < PORTS; p = p + 1) begin
        if (resting[p]) rest[p] = rest[p] - 1;
        else if (|send[p*VCS +: VCS]) rest[p] = {16'd0, RATIOS[16*p +: 16]} - 1;
        resting[p] = rest[p] != 0;
      end
    if (AHEAD == 1) begin  // a head behind a tail
      left = ends & active & present;
      again = left;
      `VISIT(left, n, INPUTS) begin
        `NEXT(left, one, i)
        look;
        out[i] = port;
      end
    end
  end
endtask

task count_credits;
  begin
    if ((credit_i & home) != NONE) broken[3] = 1'b1;
    busy = (busy | claim) & ~gone;
    left = credit_i ^ send;
    `VISIT(left, n, INPUTS) begin
      `NEXT(left, one, o)
      if (send[o]) begin
        credit[o] = credit[o] - 1;
        home      = home & ~one;
        if (credit[o] == 0) begin
          ready = ready & ~one;
          stuck[holder[o]] = 1'b1;
        end
      end else begin
        credit[o] = credit[o] + 1;
        ready     = ready | one;
        if (busy[o]) stuck[holder[o]] = 1'b0;
        if (credit[o] == DEPTH) home = home | one;
      end
    end
  end
endtask

task take_flits;
  begin
    left = valid_i;
    `VISIT(left, n, INPUTS) begin
      `NEXT(left, one, i)
      p    = i / VCS;
      flit = flit_i[p*FLIT_W +: FLIT_W];
      if (!flit[HEAD] && !opened[i]) broken[0] = 1'b1;
      if (flit[HEAD] && opened[i])   broken[1] = 1'b1;
      if (count[i] == DEPTH)         broken[2] = 1'b1;
      place = oldest[i] + count[i];
      place = i * DEPTH + ((place >= DEPTH) ? place - DEPTH : place);
      ring[place] = flit;
      count[i]    = count[i] + 1;
      present[i]  = 1'b1;
      opened[i]   = !flit[TAIL];
    end
  end
endtask

task show;
  begin
    if (STAGES == 3 && `FREE(ROUTING)) begin
      left = ask & ~grant;
      `VISIT(left, n, INPUTS) begin
        `NEXT(left, one, i)
        out[i] = later[i];
      end
    end
    routed = ((routed | searching) & ~ends) | again;
    active = (active | grant) & ~ends;
    changed = ask | grant | take | valid_i;
    left    = changed;
    `VISIT(left, n, INPUTS) begin
      `NEXT(left, one, i)
      place    = out[i];
      shown[i] = {vc[i], place[PORT_W-1:0], active[i], present[i]};
    end
  end
endtask
