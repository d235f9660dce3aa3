"""An RTL of other widths refutes the claims about widths: those, and no others."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from fattree_bench.bench.claims import FAILS, HOLDS, UNMEASURED
from fattree_bench.bench.result import Test
from fattree_bench.paths import ROOT
from fattree_bench.regress import assemble
from fattree_bench.sim.outcome import Outcome, judge
from fattree_bench.testplan import read
from tests.cli import Cli, passes
from tests.tb.faults.faulty import Edit

BOUND = "lanes = (1 << (N_LOG - j)) - (1 << (N_LOG - 2 * j));"
LOWER = "    else\n      lanes = 1 << (N_LOG - j);"
NO_REDUCTION = BOUND, "lanes = 1 << (N_LOG - j);"
ONE_MORE = BOUND, f"{BOUND[:-1]} + 1;"
ONE_LESS = BOUND, f"{BOUND[:-1]} - 1;"
ONE_LESS_BELOW = LOWER, f"{LOWER[:-1]} - (j == 2 ? 1 : 0);"
NONE_LESS = "lanes = LANES[32*j +: 32];", "lanes = 1 << (N_LOG - j);"

# Trees of 8 leaves, and the configurations of the testplan that they stand for.
TREES = {"lbbvn-8": "", "lane-less-at-1": "CAPACITY=1,2,1"}
FRAMES = ("frame", "xor_frame", "inverse_frame", "shuffled_frame")
OTHERS = ("rotators", "symmetric_tdm", "plain_xors", "rotations")
WIDTHS = "lanes_of_lemma_1", "degrees", "saved_above_the_middle"
FRAMED = *WIDTHS, "nothing_lost"  # what needs frames that pass


def ran(cli: Cli, rtl: Path, tree: str, scenarios: tuple[str, ...]) -> list[Test]:
    """Tests in one simulation, as a campaign has them."""
    words = "SIM=icarus", "N=8", *TREES[tree].split(), f"TEST={','.join(scenarios)}"
    done = cli("sim", f"RTL={rtl}", *words)
    log = re.search(r"log: (\S+)", done.stdout)
    assert log, done.stdout + done.stderr
    outcome = Outcome(log=ROOT / log[1])
    judge(outcome, outcome.log.parent, [*scenarios])
    found = {result.scenario: result for result in outcome.results}
    tests = []
    for name in scenarios:
        result = found.get(name)
        passed = result is not None and result.passed
        tests.append(Test("lbbvn", tree, {}, "icarus", 1, name, passed, result))
    return tests


def verdicts(cli: Cli, rtl: Path) -> Mapping[str, str]:
    """By measure, of each claim that these trees say something of, as in a report."""
    plan = read()
    # A check in the Verilog that ends the first frame takes the tests behind it along.
    tests = [
        one for tree in TREES for group in (FRAMES, OTHERS) for one in ran(cli, rtl, tree, group)
    ]
    told = {}
    for point in plan.testpoints.values():
        own = list(assemble.tests_for(plan, point, tests)) if point.network == "lbbvn" else []
        whole = all(test.passed for test in own)
        for claim in point.claims if own else ():
            told[claim.measure] = claim.figures(own).verdict if whole else UNMEASURED
    return told


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize(
    ("edit", "turned"),
    [
        pytest.param(NO_REDUCTION, dict.fromkeys(WIDTHS, FAILS), id="no-reduction"),
        *(
            pytest.param(edit, turned, id=name, marks=pytest.mark.nightly)
            for name, edit, turned in (
                ("one-more", ONE_MORE, dict.fromkeys(WIDTHS[:2], FAILS)),
                ("one-less", ONE_LESS, dict.fromkeys(FRAMED, UNMEASURED)),
                ("one-less-below", ONE_LESS_BELOW, dict.fromkeys(FRAMED, UNMEASURED)),
                ("none-less", NONE_LESS, {"fewer_lanes_lose": UNMEASURED}),
            )
        ),
    ],
)
def test_what_turns(
    edit: tuple[str, str], turned: dict[str, str], rtl_copy: Path, tb_cli: Cli
) -> None:
    sound = verdicts(tb_cli, rtl_copy)
    held = {name for name, verdict in sound.items() if verdict == HOLDS}
    assert held == {*FRAMED, "fewer_lanes_lose"}
    Edit("lbbvn/lbbvn_sizes.vh", *edit).apply(rtl_copy)
    planted = verdicts(tb_cli, rtl_copy)
    assert {name: told for name, told in planted.items() if told != sound[name]} == turned


@pytest.mark.usefixtures("icarus")
def test_a_design_of_other_names_inside_has_no_meters(rtl_copy: Path, tb_cli: Cli) -> None:
    """It is checked as before, and nothing is said of its lanes."""
    file = rtl_copy / "lbbvn" / "lbbvn_datapath.v"
    file.write_text(file.read_text().replace("gen_channel", "gen_links"))
    text = passes(tb_cli, f"RTL={rtl_copy} SIM=icarus N=4 TEST=frame VERBOSE=1")
    assert re.search(r"^ +1 +1 +2 +0 +0$", text, re.M), text
