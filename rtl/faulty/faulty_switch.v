// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`default_nettype none

// Wormhole switch of a fat-tree whose cables break: it has all parts of xgft_switch but for
// the checks of ways; what it does with dead ports is in docs/faults.md.
//
// Contract: dead_i: of this port the switch knows that its cable is dead.  cut_i: nothing is on the
// link of this port in this clock, neither flits nor credits: what would be there is lost.
// Poison is a tail, not a head, whose list of hops is all ones: it ends a packet whose tail does
// not come.  Others as in xgft_switch.
// Timing: see xgft_input_unit, and faulty_discard.
//
// Vectors by port: children first, then parents.  Vectors by VC: port by port.
module faulty_switch #(
  `include "wormhole_params.vh"
  parameter DOWN    = 4,                         // children, >= 1
  parameter UP      = 4,                         // parents; 0 at the top
  parameter BELOW   = 16,                        // leaves below the switch
  parameter SPREAD  = 4,                         // w_1 w_2 .. w_l: switches that top one subtree
  parameter ADDR_W  = 6,                         // bits of an address
  parameter NODE_W  = 6,                         // bits of a leaf's number
  parameter PATHS   = 1,                         // addresses a leaf
  parameter ADDRESSES = 64,                      // of all leaves
  parameter [8*8-1:0]  ROUTING = "DMODK",        // DMODK, SMODK, RANDOM, ADAPTIVE, TWO, TABLE
  parameter [8*3-1:0]  CLIMB   = "NCA",          // where packets turn: "NCA", "TOP"
  parameter [8*5-1:0]  RECOVER = "NONE",         // "NONE"; "LOCAL": up by a live port
  // derived
  parameter PORTS   = DOWN + UP,                        // each way
  parameter PORT_W  = (PORTS > 1) ? $clog2(PORTS) : 1,  // bits of a port's number
  parameter FLIT_W  = WIDTH + 2 + HOPS_W                // bits of a flit
) (
  input  wire                    clk,  // acts at its rising edges
  input  wire                    rst,  // synchronous: packets are lost, credits full, table stays
  input  wire [PORTS-1:0]        dead_i,     // by port: it is dead, as was detected
  input  wire [PORTS-1:0]        cut_i,      // by port: nothing leaves
  input  wire [15:0]             pos_i,      // the switch's number in its level, a constant
  input  wire [15:0]             number_i,   // and in the network: makes its random choices its own
  input  wire [31:0]             seed_i,     // of random choices, read at reset
  input  wire                    write_i,    // TABLE: an entry is stored, see xgft_table
  input  wire [ADDR_W-1:0]       address_i,  // TABLE: for this address
  input  wire [PORT_W-1:0]       entry_i,    // TABLE: the output port
  input  wire [PORTS*VCS-1:0]    valid_i,    // links into the switch: the VC of a flit
  input  wire [PORTS*FLIT_W-1:0] flit_i,     // by port: {hops, head, tail, data}
  output wire [PORTS*VCS-1:0]    credit_o,   // room for one flit more
  output wire [PORTS*VCS-1:0]    valid_o,    // links out of the switch: the VC of a flit
  output wire [PORTS*FLIT_W-1:0] flit_o,     // by port: {hops, head, tail, data}
  input  wire [PORTS*VCS-1:0]    credit_i,   // room for one flit more
  output wire [PORTS*VCS*(2+PORT_W+VCS)-1:0] state_o,  // for debuggers, see xgft_network
  output wire [PORTS*VCS-1:0]    home_o      // for debuggers: output VCs free, with all credits
);
  /* verilator no_inline_module */  // the instances of a level share one body
  localparam INPUTS   = PORTS * VCS;
  localparam ADAPTIVE = (ROUTING == "ADAPTIVE" || ROUTING == "TWO") ? 1 : 0;
  localparam RANDOM   = (ADAPTIVE == 1 || ROUTING == "RANDOM") ? 1 : 0;
  localparam AROUND   = (ADAPTIVE == 1 || RECOVER == "LOCAL") ? 1 : 0;
  localparam HEADER_W = ADDR_W + NODE_W + 1;  // address, source, class
  localparam PARENTS  = (UP > 0) ? UP : 1;
  localparam STATE    = 2 + PORT_W + VCS;     // bits of the state of an input VC
  localparam LANES    = PORTS * WAYS;         // into the crossbar
  localparam LANE_W   = (LANES > 1) ? $clog2(LANES) : 1;
  localparam EACH     = VCS / WAYS;           // VCs of a way
  localparam [31:0]       TOPS   = SPREAD;
  localparam [FLIT_W-1:0] POISON = {{HOPS_W{1'b1}}, 2'b01, {WIDTH{1'b0}}};

  wire [PORTS-1:0]  known, told, ready_again, empty;
  wire [INPUTS-1:0] known_vc;  // by output VC, or by input VC: its port is dead

  wire [INPUTS-1:0]          ask, want, grant, ready, take, reply;  // by input VC
  wire [INPUTS-1:0]          drop, begins, busy;
  wire [INPUTS*HEADER_W-1:0] header;
  wire [INPUTS*ADDR_W-1:0]   address;
  wire [INPUTS*PORT_W-1:0]   entry, plain, route, port;
  wire [INPUTS*VCS-1:0]      granted_vc, vc;
  wire [INPUTS*FLIT_W-1:0]   front;
  wire [INPUTS-1:0]          free, home, claim, credit, send, back, sent_valid;  // by output VC
  wire [PORTS-1:0]           room, enable;
  wire [PORTS*LANE_W-1:0]    select;
  wire [LANES*FLIT_W-1:0]    leaving;
  wire [PORTS*FLIT_W-1:0]    crossed;
  wire [31:0]                random;
  wire [15:0]                subtree = pos_i / TOPS[15:0];  // the subtree that the switch tops
  genvar p, v, i, w;
  generate
    for (p = 0; p < PORTS; p = p + 1) begin : gen_port
      wire [VCS-1:0] present, active, tail, open;
      wire [VCS-1:0] came = known[p] ? {VCS{1'b0}} : valid_i[p*VCS +: VCS];
      reg  [VCS-1:0] open_q;  // inside a packet

      faulty_end u_end (
        .clk(clk), .rst(rst), .dead_i(dead_i[p]), .empty_i(empty[p]), .told_i(told[p]),
        .known_o(known[p]), .ready_o(ready_again[p])
      );
      assign told[p]  = &credit_i[p*VCS +: VCS];
      assign empty[p] = (present == {VCS{1'b0}});
      assign known_vc[p*VCS +: VCS] = {VCS{known[p]}};
      assign valid_o [p*VCS +: VCS] = cut_i[p] ? {VCS{1'b0}} : sent_valid[p*VCS +: VCS];
      assign credit_o[p*VCS +: VCS] = cut_i[p] ? {VCS{1'b0}}
        : known[p] ? {VCS{ready_again[p]}} : back[p*VCS +: VCS];

      assign open = flit_i[p*FLIT_W + WIDTH] ? open_q & ~came : open_q | came;
      always @(posedge clk) open_q <= (rst || known[p]) ? {VCS{1'b0}} : open;

      // With a way for each VC the unit shows all fronts.  Its queue has a place for poison.
      xgft_input_unit #(
        .VCS(VCS), .DEPTH(DEPTH + 1), .WIDTH(WIDTH), .FLIT_W(FLIT_W), .HEADER_W(HEADER_W),
        .PORT_W(PORT_W), .STAGES(STAGES), .HOLD(1 - ADAPTIVE), .AHEAD(AHEAD), .WAYS(VCS)
      ) u_input (
        .clk(clk), .rst(rst), .valid_i(known[p] ? open_q : came),
        .flit_i(known[p] ? POISON : flit_i[p*FLIT_W +: FLIT_W]), .credit_o(back[p*VCS +: VCS]),
        .ask_o(ask[p*VCS +: VCS]), .header_o(header[p*VCS*HEADER_W +: VCS*HEADER_W]),
        .route_i(route[p*VCS*PORT_W +: VCS*PORT_W]), .want_o(want[p*VCS +: VCS]),
        .port_o(port[p*VCS*PORT_W +: VCS*PORT_W]),
        .grant_i(grant[p*VCS +: VCS] | begins[p*VCS +: VCS]),
        .vc_i(granted_vc[p*VCS*VCS +: VCS*VCS]), .ready_o(ready[p*VCS +: VCS]),
        .vc_o(vc[p*VCS*VCS +: VCS*VCS]), .take_i(take[p*VCS +: VCS] | drop[p*VCS +: VCS]),
        .flit_o(front[p*VCS*FLIT_W +: VCS*FLIT_W]), .state_o(state_o[p*VCS*STATE +: VCS*STATE])
      );

      wire [VCS*PORT_W-1:0] held;  // the ports of registers
      for (v = 0; v < VCS; v = v + 1) begin : gen_vc
        localparam S = (p * VCS + v) * STATE;
        assign present[v] = state_o[S];
        assign active[v]  = state_o[S+1];
        assign held[v*PORT_W +: PORT_W] = state_o[S+2 +: PORT_W];
        assign tail[v]    = front[(p*VCS + v)*FLIT_W + WIDTH];
        assign reply[p*VCS + v] = header[(p*VCS + v)*HEADER_W + HEADER_W - 1];
      end

      faulty_discard #(
        .VCS(VCS), .PORTS(PORTS), .PORT_W(PORT_W), .DOWN(DOWN), .ABOVE(p >= DOWN ? 1 : 0)
      ) u_discard (
        .clk(clk), .rst(rst), .known_i(known), .present_i(present), .tail_i(tail),
        .active_i(active), .ask_i(ask[p*VCS +: VCS]),
        .route_i(route[p*VCS*PORT_W +: VCS*PORT_W]), .port_i(held),
        .begin_o(begins[p*VCS +: VCS]), .drop_o(drop[p*VCS +: VCS]), .busy_o(busy[p*VCS +: VCS])
      );

      for (w = 0; w < WAYS; w = w + 1) begin : gen_way
        reg [FLIT_W-1:0] leaves;  // what the way's VC sends
        always @* begin : pick
          integer k;
          leaves = front[(p*VCS + w*EACH)*FLIT_W +: FLIT_W];
          for (k = 1; k < EACH; k = k + 1)
            if (take[p*VCS + w*EACH + k]) leaves = front[(p*VCS + w*EACH + k)*FLIT_W +: FLIT_W];
        end
        assign leaving[(p*WAYS + w)*FLIT_W +: FLIT_W] = leaves;
      end

      // A dead port is as after a reset.
      xgft_output_unit #(
        .VCS(VCS), .DEPTH(DEPTH), .WIDTH(WIDTH), .HOPS_W(HOPS_W), .HOP_W(HOP_W), .HOP(p + 1),
        .FLIT_W(FLIT_W)
      ) u_output (
        .clk(clk), .rst(rst | known[p]), .claim_i(claim[p*VCS +: VCS]),
        .send_i(send[p*VCS +: VCS]), .flit_i(crossed[p*FLIT_W +: FLIT_W]),
        .credit_i(credit_i[p*VCS +: VCS]), .free_o(free[p*VCS +: VCS]),
        .ready_o(credit[p*VCS +: VCS]), .home_o(home[p*VCS +: VCS]), .room_o(room[p]),
        .valid_o(sent_valid[p*VCS +: VCS]), .flit_o(flit_o[p*FLIT_W +: FLIT_W])
      );
    end
    for (i = 0; i < INPUTS; i = i + 1) begin : gen_route
      localparam TURN = 32 - 5 * i % 32;  // each input sees the random number turned elsewhere
      wire [63:0] twice = {random, random};
      wire [PORTS-1:0] rooms = room & ~known;
      wire        dead;
      wire        unused = &{1'b0, rooms, twice, dead, header[i*HEADER_W + HEADER_W - 1]};

      assign address[i*ADDR_W +: ADDR_W] = header[i*HEADER_W +: ADDR_W];

      xgft_route #(
        .DOWN(DOWN), .UP(UP), .BELOW(BELOW), .SPREAD(SPREAD), .PATHS(PATHS), .ADDR_W(ADDR_W),
        .NODE_W(NODE_W), .PORT_W(PORT_W), .ROUTING(ROUTING), .CLIMB(CLIMB)
      ) u_route (
        .ask_i(ask[i]), .address_i(address[i*ADDR_W +: ADDR_W]),
        .source_i(header[i*HEADER_W + ADDR_W +: NODE_W]), .below_i(i < DOWN * VCS),
        .subtree_i(subtree), .random_i(twice[TURN +: 16]), .room_i(rooms[PORTS-1:PORTS-PARENTS]),
        .table_i(entry[i*PORT_W +: PORT_W]), .port_o(plain[i*PORT_W +: PORT_W])
      );
      faulty_choice #(.DOWN(DOWN), .UP(UP), .PORT_W(PORT_W), .AROUND(AROUND)) u_choice (
        .route_i(plain[i*PORT_W +: PORT_W]), .known_i(known),
        .route_o(route[i*PORT_W +: PORT_W]), .dead_o(dead)
      );
    end

    if (RANDOM == 1) begin : gen_random
      xgft_random #(.ANGLE(5 * INPUTS)) u_random (
        .clk(clk), .rst(rst), .pos_i(pos_i), .number_i(number_i), .seed_i(seed_i),
        .random_o(random)
      );
    end else begin : gen_no_random
      assign random = 32'd0;
      wire unused_seed = &{1'b0, seed_i, number_i};
    end

    if (ROUTING == "TABLE") begin : gen_table
      xgft_table #(
        .ADDRESSES(ADDRESSES), .ADDR_W(ADDR_W), .PORT_W(PORT_W), .READS(INPUTS)
      ) u_table (
        .clk(clk), .write_i(write_i), .address_i(address_i), .entry_i(entry_i), .look_i(ask),
        .look_address_i(address), .port_o(entry)
      );
    end else begin : gen_no_table
      assign entry = {(INPUTS*PORT_W){1'b0}};
      wire unused_entry = &{1'b0, write_i, address_i, entry_i};
    end
  endgenerate

  // Dead ports have nothing to give.
  wire [INPUTS-1:0] wanting = want & ~busy, sending = ready & ~busy;

  xgft_vc_allocator #(
    .INS(PORTS), .OUTS(PORTS), .VCS(VCS), .CLASSES(CLASSES), .PORT_W(PORT_W), .MODE(MODE),
    .ARBITER(ARBITER)
  ) u_vc_allocator (
    .clk(clk), .rst(rst), .want_i(wanting), .port_i(port), .class_i(reply),
    .free_i(free & ~known_vc), .home_i(home), .grant_o(grant), .vc_o(granted_vc), .claim_o(claim)
  );

  xgft_switch_allocator #(
    .INS(PORTS), .OUTS(PORTS), .VCS(VCS), .PORT_W(PORT_W), .WAYS(WAYS), .ARBITER(ARBITER)
  ) u_switch_allocator (
    .clk(clk), .rst(rst), .ready_i(sending), .port_i(port), .vc_i(vc),
    .credit_i(credit & ~known_vc), .take_o(take), .enable_o(enable), .select_o(select),
    .send_o(send)
  );

  crossbar #(.R(LANES), .S(PORTS), .W(FLIT_W)) u_crossbar (
    .data_i(leaving), .enable_i(enable), .select_i(select), .data_o(crossed)
  );

  assign home_o = home & free;

  xgft_rules #(
    .INS(PORTS), .OUTS(PORTS), .ABOVE(DOWN), .LOW(DOWN), .VCS(VCS), .PORT_W(PORT_W)
  ) u_rules (
    .clk(clk), .rst(rst), .want_i(wanting), .port_i(port), .free_i(free), .claim_i(claim),
    .send_i(send), .ready_i(credit), .home_i(home), .credit_i(credit_i & ~known_vc)
  );

  `CHECK_PARAMETER(HOPS_W >= 1, "HOPS_W", HOPS_W, ">= 1: poison has it")
  `CHECK_CHOICE(FORM == "HARDWARE" || FORM == "FAST", "FORM", FORM, "HARDWARE, FAST")
  `CHECK_CHOICE(RECOVER == "NONE" || RECOVER == "LOCAL", "RECOVER", RECOVER, "NONE, LOCAL")

endmodule

`default_nettype wire
