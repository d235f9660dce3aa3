"""What the netlist of the mutants holds, seen on small designs."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tb.mutate.netlist import Netlist, make_netlist
from tb.run.yosys import YosysError

DESIGN = """
module small (input wire clk, input wire [3:0] d, output reg [3:0] q);
  reg [3:0] next;
  integer   i, last;
  always @* begin
    {default}
    last = 0;
    for (i = 0; i < 4; i = i + 1)
      if (d[i]) begin
        next[last] = 1'b1;
        last       = i;
      end
  end
  always @(posedge clk) q <= next;
endmodule
"""


def built(folder: Path, default: str) -> Netlist:
    """The netlist of `small`, whose process begins with the statement `default`."""
    source = folder / "rtl" / "small.v"
    source.parent.mkdir()
    source.write_text(DESIGN.replace("{default}", default))
    network: Any = SimpleNamespace(
        synthesis=lambda bench: ("small", {}),
        sources=lambda _: [source],
        includes=lambda _: [],
    )
    return make_netlist(network, source.parent, 5, 1, folder / "made")


def test_processes_become_wires_and_registers(tmp_path: Path) -> None:
    """A variable that a process gives a value first leaves no latch, and faults are built in."""
    netlist = built(tmp_path, "next = 4'd0;")
    assert len(netlist.mutants) == 5
    assert "$dlatch" not in (netlist.folder / "sound.il").read_text()


def test_a_latch_is_refused(tmp_path: Path) -> None:
    """A variable that keeps its value is a loop of wires, not a network that a fault can sit in."""
    with pytest.raises(YosysError, match="problems"):
        built(tmp_path, "")
