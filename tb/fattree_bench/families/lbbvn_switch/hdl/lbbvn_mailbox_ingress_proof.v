// Copyright the fat-tree verification environment contributors
// SPDX-License-Identifier: Apache-2.0

`timescale 1ns/1ns
`include "prove.vh"
`default_nettype none

// The input side of a line card before mailboxes, after a reset, for all arrivals and answers.
// Given is that arrivals and offers alternate, slot by slot; that only what was offered is
// accepted; and what lbbvn_mailbox_proof proves, that a cell leaves no earlier than it must wait.
//
// One output and one cell, any, are watched.
//
//   G1  the cell that arrives when n wait is offered, unmodified, as soon as n others were accepted
//       from then, up to its own being accepted: none is lost, doubled or out of order
//   G2  a cell is offered exactly while one waits
//   G3  a cell is dropped, and told so, exactly if DEPTH wait
//   G4  an offer says how many slots it must wait so as to leave behind the last cell for its
//       output that was accepted, and 0 if that one will have left: so none is overtaken, and none
//       waits in vain
module lbbvn_mailbox_ingress_proof #(
  parameter N_LOG  = 1,
  parameter DEPTH  = 2,
  parameter WAIT_W = 2,
  parameter COUNT_W = $clog2(DEPTH) + 1  // derived
) (
  input wire              clk,
  input wire [N_LOG-1:0]  watched_i,  // the output that is watched
  input wire [N_LOG-1:0]  slot_i,     // the first one
  input wire              mark_i,     // watch the cell that arrives
  // of the input side
  input wire              arrive_i,
  input wire              send_i,
  input wire              valid_i,
  input wire [N_LOG-1:0]  dst_i,
  input wire              data_i,
  input wire              accepted_i,
  input wire [WAIT_W-1:0] after_i
);

  reg               first = 1'b1;
  reg  [N_LOG-1:0]  slot_q;
  wire              offered, data, dropped;
  wire [N_LOG-1:0]  dst;
  wire [WAIT_W-1:0] waits;
  lbbvn_mailbox_ingress #(.N_LOG(N_LOG), .W(1), .DEPTH(DEPTH), .WAIT_W(WAIT_W)) u_ingress (
    .clk(clk), .rst(first), .arrive_i(arrive_i), .send_i(send_i), .slot_i(slot_q),
    .valid_i(valid_i), .dst_i(dst_i), .data_i(data_i), .accepted_i(accepted_i), .after_i(after_i),
    .cell_o(offered), .dst_o(dst), .data_o(data), .wait_o(waits), .dropped_o(dropped)
  );

  reg               arrived_q;  // an arrival was last, an offer is next
  reg               new_q;      // a cell came with it, the one to be watched,
  reg               new_marked_q;
  reg [N_LOG-1:0]   new_dst_q;
  reg               new_data_q;
  reg [COUNT_W-1:0] count_q;    // cells that wait
  reg               marked_q;   // the watched cell is one of them,
  reg [COUNT_W-1:0] ahead_q;    // behind so many,
  reg [N_LOG-1:0]   marked_dst_q;
  reg               marked_data_q;
  reg [N_LOG-1:0]   watched_q;  // the watched output
  reg [WAIT_W-1:0]  behind_q;   // slots after that of the next offer until its last cell has left
  reg               sent_q, drops_q;  // of the clock before

  wire               took  = send_i && accepted_i;
  wire [COUNT_W-1:0] count = count_q - took;
  wire               full  = count == DEPTH;
  wire               keeps = send_i && new_q && !full;
  wire               gone  = took && marked_q && ahead_q == {COUNT_W{1'b0}};
  // As the next offer sees it, and the one behind it.
  wire [WAIT_W-1:0]  behind = (took && dst == watched_q) ? after_i : behind_q;
  always @(posedge clk) begin
    first   <= 1'b0;
    sent_q  <= !first && send_i;
    drops_q <= !first && send_i && new_q && full;
    if (first) begin
      watched_q <= watched_i;
      slot_q    <= slot_i;
      arrived_q <= 1'b0;
      new_q     <= 1'b0;
      count_q   <= {COUNT_W{1'b0}};
      marked_q  <= 1'b0;
      behind_q  <= {WAIT_W{1'b0}};
    end else begin
      if (arrive_i) begin
        arrived_q    <= 1'b1;
        slot_q       <= slot_q + 1'b1;
        new_q        <= valid_i;
        new_marked_q <= valid_i && mark_i && !marked_q;
        new_dst_q    <= dst_i;
        new_data_q   <= data_i;
      end
      if (send_i) begin
        arrived_q <= 1'b0;
        count_q   <= count + keeps;
        behind_q  <= (behind == {WAIT_W{1'b0}}) ? behind : behind - 1'b1;
        if (marked_q) begin
          marked_q <= !gone;
          ahead_q  <= ahead_q - took;
        end else if (keeps && new_marked_q) begin
          marked_q      <= 1'b1;
          ahead_q       <= count;
          marked_dst_q  <= new_dst_q;
          marked_data_q <= new_data_q;
        end
      end
    end
  end
  // What the last offer had to wait, if it was for the watched output.
  reg [WAIT_W-1:0] due_q;
  always @(posedge clk) if (send_i) due_q <= behind;

  always @* begin
    `GIVEN(!(arrive_i && send_i) && !(arrive_i && arrived_q) && !(send_i && !arrived_q))
    `GIVEN(!(send_i && accepted_i) || (offered && after_i >= waits))
    if (!first) begin
      `PROVE(G1, !(marked_q && ahead_q == {COUNT_W{1'b0}})
                 || (offered && dst == marked_dst_q && (!sent_q || data == marked_data_q)))
      `PROVE(G2, offered == (count_q != {COUNT_W{1'b0}}))
      `PROVE(G3, dropped == drops_q)
      `PROVE(G4, !(offered && dst == watched_q) || waits == due_q)
    end
  end

endmodule

`default_nettype wire
