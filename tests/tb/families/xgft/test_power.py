"""Power of the OXGFT paper's trees: what toggles in RTL and gates, against ports squared."""

import subprocess
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from fattree_bench.bench.means import SEEDS
from fattree_bench.families import find
from fattree_bench.families.design import Block
from fattree_bench.families.wormhole_area import whole_switches
from fattree_bench.paths import ROOT
from fattree_bench.synthesis.block import blocks_of
from fattree_bench.synthesis.synthesize import synthesize
from fattree_models.traffic import estimate
from fattree_models.universality.slopes import slope
from fattree_models.xgft import design
from tests.night import some

pytestmark = pytest.mark.usefixtures("icarus")
Record = Callable[[str, object], None]
RTL = ROOT / "rtl"
SWITCH = {"VCS": "1", "DEPTH": "6"}  # D-mod-k, which draws no random numbers
TREES = {
    "plain-36": ("xgft", {"M": "6,6", "W": "1,4"}),
    "optimised-36": ("oxgft", {"P": "36", "LEVELS": "2"}),
    "plain-60": ("xgft", {"M": "4,3,5", "W": "1,2,2"}),
    "optimised-60": ("oxgft", {"P": "60", "LEVELS": "3"}),
}
PORTS = [3, 4, 6, 12]  # of a single switch; those of the trees have 4 to 12
CLOCKS, LOAD = 200, 0.1  # in which leaves send; flits a leaf and clock, each a packet
BENCH = """
`timescale 1ns/1ns
module power;
  localparam N = {leaves}, FLIT_W = 34;
  reg                 clk = 1'b0, rst = 1'b1;
  reg  [N-1:0]        valid = 0, back = 0;
  reg  [N*FLIT_W-1:0] flit = 0;
  wire [N-1:0]        arrives, returns;
  reg  [N*32-1:0]     room = {{N{{32'd{DEPTH}}}}};  // credits
  integer             leaf, goal, clock, sent = 0, arrived = 0, seed = {seed};
  xgft_network #({parameters}) u_network (
    .clk(clk), .rst(rst), .clocks_i(1'b0), .seed_i(32'd1), .write_i(1'b0), .valid_i(valid),
    .flit_i(flit), .valid_o(arrives), .credit_i(back), .credit_o(returns));
  initial begin
    $dumpfile("power.vcd");
    for (clock = 0; clock < {clocks} + 120; clock = clock + 1) begin
      #5 clk = 1'b1;
      #1 back = arrives; rst = clock < 10;
      for (leaf = 0; leaf < N; leaf = leaf + 1) begin
        arrived = arrived + arrives[leaf];
        valid[leaf] = $random(seed) % 1000 < 2*{load} - 1000 && room[leaf*32 +: 32] != 0;
        valid[leaf] = valid[leaf] && clock >= 20 && clock < {clocks} + 20;  // of -999 .. 999
        room[leaf*32 +: 32] = room[leaf*32 +: 32] + returns[leaf] - valid[leaf];
        if (valid[leaf]) begin
          goal = (leaf + 1 + $unsigned($random(seed)) % (N - 1)) % N;
          flit[leaf*FLIT_W +: FLIT_W] = {{2'b11, $random(seed)}};
          flit[leaf*FLIT_W +: {address}] = goal;
          flit[leaf*FLIT_W + {address} +: {node} + 1] = leaf;
          sent = sent + 1;
        end
      end
      #4 clk = 1'b0;
      if (clock == 18) $dumpvars(0, u_network);
    end
    $display("%0d %0d", sent, arrived);
    $finish;
  end
endmodule
"""


def toggles(lines: Iterable[str]) -> int:
    """Changes of all bits in a dump, each net once wherever it is seen; clocks are left out."""
    clocks: set[str] = set()
    now: dict[str, int] = {}
    changes = 0
    for line in lines:
        match line.split():
            case ["$var", _, _, code, name, *_] if "clk" in name:
                clocks.add(code)
            case [word, code] if word[0] == "b":
                value = int(word[1:].translate(str.maketrans("xz", "00")), 2)
                changes += (value ^ now.get(code, value)).bit_count()
                now[code] = value
            case [word] if word[0] in "01xz" and word[1:] not in clocks:
                code, value = word[1:], int(word[0] == "1")
                changes += value ^ now.get(code, value)
                now[code] = value
    return changes


def each_clock(network: Any, seed: int, folder: Path) -> float:
    """What toggles in a clock under uniform traffic, until all of it has arrived."""
    _, parameters = network.synthesis()
    words = {"address": network.words.address_bits, "node": network.words.node_bits}
    own = ", ".join(f".{k}({x})" for k, x in parameters.items() if k != "ASYNC")
    size = {"leaves": network.leaves, "clocks": CLOCKS, "load": round(1000 * LOAD), **SWITCH}
    (folder / "power.v").write_text(BENCH.format(parameters=own, seed=seed, **size, **words))
    sources, includes = network.rtl.synthesized(RTL)
    paths = [f"-I{path}" for path in includes]
    built = ["iverilog", "-g2005", *paths, "-spower", "-opower", "power.v", *map(str, sources)]
    subprocess.run(built, cwd=folder, check=True)
    done = subprocess.run(["vvp", "-n", "power"], cwd=folder, check=True, capture_output=True)
    sent, arrived = map(int, done.stdout.split()[-2:])
    assert sent == arrived > 0
    with (folder / "power.vcd").open(encoding="ascii") as dump:
        return toggles(dump) / CLOCKS


def built(name: str, variables: Mapping[str, str]) -> Any:
    return find(name).from_variables({**variables, **SWITCH})


def crossbar(ports: int, folder: Path) -> float:
    """Gates of the crossbar of a switch alone, in NAND2 equivalents."""
    block = Block("crossbar", (("R", ports), ("S", ports), ("W", 34)), ())
    return float(synthesize(block, RTL, folder / f"crossbar-{ports}").nand2)


@pytest.mark.parametrize("name", some([*TREES], 0))
def test_trees(name: str, tmp_path: Path, record_property: Record) -> None:
    """At as much traffic a processor, which each of them carries."""
    network = built(*TREES[name])
    tree = network.tree
    mean, half, _ = estimate([each_clock(network, seed, tmp_path) for seed in range(SEEDS)])
    levels = range(1, tree.height + 1)
    bars = sum(tree.level_size(x) * crossbar(tree.radix(x), tmp_path) for x in levels)
    found = {"squares": design(tree).cost, "toggles": mean, "toggles_half": half, "crossbars": bars}
    for what, value in found.items():
        record_property(what, value)
    assert mean > half


@pytest.mark.nightly
def test_switches(tmp_path: Path, record_property: Record) -> None:
    """Each port of a switch carries as much, however many it has."""
    values: dict[str, list[float]] = {"switch": [], "gates": [], "crossbar": []}
    for ports in PORTS:
        network = built("xgft", {"M": str(ports), "W": "1"})
        (block,) = blocks_of([whole_switches(network)]).values()
        values["switch"].append(each_clock(network, 1, tmp_path))
        values["gates"].append(synthesize(block, RTL, tmp_path / str(ports)).nand2)
        values["crossbar"].append(crossbar(ports, tmp_path))
    for what, found in values.items():
        growth = slope(PORTS, found)
        record_property(f"{what}_growth", growth.mean)
        record_property(f"{what}_growth_half", growth.half)
        assert growth.mean > 0


def test_dumps_are_counted_bit_by_bit() -> None:
    """Each net once under both of its names, no clock, and no first value."""
    dump = """$var wire 1 ! clk $end
$var wire 4 # flit_o [3:0] $end
$var wire 4 # flit_i [3:0] $end
$var wire 1 $ valid $end
0!
b0 #
x$
#5
1!
b101 #
0$
1$
b1 #
"""
    assert toggles(dump.splitlines()) == 2 + 1 + 1


def test_a_switch_by_what_toggles(tmp_path: Path) -> None:
    """More with twice the ports; a dump without traffic would have nothing."""
    two, four = (each_clock(built("xgft", {"M": m, "W": "1"}), 1, tmp_path) for m in "24")
    assert 0 < two < four
