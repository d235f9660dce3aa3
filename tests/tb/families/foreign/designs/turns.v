// Two leaves on wires, words with valid and ready that keep no word still: each output serves one
// input in even clocks, the other in odd ones, if both want it; what waits there may change.
//
// Timing: combinational; `turn` changes with the clock.
module turns #(
  parameter WIDTH = 32  // bits of a word
) (
  input  wire               clk,
  input  wire               rst,
  input  wire [1:0]         in_valid,
  output wire [1:0]         in_ready,
  input  wire [2*WIDTH-1:0] in_data,
  input  wire [1:0]         in_dest,
  output wire [1:0]         out_valid,
  input  wire [1:0]         out_ready,
  output wire [2*WIDTH-1:0] out_data
);

  reg        turn;
  wire [3:0] wants;  // bit 2 * output + input
  wire [1:0] from;   // of each output, the input that it serves

  always @(posedge clk) turn <= ~rst & ~turn;

  genvar g;
  generate
    for (g = 0; g < 2; g = g + 1) begin : gen_leaf
      assign wants[2*g +: 2] = in_valid & (g == 1 ? in_dest : ~in_dest);
      assign from[g]         = wants[2*g + turn] ? turn : ~turn;
      assign out_valid[g]    = (wants[2*g +: 2] != 2'b00);
      assign out_data[g*WIDTH +: WIDTH] = from[g] ? in_data[WIDTH +: WIDTH] : in_data[0 +: WIDTH];
      assign in_ready[g] = in_valid[g] & out_ready[in_dest[g]] & (from[in_dest[g]] == g);
    end
  endgenerate

endmodule
