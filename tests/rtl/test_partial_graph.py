"""The graphs frozen in Verilog are those that the models have proved: every edge of every stage."""

from pathlib import Path

import numpy as np
import pytest

from fattree_models.leiserson import partial
from tests.icarus import printed
from tests.night import some

COMMON = Path(__file__).resolve().parents[2] / "rtl" / "common"
WIDEST = max(partial.table_rows())

pytestmark = pytest.mark.usefixtures("icarus")

# A line for each stage: r, s, then the outputs of all edges; a line for each port: its stages.
BENCH = """
module bench;
  `include "partial_stages.vh"
  `include "partial_graph.vh"
  integer    r, s, i, e;
  reg [95:0] row;
  initial
    for (r = {least}; r <= {most}; r = r + 1) begin
      row = graph_row(r);
      for (s = 1; s <= {most}; s = s + 1) begin
        if (s < r && stage_outputs(r, s) == s) begin
          $write("graph %0d %0d", r, s);
          for (i = 0; i < r; i = i + 1)
            for (e = 0; e < graph_degree(r, s); e = e + 1)
              $write(" %0d", graph_output(row, r, s, i, e));
          $write("\\n");
        end
        $write("port %0d %0d", r, s);
        for (i = 0; i <= stage_count(r, s); i = i + 1)
          $write(" %0d", stage_inputs(r, s, i));
        $write("\\n");
      end
    end
endmodule
"""

Lines = dict[tuple[str, int, int], list[int]]


def in_verilog(common: Path, least: int, most: int, folder: Path) -> Lines:
    """Graphs and cascades of `least` to `most` inputs by the functions in the folder `common`."""
    lines = {}
    output = printed(BENCH.format(least=least, most=most), folder, (), [common])
    for line in output.splitlines():
        kind, *words = line.split()
        # An unknown value, x, is not an output: -1.
        r, s, *numbers = (int(word) if word.isdigit() else -1 for word in words)
        lines[kind, r, s] = numbers
    return lines


def in_models(least: int, most: int) -> Lines:
    """The same by the models."""
    lines = {}
    for r in range(least, most + 1):
        for s in range(1, most + 1):
            plan = partial.stages(r, s)
            lines["port", r, s] = [r, *(outputs for _, outputs in plan)]
            if plan == ((r, s),):
                lines["graph", r, s] = np.ravel(partial.adjacency(r, s)).tolist()
    return lines


def differences(common: Path, least: int, most: int, folder: Path) -> set[tuple[str, int]]:
    """Kinds and inputs of lines that are not alike, or that only one of both has."""
    verilog, models = in_verilog(common, least, most, folder), in_models(least, most)
    keys = verilog.keys() | models.keys()
    return {key[:2] for key in keys if verilog.get(key) != models.get(key)}


@pytest.mark.parametrize("most", some([WIDEST // 3, WIDEST], 1))
def test_every_graph_and_cascade(most: int, tmp_path: Path) -> None:
    assert differences(COMMON, 1, most, tmp_path) == set()


@pytest.mark.parametrize(
    ("file", "old", "new", "wrong"),
    [
        (
            "partial_graph.vh",
            "    12: graph_row = {8'd11",
            "    12: graph_row = {8'd7",
            {("graph", 12)},
        ),
        (
            "partial_graph.vh",
            "(e * r + (m * i + b) % r) % s",
            "(e * r + m * i + b) % s",
            {("graph", r) for r in range(8, 14)},
        ),
        # ceil(2r/3) becomes 1 less where r = 2 modulo 3 (8 has a complete graph with 5 outputs).
        ("partial_stages.vh", "(2 * r + 2) / 3", "(2 * r + 1) / 3", {("graph", 11), ("port", 11)}),
    ],
    ids=["one-number", "formula", "cascade"],
)
def test_damage_is_noticed(
    file: str, old: str, new: str, wrong: set[tuple[str, int]], rtl_copy: Path, tmp_path: Path
) -> None:
    path = rtl_copy / "common" / file
    text = path.read_text()
    assert old in text, "edit is out of date"
    path.write_text(text.replace(old, new))
    assert differences(rtl_copy / "common", 8, 13, tmp_path) == wrong
