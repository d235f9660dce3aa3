"""Selectors of a node in RTL: the M bit of each branch, for every M and address bit on each wire.

The paper (Section II): an M bit is M AND either the address bit or its complement.
"""

import itertools
from pathlib import Path

import pytest

from fattree_bench.paths import ROOT
from tests.icarus import printed

pytestmark = pytest.mark.usefixtures("icarus")
BELOW, ABOVE = 4, 2  # wires of both children, and of the parent

BENCH = """
`timescale 1ns/1ns
module selectors;
  reg clk = 0, clear = 1;
  reg [3:0] up = 0;
  reg [1:0] down = 0;
  integer m, a;
  leiserson_node #(.C_UP(2), .C_DOWN(2)) u_node (
    .clk(clk), .clear_i(clear), .restart_i(clear), .up_i(up), .down_ack_i(4'b0),
    .up_ack_i(2'b0), .down_i(down));
  initial for (m = 0; m < 64; m = m + 1) for (a = 0; a < 64; a = a + 1) begin
    {clear, up, down} = 7'b1000000; #1 clk = 1; #1 clk = 0;
    clear = 0; {up, down} = m[5:0]; #1 clk = 1; #1 clk = 0;
    {up, down} = a[5:0]; #1
    $display("%b %b %b %b %b", m[5:0], a[5:0],
             u_node.u_up.ask_i, u_node.u_left.ask_i, u_node.u_right.ask_i);
    clk = 1; #1 clk = 0;
  end
endmodule
"""


def asked(rtl: Path, folder: Path) -> list[list[str]]:
    """M bits, address bits, and the M bits at the ports U, L and R."""
    parts = [rtl / part for part in ("common", "leiserson")]
    sources = [file for part in parts for file in part.glob("*.v")]
    output = printed(BENCH, folder, sources, parts, ["-sselectors"])
    return [line.split() for line in output.splitlines()]


def branches(m: str, address: str) -> tuple[str, str, str]:
    """The M bits that the paper asks for: wires are R's, L's, U's, each the highest first."""
    with_a = "".join(str(int(x) & int(y)) for x, y in zip(m, address, strict=True))
    with_not = "".join(str(int(x) & 1 - int(y)) for x, y in zip(m, address, strict=True))
    children, half = BELOW, BELOW // 2
    up = with_a[:children]
    left = with_not[children:] + with_not[:half]  # from U by 0, from R by 0
    right = with_a[children:] + with_not[half:children]
    return up, left, right


def test_every_m_bit_of_every_branch(tmp_path: Path) -> None:
    """All 64 settings of M bits by all 64 of address bits, on six wires at once."""
    rows = asked(ROOT / "rtl", tmp_path)
    every = itertools.product(range(2), repeat=2 * (BELOW + ABOVE))
    assert {row[0] + row[1] for row in rows} == {"".join(map(str, bits)) for bits in every}
    assert [tuple(row[2:5]) for row in rows] == [branches(*row[:2]) for row in rows]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("turn      = up_address_q   & ~up_i", "turn      = up_address_q"),
        ("climb     = up_address_q   &  up_i", "climb     = up_i"),
        ("to_left   = down_address_q & ~down_i", "to_left   = down_address_q &  down_i"),
    ],
    ids=["no complement", "no M", "no complement from above"],
)
def test_another_selector_is_seen(rtl_copy: Path, tmp_path: Path, old: str, new: str) -> None:
    node = rtl_copy / "leiserson" / "leiserson_node.v"
    text = node.read_text()
    assert text.count(old) == 1
    node.write_text(text.replace(old, new))
    rows = asked(rtl_copy, tmp_path)
    assert [tuple(row[2:5]) for row in rows] != [branches(*row[:2]) for row in rows]
