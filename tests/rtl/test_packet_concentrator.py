"""Both forms of a packet concentrator in lock step, at sizes that no proof reaches."""

from pathlib import Path

import pytest

from tests.icarus import printed
from tests.tb.faults.faulty import named

COMMON = Path("common")
BLOCKS = ("concentrator", "crossbar", "packet_concentrator", "fast/packet_concentrator_fast")
SIZES = ((1, 1), (3, 5), (33, 17), (64, 64), (112, 48), (130, 65))

# Inputs that ask: from none to all.  The first difference ends it.
BENCH = """
module bench;
  localparam R = {r}, S = {s}, H = 7, W = 33;
  reg  [R-1:0]   valid;
  reg  [R*H-1:0] header;
  reg  [R*W-1:0] data;
  wire [S-1:0]   valid_h, valid_f;
  wire [S*H-1:0] header_h, header_f;
  wire [S*W-1:0] data_h, data_f;
  wire [8:0]     lost_h, lost_f;
  integer        slot, i;
  packet_concentrator #(.FORM("HARDWARE"), .R(R), .S(S), .H(H), .W(W), .LOST_W(9)) u_hardware (
    .valid_i(valid), .header_i(header), .data_i(data), .valid_o(valid_h), .header_o(header_h),
    .data_o(data_h), .lost_o(lost_h));
  packet_concentrator #(.FORM("FAST"), .R(R), .S(S), .H(H), .W(W), .LOST_W(9)) u_fast (
    .valid_i(valid), .header_i(header), .data_i(data), .valid_o(valid_f), .header_o(header_f),
    .data_o(data_f), .lost_o(lost_f));
  initial begin
    for (slot = 0; slot < 200; slot = slot + 1) begin
      for (i = 0; i < R; i = i + 1) begin
        valid[i]         = $unsigned($random) % 200 < slot + (slot == 199);
        header[i*H +: H] = $random;
        data[i*W +: W]   = {{$random, $random}};
      end
      #1 if ({{valid_h, header_h, data_h, lost_h}} !== {{valid_f, header_f, data_f, lost_f}}) begin
        $display("different in slot %0d", slot);
        $finish;
      end
    end
    $display("the same");
  end
endmodule
"""

pytestmark = pytest.mark.usefixtures("icarus")


def lock_step(rtl: Path, r: int, s: int, folder: Path) -> str:
    """What the bench says."""
    blocks = [rtl / COMMON / f"{block}.v" for block in BLOCKS]
    return printed(BENCH.format(r=r, s=s), folder, blocks, [rtl / COMMON]).strip()


@pytest.mark.parametrize(("r", "s"), SIZES)
def test_both_forms_are_the_same(r: int, s: int, rtl_copy: Path, tmp_path: Path) -> None:
    assert lock_step(rtl_copy, r, s, tmp_path) == "the same"


def test_a_difference_is_found(rtl_copy: Path, tmp_path: Path) -> None:
    named("the fast form of a concentrator forgets its last input").apply(rtl_copy)
    assert lock_step(rtl_copy, 112, 48, tmp_path).startswith("different in slot")
