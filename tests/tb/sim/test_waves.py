"""Views of waves: every name in them is in the file, as Verilator and Icarus write it."""

import re
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from fattree_bench.bench.sentences import opened
from fattree_bench.sim.wave_view import Signal, groups, signals, write_views
from tests.tb.faults.faulty import SWAPPED_CHILDREN

NODE = "bench.u_tree.gen_level[1].gen_node[0].u_node"
VCD = """$timescale 1ns $end
$scope module $rootio $end
 $var wire 1 # clk $end
$upscope $end
$scope module bench $end
 $var wire 32 a N [31:0] $end
 $var wire 2 b valid_out [1:0] $end
 $var wire 16 c data_out [15:0] $end
 $scope module u_tree $end
  $scope module gen_level[1] $end
   $scope module gen_node[0] $end
    $scope module u_node $end
     $var wire 2 d up_valid_i [1:0] $end
     $var wire 8 e up_data_i [7:0] $end
     $var wire 1 f clk $end
     $scope module u_port $end
      $var wire 1 g ask_i $end
     $upscope $end
    $upscope $end
   $upscope $end
  $upscope $end
 $upscope $end
$upscope $end
$enddefinitions $end
#0
$dumpvars
"""


def names(view: Path) -> set[str]:
    """Signals of a view for gtkwave or surfer."""
    words = view.read_text()
    if view.suffix == ".sucl":
        return set(re.findall(r"^variable_add (\S+)$", words, re.MULTILINE))
    lines = [line for line in words.splitlines() if line[0] not in "[*@-"]
    return {re.sub(r"^\(\d+\)", "", word) for line in lines for word in line.split() if "." in word}


def test_a_view_shows_nodes_by_level_and_lanes(tmp_path: Path) -> None:
    waves = tmp_path / "waves.vcd"
    waves.write_text(VCD)
    surfer, gtkwave = write_views(waves, 18)
    assert names(surfer) == {f"{NODE}.up_valid_i", f"{NODE}.up_data_i", *BENCH}
    output = gtkwave.read_text()
    assert "-level 1 node 0\n@22\n" + f"{NODE}.up_valid_i[1:0]" in output
    lane = " ".join(f"({bit}){NODE}.up_data_i[7:0]" for bit in range(4))
    assert (
        f"#{{up_data_i lane 1}} {lane}" in output
    )  # the topmost bit is 0: lane 1 is the upper one
    assert re.search(r"^\*-3\.0+ 18 18( -1){25}$", output, re.MULTILINE)
    assert surfer.read_text().endswith("cursor_set 18\nmarker_set fault\ngoto_cursor\n")


BENCH = ("bench.valid_out", "bench.data_out")


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    for name, data in (
        ("a.fst", bytes(9)),
        ("b.vcd", b"$upscope $end $enddefinitions"),
        ("c.vcd", b"$enddefinitions $end\n"),
    ):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(ValueError, match=name):
            signals(tmp_path / name)


def test_large_networks_are_cut_and_it_is_said() -> None:
    scopes = [("bench", "u_tree", f"gen_level[{k}]", "gen_node[0]", "u_node") for k in range(9000)]
    found = list(groups([Signal(("bench",), "go", 1), *(Signal(s, "a_i", 1) for s in scopes)]))
    assert found[-1].title == "more nodes: cut after 4000 signals"
    assert sum(len(group.rows) for group in found) == 4000


def test_commands_quote_what_a_shell_would_split() -> None:
    surfer, gtkwave = opened("a b/waves.vcd")
    assert surfer == "surfer --command-file 'a b/waves.sucl' 'a b/waves.vcd'"
    assert gtkwave == "gtkwave 'a b/waves.vcd' 'a b/waves.gtkw'"
    assert not opened("")


@pytest.mark.parametrize("sim", ["icarus", pytest.param("verilator", marks=pytest.mark.nightly)])
def test_names_are_those_of_the_waves(
    sim: str,
    rtl_copy: Path,
    tb_cli: Callable[..., CompletedProcess[str]],
    request: pytest.FixtureRequest,
) -> None:
    """And the marker stands where a leaf gives out what it should not."""
    if sim == "icarus":
        request.getfixturevalue("icarus")
    SWAPPED_CHILDREN.apply(rtl_copy)
    done = tb_cli(
        "sim", f"RTL={rtl_copy}", "WAVES=1", f"SIM={sim}", *SWAPPED_CHILDREN.variables.split()
    )
    assert done.returncode == 1, done.stdout + done.stderr
    found = re.search(r"^waves: gtkwave (\S+) (\S+)$", done.stdout, re.MULTILINE)
    assert found, done.stdout
    waves, view = map(Path, found.groups())
    known = signals(waves)
    assert names(view) <= {s.ranged for s in known}
    assert names(view.with_suffix(".sucl")) <= {s.path for s in known}
    assert "-level 1 node 1\n" in view.read_text()
    leaf, clock = re.findall(r"first fault +leaf (\d+), clock (\d+)", done.stdout)[0]
    step = int(re.findall(r"^cursor_set (\d+)$", view.with_suffix(".sucl").read_text(), re.M)[0])
    # Behind two clocks of reset, of two steps each, and a step before it on Verilator.
    assert step == 4 + 2 * int(clock) + (sim == "verilator")
    if sim == "verilator":
        assert value(waves, "valid_out", step) >> int(leaf) & 1


def value(vcd: Path, name: str, step: int) -> int:
    """A signal of the bench in a step."""
    header, _, changes = vcd.read_text().partition("$enddefinitions")
    code = re.findall(rf"\$var wire \d+ (\S+) {name} ", header)[0]
    now = found = 0
    for line in changes.splitlines():
        if line.startswith("#"):
            now = int(line[1:])
        elif now <= step and line.split()[-1] == code and line.startswith("b"):
            found = int(line.split()[0][1:], 2)
    return found
