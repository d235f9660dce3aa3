// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`include "checks.vh"
`default_nettype none

// Wormhole switches of one level of a fat-tree: DOWN links to children, UP links to parents, both
// ways, VCS virtual channels (VCs) each, queues at the inputs, credits back.
//
//   link -> input unit -> route -> VC allocator -> switch allocator -> crossbar -> output unit -> link
//
// Contract: on each link valid_i names the VC of a flit, one-hot; flits of a VC are whole packets,
// one after the other, in order.  Credits: a sender sends at most DEPTH flits more than credits came
// back.  Packets from parents go down, so that waiting channels cannot form a cycle.
// Timing: see xgft_input_unit (STAGES); one clock more on the link.  A VC runs at full rate from
// DEPTH = STAGES + 3 on: so many clocks after a flit was sent its credit counts.
//
// SWITCHES switches stand side by side; switch s has ports s*PORTS .. s*PORTS+PORTS-1, children first,
// and tops the subtree s / SPREAD of BELOW leaves.
module xgft_switch #(
  parameter SWITCHES = 1,                        // switches side by side
  parameter DOWN    = 4,                         // children, >= 1
  parameter UP      = 4,                         // parents; 0 at the top
  parameter BELOW   = 16,                        // leaves below a switch
  parameter SPREAD  = 4,                         // w_1 w_2 .. w_l
  parameter NUMBER  = 0,                         // of the first switch, in the whole network
  parameter VCS     = 2,                         // virtual channels a link, 1 .. 4
  parameter DEPTH   = 4,                         // flits a VC's queue holds
  parameter WIDTH   = 32,                        // data bits of a flit
  parameter HOPS_W  = 0,                         // see xgft_network
  parameter HOP_W   = 4,
  parameter ADDR_W  = 6,                         // bits of an address
  parameter NODE_W  = 6,                         // bits of a leaf's number
  parameter PATHS   = 1,                         // addresses a leaf
  parameter ADDRESSES = 64,                      // of all leaves
  parameter CLASSES = 1,                         // 1, 2: see xgft_vc_allocator
  parameter STAGES  = 1,                         // 1 .. 3: see xgft_input_unit
  parameter [8*8-1:0]  ROUTING = "DMODK",        // see xgft_route
  parameter [8*3-1:0]  CLIMB   = "NCA",          // see xgft_route
  parameter [8*4-1:0]  MODE    = "ANY",          // see xgft_vc_allocator
  parameter [8*11-1:0] ARBITER = "ROUND_ROBIN",  // see arbiter
  // derived
  parameter PORTS   = DOWN + UP,
  parameter PORT_W  = (PORTS > 1) ? $clog2(PORTS) : 1,
  parameter FLIT_W  = WIDTH + 2 + HOPS_W
) (
  input  wire                              clk,
  input  wire                              rst,
  input  wire [31:0]                       seed_i,     // of random choices, read at reset
  input  wire                              write_i,    // forwarding tables, see xgft_table
  input  wire [ADDR_W-1:0]                 address_i,
  input  wire [SWITCHES*PORT_W-1:0]        entry_i,
  input  wire [SWITCHES*PORTS*VCS-1:0]     valid_i,
  input  wire [SWITCHES*PORTS*FLIT_W-1:0]  flit_i,
  output wire [SWITCHES*PORTS*VCS-1:0]     credit_o,
  output wire [SWITCHES*PORTS*VCS-1:0]     valid_o,
  output wire [SWITCHES*PORTS*FLIT_W-1:0]  flit_o,
  input  wire [SWITCHES*PORTS*VCS-1:0]     credit_i,
  output wire [SWITCHES*PORTS*VCS*(2+PORT_W+VCS)-1:0] state_o,  // for debuggers, see xgft_network
  output wire [SWITCHES*PORTS*VCS-1:0]     home_o      // output VCs free, with all their credits
);

  localparam LINKS    = SWITCHES * PORTS;
  localparam ALL      = LINKS * VCS;
  localparam ROOM_W   = $clog2(VCS * DEPTH + DEPTH + 1);
  localparam ADAPTIVE = (ROUTING == "ADAPTIVE" || ROUTING == "TWO") ? 1 : 0;
  localparam RANDOM   = (ADAPTIVE == 1 || ROUTING == "RANDOM") ? 1 : 0;
  localparam HEADER_W = ADDR_W + NODE_W + 1;

  wire [ALL-1:0]           ask, want, grant, ready, take;
  wire [ALL*HEADER_W-1:0]  header;
  wire [ALL*PORT_W-1:0]    route, entry, port;
  wire [ALL*VCS-1:0]       granted_vc, vc;
  wire [ALL-1:0]           free, home, claim, credit, send;
  wire [LINKS*ROOM_W-1:0]  room;
  wire [LINKS*FLIT_W-1:0]  leaving, crossed;
  wire [LINKS-1:0]         enable;
  wire [LINKS*PORT_W-1:0]  select;
  wire [SWITCHES*32-1:0]   random;

  xgft_input_unit #(
    .PORTS(LINKS), .VCS(VCS), .DEPTH(DEPTH), .WIDTH(WIDTH), .FLIT_W(FLIT_W),
    .HEADER_W(HEADER_W), .PORT_W(PORT_W), .STAGES(STAGES), .HOLD(1 - ADAPTIVE)
  ) u_inputs (
    .clk(clk), .rst(rst), .valid_i(valid_i), .flit_i(flit_i), .credit_o(credit_o), .ask_o(ask),
    .header_o(header), .route_i(route), .want_o(want), .port_o(port), .grant_i(grant),
    .vc_i(granted_vc), .ready_o(ready), .vc_o(vc), .take_i(take), .flit_o(leaving),
    .state_o(state_o)
  );

  xgft_route #(
    .SWITCHES(SWITCHES), .DOWN(DOWN), .UP(UP), .VCS(VCS), .BELOW(BELOW), .SPREAD(SPREAD),
    .PATHS(PATHS), .ADDR_W(ADDR_W), .NODE_W(NODE_W), .PORT_W(PORT_W), .ROOM_W(ROOM_W),
    .ROUTING(ROUTING), .CLIMB(CLIMB)
  ) u_route (
    .ask_i(ask), .header_i(header), .random_i(random), .room_i(room), .table_i(entry),
    .port_o(route)
  );

  xgft_vc_allocator #(
    .SWITCHES(SWITCHES), .PORTS(PORTS), .VCS(VCS), .CLASSES(CLASSES), .PORT_W(PORT_W),
    .MODE(MODE), .ARBITER(ARBITER)
  ) u_vc_allocator (
    .clk(clk), .rst(rst), .want_i(want), .port_i(port), .class_i(reply), .free_i(free),
    .home_i(home), .grant_o(grant), .vc_o(granted_vc), .claim_o(claim)
  );

  xgft_switch_allocator #(
    .SWITCHES(SWITCHES), .PORTS(PORTS), .VCS(VCS), .PORT_W(PORT_W), .ARBITER(ARBITER)
  ) u_switch_allocator (
    .clk(clk), .rst(rst), .ready_i(ready), .port_i(port), .vc_i(vc), .credit_i(credit),
    .take_o(take), .enable_o(enable), .select_o(select), .send_o(send)
  );

  crossbar #(
    .COPIES(SWITCHES), .R(PORTS), .S(PORTS), .W(FLIT_W)
  ) u_crossbar (
    .data_i(leaving), .enable_i(enable), .select_i(select), .data_o(crossed)
  );

  xgft_output_unit #(
    .SWITCHES(SWITCHES), .PORTS(PORTS), .VCS(VCS), .DEPTH(DEPTH), .WIDTH(WIDTH), .HOPS_W(HOPS_W),
    .HOP_W(HOP_W), .FLIT_W(FLIT_W), .ROOM_W(ROOM_W), .ROOMS(ADAPTIVE)
  ) u_outputs (
    .clk(clk), .rst(rst), .claim_i(claim), .send_i(send), .flit_i(crossed), .credit_i(credit_i),
    .free_o(free), .ready_o(credit), .home_o(home), .room_o(room), .valid_o(valid_o),
    .flit_o(flit_o)
  );

  assign home_o = home & free;

  // ---- random numbers, forwarding tables, classes ------------------------------------------------

  `include "xorshift32.vh"

  generate
    if (RANDOM == 1) begin : gen_random
      reg [SWITCHES*32-1:0] random_q;
      assign random = random_q;
      always @(posedge clk) begin : update
        reg [31:0] seed;
        integer    s;
        for (s = 0; s < SWITCHES; s = s + 1) begin
          // Every switch starts elsewhere: the seed, spread by the golden ratio.
          seed = seed_i ^ ((NUMBER + s + 1) * 32'h9E3779B9);
          if (seed == 32'd0) seed = 32'd1;
          random_q[s*32 +: 32] <= rst ? seed : xorshift32(random_q[s*32 +: 32]);
        end
      end
    end else begin : gen_no_random
      assign random = {(SWITCHES*32){1'b0}};
      wire unused = &{1'b0, seed_i};
    end

    if (ROUTING == "TABLE") begin : gen_table
      reg [ALL*ADDR_W-1:0] address;
      integer              a;
      always @*
        for (a = 0; a < ALL; a = a + 1)
          address[a*ADDR_W +: ADDR_W] = header[a*HEADER_W +: ADDR_W];
      xgft_table #(
        .SWITCHES(SWITCHES), .ADDRESSES(ADDRESSES), .ADDR_W(ADDR_W), .PORT_W(PORT_W),
        .READS(PORTS * VCS)
      ) u_table (
        .clk(clk), .write_i(write_i), .address_i(address_i), .entry_i(entry_i), .look_i(ask),
        .look_address_i(address), .port_o(entry)
      );
    end else begin : gen_no_table
      assign entry = {(ALL*PORT_W){1'b0}};
      wire unused = &{1'b0, write_i, address_i, entry_i};
    end
  endgenerate

  reg [ALL-1:0] reply;  // the packet is of class 1
  integer       c;
  always @*
    for (c = 0; c < ALL; c = c + 1)
      reply[c] = header[c*HEADER_W + HEADER_W - 1];

  // ---- checks ------------------------------------------------------------------------------------

  reg           astray, turned;
  integer       i;
  always @* begin
    astray = 1'b0;
    turned = 1'b0;
    for (i = 0; i < ALL; i = i + 1)
      if (want[i]) begin
        astray = astray | ({{(32-PORT_W){1'b0}}, port[i*PORT_W +: PORT_W]} >= PORTS);
        turned = turned | (i % (PORTS * VCS) >= DOWN * VCS
                           && {{(32-PORT_W){1'b0}}, port[i*PORT_W +: PORT_W]} >= DOWN);
      end
  end
  `CHECK_ALWAYS(clk, rst, !astray, "a packet was sent to a port that is not there")
  `CHECK_ALWAYS(clk, rst, !turned, "a packet turned up after it went down")

  `CHECK_PARAMETER(DOWN >= 1, "DOWN", DOWN, ">= 1")
  `CHECK_PARAMETER(WIDTH > ADDR_W + NODE_W, "WIDTH", WIDTH, "> ADDR_W + NODE_W")
  `CHECK_PARAMETER(ADDRESSES >= 2 && ADDRESSES <= (1 << ADDR_W),
                   "ADDRESSES", ADDRESSES, "2 to 2^ADDR_W")

endmodule

`default_nettype wire
