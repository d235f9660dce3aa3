"""What the netlist of the mutants holds, seen on small designs."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from fattree_bench.mutate.bench import build_mutants
from fattree_bench.mutate.command import Mutate
from fattree_bench.mutate.netlist import SIGN, MutatedNetlist, make_netlist
from fattree_bench.sim.build import BuildError
from fattree_bench.sim.yosys import YosysError

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


INDEXED = """
module small (input wire clk, input wire [15:0] d, input wire [1:0] at, output reg [3:0] q);
  integer i;
  always @* i = {30'd0, at} * 4;
  always @(posedge clk) q <= d[i +: 4];
endmodule
"""


MEMORY = """
module small (
  input wire clk, input wire write, input wire [1:0] at, input wire d, output wire q
);
  reg words [0:3];
  assign q = words[at];
  always @(posedge clk) if (write) words[at] <= d;
endmodule
"""


def built(folder: Path, design: str, count: int = 5) -> MutatedNetlist:
    """The netlist of a design, the module `small`."""
    source = folder / "rtl" / "small.v"
    source.parent.mkdir()
    source.write_text(design)
    network: Any = SimpleNamespace(
        synthesis=lambda bench: ("small", {}),
        rtl=SimpleNamespace(synthesized=lambda _: ([source], [])),
    )
    return make_netlist(network, source.parent, count, 1, folder / "made")


def test_processes_become_wires_and_registers(tmp_path: Path) -> None:
    """A variable that a process gives a value first leaves no latch, and faults are built in."""
    netlist = built(tmp_path, DESIGN.replace("{default}", "next = 4'd0;"))
    assert len(netlist.mutants) == 5
    assert "$dlatch" not in (netlist.folder / "sound.il").read_text()


def test_a_latch_is_refused(tmp_path: Path) -> None:
    """A variable that keeps its value is a loop of wires, not a network that a fault can sit in."""
    with pytest.raises(YosysError, match="problems"):
        built(tmp_path, DESIGN.replace("{default}", ""))


def test_indices_are_as_narrow_as_hardware(tmp_path: Path) -> None:
    """An index of 32 bits into a word of 16 has four: faults in the others are none."""
    netlist = built(tmp_path, INDEXED)
    sound = (netlist.folder / "sound.il").read_text()
    (shift,) = re.findall(r"cell \$shiftx .*?\n  end", sound, re.DOTALL)
    assert int(re.findall(r"B_WIDTH (\d+)", shift)[0]) <= 5  # one for the sign
    assert not re.findall(r"WIDTH (?:3[0-9]|2[0-9])$", sound, re.MULTILINE)


def test_ports_of_memories_that_are_tied_have_no_faults(tmp_path: Path) -> None:
    """Yosys refuses a memory that is read without a clock, unless an option allows it."""
    netlist = built(tmp_path, MEMORY, 20)
    assert (netlist.folder / "choose-again.ys").exists()  # it had chosen some
    assert [mutant.number for mutant in netlist.mutants] == list(range(1, 21))
    assert not any(mutant.port in {"RD_CLK", "RD_EN"} for mutant in netlist.mutants)


def test_the_sign_of_an_index_has_no_faults(tmp_path: Path) -> None:
    """It is tied to 0; an index below 0 reads one thing in simulators, another in solvers."""
    netlist = built(tmp_path, INDEXED, 500)
    (sign,) = SIGN.findall((netlist.folder / "sound.il").read_text())
    bits = {m.bit for m in netlist.mutants if (m.cell, m.port) == (sign[0], "B")}
    assert bits == set(range(int(sign[1]) - 1))


def test_a_small_design_has_few_faults(tmp_path: Path) -> None:
    """More are asked for than there are: it ends."""
    netlist = built(tmp_path, MEMORY, 500)
    assert 20 < len(netlist.mutants) < 500


def test_the_bench_round_a_netlist_is_linted(tmp_path: Path) -> None:
    """A flit without the list of hops that the bench reads is refused, not filled up."""
    given = {"NETWORK": "kary", "K": "2", "LEVELS": "1", "BUILD": str(tmp_path)}
    wanted = Mutate(Console(quiet=True), given)
    network = wanted.settings.network
    bare: Any = SimpleNamespace(
        synthesis=lambda bench: network.synthesis(bench=False), rtl=network.rtl
    )
    netlist = make_netlist(bare, wanted.settings.rtl, 1, 1, tmp_path / "netlist")
    with pytest.raises(BuildError, match="WIDTH"):
        build_mutants(wanted.settings, netlist)
