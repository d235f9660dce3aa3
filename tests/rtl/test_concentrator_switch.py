"""Both forms of a concentrator switch in lock step, at sizes that no proof reaches."""

from pathlib import Path

import pytest

from tests.icarus import printed
from tests.tb.faults.faulty import Edit

BLOCKS = ("concentrator_switch", "rotating_first", "delay_line", "fast/concentrator_switch_fast")
SIZES = (
    (1, 1, 0),
    (3, 5, 1),
    (33, 17, 0),
    (64, 64, 1),
    (82, 64, 0),
    (130, 65, 1),
)  # R, S, PIPELINE
LATE_COMERS_LOSE = Edit(
    "common/fast/concentrator_switch_fast.v", "&& place < S)", "&& place < S && used_q < 9)"
)

# Few requests a clock, so that paths are set one after the other.  The first difference ends it.
BENCH = """
module bench;
  localparam R = {r}, S = {s}, PIPELINE = {pipeline};
  reg          clk = 1'b0, clear = 1'b1, restart = 1'b1;
  reg  [R-1:0] request, bits;
  reg  [S-1:0] ack;
  wire [S-1:0] shown_h, shown_f;
  wire [R-1:0] acked_h, acked_f;
  wire [8:0]   lost_h, lost_f;
  integer      n, i;
  concentrator_switch #(
    .FORM("HARDWARE"), .R(R), .S(S), .PRIORITY("{priority}"), .PIPELINE(PIPELINE), .LOST_W(9)
  ) u_hardware (
    .clk(clk), .clear_i(clear), .restart_i(restart), .request_i(request), .wire_i(bits),
    .wire_o(shown_h), .ack_i(ack), .ack_o(acked_h), .lost_o(lost_h));
  concentrator_switch #(
    .FORM("FAST"), .R(R), .S(S), .PRIORITY("{priority}"), .PIPELINE(PIPELINE), .LOST_W(9)
  ) u_fast (
    .clk(clk), .clear_i(clear), .restart_i(restart), .request_i(request), .wire_i(bits),
    .wire_o(shown_f), .ack_i(ack), .ack_o(acked_f), .lost_o(lost_f));
  initial begin
    for (n = 0; n < 200; n = n + 1) begin
      for (i = 0; i < R; i = i + 1) begin
        request[i] = $unsigned($random) % 16 == 0;
        bits[i]    = $random;
      end
      for (i = 0; i < S; i = i + 1) ack[i] = $random;
      clear   = n == 0 || $unsigned($random) % 32 == 0;
      restart = n == 0 || $unsigned($random) % 4 == 0;
      #1 if (n > 0 && {{shown_h, acked_h, lost_h}} !== {{shown_f, acked_f, lost_f}}) begin
        $display("different in clock %0d", n);
        $finish;
      end
      clk = 1'b1;
      #1 clk = 1'b0;
    end
    $display("the same");
  end
endmodule
"""

pytestmark = pytest.mark.usefixtures("icarus")


def lock_step(rtl: Path, r: int, s: int, pipeline: int, priority: str, folder: Path) -> str:
    """What the bench says."""
    bench = BENCH.format(r=r, s=s, pipeline=pipeline, priority=priority)
    blocks = [rtl / "common" / f"{block}.v" for block in BLOCKS]
    return printed(bench, folder, blocks, [rtl / "common"]).strip()


@pytest.mark.parametrize("priority", ["FIXED", "ROTATING"])
@pytest.mark.parametrize(("r", "s", "pipeline"), SIZES)
def test_both_forms_are_the_same(
    r: int, s: int, pipeline: int, priority: str, rtl_copy: Path, tmp_path: Path
) -> None:
    assert lock_step(rtl_copy, r, s, pipeline, priority, tmp_path) == "the same"


def test_a_difference_is_found(rtl_copy: Path, tmp_path: Path) -> None:
    LATE_COMERS_LOSE.apply(rtl_copy)
    assert lock_step(rtl_copy, 82, 64, 0, "FIXED", tmp_path).startswith("different in clock")
