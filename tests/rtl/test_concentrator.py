"""The concentrator's contract, for every combination of inputs, against a list comprehension."""

import itertools
import shutil
from pathlib import Path

import pytest

from tests.icarus import printed

COMMON = Path(__file__).resolve().parents[2] / "rtl" / "common"
EXHAUSTIVE = [(r, s) for r in range(1, 11) for s in range(1, r + 3)]

BENCH = """
module bench;
  localparam R = {r}, S = {s}, W = (R > 1) ? $clog2(R) : 1;
  reg  [R-1:0]   valid_in;
  wire [S-1:0]   valid_out;
  wire [S*W-1:0] select;
  wire [7:0]     lost;
  integer        i;
  concentrator #(.R(R), .S(S), .LOST_W(8)) dut (
    .valid_i(valid_in), .valid_o(valid_out), .select_o(select), .lost_o(lost));
  initial
    for (i = 0; i < (1 << R); i = i + 1) begin
      valid_in = i[R-1:0];
      #1 $display("%b %b %0d", valid_out, select, lost);
    end
endmodule
"""


def expected(r: int, s: int, inputs: int) -> tuple[str, str, int]:
    """Valid and select bits of one concentrator, highest output first, and its losses."""
    asking = [i for i in range(r) if inputs >> i & 1]
    passed = asking[:s] + [None] * (s - len(asking[:s]))
    width = max(1, (r - 1).bit_length())
    valid = "".join("0" if i is None else "1" for i in reversed(passed))
    select = "".join(f"{i or 0:0{width}b}" for i in reversed(passed))
    return valid, select, len(asking) - len(asking[:s])


@pytest.mark.skipif(shutil.which("iverilog") is None, reason="Icarus is not installed")
@pytest.mark.parametrize("first", range(0, len(EXHAUSTIVE), 13))
def test_every_input_of_every_size(tmp_path: Path, first: int) -> None:
    for r, s in itertools.islice(EXHAUSTIVE, first, first + 13):
        bench = BENCH.format(r=r, s=s)
        lines = printed(bench, tmp_path, [COMMON / "concentrator.v"], [COMMON]).splitlines()
        assert len(lines) == 1 << r
        for inputs, line in enumerate(lines):
            valid, select, lost = expected(r, s, inputs)
            assert line == f"{valid} {select} {lost}", f"R={r} S={s} inputs={inputs:0{r}b}"
