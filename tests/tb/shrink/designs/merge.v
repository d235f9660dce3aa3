`default_nettype none
// Four inputs, four outputs, valid and ready, a register of one word at each output.
// FAULT: 1: of output 2 each fifth word is lost; 2: a word that waits for ready is overwritten by
// the next one for its output if that comes from input 3; 3: both; 0: neither.
module merge #(
    parameter integer WIDTH = 32,  // bits of a word, 8 or more
    parameter integer FAULT = 0    // 0 … 3
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [3:0]         in_valid,
    output reg  [3:0]         in_ready,
    input  wire [7:0]         in_dest,
    input  wire [4*WIDTH-1:0] in_data,
    output reg  [3:0]         out_valid,
    input  wire [3:0]         out_ready,
    output reg  [4*WIDTH-1:0] out_data
);
  localparam LOSES = FAULT == 1 || FAULT == 3;
  localparam OVERWRITES = FAULT == 2 || FAULT == 3;

  reg [2:0] count_q;  // words of output 2, modulo 5
  reg [3:0] taken;
  integer i, o;

  // The lowest input first; of an output that is full only what may overwrite it.
  always @* begin
    in_ready = 4'd0;
    taken = out_valid & ~out_ready;
    for (i = 0; i < 4; i = i + 1) begin
      if (in_valid[i] && (!taken[in_dest[2*i +: 2]] || OVERWRITES && i == 3)) begin
        in_ready[i] = 1'b1;
        taken[in_dest[2*i +: 2]] = 1'b1;
      end
    end
  end

  always @(posedge clk) begin
    out_valid <= out_valid & ~out_ready;
    for (i = 0; i < 4; i = i + 1) begin
      o = {30'd0, in_dest[2*i +: 2]};
      if (in_valid[i] && in_ready[i]) begin
        out_valid[o] <= !(LOSES && o == 2 && count_q == 3'd4);
        out_data[o*WIDTH +: WIDTH] <= in_data[i*WIDTH +: WIDTH];
        if (o == 2) count_q <= count_q == 3'd4 ? 3'd0 : count_q + 3'd1;
      end
    end
    if (rst) begin
      out_valid <= 4'd0;
      count_q <= 3'd0;
    end
  end
endmodule
`default_nettype wire
