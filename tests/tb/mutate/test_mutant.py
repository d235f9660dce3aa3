"""Faults as Yosys names them, and the module that takes a network's place."""

from fattree_bench.mutate.mutant import parse_mutant
from fattree_bench.mutate.netlist import wrapper

LINE = (
    r"mutate -ctrl mutsel 9 12 -mode cnot1 -module lbbvn_tree "
    r"-cell $flatten\gen_level[1].u_level.\u_node.$or$rtl/common/concentrator.v:61$3169 "
    r"-port Y -portbit 2 -ctrlbit 5 -wire x -wirebit 2 "
    r"-src rtl/common/crossbar.v:24.39-24.47 -src rtl/common/concentrator.v:61.18-61.57"
)


def test_a_line_of_yosys() -> None:
    mutant = parse_mutant(LINE)
    assert (mutant.number, mutant.mode, mutant.port) == (12, "cnot1", "Y")
    assert (mutant.bit, mutant.control) == (2, 5)
    assert mutant.kind == "inverted while another bit of the port is 1"
    assert mutant.source == "rtl/common/concentrator.v:61"
    assert mutant.place == "gen_level[1].u_level.u_node.or Y[2, 5]"
    assert "-ctrl " not in mutant.command
    assert mutant.command.startswith("mutate -mode cnot1 -module lbbvn_tree -cell $flatten")


def test_a_line_of_a_file_that_is_not_ours() -> None:
    theirs = LINE.replace("rtl/common/concentrator.v:61.18", "elsewhere/home/me/mine.v:61.18")
    assert parse_mutant(theirs).source == "/home/me/mine.v:61"


def test_faults_in_clocks_are_known() -> None:
    for port, clocked in {"CLK": True, "WR_CLK": True, "D": False}.items():
        assert parse_mutant(LINE.replace("-port Y", f"-port {port}")).clocked == clocked


def test_what_takes_the_networks_place() -> None:
    """Ports in their order, all parameters, and the selector inside."""
    rtlil = "\n".join(
        [
            r"module \tree",
            r"  parameter \N_LOG 2",
            r"  parameter \W 8",
            r"  wire width 4 output 2 \valid_o",
            r"  wire input 1 \clk",
            r"  wire width 3 \inside",
            r"  wire width 5 input 3 \mutsel",
            r"end",
        ]
    )
    text = wrapper(rtlil, "tree", "tree_mutants")
    assert "parameter N_LOG = 0,\n  parameter W = 0" in text
    assert text.index("input wire [0:0] clk") < text.index("output wire [3:0] valid_o")
    assert "reg [4:0] mutsel;" in text
    assert ".mutsel(mutsel)" in text
    assert "inside" not in text
