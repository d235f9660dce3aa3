// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Choice of a parent by what packets before had: route_i with another parent, where it climbs.
//
//   "RR"       input port by input port one parent after the other: in each turn all of them once,
//              from another one on in each turn;
//   "FLOWLET"  the parent of the packets of the same flow, unless the last was granted its way more
//              than GAP clocks ago; else one with room, if there is any, at random.  A switch
//              remembers ENTRIES flows by their hash;
//   "DRILL"    of two at random and the one that a packet of the input port was granted last, the
//              one with room, then with the fewest flits between here and the parent's switch.
// Contract: a grant is of a packet that asked for a route, in the same clock or before; packets
// from parents do not climb.
// Timing: route_o is combinational; what is granted in a clock counts in the next.
//
// Vectors by input virtual channel (VC): port by port, those of children alone.  Vectors by parent:
// parent p owns slice p.
module xgft_spread #(
  `include "spread_params.vh"
  parameter DOWN     = 4,                  // children, >= 1
  parameter UP       = 4,                  // parents, >= 1
  parameter VCS      = 2,                  // virtual channels, 1 .. 4
  parameter DEPTH    = 4,                  // flits of a VC's queue
  parameter ADDR_W   = 6,                  // bits of an address
  parameter NODE_W   = 6,                  // bits of a leaf's number
  parameter PORT_W   = 3,                  // bits of a port's number
  parameter [8*8-1:0] ROUTING = "RR",      // RR, FLOWLET, DRILL
  // derived
  parameter INPUTS   = DOWN * VCS,         // input VCs of children
  parameter HEADER_W = ADDR_W + NODE_W + 1,  // bits of a header: address, source, class
  parameter UP_W     = (UP > 1) ? $clog2(UP) : 1  // bits of a parent's number
) (
  input  wire                       clk,       // rising edge
  input  wire                       rst,       // synchronous: nothing is remembered
  input  wire [15:0]                salt_i,    // of the switch's hashes, a constant
  input  wire [31:0]                random_i,  // another number in each clock
  input  wire [UP-1:0]              room_i,    // by parent: as room_o of xgft_output_unit
  input  wire [UP*VCS-1:0]          sent_i,    // by parent: the VC of the flit on the link there
  input  wire [UP*VCS-1:0]          credit_i,  // by parent: VCs whose credit comes back
  input  wire [INPUTS*HEADER_W-1:0] header_i,  // by input VC: header of the head that asks
  input  wire [INPUTS-1:0]          grant_i,   // by input VC: its packet gets a VC
  input  wire [INPUTS*PORT_W-1:0]   port_i,    // by input VC: of this output port
  input  wire [INPUTS*PORT_W-1:0]   route_i,   // by input VC: the output port, parents being alike
  output reg  [INPUTS*PORT_W-1:0]   route_o    // by input VC: the output port
);

  localparam [31:0]     FIRST = DOWN;    // port of the first parent
  localparam [31:0]     COUNT = UP;
  localparam [31:0]     LAST  = UP - 1;  // parent

  wire [63:0]            twice = {random_i, random_i};
  wire [INPUTS-1:0]      climbs;          // by input VC: its packet is granted a parent
  wire [INPUTS*UP_W-1:0] granted;         // by input VC: that parent
  wire [INPUTS*UP_W-1:0] lone, rival;     // by input VC: two parents drawn, as in xgft_way.vh
  wire [INPUTS*UP_W-1:0] origin;          // by input VC: first parent of its port's first turn
  reg  [INPUTS*UP_W-1:0] parent;          // by input VC: the one to ask for
  wire unused = &{1'b0, room_i, sent_i, credit_i, header_i, salt_i, twice, granted, lone,
                  rival, origin, COUNT, LAST};

  genvar g;
  generate
    for (g = 0; g < INPUTS; g = g + 1) begin : gen_input
      localparam [31:0] START   = g / VCS % UP;
      wire [PORT_W-1:0] place = port_i[g*PORT_W +: PORT_W] - FIRST[PORT_W-1:0];
      wire [31:0]       one   = ({16'd0, twice[32 - 5 * g % 32 +: 16]} * UP) >> 16;
      wire [31:0]       two   = ({24'd0, twice[32 - 5 * g % 32 +: 8]} * UP) >> 8;
      wire              unused_input = &{1'b0, place, one, two};
      assign climbs[g] = grant_i[g] && {{(32-PORT_W){1'b0}}, port_i[g*PORT_W +: PORT_W]} >= FIRST;
      assign granted[g*UP_W +: UP_W] = place[UP_W-1:0];
      assign lone   [g*UP_W +: UP_W] = one[UP_W-1:0];
      assign rival  [g*UP_W +: UP_W] = two[UP_W-1:0];
      assign origin [g*UP_W +: UP_W] = START[UP_W-1:0];
    end
  endgenerate

  always @* begin : routes
    integer    i;
    reg [31:0] port;
    for (i = 0; i < INPUTS; i = i + 1) begin
      port = {{(32-PORT_W){1'b0}}, route_i[i*PORT_W +: PORT_W]};
      if (port >= FIRST) port = FIRST + {{(32-UP_W){1'b0}}, parent[i*UP_W +: UP_W]};
      route_o[i*PORT_W +: PORT_W] = port[PORT_W-1:0];
    end
  end

  generate
    if (ROUTING == "RR") begin : gen_turns
      // By input port: the place in the turn, and the parent that the turn began with.
      reg [DOWN*UP_W-1:0] place_q, start_q;

      always @* begin : choose
        integer        p, v;
        reg [UP_W:0]   sum;
        reg [UP_W-1:0] one;
        for (p = 0; p < DOWN; p = p + 1) begin
          sum = {1'b0, place_q[p*UP_W +: UP_W]} + {1'b0, start_q[p*UP_W +: UP_W]};
          if (sum >= COUNT[UP_W:0]) sum = sum - COUNT[UP_W:0];
          one = ((UP & (UP - 1)) == 0) ? place_q[p*UP_W +: UP_W] ^ start_q[p*UP_W +: UP_W]
                : sum[UP_W-1:0];
          for (v = 0; v < VCS; v = v + 1) parent[(p*VCS+v)*UP_W +: UP_W] = one;
        end
      end

      always @(posedge clk) begin : turn
        integer        p, v;
        reg [UP_W-1:0] place, start;
        for (p = 0; p < DOWN; p = p + 1) begin
          place = place_q[p*UP_W +: UP_W];
          start = start_q[p*UP_W +: UP_W];
          for (v = 0; v < VCS; v = v + 1)
            if (climbs[p*VCS+v]) begin
              place = (place == LAST[UP_W-1:0]) ? {UP_W{1'b0}} : place + 1'b1;
              if (place == {UP_W{1'b0}}) start = lone[p*VCS*UP_W +: UP_W];
            end
          place_q[p*UP_W +: UP_W] <= rst ? {UP_W{1'b0}} : place;
          start_q[p*UP_W +: UP_W] <= rst ? origin[p*VCS*UP_W +: UP_W] : start;
        end
      end
    end else if (ROUTING == "FLOWLET") begin : gen_flowlets
      localparam        AGE_W   = $clog2(GAP + 2);
      localparam        ENTRY_W = (ENTRIES > 1) ? $clog2(ENTRIES) : 1;
      localparam [31:0] OLD     = GAP + 1;
      localparam [31:0] YOUNG   = 1;
      // By entry: clocks since its last grant, OLD at most; the parent.
      reg  [ENTRIES*AGE_W-1:0]  age_q;
      reg  [ENTRIES*UP_W-1:0]   last_q;
      wire [INPUTS*ENTRY_W-1:0] entry;  // by input VC

      for (g = 0; g < INPUTS; g = g + 1) begin : gen_entry
        reg [31:0] hash, source, destination;
        reg [15:0] drawn;
        always @* begin : find
          {source, destination}   = 64'd0;
          destination[ADDR_W-1:0] = header_i[g*HEADER_W +: ADDR_W];
          source[NODE_W-1:0]      = header_i[g*HEADER_W + ADDR_W +: NODE_W];
          drawn                   = salt_i;
`include "spread_hash.vh"
          hash = hash % ENTRIES;
        end
        assign entry[g*ENTRY_W +: ENTRY_W] = hash[ENTRY_W-1:0];
        wire unused_hash = &{1'b0, hash, source, destination};
      end

      always @* begin : choose
        integer           i, k;
        reg [UP_W-1:0]    one, found;
        reg [ENTRY_W-1:0] at;
        for (i = 0; i < INPUTS; i = i + 1) begin
          at    = entry[i*ENTRY_W +: ENTRY_W];
          one   = lone[i*UP_W +: UP_W];
          found = one;
          for (k = 1; k < UP; k = k + 1) begin
            one = (one == LAST[UP_W-1:0]) ? {UP_W{1'b0}} : one + 1'b1;
            if (room_i[one] && !room_i[found]) found = one;
          end
          if (age_q[at*AGE_W +: AGE_W] != OLD[AGE_W-1:0]) found = last_q[at*UP_W +: UP_W];
          parent[i*UP_W +: UP_W] = found;
        end
      end

      always @(posedge clk) begin : remember
        integer           e, i;
        reg [ENTRY_W-1:0] at;
        for (e = 0; e < ENTRIES; e = e + 1)
          if (rst)
            age_q[e*AGE_W +: AGE_W] <= OLD[AGE_W-1:0];
          else if (age_q[e*AGE_W +: AGE_W] != OLD[AGE_W-1:0])
            age_q[e*AGE_W +: AGE_W] <= age_q[e*AGE_W +: AGE_W] + 1'b1;
        for (i = 0; i < INPUTS; i = i + 1) begin
          at = entry[i*ENTRY_W +: ENTRY_W];
          if (climbs[i] && !rst) begin
            age_q [at*AGE_W +: AGE_W] <= YOUNG[AGE_W-1:0];
            last_q[at*UP_W +: UP_W]   <= granted[i*UP_W +: UP_W];
          end
        end
      end
    end else begin : gen_drill
      localparam COUNT_W = $clog2(VCS * DEPTH + 1);
      reg [DOWN*UP_W-1:0]  kept_q;   // by input port
      reg [UP*COUNT_W-1:0] count_q;  // by parent: flits sent before whose credits are not back
      reg [UP*COUNT_W-1:0] away;     // by parent: those, and the one on the link

      always @* begin : choose
        integer        p, v, k;
        reg [UP_W-1:0] one, found;
        away = count_q;
        for (k = 0; k < UP; k = k + 1)
          if (|sent_i[k*VCS +: VCS])
            away[k*COUNT_W +: COUNT_W] = count_q[k*COUNT_W +: COUNT_W] + 1'b1;
        for (p = 0; p < DOWN; p = p + 1) begin
          found = kept_q[p*UP_W +: UP_W];
          for (k = 0; k < 2; k = k + 1) begin
            one = (k == 0) ? lone[p*VCS*UP_W +: UP_W] : rival[p*VCS*UP_W +: UP_W];
            if ({!room_i[one], away[one*COUNT_W +: COUNT_W], one}
                < {!room_i[found], away[found*COUNT_W +: COUNT_W], found})
              found = one;
          end
          for (v = 0; v < VCS; v = v + 1) parent[(p*VCS+v)*UP_W +: UP_W] = found;
        end
      end

      always @(posedge clk) begin : remember
        integer           p, v, k;
        reg [COUNT_W-1:0] count;
        for (p = 0; p < DOWN; p = p + 1) begin
          for (v = 0; v < VCS; v = v + 1)
            if (climbs[p*VCS+v])
              kept_q[p*UP_W +: UP_W] <= granted[(p*VCS+v)*UP_W +: UP_W];
          if (rst) kept_q[p*UP_W +: UP_W] <= {UP_W{1'b0}};
        end
        for (k = 0; k < UP; k = k + 1) begin
          count = away[k*COUNT_W +: COUNT_W];
          for (v = 0; v < VCS; v = v + 1)
            if (credit_i[k*VCS+v]) count = count - 1'b1;
          count_q[k*COUNT_W +: COUNT_W] <= rst ? {COUNT_W{1'b0}} : count;
        end
      end
    end
  endgenerate

  `CHECK_PARAMETER(UP >= 1 && UP <= 256, "UP", UP, "1 to 256")
  `CHECK_PARAMETER(GAP >= 0 && GAP <= 65535, "GAP", GAP, "0 to 65535")
  `CHECK_PARAMETER(ENTRIES >= 1, "ENTRIES", ENTRIES, ">= 1")
  `CHECK_CHOICE(SALT == "OWN" || SALT == "SAME", "SALT", SALT, "OWN, SAME")
  `CHECK_CHOICE(ROUTING == "RR" || ROUTING == "FLOWLET" || ROUTING == "DRILL", "ROUTING", ROUTING,
                "RR, FLOWLET, DRILL")

endmodule

`default_nettype wire
