// The switch with credits behind registers that have no reset: one at its own reset, two at its
// outputs.  So a reset empties it late, and before the first one its outputs are unknown.
//
// Timing: as credits.v, two clocks later; words come up to three clocks behind a reset's first.
module late #(
  parameter PORTS = 2,   // leaves
  parameter W     = 32,  // bits of a word
  parameter D     = $clog2(PORTS)  // derived
) (
  input  wire               clk,
  input  wire               rst,  // synchronous
  input  wire [PORTS*2-1:0] valid_i,
  input  wire [PORTS*W-1:0] data_i,
  input  wire [PORTS*D-1:0] dest_i,
  input  wire [PORTS-1:0]   tail_i,
  output wire [PORTS*2-1:0] credit_o,
  output wire [PORTS*2-1:0] valid_o,
  output wire [PORTS*W-1:0] data_o,
  output wire [PORTS-1:0]   head_o,
  output wire [PORTS-1:0]   tail_o,
  input  wire [PORTS*2-1:0] credit_i
);

  reg  rst_q;
  wire [PORTS*(W+4)-1:0] out;  // of the switch
  reg  [PORTS*(W+4)-1:0] once_q, twice_q;

  credits #(.PORTS(PORTS), .W(W)) u_switch (
    .clk(clk), .rst(rst_q), .valid_i(valid_i), .data_i(data_i), .dest_i(dest_i),
    .tail_i(tail_i), .credit_o(credit_o), .valid_o(out[0 +: PORTS*2]),
    .data_o(out[PORTS*4 +: PORTS*W]), .head_o(out[PORTS*2 +: PORTS]),
    .tail_o(out[PORTS*3 +: PORTS]), .credit_i(credit_i)
  );

  always @(posedge clk) rst_q   <= rst;
  always @(posedge clk) once_q  <= out;
  always @(posedge clk) twice_q <= once_q;

  assign {data_o, tail_o, head_o, valid_o} = twice_q;

endmodule
