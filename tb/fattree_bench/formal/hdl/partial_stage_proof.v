// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`include "peek.vh"
`default_nettype none

// One stage of a partial concentrator, for all requests, decision bits, messages and acknowledges,
// for all times.  A message is one bit a clock, and the stage never looks at it.
//
// Any input is watched; it does not ask again while it has a path.  The stage asks nothing more of
// its surroundings.  With partial_graph_proof it follows that there are decision bits for every set
// of messages up to the guarantee: P2 for the edges of a matching.
//
// ROTATING = 0: first_i is 0, as in all stages but the first, and there with PRIORITY = "FIXED".
// FLAT = 1, for large stages: only messages of P2 have a path that is watched, and P1 is not
// proved.  Then nothing serves requests one after the other but the stage itself.
//
//   P1  requests are served one after the other, from input first_i up: what is opened and lost is
//       what that gives, and the decision bits for later stages go along
//   P2  a message passes if the edge that it names leads to an output that is free, and that no
//       other request of this clock might take: whatever the order
//   P3  a path stands until clear: its output shows the input, unmodified, whoever asks later
//   P4  outputs without path are silent
//   P5  the acknowledge of an input is that of the output that its path leads to; without one, 0
//   P6  each request opens one output or is counted as lost
//
// Invariants, with which these hold by induction:
//
//   I1  outputs are taken from the request on until clear
//   I2  the watched input has a path if it was given one, along an edge to the output it was given
//   I3  the paths of other inputs lead to other outputs, all of them taken
module partial_stage_proof #(
  parameter R        = 12,
  parameter S        = 8,
  parameter CHOICE_W = 6,
  parameter FLAT     = 0,
  parameter ROTATING = 1,
  parameter R_W      = (R > 1) ? $clog2(R) : 1  // derived
) (
  input wire                  clk,
  input wire                  clear_i,
  input wire [R_W-1:0]        first_i,
  input wire [R-1:0]          request_i,
  input wire [R*CHOICE_W-1:0] choice_i,
  input wire [R-1:0]          wire_i,
  input wire [S-1:0]          ack_i,
  input wire [R_W-1:0]        watched_i
);

  `include "partial_graph.vh"

  localparam DEGREE = graph_degree(R, S);
  localparam [95:0] ROW = graph_row(R);
  localparam S_W    = (S > 1) ? $clog2(S) : 1;
  localparam L_W    = $clog2(R + 1);
  localparam REST_W = (CHOICE_W > 3) ? CHOICE_W - 3 : 1;

  reg            first = 1'b1;  // clock: all is cleared
  reg  [R_W-1:0] watched_q;
  wire [R_W-1:0] watched = first ? watched_i : watched_q;
  wire           clear   = first | clear_i;
  wire [R_W-1:0] head    = ROTATING ? first_i : {R_W{1'b0}};
  always @(posedge clk) begin
    first     <= 1'b0;
    watched_q <= watched;
  end

  wire [S-1:0]        shown, opened;
  wire [S*REST_W-1:0] choices;
  wire [R-1:0]        acked;
  wire [L_W-1:0]      lost;

  partial_stage #(.R(R), .S(S), .CHOICE_W(CHOICE_W), .LOST_W(L_W)) u_stage (
    .clk(clk), .clear_i(clear), .first_i(head), .request_i(request_i), .choice_i(choice_i),
    .wire_i(wire_i), .wire_o(shown), .opened_o(opened), .choice_o(choices), .ack_i(ack_i),
    .ack_o(acked), .lost_o(lost)
  );

  `PEEK([R-1:0], open_q, \u_stage.open_q , u_stage.open_q)
  `PEEK([R*3-1:0], edge_q, \u_stage.edge_q , u_stage.edge_q)
  `PEEK([S-1:0], taken_q, \u_stage.taken_q , u_stage.taken_q)

  // ---- what the requests of this clock should get -----------------------------------------------

  reg [S-1:0]   given_q;            // outputs that are taken, by earlier clocks
  reg [S-1:0]   given;              // with those of this clock
  reg [L_W-1:0] refused;
  reg           gets, named, rivals;
  reg [S_W-1:0] to, target;         // output that the watched input gets; that it names
  wire          passes = named && !given_q[target] && !rivals;
  reg [2:0]     choice;
  reg           served;
  integer       p, i, e;

  always @* begin
    given   = given_q;
    refused = {L_W{1'b0}};
    gets    = 1'b0;
    named   = 1'b0;
    rivals  = 1'b0;
    to      = {S_W{1'b0}};
    target  = {S_W{1'b0}};
    choice  = 3'd0;
    served  = 1'b0;
    // in two turns: inputs from first_i up, then those before it
    for (p = 0; p < 2 * R; p = p + 1) begin
      i = (p < R) ? p : p - R;
      if (request_i[i] && ((p < R) == (i >= head))) begin
        choice = choice_i[i*CHOICE_W + CHOICE_W-3 +: 3];
        served = 1'b0;
        for (e = 0; e < DEGREE; e = e + 1)
          if (!served && (choice == e || choice[2:1] == 2'b11)
              && !given[graph_output(ROW, R, S, i, e)]) begin
            served = 1'b1;
            given[graph_output(ROW, R, S, i, e)] = 1'b1;
            if (i == watched) begin
              gets = 1'b1;
              to   = graph_output(ROW, R, S, i, e);
            end
          end
        if (!served) refused = refused + 1'b1;
      end
    end
    // flat: the output that the watched input names, and who else might take it
    for (i = 0; i < R; i = i + 1)
      for (e = 0; e < DEGREE; e = e + 1)
        if (i == watched && request_i[i] && choice_i[i*CHOICE_W + CHOICE_W-3 +: 3] == e) begin
          named  = 1'b1;
          target = graph_output(ROW, R, S, i, e);
        end
    for (i = 0; i < R; i = i + 1)
      for (e = 0; e < DEGREE; e = e + 1)
        if (i != watched && request_i[i] && graph_output(ROW, R, S, i, e) == target
            && (choice_i[i*CHOICE_W + CHOICE_W-3 +: 3] == e
                || choice_i[i*CHOICE_W + CHOICE_W-3 +: 3] >= 6))
          rivals = 1'b1;
  end

  reg           joined;   // the watched input has a path ...
  reg [S_W-1:0] place;  // ... to this output
  always @(posedge clk)
    if (clear) begin
      given_q <= {S{1'b0}};
      joined    <= 1'b0;
    end else begin
      given_q <= FLAT ? given_q | opened : given;
      if (FLAT ? passes : gets) begin
        joined  <= 1'b1;
        place <= FLAT ? target : to;
      end
    end

  // ---- judgements -------------------------------------------------------------------------------

  reg           own, apart, along;
  reg [L_W-1:0] asking, opening;
  integer       j, k;
  always @* begin
    own   = 1'b0;
    apart = 1'b1;
    for (j = 0; j < R; j = j + 1)
      if (open_q[j]) begin
        if (edge_q[j*3 +: 3] >= DEGREE) apart = 1'b0;
        for (k = 0; k < DEGREE; k = k + 1)
          if (edge_q[j*3 +: 3] == k) begin
            if (!given_q[graph_output(ROW, R, S, j, k)]) apart = 1'b0;
            if (j == watched)
              own = graph_output(ROW, R, S, j, k) == place;
            else if (joined && graph_output(ROW, R, S, j, k) == place)
              apart = 1'b0;
          end
      end

    asking  = {L_W{1'b0}};
    opening = {L_W{1'b0}};
    for (j = 0; j < R; j = j + 1)
      asking = asking + request_i[j];
    for (j = 0; j < S; j = j + 1)
      opening = opening + opened[j];
    along = choices[to*REST_W +: REST_W] == choice_i[watched*CHOICE_W +: REST_W];

    `GIVEN(watched < R && head < R && (first || !(joined && request_i[watched])))
    `PROVE(P1, first || (opened == (given & ~given_q) && lost == refused
                         && (!gets || CHOICE_W == 3 || along)))
    `PROVE(P2, first || !passes || opened[target])
    `PROVE(P3, first || !joined || shown[place] == wire_i[watched])
    `PROVE(P4, first || (shown & ~given_q) == {S{1'b0}})
    `PROVE(P5, first || (FLAT && !joined) || acked[watched] == (joined && ack_i[place]))
    `PROVE(P6, first || asking == opening + lost)
    `PROVE(I1, first || taken_q == given_q)
    `PROVE(I2, first || ((FLAT && !joined) || (open_q[watched] == joined && (!joined || own))))
    `PROVE(I3, first || apart)
  end

endmodule

`default_nettype wire
