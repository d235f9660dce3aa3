"""Both forms of the blocks that have two: which one runs, and what a result says of it."""

import re
from pathlib import Path

import pytest

from fattree_bench.bench.form import FORM
from fattree_bench.families import NETWORKS
from tests.cli import Cli, succeeds
from tests.tb.faults.faulty import Edit

OUTPUT = "wormhole/xgft_output_unit.v"
HARDWARE, LOOPS = Edit(OUTPUT, "endmodule", "\nendmodule"), "wormhole/xgft_fast_flits.vh"
FASTER = Edit(LOOPS, "task send_flits;", "\ntask send_flits;")
BOTH = Edit("wormhole/xgft_random.v", "endmodule", "\nendmodule")
LOST = Edit(OUTPUT, "credit_i[v] ? credit_q + 1'b1 :", "credit_i[v] ? credit_q :")
SMALL = ("NETWORK=kary", "K=2", "LEVELS=2", "SIM=icarus")
TWO = [name for name, kind in NETWORKS.items() if FORM.name in {p.name for p in kind.parameters}]


def forms(text: str) -> list[str]:
    """The forms of the runs that a terminal shows."""
    return re.findall(r"^  [KM]=.*\bFORM=(\w+)\b", text, re.MULTILINE)


def test_all_networks_with_two_forms_take_the_fast_one() -> None:
    assert {"kary", "xgft", "gft", "ftree_mn", "oxgft", "ruft", "benes", "graph"} < set(TWO)
    for name in TWO:
        network = NETWORKS[name].from_variables({})
        assert network.rtl.form == {"FORM": '"FAST"'}, name
        assert network.changed()["FORM"] == "FAST", name  # every result states it
        assert network.synthesis()[1]["FORM"] == '"HARDWARE"', name
    turnback = NETWORKS["turnback"].from_variables({})
    assert turnback.rtl.form == {"FORM": '"HARDWARE"'} and "FORM" not in turnback.variables()


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize(
    ("edits", "ran"),
    [
        pytest.param((HARDWARE,), ["HARDWARE"], id="hardware"),
        pytest.param((FASTER,), ["FAST"], id="fast"),
        pytest.param((BOTH,), ["FAST", "HARDWARE"], id="both", marks=pytest.mark.nightly),
    ],
)
def test_the_form_that_has_a_changed_file_runs(
    edits: tuple[Edit, ...], ran: list[str], rtl_copy: Path, tb_cli: Cli
) -> None:
    for edit in edits:
        edit.apply(rtl_copy)
    words = (*SMALL, "ROUTING=RANDOM", "TEST=single_packets", f"RTL={rtl_copy}")
    text = succeeds(tb_cli("sim", *words))
    assert forms(text) == ran
    assert (f"changed, but not in this build: {LOOPS}" in text) == (edits == (FASTER,))


@pytest.mark.usefixtures("icarus")
def test_a_fault_of_hardware_does_not_pass_in_the_other_form(rtl_copy: Path, tb_cli: Cli) -> None:
    """It runs as HARDWARE, and fails; asked for the other form, a command says so in a line."""
    LOST.apply(rtl_copy)
    words = (*SMALL, "TEST=uniform", f"RTL={rtl_copy}")
    done = tb_cli("sim", *words)
    assert done.returncode == 1, done.stdout + done.stderr
    assert forms(done.stdout) == ["HARDWARE"]
    assert re.search(r"^  replay: .* FORM=HARDWARE ", done.stdout, re.MULTILINE), done.stdout
    told = f"no changed file is in what is simulated: {OUTPUT}; FORM=HARDWARE may have it"
    for command in ("sim", "show"):
        done = tb_cli(command, *words, "FORM=FAST")
        assert done.returncode == 2, done.stdout + done.stderr
        assert done.stderr.strip().endswith(told), done.stderr
