// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns

// Both forms of xgft_switch in lock step: the first output that differs ends it.
//
// Every 200 clocks the play changes: senders at full rate or at random, packets of one flit or of
// up to four, receivers that give credits back at once, late, or hardly; resets in between.
// Packets go where the routes of a tree lead them: see `legal`.
module bench #(
  parameter DOWN = 2, UP = 2, BELOW = 4, SPREAD = 1, VCS = 2, DEPTH = 4, WIDTH = 20, HOPS_W = 8,
  parameter HOP_W = 4, STAGES = 3, AHEAD = 0, WAYS = 1, ADDR_W = 4, NODE_W = 4, ADDRESSES = 16,
  parameter CLASSES = 1, CLOCKS = 2000,
  parameter [8*8-1:0]  ROUTING = "DMODK",
  parameter [8*3-1:0]  CLIMB   = "NCA",
  parameter [8*4-1:0]  MODE    = "ANY",
  parameter [8*11-1:0] ARBITER = "ROUND_ROBIN",
  parameter SLOW = 0  // 1: port 0 sends a flit every three clocks
);

  localparam PORTS = DOWN + UP, INPUTS = PORTS * VCS, FLIT_W = WIDTH + 2 + HOPS_W;
  localparam PORT_W = $clog2(PORTS), STATE_W = 2 + PORT_W + VCS;
  localparam PARENTS = (UP > 0) ? UP : 1;
  localparam POS = 1, SUBTREE = POS / SPREAD;
  localparam [16*PORTS-1:0] RATIOS = {PORTS{16'd1}} | (SLOW * 2);

  reg                     clk = 1'b0, rst = 1'b1, write = 1'b0;
  reg [ADDR_W-1:0]        address = 0;
  reg [PORT_W-1:0]        entry = 0;
  reg [INPUTS-1:0]        valid = 0, credit = 0;
  reg [PORTS*FLIT_W-1:0]  flit = 0;
  wire [INPUTS-1:0]         credit_h, credit_f, valid_h, valid_f, home_h, home_f;
  wire [PORTS*FLIT_W-1:0]   flit_h, flit_f;
  wire [INPUTS*STATE_W-1:0] state_h, state_f;

`define SWITCH(form, name, c, v, f, s, h) \
  xgft_switch #( \
    .FORM(form), .DOWN(DOWN), .UP(UP), .BELOW(BELOW), .SPREAD(SPREAD), .VCS(VCS), .DEPTH(DEPTH), \
    .WIDTH(WIDTH), .HOPS_W(HOPS_W), .HOP_W(HOP_W), .STAGES(STAGES), .AHEAD(AHEAD), .WAYS(WAYS), \
    .ADDR_W(ADDR_W), .NODE_W(NODE_W), .ADDRESSES(ADDRESSES), .CLASSES(CLASSES), \
    .ROUTING(ROUTING), .CLIMB(CLIMB), .MODE(MODE), .ARBITER(ARBITER), .RATIOS(RATIOS) \
  ) name ( \
    .clk(clk), .rst(rst), .pos_i(POS[15:0]), .number_i(16'd5), .seed_i(32'd7), .write_i(write), \
    .address_i(address), .entry_i(entry), .valid_i(valid), .flit_i(flit), .credit_o(c), \
    .valid_o(v), .flit_o(f), .credit_i(credit), .state_o(s), .home_o(h) \
  );
  `SWITCH("HARDWARE", u_h, credit_h, valid_h, flit_h, state_h, home_h)
  `SWITCH("FAST", u_f, credit_f, valid_f, flit_f, state_f, home_f)

  // Whether a packet to this leaf may come in at this port.
  function legal(input integer port, input integer leaf);
    if (ROUTING == "TABLE")
      legal = 1;
    else if (port < DOWN)
      legal = (UP > 0 || leaf / BELOW == SUBTREE)
              && (CLIMB == "TOP" || BELOW == DOWN || leaf / BELOW != SUBTREE
                  || leaf / (BELOW / DOWN) % DOWN != port);
    else
      legal = leaf / BELOW == SUBTREE
              && (ROUTING != "DMODK" || leaf / SPREAD % PARENTS == port - DOWN);
  endfunction

  integer            seed = 1, sent = 0, n, p, i, t, rate, late, most, leaf;
  integer            left [0:INPUTS-1];  // flits of the packet that is sent
  integer            room [0:INPUTS-1];  // in the queue
  integer            away [0:INPUTS-1];  // flits that came out, and whose credit is not back
  reg   [FLIT_W-1:0] word;

  function integer below(input integer bound);
    below = $unsigned($random(seed)) % bound;
  endfunction

  task drive;  // what comes in this clock
    begin
      valid = 0;
      for (p = 0; p < PORTS; p = p + 1) begin
        t    = below(VCS);
        word = {$random(seed), $random(seed), $random(seed), $random(seed)};
        for (i = p * VCS; i < p * VCS + VCS; i = i + 1) begin
          t = (t + 1) % VCS;
          if (valid[p*VCS +: VCS] == 0 && !rst && room[p*VCS+t] > 0 && below(100) < rate) begin
            valid[p*VCS+t]    = 1'b1;
            room[p*VCS+t]     = room[p*VCS+t] - 1;
            word[WIDTH +: 2]  = 2'd0;
            word[FLIT_W-1:WIDTH+2] = 0;
            if (left[p*VCS+t] == 0) begin
              left[p*VCS+t] = 1 + below(most);
              leaf          = below(ADDRESSES);
              while (!legal(p, leaf)) leaf = below(ADDRESSES);
              word[ADDR_W-1:0] = leaf;
              word[WIDTH+1]    = 1'b1;
            end
            left[p*VCS+t] = left[p*VCS+t] - 1;
            word[WIDTH]   = left[p*VCS+t] == 0;
            sent          = sent + 1;
          end
        end
        flit[p*FLIT_W +: FLIT_W] = word;
      end
      for (i = 0; i < INPUTS; i = i + 1) begin
        credit[i] = !rst && away[i] > 0 && below(100) >= late;
        away[i]   = away[i] - credit[i];
      end
    end
  endtask

  initial begin
    for (n = 0; n < CLOCKS; n = n + 1) begin
      if (n % 200 == 0) begin
        rate = (n / 200 % 3 == 0) ? 100 : 20 + below(70);
        late = (n / 200 % 4 == 1) ? 60 : (n / 200 % 4 == 3) ? 95 : 0;
        most = (n / 200 % 2 == 0) ? 1 : 4;
      end
      write = ROUTING == "TABLE" && n < ADDRESSES;
      rst   = write || n < 2 || below(400) == 0;
      address = n;
      entry   = below(DOWN);
      if (rst)
        for (i = 0; i < INPUTS; i = i + 1) begin
          left[i] = 0;
          room[i] = DEPTH;
          away[i] = 0;
        end
      drive;
      #1 clk = 1'b1;
      #1 clk = 1'b0;
      #1 if (n > 0 && {credit_h, valid_h, flit_h, state_h, home_h}
                      !== {credit_f, valid_f, flit_f, state_f, home_f}) begin
        $display("different in clock %0d", n);
        $finish;
        n = CLOCKS;
      end
      for (i = 0; i < INPUTS && !rst; i = i + 1) begin
        room[i] = room[i] + credit_h[i];
        away[i] = away[i] + valid_h[i];
      end
    end
    if (n == CLOCKS) $display("the same, with %0d flits", sent);
  end

endmodule
