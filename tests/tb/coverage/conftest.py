"""A tiny design under Verilator, and a network's run, both with code coverage."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from fattree_bench.sim import elaboration, toggles
from fattree_bench.sim.flags import CODE_FLAGS, compiler_flags
from fattree_bench.sim.toolchain import VERILATOR_ROOT, prepare_verilator

TINY = """
`default_nettype none
module tiny (input wire clk);  // clocked ten times
  reg [3:0] count = 0;
  always @(posedge clk) count <= count + 1;
  part #(.WIDE(300), .KIND(1)) u_first (.clk(clk), .count_i(count));
  part #(.WIDE(8), .KIND(2)) u_second (.clk(clk), .count_i(count));
endmodule
"""
PART = """
module part #(parameter WIDE = 8, parameter KIND = 1) (input wire clk, input wire [3:0] count_i);
  reg [WIDE-1:0] wide = 0;
  reg [WIDE-1:0] lone = 0;
  reg            odd = 0;
  always @(posedge clk) begin
    wide    <= {WIDE{count_i[0]}};
    lone[5] <= ~lone[5];
    if (count_i < 3)
      odd <= 1'b1;
    else
      odd <= 0;
    if (count_i == 12 && odd)
      odd <= 1;
  end
  genvar i;
  generate
    if (KIND == 1) begin : gen_one
      for (i = 0; i < 2; i = i + 1) begin : gen_round
        wire [3:0] x = count_i;
      end
      for (i = 0; i < 0; i = i + 1) begin : gen_never
        wire [3:0] x = count_i;
      end
    end else if (KIND == 2) begin : gen_two
      wire x = clk;
    end else begin : gen_three
      wire x = ~clk;
      // begin : gen_comment
    end
  endgenerate
endmodule
"""
LONELY = "module lonely (input wire clk);\nendmodule\n"
MAIN = """
#include "Vtop.h"
#include "verilated_cov.h"
int main(int argc, char** argv) {
    Verilated::commandArgs(argc, argv);
    Vtop top;
    top.eval();
    for (int i = 0; i < 20; ++i) { top.clk = !top.clk; top.eval(); }
    VerilatedCov::write();
}
"""


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with rtl/tiny/*.v and the coverage.dat of ten clocks of it."""
    folder = tmp_path_factory.mktemp("tiny")
    rtl = folder / "rtl" / "tiny"
    rtl.mkdir(parents=True)
    for name, text in (("tiny", TINY), ("part", PART), ("lonely", LONELY)):
        (rtl / f"{name}.v").write_text(text)
    (folder / "main.cpp").write_text(MAIN)
    sources = [str(rtl / "tiny.v"), str(rtl / "part.v"), str(rtl / "lonely.v")]
    design = ["--top-module", "tiny", "-Wno-MULTITOP", *sources]

    def run(*command: str) -> None:
        subprocess.run(command, cwd=folder, check=True, capture_output=True)

    prepare_verilator()
    run("verilator", *elaboration.TREE_FLAGS, *design)
    run("verilator", "--cc", "--exe", "--prefix", "Vtop", *CODE_FLAGS, *design, "main.cpp")
    toggles.mend(VERILATOR_ROOT / "include", folder / "obj_dir")
    flags = [flag for flag in compiler_flags(()) if "OPT_FAST" not in flag]
    run("make", "-C", "obj_dir", "-f", "Vtop.mk", "OPT_FAST=-O0", "OPT_GLOBAL=-O0", *flags)
    run("obj_dir/Vtop", f"+verilator+coverage+file+{folder / 'coverage.dat'}")
    elaboration.condense(folder)
    with (folder / "coverage.dat").open("ab") as file:
        file.write((folder / elaboration.POINTS).read_bytes())
    return folder


@pytest.fixture(scope="session")
def genhtml() -> Callable[[Path, Path], str]:
    """`genhtml(tracefile, folder)`: what genhtml says, of a tracefile that it accepts."""
    program = shutil.which("genhtml")
    if program is None:
        pytest.skip("genhtml is not installed (Debian lcov)")

    def run(tracefile: Path, folder: Path) -> str:
        command = [program, "--branch-coverage", "-o", str(folder), str(tracefile)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run
