"""The cost table, and netlists as ABC writes them."""

import pytest

from fattree_bench.synthesis.gates import costs, read_blif

# y = !(!(a b) (c + d)), z = 1
SMALL = """\
# Benchmark "netlist" written by ABC
.model netlist
.inputs a b c \\
 d
.outputs y z
.gate NAND A=a B=b Y=n1
.gate OAI3 A=c B=d C=n1 Y=n2
.gate NOT  A=n2 Y=n3
.gate NOT  A=n3 Y=y
.gate ONE  Y=z
.end"""


def test_costs_are_transistors_of_cmos_over_4() -> None:
    transistors = {
        **{"ZERO": 0, "ONE": 0, "NOT": 2, "NAND": 4, "NOR": 4, "AND": 6, "OR": 6},
        **{"AOI3": 6, "OAI3": 6, "AOI4": 8, "OAI4": 8},
        **{"NMUX": 10, "MUX": 12, "XOR": 12, "XNOR": 12},
    }
    assert costs() == {name: count / 4 for name, count in transistors.items()}


def test_gates_and_levels() -> None:
    mapped = read_blif(SMALL)
    assert mapped.gates == {"NAND": 1, "OAI3": 1, "NOT": 2, "ONE": 1}
    assert mapped.nand2 == 1 + 1.5 + 2 * 0.5
    assert mapped.levels == 4


def test_nothing_but_wires() -> None:
    mapped = read_blif(".model netlist\n.inputs a\n.outputs a\n.end\n")
    assert (mapped.gates, mapped.nand2, mapped.levels) == ({}, 0, 0)


def test_a_second_name_of_a_net_is_no_gate() -> None:
    mapped = read_blif(SMALL.replace(".gate ONE  Y=z", ".barbuf n2 z"))
    assert mapped.gates == {"NAND": 1, "OAI3": 1, "NOT": 2}
    assert mapped.levels == 4


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "cut off"),
        (SMALL.removesuffix(".end"), "cut off"),
        (SMALL.replace("OAI3", "OAI9"), "no such gate: OAI9"),
        (SMALL.replace(".gate ONE  Y=z", ".names z\n1"), "no gate: .names z"),
    ],
)
def test_a_broken_netlist_is_refused(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read_blif(text)
