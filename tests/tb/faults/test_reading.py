"""What a reader sees first of a failure leads to the module that is wrong."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest

from fattree_bench.bench.astray import BY_CHANCE, FEW, astray, hint
from fattree_bench.bench.broken import BROKEN
from fattree_bench.bench.failure import Parcel, Place, Sighting
from fattree_bench.bench.faults import DEADLOCK, LIMIT, MISDELIVERED, PLAYER, STUCK, UNKNOWN, Faults
from fattree_bench.bench.limits import Limits, Watch
from fattree_bench.bench.unknown import Unknown, Unknowns, lowest
from fattree_bench.sim.changed import modules, own
from fattree_bench.sim.elaboration import POINTS
from fattree_bench.sim.severity import complaints
from fattree_bench.sim.verilator_dat import Key, format_point
from tests.cli import Cli, succeeds
from tests.night import some
from tests.tb.faults.faulty import ONE_LANE_TOO_FEW, Edit
from tests.tb.faults.test_faulty_designs import counts


@dataclass(frozen=True)
class Case:
    """A planted fault, the run, and what its first line says."""

    name: str
    variables: str
    edits: tuple[Edit, ...]
    first: str


KARY = "NETWORK=kary K=2 LEVELS=2 TEST=uniform"
OUT = "wormhole/xgft_output_unit.v"
CASES = [
    Case(
        "a bit of an output is X",
        "N=4 TEST=frame",
        (
            Edit(
                "lbbvn/lbbvn_port.v",
                ".data_i(data), .data_o(data_o)",
                ".data_i({data[S*W-1:1], valid[0] ? data[0] : 1'bx}), .data_o(data_o)",
            ),
        ),
        r"leaf 0, clock \d+, of “bit-reverse shifts”: unknown: bit 0 of receive_data was X or Z$",
    ),
    Case(
        "a bit of a link is X",
        KARY,
        (
            Edit(
                OUT,
                "flit_o <= marked;",
                "flit_o <= {marked[FLIT_W-1:1], valid_o == 0 ? marked[0] : 1'bx};",
            ),
        ),
        r"level 1 switch \d output \d, clock \d+, of “uniform, .*: unknown: a bit of the flit, "
        r"its VC or a credit is X or Z; expected flit ",
    ),
    Case(
        "a port sends without credits: its neighbour's check stops the run",
        KARY,
        (Edit(OUT, "ready_q[v] <= credit != {COUNT_W{1'b0}};", "ready_q[v] <= 1'b1;"),),
        r"level 2 switch \d output \d, clock \d+, of “uniform, .*link_mismatch",
    ),
    Case(
        "a design ends the simulation",
        "N=4 TEST=frame",
        (
            Edit(
                "lbbvn/lbbvn_node.v",
                "  wire [BELOW-1:0] turning;",
                "  wire [BELOW-1:0] turning;\n  initial #14 $finish;",
            ),
        ),
        r"lbbvn_bench\.u_tree\.\S+, clock \d+, of “.*: rule of the design: \$finish "
        r"\(lbbvn_node\.v:\d+, time \d+\)$",
    ),
]


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("case", [pytest.param(c, id=c.name) for c in CASES])
def test_the_first_line_leads_to_the_module(case: Case, rtl_copy: Path, tb_cli: Cli) -> None:
    for edit in case.edits:
        edit.apply(rtl_copy)
    done = tb_cli("sim", f"RTL={rtl_copy}", "SIM=icarus", *case.variables.split())
    assert done.returncode == 1, done.stdout + done.stderr
    assert re.search(rf"^  first fault  {case.first}", done.stdout, re.MULTILINE), done.stdout


@pytest.mark.usefixtures("icarus")
def test_behind_a_check_others_run_and_packets_come_first(rtl_copy: Path, tb_cli: Cli) -> None:
    ONE_LANE_TOO_FEW.apply(rtl_copy)
    words = "sim", f"RTL={rtl_copy}", "SIM=icarus", "N=8"
    done = tb_cli(*words, "TEST=frame,single_packets,rotators")
    told = done.stdout
    assert done.returncode == 1 and "1 of 3 tests passed on icarus, seed" in told, told
    assert counts(told)["lost"] == 10, told
    assert "\nbegin with rotators: 64 packets, the fewest" in told, told
    assert told.index("\nFAIL  rotators  15 slots") < told.index("\nFAIL  frame  left no result")
    three = tb_cli(*words, "TEST=frame,shuffled_frame,xor_frame,inverse_frame").stdout
    assert "not run, as 3 simulations in a row ended before a result: inverse_frame" in three
    assert three.count("  ended by  ") == 1, three  # the others are by the same check


# ---- RTL=folder ----------------------------------------------------------------------------------

NOWHERE = Edit("benes/benes_network.v", "module benes_network", "module  benes_network")
LOOPS = Edit("common/fast/packet_concentrator_fast.v", "endmodule", "\nendmodule")
PLAIN = Edit("common/concentrator.v", "endmodule", "\nendmodule")


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("sim", some(["icarus", "verilator"], 1))
def test_changed_files_are_those_that_run(sim: str, rtl_copy: Path, tb_cli: Cli) -> None:
    """Outside the build: refused; in one form of the blocks: that form runs."""
    words = "sim", f"RTL={rtl_copy}", f"SIM={sim}", "N=4", "TEST=frame"
    NOWHERE.apply(rtl_copy)
    done = tb_cli(*words)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "no changed file is in what is simulated: benes/benes_network.v" in done.stderr
    PLAIN.apply(rtl_copy)
    text = succeeds(tb_cli(*words))
    assert re.findall(r"FORM=(\w+)$", text, re.MULTILINE) == ["HARDWARE"], text
    assert "changed, but not in this build: benes/benes_network.v\n" in text
    LOOPS.apply(rtl_copy)
    text = succeeds(tb_cli(*words))
    assert text.count("PASS  1 of 1 tests passed") == 2, text
    missed = re.findall(r"not in this build: (.*)$", text, re.MULTILINE)
    assert missed == [f"benes/benes_network.v, {edit.file}" for edit in (PLAIN, LOOPS)]


def test_modules_of_a_program_for_vvp(tmp_path: Path) -> None:
    lines = [
        'S_0x1 .scope module, "top" "top" 2 7;',
        'S_0x2 .scope module, "u_a" "a" 2 9, 3 1 0, S_0x1;',
        'S_0x3 .scope begin, "b" "b" 4 9, 4 1 0, S_0x1;',
        ":file_names 5;",
        *(f'    "{name}";' for name in ("N/A", "<interactive>", "top.v", "a.v", "b.v")),
        "",
    ]
    (tmp_path / "sim.vvp").write_text("\n".join(lines))
    assert modules(tmp_path, "icarus") == {"a.v"}
    assert modules(tmp_path, "verilator") is None
    points = Key("a.v", 1, 0, "module", "a", ""), Key("b.v", 2, 0, "generate", "gen_b", "")
    (tmp_path / POINTS).write_bytes(b"".join(format_point(key, 1) for key in points))
    assert modules(tmp_path, "verilator") == {"a.v"}


def test_files_of_another_copy_that_is_gone(tmp_path: Path) -> None:
    """Copies share builds; headers are those that the modules include."""
    for room in ("common", "fast"):
        (tmp_path / room).mkdir()
        (tmp_path / room / "a.v").write_text('`include "one.vh"\n')
    (tmp_path / "one.vh").write_text('`include "two.vh"\n')
    for name in ("two.vh", "three.vh", "common/b.v"):
        (tmp_path / name).touch()
    names = {"common/a.v", "one.vh", "two.vh"}
    assert own(tmp_path, {"/gone/rtl/common/a.v"}) == {tmp_path / name for name in names}


# ---- what faulty packets have in common ----------------------------------------------------------


def strays(leaves: int, to: Callable[[int], int]) -> list[Sighting]:
    """Packets of all leaves to all, at the leaves that a function says."""
    return [
        Sighting(MISDELIVERED, "", place=Place("leaf", to(goal)), got=Parcel(one, goal, 0, "slot"))
        for one in range(leaves)
        for goal in range(leaves)
        if to(goal) != goal
    ]


@pytest.mark.parametrize(
    ("leaves", "to", "words"),
    [
        (16, lambda leaf: (leaf + 3) % 16, "plus 3 (modulo 16)"),
        (12, lambda leaf: (leaf - 2) % 12, "minus 2 (modulo 12)"),
        (16, lambda leaf: (leaf << 1 | leaf >> 3) & 15, "with its bits rotated left by 1"),
        (9, lambda leaf: leaf % 3 * 3 + leaf // 3, "with base-3 digits 0 and 1 swapped"),
        (4, lambda leaf: leaf // 2 + leaf % 2 * 2, "with bits 0 and 1 swapped"),
        (8, lambda leaf: 7 - leaf, "counted from the other end"),
        (16, lambda leaf: leaf // 2, "by a fixed table: 1→0, 2→1, 3→1, 4→2, …"),
    ],
)
def test_a_wrong_place_is_a_function_of_the_right_one(
    leaves: int, to: Callable[[int], int], words: str
) -> None:
    seen = strays(leaves, to)
    trait = astray(seen, leaves, 9)
    assert trait is not None and trait.words == (words,)
    assert (trait.faulty, trait.of, trait.among) == (len(seen), len(seen), 9)
    other = Sighting(MISDELIVERED, "", place=Place("leaf", 0), got=Parcel(0, 1, 0, "slot"))
    more = Sighting(MISDELIVERED, "", place=Place("leaf", 2), got=Parcel(0, 1, 0, "slot"))
    assert astray([*seen, other, more], leaves, 9) is None


def test_a_difference_is_told_by_its_bits() -> None:
    assert astray(strays(16, lambda leaf: leaf ^ 5), 16, 0) is None


@pytest.mark.parametrize(
    ("faulty", "sound", "given"), [(4, 25, True), (3, 25, False), (4, 51, False)]
)
def test_a_hint_where_chance_could_tell_as_much(faulty: int, sound: int, given: bool) -> None:
    counts = {("go {}", 1): Counter({"lost": faulty, "": sound})}
    found = hint(counts, {"go {}": ("left", "right")}, {"lost": faulty, "": 100}, 0.5)
    assert bool(found) == given
    assert all(t.says.endswith(BY_CHANCE) and t.of == faulty >= FEW for t in found)


def met() -> Unknowns:
    """What a scoreboard knows of a port that has met an X."""
    return Unknowns([SimpleNamespace(unknown=Unknown("seen_data", 0, 0, 8))], 8)


# ---- words ---------------------------------------------------------------------------------------


def test_an_assertion_without_an_instance() -> None:
    log = "[30] %Error: a.v:5: Assertion failed in : 'assert' failed.\n"
    (found,) = complaints(log)
    assert found.scope is None and str(found) == "error in a.v:5"


def test_unknown_bits_are_told_once_and_by_their_leaf() -> None:
    reader = SimpleNamespace(unknown=Unknown("u_seen_receive_data.seen_pins", 1, 70, 256))
    unknown, faults = Unknowns([reader], 8), Faults()
    for first in (3, 7):
        unknown.tell(faults, first)
    assert faults.counts == {UNKNOWN: 1} and faults.first is not None
    assert (faults.first.time, faults.first.place) == (4, Place("leaf", 2))
    reader.unknown = Unknown("u_seen_receive_data.seen_pins", 1, 70, 256)
    faults.add(PLAYER, "the player did not play what was asked")
    unknown.tell(faults)
    assert faults.counts[UNKNOWN] == 1


def test_an_unknown_bit_is_named() -> None:
    assert lowest("0110", "seen_data", 2) is None
    found = lowest("0X" + "1" * 30 + "Z" + "0" * 31, "seen_data", 2)
    assert found is not None
    finding = found.finding(40, 2)
    assert finding.kind == UNKNOWN and finding.example == "bit 31 of data was X or Z"
    assert (finding.where.time, finding.where.place) == (42, Place("leaf", 0))
    whole = lowest("X", "u_seen_state.seen_pins", 0)
    assert whole is not None and whole.finding(40, 1).where.place is None


def test_behind_a_test_that_failed_others_end_soon() -> None:
    faults = Faults()
    watch = Watch(Limits(**BROKEN), faults)
    for kind in (STUCK, DEADLOCK):
        faults.add(kind, "nothing moved")
    assert not watch.over() and not Watch(Limits(), faults).over()
    faults.add(STUCK, "nothing moved")
    assert watch.over()
    assert faults.examples[LIMIT] == ["stopped after 3 items in which nothing moved"]
