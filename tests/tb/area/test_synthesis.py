"""Circuits whose parts are known by hand, and nodes that add up to a tree."""

import re
import shutil
from pathlib import Path

import pytest

from fattree_bench.area.designs import KINDS
from fattree_bench.families.design import Block, Cost, Design
from fattree_bench.paths import ROOT
from fattree_bench.sim.yosys import YosysError
from fattree_bench.synthesis.block import blocks_of
from fattree_bench.synthesis.gates import read_blif
from fattree_bench.synthesis.synthesize import synthesize
from tests.night import some

CIRCUITS = """
`default_nettype none
module gate_and(input wire a, b, output wire y);
  assign y = a & b;
endmodule
module full_adder(input wire a, b, c, output wire sum, carry);
  assign {carry, sum} = a + b + c;
endmodule
module registered(input wire clk, rst, en, d, output reg q);
  always @(posedge clk) if (rst) q <= 1'b0; else if (en) q <= d;
endmodule
module watched(input wire a, b, output wire y, output wire seen);
  assign y = a & b;
  assign seen = a ^ b;
endmodule
module crossbar_2x2(input wire [7:0] data, input wire [1:0] enable, select,
                    output wire [7:0] out);
  crossbar #(.R(2), .S(2), .W(4)) u (
    .data_i(data), .enable_i(enable), .select_i(select), .data_o(out));
endmodule
module line(input wire clk, rst, input wire [4:0] d, output wire [4:0] q);
  delay_line #(.DEPTH(3), .WIDTH(5)) u (.clk(clk), .rst(rst), .data_i(d), .data_o(q));
endmodule
module register(input wire clk, rst, input wire [4:0] d, output wire [4:0] q);
  delay_line #(.DEPTH(1), .WIDTH(5)) u (.clk(clk), .rst(rst), .data_i(d), .data_o(q));
endmodule
module memory(input wire clk, input wire [2:0] a, input wire [3:0] d, output wire [3:0] q);
  reg [3:0] words [0:7];
  always @(posedge clk) words[a] <= d;
  assign q = words[a];
endmodule
module holder(input wire a, b, output wire y);
  gate_and u (.a(a), .b(b), .y(y));
endmodule
"""
RTL = ROOT / "rtl"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of RTL that holds the circuits."""
    rtl = tmp_path_factory.mktemp("rtl")
    shutil.copytree(RTL / "common", rtl / "common")
    (rtl / "made").mkdir()
    (rtl / "made" / "circuits.v").write_text(CIRCUITS)
    return rtl


def cost(rtl: Path, folder: Path, top: str, **more: tuple[str, ...]) -> Cost:
    return synthesize(Block(top, (), ("made",), **more), rtl, folder)


def test_and(made: Path, tmp_path: Path) -> None:
    found = cost(made, tmp_path, "gate_and")
    assert found == Cost({"AND": 1}, 1.5, 0, 0, 0, 1)


def test_full_adder(made: Path, tmp_path: Path) -> None:
    """Two XORs for the sum; the carry, !((!(a + b) + !c) !(a b)), costs another 4."""
    found = cost(made, tmp_path, "full_adder")
    assert found.gates.get("XOR", 0) + found.gates.get("XNOR", 0) == 2
    assert 6 < found.nand2 <= 6 + 4
    assert 2 <= found.levels <= 4


def test_enable_and_reset_are_gates(made: Path, tmp_path: Path) -> None:
    """q' = !rst (en ? d : q): a multiplexer and a gate before a bare flip-flop."""
    found = cost(made, tmp_path, "registered")
    assert found.flip_flops == 1
    assert 3 < found.nand2 <= 4.5


def test_crossbar(made: Path, tmp_path: Path) -> None:
    """Each of 8 bits: an AOI3 and an OAI3, 3; an inverter here and there for the settings."""
    found = cost(made, tmp_path, "crossbar_2x2")
    assert 8 * 2 <= found.nand2 <= 8 * 3 + 8 * 0.5
    assert found.flip_flops == 0


def test_delay_lines_and_memories_are_bits(made: Path, tmp_path: Path) -> None:
    assert cost(made, tmp_path / "line", "line") == Cost({}, 0, 0, 15, 0, 0)
    assert cost(made, tmp_path / "memory", "memory") == Cost({}, 0, 0, 0, 32, 0)
    register = cost(made, tmp_path / "register", "register")
    assert (register.flip_flops, register.delay_bits) == (5, 0)
    assert 5 < register.nand2 <= 5 * 1.5


def test_what_is_left_out(made: Path, tmp_path: Path) -> None:
    whole = cost(made, tmp_path / "whole", "watched")
    assert whole.nand2 > 1.5
    assert cost(made, tmp_path / "open", "watched", unwatched=("seen",)).nand2 == 1.5
    assert cost(made, tmp_path / "full", "holder").nand2 == 1.5
    assert cost(made, tmp_path / "empty", "holder", boxes=("gate_and",)).nand2 == 0


@pytest.mark.parametrize("top", ["nowhere", "broken"])
def test_what_yosys_refuses(made: Path, tmp_path: Path, top: str) -> None:
    bad = tmp_path / "rtl" / "made"
    bad.mkdir(parents=True)
    (tmp_path / "rtl" / "common").mkdir()
    (bad / "bad.v").write_text("module broken(output wire y); assign y = ; endmodule\n")
    with pytest.raises(YosysError, match="ERROR"):
        cost(tmp_path / "rtl", tmp_path / "work", top)


def test_no_netlist_is_a_failure(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Yosys ends with status 0 whatever becomes of ABC: an unknown command leaves no netlist."""
    monkeypatch.setattr("fattree_bench.synthesis.synthesize.ABC", "+nonsense;nf")
    with pytest.raises(YosysError):
        cost(made, tmp_path, "gate_and")


# ---- blocks add up to a whole --------------------------------------------------------------------


def flat(design: Design, whole: Block, folder: Path) -> tuple[Cost, Cost]:
    """(sum of the blocks, all in one piece)."""
    costs = {
        block: synthesize(block, RTL, folder / str(number))
        for number, block in enumerate(blocks_of([design]).values())
    }
    return design.total(costs), synthesize(whole, RTL, folder / "flat")


@pytest.mark.parametrize("name", some(["CROSSBAR", "STATIC", "LOWER_BOUND"], 1))
def test_nodes_times_their_number_is_the_tree(name: str, tmp_path: Path) -> None:
    """8 leaves: gates within what ABC finds across borders."""
    (design,) = KINDS[name].make(3)
    around = design.nodes[0].block
    whole = Block(around.top, around.parameters, around.families, (), around.unwatched)
    total, one = flat(design, whole, tmp_path)
    # In one piece Yosys keeps some header bits that only don't-care legs of multiplexers read.
    assert total.flip_flops <= one.flip_flops <= 1.02 * total.flip_flops
    assert total.delay_bits == one.delay_bits
    assert total.memory_bits == one.memory_bits
    assert total.nand2 == pytest.approx(one.nand2, rel=0.04)
    # A path may lead through a leaf or a decoder and a node.
    deepest = sorted(design_levels(design, tmp_path))
    assert deepest[-1] <= one.levels + 2
    assert one.levels <= deepest[-1] + deepest[0] + 4


def design_levels(design: Design, folder: Path) -> list[int]:
    return [
        read_blif(next((folder / str(number)).glob("_tmp*/output.blif")).read_text()).levels
        for number, _ in enumerate(blocks_of([design]).values())
    ]


def test_a_missing_node_would_be_seen(tmp_path: Path) -> None:
    """The comparison above fails if a level is counted once too often."""
    (design,) = KINDS["LOWER_BOUND"].make(2)
    around = design.nodes[0].block
    whole = Block(around.top, around.parameters, around.families, (), around.unwatched)
    more = Design("", 4, (*design.nodes, design.nodes[-1]), 0, 0)
    total, one = flat(more, whole, tmp_path)
    assert total.flip_flops > one.flip_flops
    assert total.nand2 > 1.1 * one.nand2


# ---- crosspoints ---------------------------------------------------------------------------------


def test_crosspoints_are_legs_of_multiplexers(tmp_path: Path) -> None:
    """A node of one data bit: inputs in the cone of each output's register, summed."""
    (design,) = KINDS["LOWER_BOUND"].make(3)
    node = design.nodes[2]
    chosen = {**dict(node.block.parameters), "W": 1}
    synthesize(Block("area_node", tuple(chosen.items()), ("lbbvn",)), RTL, tmp_path)
    up, down = design.capacity[1], design.capacity[2]
    assert legs(tmp_path) == 2 * down**2 + 4 * up * down


def legs(folder: Path) -> int:
    """Data inputs that reach data registers, counted in the mapped netlist."""
    (work,) = folder.glob("_tmp*")
    names = dict(re.findall(r"^# (ys__n\d+) +(.*)$", (work / "input.blif").read_text(), re.M))
    # What turns is known by the down port that it enters.
    inputs = re.compile(r"\\(up_data_i|down_data_i|u_node\.gen_down\[\d\]\.data) ")
    cone: dict[str, frozenset[str]] = {
        net: frozenset([net]) for net, name in names.items() if inputs.match(name)
    }
    text = (work / "output.blif").read_text().replace("\\\n", " ")
    for line in text.splitlines():
        if line.startswith(".gate"):
            pins = dict(pin.split("=") for pin in line.split()[2:])
            output = pins.pop("Y")
            cone[output] = frozenset().union(*(cone.get(net, frozenset()) for net in pins.values()))
    registers = [net for net, name in names.items() if "u_data_q" in name and "$0" in name]
    assert registers
    return sum(len(cone[net]) for net in registers)
