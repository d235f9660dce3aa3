// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "checks.vh"
`include "xgft_routings.vh"
`include "xgft_visit.vh"
`default_nettype none

// xgft_switch as a simulator likes it: one clocked process; sets of virtual channels (VCs) are
// words, and only the bits that are set are visited.
//
//   routes -> VC allocation -> switch allocation, flits leave -> credits -> flits come -> outputs
//
// Contract, timing: those of xgft_switch, equal in every clock: proved at two ports with DMODK and
// round robins (xgft_forms_proof), with all other settings found by a test in lock step.  An input
// VC is stuck while its output VC has no credit; that is noted as credits come and go, so that
// nothing is looked up for those that wait.  At most 64 input VCs, two ports or more.
// As hardware it would be a chain of steps: it is not meant for that.
//
// Vectors by port: children first, then parents.  Vectors by VC: port by port.
module xgft_switch_fast #(
  `include "wormhole_params.vh"
  parameter DOWN    = 4,                         // children, >= 1
  parameter UP      = 4,                         // parents; 0 at the top
  parameter BELOW   = 16,                        // leaves below the switch
  parameter SPREAD  = 4,                         // w_1 w_2 .. w_l: switches that top one subtree
  parameter ADDR_W  = 6,                         // bits of an address
  parameter NODE_W  = 6,                         // bits of a leaf's number
  parameter PATHS   = 1,                         // addresses a leaf
  parameter ADDRESSES = 64,                      // of all leaves
  parameter [8*8-1:0]  ROUTING = "DMODK",        // of xgft_route
  parameter [8*3-1:0]  CLIMB   = "NCA",          // where packets turn: "NCA", "TOP"
  // derived
  parameter PORTS   = DOWN + UP,                        // each way
  parameter [16*PORTS-1:0] RATIOS = {PORTS{16'd1}},     // by port: clocks from flit to flit
  parameter PORT_W  = (PORTS > 1) ? $clog2(PORTS) : 1,  // bits of a port's number
  parameter FLIT_W  = WIDTH + 2 + HOPS_W                // bits of a flit
) (
  input  wire                    clk,  // its rising edges count
  input  wire                    rst,  // synchronous: packets are lost, credits full, table stays
  input  wire [15:0]             pos_i,      // the switch's number in its level, a constant
  input  wire [15:0]             number_i,   // and in the network: makes its random choices its own
  input  wire [31:0]             seed_i,     // of random choices, read at reset
  input  wire                    write_i,    // TABLE: an entry is stored, see xgft_table
  input  wire [ADDR_W-1:0]       address_i,  // TABLE: for this address
  input  wire [PORT_W-1:0]       entry_i,    // TABLE: the output port
  input  wire [PORTS*VCS-1:0]    valid_i,    // links into the switch: the VC of a flit
  input  wire [PORTS*FLIT_W-1:0] flit_i,     // by port: {hops, head, tail, data}
  output reg  [PORTS*VCS-1:0]    credit_o,   // room for one flit more
  output reg  [PORTS*VCS-1:0]    valid_o,    // links out of the switch: the VC of a flit
  output reg  [PORTS*FLIT_W-1:0] flit_o,     // by port: {hops, head, tail, data}
  input  wire [PORTS*VCS-1:0]    credit_i,   // room for one flit more
  output reg  [PORTS*VCS*(2+PORT_W+VCS)-1:0] state_o,  // for debuggers, see xgft_network
  output reg  [PORTS*VCS-1:0]    home_o      // for debuggers: output VCs free, with all credits
);

  localparam INPUTS   = PORTS * VCS;
  localparam EACH     = VCS / WAYS;  // VCs of a way
  localparam HALF     = (CLASSES == 2) ? VCS / 2 : VCS;
  localparam STATE_W  = 2 + PORT_W + VCS;
  localparam PARENTS  = (UP > 0) ? UP : 1;
  localparam SLOW     = (RATIOS != {PORTS{16'd1}}) ? 1 : 0;
  localparam LEAST    = (ARBITER == "MATRIX") ? 1 : 0;
  localparam LEAST_VC = (LEAST == 1 || MODE == "KEEP" || CLASSES == 2) ? 1 : 0;
  localparam TAIL     = WIDTH;
  localparam HEAD     = WIDTH + 1;

  localparam [31:0]       TOPS   = SPREAD;
  localparam [INPUTS-1:0] NONE   = {INPUTS{1'b0}};
  localparam [INPUTS-1:0] ALL    = {INPUTS{1'b1}};
  localparam [INPUTS-1:0] WAY    = ~(ALL << EACH);  // VCs of the first way
  localparam [INPUTS-1:0] LOWEST = ALL / WAY;       // the first VC of each way
  localparam [VCS-1:0]    ANY    = {VCS{1'b1}};
  localparam [VCS-1:0]    LOWER  = ~(ANY << HALF);  // VCs of requests, and of replies
  localparam [VCS-1:0]    UPPER  = (CLASSES == 2) ? ~LOWER : ANY;

  wire [15:0] subtree = pos_i / TOPS[15:0];  // the subtree that the switch tops
  wire [31:0] random;

  // State, by input VC: what xgft_input_unit has, and the output VC.
  reg [INPUTS-1:0] present, active, routed, opened, stuck;
  (* mem2reg *) reg [FLIT_W-1:0] ring [0:INPUTS*DEPTH-1];
  reg [VCS-1:0]    vc    [0:INPUTS-1];
  integer          out   [0:INPUTS-1];  // output port
  integer          to    [0:INPUTS-1];
  integer          oldest[0:INPUTS-1];  // flit in the ring
  integer          count [0:INPUTS-1];  // of flits
  // By output VC: what xgft_output_unit has, and the input VC.
  reg [INPUTS-1:0] busy, ready, home;
  integer          credit[0:INPUTS-1];
  integer          holder[0:INPUTS-1];
  // By output port: clocks that a slow link is at rest, and whether it is.
  reg [INPUTS-1:0] resting;
  integer          rest  [0:PORTS-1];
  // Arbiters, of VCs of each output port, then of output ports: ones from the request on that is
  // first; or by request, who goes before it.  Likewise of ways, by input VC.
  reg [INPUTS-1:0] first [0:2*PORTS-1];
  reg [INPUTS-1:0] earlier[0:2*PORTS*INPUTS-1];
  reg [INPUTS-1:0] turn;
  reg [INPUTS-1:0] mates [0:INPUTS-1];
  reg [PORT_W-1:0] row   [0:ADDRESSES-1];

  // Of a clock: sets of input VCs, of output VCs, of output ports; and by input VC, by port.
  reg [INPUTS-1:0] searching, ask, able, pick, grant, take, ends, again;
  reg [INPUTS-1:0] claim, send, gone, asked, left, requests, one, mine;
  reg [INPUTS-1:0] request[0:PORTS-1];
  integer          later  [0:INPUTS-1];
  integer          choice [0:INPUTS-1];
  reg [INPUTS-1:0] sent, changed;  // output ports, input VCs
  reg [FLIT_W-1:0] leaving[0:PORTS-1];
  reg [STATE_W-1:0] shown [0:INPUTS-1];
  reg [VCS-1:0]    open, empty;
  reg [FLIT_W-1:0] flit, list;
  reg [31:0]       address, source, destination, number, parent, lone, rival, port, hash;
  reg [PARENTS-1:0] rooms;
  reg [63:0]       twice;
  reg [15:0]       drawn;
  reg              below;
  reg [7:0]        broken, broken_q;
  integer          n, m, i, p, o, v, place, step, arbiter, each;

  // Places whose numbers have a 1 in bit 0, 1 ..: see xgft_visit.vh.
  localparam [6*64-1:0] BITS = {
    64'hFFFFFFFF00000000, 64'hFFFF0000FFFF0000, 64'hFF00FF00FF00FF00, 64'hF0F0F0F0F0F0F0F0,
    64'hCCCCCCCCCCCCCCCC, 64'hAAAAAAAAAAAAAAAA
  };

  `include "xgft_fast_requests.vh"
  `include "xgft_fast_flits.vh"

  task start;
    begin
      searching = present & ~active;
      ask       = (`FREE(ROUTING)) ? searching : searching & ~routed;
      able      = present & active & ~stuck;
      {pick, grant, take, ends, again, claim, send, gone, asked, sent} = 0;
      {changed, left, requests, one, mine} = 0;
      {open, empty, flit, list, twice, drawn, below, rooms, broken} = 0;
      {address, source, destination, parent, lone, rival, port, number, hash} = 0;
      {n, m, i, p, o, v, place, step, arbiter, each} = 0;
    end
  endtask

  always @(posedge clk) begin
    start;
    if (rst || SLOW == 1 || (present | valid_i | credit_i | valid_o | credit_o) != NONE) begin
      find_routes;
      give_vcs;
      pick_flits;
      send_flits;
      count_credits;
      take_flits;
      show;
      valid_o  <= send;
      credit_o <= take;
      home_o   <= home & ~busy;
      for (p = 0; p < PORTS; p = p + 1)
        if (sent[p]) flit_o[p*FLIT_W +: FLIT_W] <= leaving[p];
      for (i = 0; i < INPUTS; i = i + 1)
        if (changed[i]) state_o[i*STATE_W +: STATE_W] <= shown[i];
    end
    if (rst) begin
      restart;
      valid_o  <= NONE;
      credit_o <= NONE;
      home_o   <= ALL;
      state_o  <= {(INPUTS*STATE_W){1'b0}};
    end
    broken_q <= broken;
    if (write_i) row[address_i] <= entry_i;
  end

  task restart;
    begin
      {present, active, routed, opened, stuck, busy, resting, broken} = 0;
      ready    = ALL;
      home     = ALL;
      turn     = ALL;
      for (p = 0; p < PORTS; p = p + 1) begin
        first[p]         = ALL;
        first[PORTS + p] = ALL;
        if (SLOW == 1) rest[p] = 0;
        for (i = 0; i < INPUTS && LEAST_VC == 1; i = i + 1) begin
          earlier[p*INPUTS + i]           = ~(ALL << i);
          earlier[(PORTS + p)*INPUTS + i] = ~(ALL << (i / EACH * EACH));
        end
      end
      for (i = 0; i < INPUTS; i = i + 1) begin
        vc[i]     = {VCS{1'b0}};
        out[i]    = 0;
        oldest[i] = 0;
        count[i]  = 0;
        credit[i] = DEPTH;
        if (LEAST == 1) mates[i] = ~(ALL << (i % EACH)) << (i / EACH * EACH);
      end
    end
  endtask

  // ---- random numbers ---------------------------------------------------------------------------

  generate
    if (`DRAWS(ROUTING)) begin : gen_random
      xgft_random #(.ANGLE(5 * INPUTS)) u_random (
        .clk(clk), .rst(rst), .pos_i(pos_i), .number_i(number_i), .seed_i(seed_i), .random_o(random)
      );
    end else begin : gen_no_random
      assign random = 32'd0;
      wire unused_seed = &{1'b0, seed_i, number_i};
    end
  endgenerate

  // ---- checks, as in xgft_input_unit, xgft_rules and xgft_arrivals ------------------------------

  `CHECK_SHARED(clk, rst, !broken_q[0], "a flit came without a head")
  `CHECK_SHARED(clk, rst, !broken_q[1], "a packet came inside another")
  `CHECK_SHARED(clk, rst, !broken_q[2], "a flit came to a full queue")
  `CHECK_SHARED(clk, rst, !broken_q[3], "a credit came back twice")
  `CHECK_SHARED(clk, rst, !broken_q[4], "a packet was sent to a port that is not there")
  `CHECK_SHARED(clk, rst, !broken_q[5], "a packet turned up after it went down")
  `CHECK_SHARED(clk, rst, !broken_q[6], "a packet climbed although its destination is below")
  `CHECK_SHARED(clk, rst, !broken_q[7], "a packet came down by another parent than D-mod-k's")

  `CHECK_CHOICE(FORM == "HARDWARE" || FORM == "FAST", "FORM", FORM, "HARDWARE, FAST")

endmodule

`default_nettype wire
