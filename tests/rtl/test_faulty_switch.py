"""A switch that knows its dead ports, alone: a packet that turned is not let through."""

import shutil
from pathlib import Path

import pytest

from fattree_bench.paths import ROOT
from tests.icarus import printed

pytestmark = pytest.mark.usefixtures("icarus")

# One child, two parents.  A packet of two flits comes from the first parent; the table leads it to
# the second.  Behind it comes one for the child.
BENCH = """
`timescale 1ns/1ns
module bench;
  localparam W = 8 + 2 + 4;
  reg clk = 0, rst = 1, write = 0;
  reg [0:0] address = 0;
  reg [1:0] entry = 2;
  reg valid = 0;
  reg [W-1:0] flit = 0;
  wire [2:0] sent, back, home;
  integer credits = 0, down = 0, up = 0, k;
  faulty_switch #(
    .VCS(1), .DEPTH(4), .WIDTH(8), .HOPS_W(4), .HOP_W(2), .STAGES(STAGES), .DOWN(1), .UP(2),
    .BELOW(1), .SPREAD(1), .ADDR_W(1), .NODE_W(1), .ADDRESSES(2), .ROUTING("TABLE")
  ) dut (
    .clk(clk), .rst(rst), .dead_i(3'd0), .cut_i(3'd0), .pos_i(16'd0), .number_i(16'd0),
    .seed_i(32'd0), .write_i(write), .address_i(address), .entry_i(entry),
    .valid_i({1'b0, valid, 1'b0}), .flit_i({{W{1'b0}}, flit, {W{1'b0}}}), .credit_o(back),
    .valid_o(sent), .flit_o(), .credit_i(sent), .state_o(), .home_o(home)
  );
  always #5 clk = ~clk;
  always @(posedge clk) if (!rst) begin
    credits = credits + back[1];
    down    = down + sent[0];
    up      = up + sent[1] + sent[2];
  end
  task send(input [1:0] marks, input to);
    begin
      valid = 1;
      flit  = {4'd0, marks, 7'd0, to};
      @(negedge clk) valid = 0;
    end
  endtask
  initial begin
    @(negedge clk) rst = 0;
    write = 1; address = 0; entry = 2;
    @(negedge clk) address = 1; entry = 0;
    @(negedge clk) write = 0;
    send(2'b10, 1'b0);
    send(2'b01, 1'b0);
    send(2'b11, 1'b1);
    repeat (20) @(negedge clk);
    $display("credits %0d down %0d up %0d home %b", credits, down, up, home);
    $finish;
  end
endmodule
"""


def told(folder: Path, stages: int, rtl: Path) -> str:
    """What the bench prints with these sources."""
    sources = [
        file for room in ("common", "wormhole", "faulty") for file in (rtl / room).glob("*.v")
    ]
    bench = BENCH.replace("STAGES(STAGES)", f"STAGES({stages})")
    includes = [rtl / "common", rtl / "wormhole"]
    return printed(bench, folder, sources, includes, ["-sbench"])


@pytest.mark.parametrize("stages", [1, 2, 3])
def test_a_packet_that_turned_is_discarded(stages: int, tmp_path: Path) -> None:
    said = told(tmp_path, stages, ROOT / "rtl")
    assert said.splitlines()[-1] == "credits 3 down 1 up 0 home 111"


def test_a_packet_that_is_let_through_is_named(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "rtl", tmp_path / "rtl")
    file = tmp_path / "rtl" / "faulty" / "faulty_discard.v"
    text = file.read_text()
    assert text.count("(ABOVE == 1) &&") == 1
    file.write_text(text.replace("(ABOVE == 1) &&", "(ABOVE == 2) &&"))
    with pytest.raises(Exception, match="returned non-zero exit status"):
        told(tmp_path, 1, tmp_path / "rtl")
